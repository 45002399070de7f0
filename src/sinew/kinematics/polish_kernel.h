// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/newton_kernel.h"

/// An answer made exact in double precision.
namespace sinew::kernel {
namespace {

/// The norms of the error before it is weighed, of the components asked for.
inline void note_errors(const Task<double>& task, const double* error, Polish& polish) {
  double squares[2] = {0.0, 0.0};
  for (int k = 0; k < 6; ++k) squares[k / 3] += task.weight[k] > 0.0 ? error[k] * error[k] : 0.0;
  polish.position_error = __builtin_sqrt(squares[0]);
  polish.rotation_error = __builtin_sqrt(squares[1]);
}

// damping in parts of the cost: enough to be safe near a solution, little enough to be quick
constexpr double kLeastCaution = 1e-2;

template <int N>
void polish_of(const Chain<double>& chain, const Task<double>& task, double goal, int most_rounds,
               Polish& polish) {
  const int count = N > 0 ? N : chain.variable_count;
  double q[kMaxJoints];
  for (int i = 0; i < count; ++i) q[i] = polish.q[i];
  double best = __builtin_inf();
  double caution = kLeastCaution;
  int worse = 0;
  for (int round = 0;; ++round) {
    Walk<double> way;
    walk<double, N>(chain, task.X_S0, q, way);
    double error[6];
    error_of<double>(way.X_ST, task.X_ST, task.is_pointing, error);
    Polish here;
    note_errors(task, error, here);
    const double cost = weigh_error<double>(task, error);
    if (cost < best) {
      worse = 0;
      caution = larger<double>(0.3 * caution, kLeastCaution);
      best = cost;
      polish.position_error = here.position_error;
      polish.rotation_error = here.rotation_error;
      for (int i = 0; i < count; ++i) polish.q[i] = q[i];
    } else if (cost > best) {
      // back to the best and on with more care
      if (++worse > 8 || round >= most_rounds) return;
      caution *= 10.0;
      for (int i = 0; i < count; ++i) q[i] = polish.q[i];
      continue;
    }
    if (round >= most_rounds || (polish.position_error <= goal && polish.rotation_error <= goal)) return;
    double jacobian[kMaxJoints][6];
    weigh_columns<double, N>(chain, task, way, q, error, jacobian);
    double step[kMaxJoints];
    damped_step<double, N>(jacobian, error, cost * caution + 1e-14, count, step);
    for (int i = 0; i < count; ++i) {
      q[i] = smaller<double>(larger<double>(q[i] + step[i], task.lower[i]), task.upper[i]);
    }
  }
}

void polish(const Chain<double>& chain, const Task<double>& task, double goal, int most_rounds,
            Polish& polish) {
  for_count_of(chain, [&]<int N>(Count<N>) { polish_of<N>(chain, task, goal, most_rounds, polish); });
}

}  // namespace
}  // namespace sinew::kernel

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/chain_kernel.h"

/// Damped Newton steps towards a pose, eight at a time in single precision or one in double.
namespace sinew::kernel {
namespace {

/// Error of the tip, to be undone: position difference and a rotation vector of length 2 sin(angle / 2).
template <class L>
[[gnu::always_inline]] inline void error_of(const Motion<L>& X, const Motion<RealOf<L>>& goal,
                                            bool is_pointing, L* error) {
  using Real = RealOf<L>;
  L v[3];
  L cosine;
  const auto cross = [](const L* a, const Real* b, int k) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    return a[i] * b[j] - a[j] * b[i];
  };
  const auto dot = [](const L* a, const Real* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  if (is_pointing) {
    for (int k = 0; k < 3; ++k) v[k] = cross(X.z, goal.z, k);
    cosine = dot(X.z, goal.z);
  } else {
    for (int k = 0; k < 3; ++k) {
      v[k] = (cross(X.x, goal.x, k) + cross(X.y, goal.y, k) + cross(X.z, goal.z, k)) * Real(0.5);
    }
    cosine = (dot(X.x, goal.x) + dot(X.y, goal.y) + dot(X.z, goal.z) - Real(1)) * Real(0.5);
  }
  // sin(angle) / cos(angle / 2) = 2 sin(angle / 2): grows all the way to half a turn
  const L scale = Real(1) / root<L>(larger<L>((cosine + Real(1)) * Real(0.5), all<L>(Real(1e-6))));
  for (int k = 0; k < 3; ++k) {
    error[k] = goal.o[k] - X.o[k];
    error[3 + k] = v[k] * scale;
  }
}

/// Solves A x = b for symmetric positive A (lower half given), size at most 6; x replaces b.
template <class L>
[[gnu::always_inline]] inline void solve_symmetric(L (*a)[6], L* b, int size) {
  L inverse_pivot[6];
#pragma GCC unroll 6
  for (int j = 0; j < size; ++j) {
    // column j of the factor: a[i][j] holds l_ij * d_j until it is divided
    L pivot = a[j][j];
#pragma GCC unroll 6
    for (int k = 0; k < j; ++k) pivot -= a[j][k] * a[j][k] * inverse_pivot[k];
    inverse_pivot[j] = RealOf<L>(1) / pivot;
#pragma GCC unroll 6
    for (int i = j + 1; i < size; ++i) {
      L sum = a[i][j];
#pragma GCC unroll 6
      for (int k = 0; k < j; ++k) sum -= a[i][k] * (a[j][k] * inverse_pivot[k]);
      a[i][j] = sum;
    }
  }
#pragma GCC unroll 6
  for (int i = 0; i < size; ++i) {
#pragma GCC unroll 6
    for (int k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] *= inverse_pivot[i];
  }
#pragma GCC unroll 6
  for (int i = size - 1; i >= 0; --i) {
    L sum = all<L>(0);
#pragma GCC unroll 6
    for (int k = i + 1; k < size; ++k) sum += a[k][i] * b[k];
    b[i] -= sum * inverse_pivot[i];
  }
}

/// The damped step: (JᵀJ + λ) step = Jᵀ error, by the smaller of the two equal systems.
template <class L, int N>
[[gnu::always_inline]] inline void damped_step(const L (*jacobian)[6], const L* error, L damping,
                                               int variables, L* step) {
  const int count = N > 0 ? N : variables;
  L a[6][6];
  L b[6];
  const bool by_rows = count >= 6;
  const int size = by_rows ? 6 : count;
#pragma GCC unroll 6
  for (int i = 0; i < size; ++i) {
#pragma GCC unroll 6
    for (int j = 0; j <= i; ++j) {
      L sum = i == j ? damping : all<L>(0);
      const int terms = by_rows ? count : 6;
#pragma GCC unroll 8
      for (int k = 0; k < terms; ++k) {
        sum += by_rows ? jacobian[k][i] * jacobian[k][j] : jacobian[i][k] * jacobian[j][k];
      }
      a[i][j] = sum;
    }
    b[i] = error[i];
    if (!by_rows) {
      b[i] = all<L>(0);
#pragma GCC unroll 6
      for (int k = 0; k < 6; ++k) b[i] += jacobian[i][k] * error[k];
    }
  }
  solve_symmetric<L>(a, b, size);
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i) {
    step[i] = b[i < 6 ? i : 5];
    if (by_rows) {
      step[i] = all<L>(0);
#pragma GCC unroll 6
      for (int k = 0; k < 6; ++k) step[i] += jacobian[i][k] * b[k];
    }
  }
}

/// Clears the columns of joints that stand at a limit and would go beyond it.
template <class L, int N>
[[gnu::always_inline]] inline void hold_at_limits(const Task<RealOf<L>>& task, const L* q, const L* error,
                                                  int variables, L (*jacobian)[6]) {
  const int count = N > 0 ? N : variables;
  // mostly nobody stands at a limit
  auto at_limit = (q[0] <= task.lower[0]) | (q[0] >= task.upper[0]);
#pragma GCC unroll 8
  for (int i = 1; i < count; ++i) at_limit = at_limit | (q[i] <= task.lower[i]) | (q[i] >= task.upper[i]);
  if (mask_bits(at_limit) == 0) return;
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i) {
    L slope = all<L>(0);
#pragma GCC unroll 6
    for (int k = 0; k < 6; ++k) slope += jacobian[i][k] * error[k];
    const auto blocked = ((q[i] <= task.lower[i]) & (slope < 0)) | ((q[i] >= task.upper[i]) & (slope > 0));
#pragma GCC unroll 6
    for (int k = 0; k < 6; ++k) jacobian[i][k] = blocked ? all<L>(0) : jacobian[i][k];
  }
}

/// One evaluation: the weighted error and Jacobian at q, and half the error's square.
template <class L, int N>
[[gnu::always_inline]] inline L weigh(const Chain<RealOf<L>>& chain, const Task<RealOf<L>>& task, const L* q,
                                      L* error, L (*jacobian)[6]) {
  Walk<L> way;
  walk<L, N>(chain, task.X_S0, q, way);
  columns<L, N>(chain, way, jacobian);
  error_of<L>(way.X_ST, task.X_ST, task.is_pointing, error);
  const int count = N > 0 ? N : chain.variable_count;
  L cost = all<L>(0);
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    error[k] *= task.weight[k];
    cost += error[k] * error[k];
#pragma GCC unroll 8
    for (int i = 0; i < count; ++i) jacobian[i][k] *= task.weight[k];
  }
  return cost * RealOf<L>(0.5);
}

/// A number in [0, 1) (xorshift64*, so the same on every machine).
inline float draw(unsigned long long& state) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return static_cast<float>((state * 0x2545f4914f6cdd1dULL) >> 40) * 0x1p-24F;
}

/// Lanes that get nowhere begin anew from a drawn configuration.
template <int N>
void begin_anew(const Task<float>& task, int variables, F8 cost, F8* q, Search& search) {
  const int count = N > 0 ? N : variables;
  for (int lane = 0; lane < kLanes; ++lane) {
    const bool is_stuck = search.age[lane] >= 4 && cost[lane] > 0.3F * search.old_cost[lane];
    search.old_cost[lane] = cost[lane];
    ++search.age[lane];
    if (!is_stuck && search.age[lane] < 24) continue;
    search.age[lane] = 0;
    for (int i = 0; i < count; ++i) {
      q[i][lane] = task.lower[i] + (task.upper[i] - task.lower[i]) * draw(search.random);
    }
  }
}

template <int N>
void search_of(const Chain<float>& chain, const Task<float>& task, int most_rounds, Search& search) {
  const int count = N > 0 ? N : chain.variable_count;
  F8 q[kMaxJoints];
  for (int i = 0; i < count; ++i) q[i] = load(search.q[i]);
  F8 cost{};
  for (int round = 0;; ++round) {
    F8 error[6];
    F8 jacobian[kMaxJoints][6];
    cost = weigh<F8, N>(chain, task, q, error, jacobian);
    search.found = mask_bits(cost < search.goal);
    if (search.found != 0 || round == most_rounds) break;
    ++search.rounds;
    hold_at_limits<F8, N>(task, q, error, count, jacobian);
    F8 step[kMaxJoints];
    damped_step<F8, N>(jacobian, error, cost * 0.05F + 1e-6F, count, step);
#pragma GCC unroll 8
    for (int i = 0; i < count; ++i) {
      q[i] = smaller<F8>(larger<F8>(q[i] + step[i], all<F8>(task.lower[i])), all<F8>(task.upper[i]));
    }
    if (round % 4 == 3) begin_anew<N>(task, count, cost, q, search);
  }
  for (int i = 0; i < count; ++i) store(q[i], search.q[i]);
  store(cost, search.cost);
}

void search(const Chain<float>& chain, const Task<float>& task, int most_rounds, Search& search) {
  for_count_of(chain, [&]<int N>(Count<N>) { search_of<N>(chain, task, most_rounds, search); });
}

/// The norms of the error without its weights, where the weight is not zero.
inline void note_errors(const Task<double>& task, const double* error, Polish& polish) {
  double squares[2] = {0.0, 0.0};
  for (int k = 0; k < 6; ++k) {
    const double e = task.weight[k] > 0.0 ? error[k] / task.weight[k] : 0.0;
    squares[k / 3] += e * e;
  }
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
    double error[6];
    double jacobian[kMaxJoints][6];
    const double cost = weigh<double, N>(chain, task, q, error, jacobian);
    if (cost < best) {
      worse = 0;
      caution = larger<double>(0.3 * caution, kLeastCaution);
      best = cost;
      note_errors(task, error, polish);
      for (int i = 0; i < count; ++i) polish.q[i] = q[i];
    } else if (cost > best) {
      // back to the best and on with more care
      if (++worse > 8 || round >= most_rounds) return;
      caution *= 10.0;
      for (int i = 0; i < count; ++i) q[i] = polish.q[i];
      continue;
    }
    if (round >= most_rounds || (polish.position_error <= goal && polish.rotation_error <= goal)) return;
    hold_at_limits<double, N>(task, q, error, count, jacobian);
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

/// The target as seen from the first joint, where the seeds' poses are.
inline void target_from_first_joint(const Task<float>& task, float* pose) {
  const Motion<float>& A = task.X_S0;
  const Motion<float>& B = task.X_ST;
  const float* columns[4] = {B.x, B.y, B.z, B.o};
  for (int c = 0; c < 4; ++c) {
    float v[3];
    for (int k = 0; k < 3; ++k) v[k] = columns[c][k] - (c == 3 ? A.o[k] : 0.0F);
    pose[3 * c] = A.x[0] * v[0] + A.x[1] * v[1] + A.x[2] * v[2];
    pose[3 * c + 1] = A.y[0] * v[0] + A.y[1] * v[1] + A.y[2] * v[2];
    pose[3 * c + 2] = A.z[0] * v[0] + A.z[1] * v[1] + A.z[2] * v[2];
  }
}

void choose_seeds(const Chain<float>& chain, const Task<float>& task, const SeedBlock* blocks, int count,
                  Search& search) {
  float goal[12];
  target_from_first_joint(task, goal);
  float position_weight = 0.0F;
  float rotation_weight = 0.0F;
  for (int k = 0; k < 3; ++k) {
    position_weight = larger<float>(position_weight, task.weight[k]);
    rotation_weight = larger<float>(rotation_weight, task.weight[3 + k]);
  }
  // squares of distances less what all seeds share: w (x - g)² = w x² - 2 w g x + …, and columns have unit
  // length
  float factor[13];
  for (int k = 0; k < 12; ++k) {
    const float rotation = task.is_pointing ? (k >= 6 ? 1.0F : 0.0F) : 0.5F;
    const float weight =
        k < 9 ? rotation * rotation_weight * rotation_weight : position_weight * position_weight;
    factor[k] = -2.0F * weight * goal[k];
  }
  factor[12] = position_weight * position_weight;
  F8 best = all<F8>(1e30F);
  I8 chosen{};
  for (int b = 0; b < count; ++b) {
    F8 sum[3] = {load(blocks[b].pose[12]) * factor[12], F8{}, F8{}};
#pragma GCC unroll 12
    for (int k = 0; k < 12; ++k) sum[k % 3] += load(blocks[b].pose[k]) * factor[k];
    const F8 square = sum[0] + sum[1] + sum[2];
    chosen = square < best ? (I8{} + b) : chosen;
    best = smaller<F8>(square, best);
  }
  for (int lane = 1; lane < kLanes; ++lane) {
    for (int i = 0; i < chain.variable_count; ++i) search.q[i][lane] = blocks[chosen[lane]].q[i][lane];
  }
}

}  // namespace
}  // namespace sinew::kernel

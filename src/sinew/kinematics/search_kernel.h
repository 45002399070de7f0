// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/seed_kernel.h"

/// Eight searches side by side in single precision.
namespace sinew::kernel {
namespace {

// half the square of an error from which Newton's steps converge at once, unless something is in the way
constexpr float kNearlyThere = 2e-5F;

// rounds between two looks at how the lanes fare
constexpr int kPatience = 4;

/// Lanes that get nowhere begin anew.
template <int N>
void begin_anew(const Chain<float>& chain, const Task<float>& task, const SeedTable& table, F8 cost, F8* q,
                Search& search) {
  const int count = N > 0 ? N : chain.variable_count;
  for (int lane = 0; lane < kLanes; ++lane) {
    const bool is_stuck = search.age[lane] >= 1 && cost[lane] > 0.3F * search.old_cost[lane];
    search.old_cost[lane] = cost[lane];
    ++search.age[lane];
    if (!is_stuck && search.age[lane] < 24) continue;
    search.age[lane] = 0;
    float fresh[kMaxJoints];
    draw_seed(chain, task, table, lane, search, fresh, 1);
    for (int i = 0; i < count; ++i) q[i][lane] = fresh[i];
  }
}

template <int N>
void search_of(const Chain<float>& chain, const Task<float>& task, const SeedTable& table, int most_rounds,
               Search& search) {
  const int count = N > 0 ? N : chain.variable_count;
  F8 q[kMaxJoints];
  for (int i = 0; i < count; ++i) q[i] = load(search.q[i]);
  F8 cost{};
  F8 last_cost = all<F8>(1e30F);
  for (int round = 0;; ++round) {
    Walk<F8> way;
    walk<F8, N>(chain, task.X_S0, q, way);
    F8 error[6];
    error_of<F8>(way.X_ST, task.X_ST, task.is_pointing, error);
    cost = weigh_error<F8>(task, error);
    // what comes no nearer may be next to a singularity, where double precision still sees a way
    search.found = mask_bits((cost < search.goal) | ((cost < kNearlyThere) & (cost > 0.1F * last_cost)));
    last_cost = cost;
    if (search.found != 0 || round == most_rounds) break;
    ++search.rounds;
    F8 jacobian[kMaxJoints][6];
    weigh_columns<F8, N>(chain, task, way, q, error, jacobian);
    F8 step[kMaxJoints];
    damped_step<F8, N>(jacobian, error, cost * 0.05F + 1e-6F, count, step);
#pragma GCC unroll 8
    for (int i = 0; i < count; ++i) {
      q[i] = smaller<F8>(larger<F8>(q[i] + step[i], all<F8>(task.lower[i])), all<F8>(task.upper[i]));
    }
    if (round % kPatience == kPatience - 1) begin_anew<N>(chain, task, table, cost, q, search);
  }
  for (int i = 0; i < count; ++i) store(q[i], search.q[i]);
  store(cost, search.cost);
}

void search(const Chain<float>& chain, const Task<float>& task, const SeedTable& table, int most_rounds,
            Search& search) {
  for_count_of(chain, [&]<int N>(Count<N>) { search_of<N>(chain, task, table, most_rounds, search); });
}

}  // namespace
}  // namespace sinew::kernel

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/closed_classes.h"
#include "sinew/kinematics/closed_finish.h"
#include "sinew/kinematics/seven_kernel.h"

/// All branches of a closed form, four at a time.
namespace sinew::kernel {
namespace {

template <int N>
void closed_of(const ClosedArm& arm, const Chain<double>& chain, const Motion<double>& X_BT,
               const double* seed, ClosedAnswer& answer) {
  Motion<double> G = times<double>(X_BT, arm.X_T0B);
  if (arm.is_reversed) G = undone(G);
  Branches b = spread_out<6>(arm, G, seed);
  const int first = place(arm, b);
  // five joints have four branches
  const D4 sign[2] = {N == 5 ? b.sign[1] : all<D4>(1.0), all<D4>(-1.0)};
  Three three;
  solve_three(arm, first, sign, b, three);
  Finished done;
  const auto finish = [&](const Turn& t, int i) {
    const int joint = arm.is_reversed ? N - 1 - i : i;
    finish_joint(arm, t, seed[joint], joint, done);
  };
#pragma GCC unroll 1
  for (int i = 0; i < N; ++i) {
    if (i < first || i >= first + 3) finish(b.t[i], i);
  }
  answer.rough = 0;
  answer.beyond = 0;
  answer.count = N == 5 ? 4 : 8;
#pragma GCC unroll 1
  for (int half = 0; 4 * half < answer.count; ++half) {
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) finish(three.t[half][k], first + k);
    write_down<N>(chain, X_BT, done, 4 * half, answer);
  }
}

void closed(const ClosedArm& arm, const Chain<double>& chain, const Motion<double>& X_BT, const double* seed,
            ClosedAnswer& answer) {
  switch (arm.count) {
    case 5:
      return closed_of<5>(arm, chain, X_BT, seed, answer);
    case 6:
      return closed_of<6>(arm, chain, X_BT, seed, answer);
    default:
      return closed_seven(arm, chain, X_BT, seed, answer);
  }
}

}  // namespace
}  // namespace sinew::kernel

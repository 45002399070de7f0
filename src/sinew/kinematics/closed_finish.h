// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/newton_kernel.h"
#include "sinew/kinematics/subproblems.h"

/// The end of every closed form: four branches turned as near to the seed as limits allow, checked by forward
/// kinematics, and written down.
namespace sinew::kernel {
namespace {

/// What became of four branches, joint by joint in the order of the chain.
struct Finished {
  D4 q[kMaxClosed];
  D4 sine[kMaxClosed];  ///< Of the chain's own angles.
  D4 cosine[kMaxClosed];
  D4 distance[kMaxClosed];  ///< Square of the way from the seed.
  L4 is_inside[kMaxClosed];
};

/// The angle of one joint, in the turn nearest to the seed among those that its limits allow.
[[gnu::always_inline]] inline void finish_joint(const ClosedArm& arm, const Turn& t, double seed, int joint,
                                                Finished& done) {
  constexpr double kTurn = 6.28318530717958647693;
  constexpr double kRounder = SineConstants<double>::kRounder;
  // rounding must not push an answer at its limit over it
  constexpr double kSlack = 1e-9;
  const double lower = arm.lower[joint];
  const double upper = arm.upper[joint];
  const D4 angle = angle_of_turn(t);
  const double wished = smaller<double>(larger<double>(seed, lower), upper);
  const D4 turns = ((wished - angle) * (1.0 / kTurn) + kRounder) - kRounder;
  D4 q = angle + turns * kTurn;
  q = q < lower - kSlack ? q + kTurn : q;
  q = q > upper + kSlack ? q - kTurn : q;
  const D4 within = smaller<D4>(larger<D4>(q, all<D4>(lower)), all<D4>(upper));
  const D4 beyond = larger<D4>(within - q, q - within);
  done.is_inside[joint] = beyond <= kSlack;
  // nought has no sign
  q = (done.is_inside[joint] ? within : q) + 0.0;
  done.q[joint] = q;
  done.distance[joint] = (q - seed) * (q - seed);
  done.sine[joint] = t.sine * arm.offset_cosine[joint] + t.cosine * arm.offset_sine[joint];
  done.cosine[joint] = t.cosine * arm.offset_cosine[joint] - t.sine * arm.offset_sine[joint];
}

[[gnu::always_inline]] inline void put(D4 value, double* to) {
  __builtin_memcpy(to, &value, sizeof value);
}

/// How four branches fared.
struct Judged {
  D4 distance;  ///< Square of the way from the seed.
  L4 is_hopeful;
  L4 is_inside;
};

/// Checks four branches by forward kinematics and writes them down, from lane `first` on.
template <int N>
[[gnu::always_inline]] inline Judged write_down(const Chain<double>& chain, const Motion<double>& X_BT,
                                                const Finished& done, int first, ClosedAnswer& answer) {
  Walk<D4> way;
  walk_turns<D4, N>(chain, chain.X_B0, done.q, done.sine, done.cosine, way);
  D4 error[6];
  error_of<D4>(way.X_ST, X_BT, false, error);
  const D4 position = root<D4>(error[0] * error[0] + error[1] * error[1] + error[2] * error[2]);
  const D4 rotation = root<D4>(error[3] * error[3] + error[4] * error[4] + error[5] * error[5]);
  put(position, answer.position_error + first);
  put(rotation, answer.rotation_error + first);
  D4 distance = done.distance[0];
  L4 is_inside = done.is_inside[0];
#pragma GCC unroll 7
  for (int i = 1; i < N; ++i) {
    distance += done.distance[i];
    is_inside &= done.is_inside[i];
  }
#pragma GCC unroll 7
  for (int i = 0; i < N; ++i) put(done.q[i], answer.q[i] + first);
  const L4 is_exact = (position <= answer.exact) & (rotation <= answer.exact);
  const L4 is_hopeful = (position < answer.hopeful) & (rotation < answer.hopeful);
  answer.rough |= mask_bits(is_hopeful & ~is_exact) << first;
  answer.beyond |= mask_bits(is_exact & ~is_inside) << first;
  put((is_exact & is_inside) != 0 ? distance : all<D4>(__builtin_inf()), answer.distance + first);
  return {.distance = distance, .is_hopeful = is_hopeful, .is_inside = is_inside};
}

}  // namespace
}  // namespace sinew::kernel

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/closed_classes.h"
#include "sinew/kinematics/newton_kernel.h"

/// All branches of a closed form: solved, turned as near to the seed as limits allow, and checked by forward
/// kinematics, four at a time.
namespace sinew::kernel {
namespace {

inline Branches spread_out(const ClosedArm& arm, const Motion<double>& G, const double* seed) {
  Branches b;
  D4 sine[2];
  D4 cosine[2];
  sine_cosine<D4>(D4{seed[0], seed[1], seed[2], seed[3]}, sine[0], cosine[0]);
  sine_cosine<D4>(D4{seed[4], seed[5], 0.0, 0.0}, sine[1], cosine[1]);
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
    const int joint = arm.is_reversed ? 5 - i : i;
    b.w[i] = spread(arm.axis[i]);
    b.r[i] = spread(arm.point[i]);
    b.otherwise[i] = {all<D4>(cosine[joint / 4][joint % 4]), all<D4>(sine[joint / 4][joint % 4])};
  }
  b.G[0] = spread(G.x);
  b.G[1] = spread(G.y);
  b.G[2] = spread(G.z);
  b.G[3] = spread(G.o);
  b.sign[0] = D4{1, -1, 1, -1};
  b.sign[1] = D4{1, 1, -1, -1};
  return b;
}

/// What became of four branches, joint by joint in the order of the chain.
struct Finished {
  D4 q[6];
  D4 sine[6];  ///< Of the chain's own angles.
  D4 cosine[6];
  D4 distance[6];  ///< Square of the way from the seed.
  L4 is_inside[6];
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

/// Checks four branches by forward kinematics and writes them down, from lane `first` on.
template <int N>
[[gnu::always_inline]] inline void write_down(const Chain<double>& chain, const Motion<double>& X_BT,
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
#pragma GCC unroll 6
  for (int i = 1; i < N; ++i) {
    distance += done.distance[i];
    is_inside &= done.is_inside[i];
  }
#pragma GCC unroll 6
  for (int i = 0; i < N; ++i) put(done.q[i], answer.q[i] + first);
  const L4 is_exact = (position <= answer.exact) & (rotation <= answer.exact);
  const L4 is_hopeful = (position < answer.hopeful) & (rotation < answer.hopeful);
  answer.rough |= mask_bits(is_hopeful & ~is_exact) << first;
  answer.beyond |= mask_bits(is_exact & ~is_inside) << first;
  put((is_exact & is_inside) != 0 ? distance : all<D4>(__builtin_inf()), answer.distance + first);
}

template <int N>
void closed_of(const ClosedArm& arm, const Chain<double>& chain, const Motion<double>& X_BT,
               const double* seed, ClosedAnswer& answer) {
  Motion<double> G = times<double>(X_BT, arm.X_T0B);
  if (arm.is_reversed) G = undone(G);
  Branches b = spread_out(arm, G, seed);
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
  arm.count == 5 ? closed_of<5>(arm, chain, X_BT, seed, answer)
                 : closed_of<6>(arm, chain, X_BT, seed, answer);
}

}  // namespace
}  // namespace sinew::kernel

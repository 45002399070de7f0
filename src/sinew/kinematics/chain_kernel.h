// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/kernels.h"
#include "sinew/kinematics/lanes.h"

/// Forward kinematics and Jacobian of a chain, for one configuration or eight. See lanes.h for the namespace.
namespace sinew::kernel {
namespace {

/// The way through a chain: the axis and origin of each joint, and the tip.
template <class L>
struct Walk {
  L axis[kMaxJoints][3];
  L origin[kMaxJoints][3];
  Motion<L> X_ST;
};

template <class L>
[[gnu::always_inline]] inline Motion<L> broadcast(const Motion<RealOf<L>>& motion) {
  Motion<L> result;
  for (int k = 0; k < 3; ++k) {
    result.x[k] = all<L>(motion.x[k]);
    result.y[k] = all<L>(motion.y[k]);
    result.z[k] = all<L>(motion.z[k]);
    result.o[k] = all<L>(motion.o[k]);
  }
  return result;
}

template <class L>
[[gnu::always_inline]] inline void turn_about_z(Motion<L>& X, L sine, L cosine) {
  for (int k = 0; k < 3; ++k) {
    const L x = X.x[k];
    X.x[k] = x * cosine + X.y[k] * sine;
    X.y[k] = X.y[k] * cosine - x * sine;
  }
}

/// Along the link to the next joint: T(p) · Rx(alpha).
template <class L>
[[gnu::always_inline]] inline void follow_link(Motion<L>& X, const ChainJoint<RealOf<L>>& joint) {
  for (int k = 0; k < 3; ++k) {
    X.o[k] += X.x[k] * joint.p[0] + X.y[k] * joint.p[1] + X.z[k] * joint.p[2];
    const L y = X.y[k];
    X.y[k] = y * joint.cos_alpha + X.z[k] * joint.sin_alpha;
    X.z[k] = X.z[k] * joint.cos_alpha - y * joint.sin_alpha;
  }
}

/// X_AC = X_AB * X_BC of a constant X_BC.
template <class L>
[[gnu::always_inline]] inline Motion<L> times(const Motion<L>& X_AB, const Motion<RealOf<L>>& X_BC) {
  Motion<L> X_AC;
  for (int k = 0; k < 3; ++k) {
    X_AC.x[k] = X_AB.x[k] * X_BC.x[0] + X_AB.y[k] * X_BC.x[1] + X_AB.z[k] * X_BC.x[2];
    X_AC.y[k] = X_AB.x[k] * X_BC.y[0] + X_AB.y[k] * X_BC.y[1] + X_AB.z[k] * X_BC.y[2];
    X_AC.z[k] = X_AB.x[k] * X_BC.z[0] + X_AB.y[k] * X_BC.z[1] + X_AB.z[k] * X_BC.z[2];
    X_AC.o[k] = X_AB.o[k] + X_AB.x[k] * X_BC.o[0] + X_AB.y[k] * X_BC.o[1] + X_AB.z[k] * X_BC.o[2];
  }
  return X_AC;
}

/// X_BA of X_AB.
inline Motion<double> undone(const Motion<double>& X_AB) {
  Motion<double> X_BA;
  const double* columns[3] = {X_AB.x, X_AB.y, X_AB.z};
  for (int k = 0; k < 3; ++k) {
    const double* c = columns[k];
    X_BA.x[k] = c[0];
    X_BA.y[k] = c[1];
    X_BA.z[k] = c[2];
    X_BA.o[k] = -(c[0] * X_AB.o[0] + c[1] * X_AB.o[1] + c[2] * X_AB.o[2]);
  }
  return X_BA;
}

/// Sines and cosines of all joints; for one configuration, four joints at a time.
template <class L, int N>
[[gnu::always_inline]] inline void sines_of_joints(const Chain<RealOf<L>>& chain, const L* q, L* sine,
                                                   L* cosine) {
  const int count = N > 0 ? N : chain.joint_count;
  L angle[kMaxJoints];
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i) {
    const ChainJoint<RealOf<L>>& joint = chain.joints[i];
    if constexpr (N > 0) {
      angle[i] = q[i] + joint.angle_offset;
    } else {
      angle[i] = joint.is_revolute ? L(q[joint.variable] * joint.factor + joint.angle_offset)
                                   : all<L>(joint.angle_offset);
    }
  }
  if constexpr (Traits<L>::kCount == 1) {
    const int padded = (count + 3) / 4 * 4;
    for (int i = count; i < padded; ++i) angle[i] = 0.0;
    for (int i = 0; i < count; i += 4) {
      const D4 four = {angle[i], angle[i + 1], angle[i + 2], angle[i + 3]};
      D4 s;
      D4 c;
      sine_cosine<D4>(four, s, c);
      for (int k = 0; k < 4; ++k) {
        sine[i + k] = s[k];
        cosine[i + k] = c[k];
      }
    }
  } else {
#pragma GCC unroll 8
    for (int i = 0; i < count; ++i) sine_cosine<L>(angle[i], sine[i], cosine[i]);
  }
}

/// Walks from `start` to the tip, given the sines and cosines of the joints. N: the count of joints of a
/// plain chain, or 0 for any chain.
template <class L, int N>
[[gnu::always_inline]] inline void walk_turns(const Chain<RealOf<L>>& chain, const Motion<RealOf<L>>& start,
                                              const L* q, const L* sine, const L* cosine, Walk<L>& way) {
  const int count = N > 0 ? N : chain.joint_count;
  Motion<L> X = broadcast<L>(start);
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i) {
    const ChainJoint<RealOf<L>>& joint = chain.joints[i];
    turn_about_z(X, sine[i], cosine[i]);
    if (N == 0 && !joint.is_revolute) {
      const L slide = q[joint.variable] * joint.factor + joint.slide_offset;
      for (int k = 0; k < 3; ++k) X.o[k] += X.z[k] * slide;
    }
    for (int k = 0; k < 3; ++k) {
      way.axis[i][k] = X.z[k];
      way.origin[i][k] = X.o[k];
    }
    if (i + 1 < count) follow_link(X, joint);
  }
  way.X_ST = times(X, chain.X_ET);
}

/// Walks from `start` to the tip at `q`.
template <class L, int N>
[[gnu::always_inline]] inline void walk(const Chain<RealOf<L>>& chain, const Motion<RealOf<L>>& start,
                                        const L* q, Walk<L>& way) {
  L sine[kMaxJoints];
  L cosine[kMaxJoints];
  sines_of_joints<L, N>(chain, q, sine, cosine);
  walk_turns<L, N>(chain, start, q, sine, cosine, way);
}

/// The column of joint i: how the tip moves with it, linear then angular.
template <class L>
[[gnu::always_inline]] inline void column_of_joint(const Walk<L>& way, int i, bool is_revolute, L* column) {
  const L* z = way.axis[i];
  if (!is_revolute) {
    for (int k = 0; k < 3; ++k) {
      column[k] = z[k];
      column[3 + k] = all<L>(0);
    }
    return;
  }
  const L lever[3] = {way.X_ST.o[0] - way.origin[i][0], way.X_ST.o[1] - way.origin[i][1],
                      way.X_ST.o[2] - way.origin[i][2]};
  column[0] = z[1] * lever[2] - z[2] * lever[1];
  column[1] = z[2] * lever[0] - z[0] * lever[2];
  column[2] = z[0] * lever[1] - z[1] * lever[0];
  for (int k = 0; k < 3; ++k) column[3 + k] = z[k];
}

/// A column for each variable; joints that share one add up.
template <class L, int N>
[[gnu::always_inline]] inline void columns(const Chain<RealOf<L>>& chain, const Walk<L>& way,
                                           L (*jacobian)[6]) {
  if constexpr (N > 0) {
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) column_of_joint(way, i, true, jacobian[i]);
  } else {
    for (int i = 0; i < chain.variable_count; ++i) {
      for (int k = 0; k < 6; ++k) jacobian[i][k] = all<L>(0);
    }
    for (int i = 0; i < chain.joint_count; ++i) {
      const ChainJoint<RealOf<L>>& joint = chain.joints[i];
      L column[6];
      column_of_joint(way, i, joint.is_revolute, column);
      for (int k = 0; k < 6; ++k) jacobian[joint.variable][k] += column[k] * joint.factor;
    }
  }
}

template <int N>
struct Count {};

/// Calls `function` with Count<N>, N the count of a plain chain's joints where it is common, else 0.
template <class Real, class Function>
[[gnu::always_inline]] inline void for_count_of(const Chain<Real>& chain, const Function& function) {
  switch (chain.is_plain ? chain.joint_count : 0) {
    case 5:
      function(Count<5>{});
      break;
    case 6:
      function(Count<6>{});
      break;
    case 7:
      function(Count<7>{});
      break;
    default:
      function(Count<0>{});
  }
}

template <int N>
void forward_of(const Chain<double>& chain, const double* q, Motion<double>& X_BT) {
  Walk<double> way;
  walk<double, N>(chain, chain.X_B0, q, way);
  X_BT = way.X_ST;
}

template <int N>
void jacobian_of(const Chain<double>& chain, const double* q, Motion<double>& X_BT, double* jacobian) {
  Walk<double> way;
  walk<double, N>(chain, chain.X_B0, q, way);
  X_BT = way.X_ST;
  columns<double, N>(chain, way, reinterpret_cast<double(*)[6]>(jacobian));
}

template <int N>
void batch_of(const Chain<float>& chain, ChainLanes& lanes) {
  const int count = N > 0 ? N : chain.variable_count;
  F8 q[kMaxJoints];
  for (int i = 0; i < count; ++i) q[i] = load(lanes.q[i]);
  Walk<F8> way;
  walk<F8, N>(chain, chain.X_B0, q, way);
  for (int k = 0; k < 3; ++k) {
    store(way.X_ST.x[k], lanes.rotation[k]);
    store(way.X_ST.y[k], lanes.rotation[3 + k]);
    store(way.X_ST.z[k], lanes.rotation[6 + k]);
    store(way.X_ST.o[k], lanes.position[k]);
  }
  F8 jacobian[kMaxJoints][6];
  columns<F8, N>(chain, way, jacobian);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 6; ++k) store(jacobian[i][k], lanes.jacobian[i][k]);
  }
}

void forward(const Chain<double>& chain, const double* q, Motion<double>& X_BT) {
  for_count_of(chain, [&]<int N>(Count<N>) { forward_of<N>(chain, q, X_BT); });
}

void jacobian(const Chain<double>& chain, const double* q, Motion<double>& X_BT, double* jacobian) {
  for_count_of(chain, [&]<int N>(Count<N>) { jacobian_of<N>(chain, q, X_BT, jacobian); });
}

void batch(const Chain<float>& chain, ChainLanes& lanes) {
  for_count_of(chain, [&]<int N>(Count<N>) { batch_of<N>(chain, lanes); });
}

/// All joint frames: after each joint's own motion.
void frames(const Chain<double>& chain, const double* q, Motion<double>* X_BK, Motion<double>& X_BT) {
  double sine[kMaxJoints];
  double cosine[kMaxJoints];
  sines_of_joints<double, 0>(chain, q, sine, cosine);
  Motion<double> X = chain.X_B0;
  for (int i = 0; i < chain.joint_count; ++i) {
    const ChainJoint<double>& joint = chain.joints[i];
    turn_about_z(X, sine[i], cosine[i]);
    const double slide = joint.is_revolute ? 0.0 : q[joint.variable] * joint.factor + joint.slide_offset;
    for (int k = 0; k < 3; ++k) X.o[k] += X.z[k] * slide;
    X_BK[i] = X;
    if (i + 1 < chain.joint_count) follow_link(X, joint);
  }
  X_BT = times(X, chain.X_ET);
}

}  // namespace
}  // namespace sinew::kernel

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/subproblems.h"

/// How each class of arms is solved, on the product of exponentials G = E1 E2 … En = X_BT · X_BT(0)⁻¹. In
/// every class three consecutive joints, parallel or through one point, can be taken out of the equations;
/// the others come first, four branches in four lanes (place_*), and then those three, twice (solve_*).
/// Joints count from 0 here.
namespace sinew::kernel {
namespace {

/// An arm and its task, spread over the lanes.
struct Branches {
  Vector w[kMaxClosed];        ///< Axes at zero.
  Vector r[kMaxClosed];        ///< A point on each.
  Vector G[4];                 ///< Columns and origin of G.
  D4 sign[2];                  ///< The branch of each lane.
  Turn otherwise[kMaxClosed];  ///< Where any angle will do, the seed's.
  Turn t[kMaxClosed];          ///< The answer.
  Vector aim;   ///< Where the three must bring the axis of the last or, when parallel, its point.
  Vector side;  ///< Where they must turn ClosedArm::across.
};

/// The arm and its task in lanes, N of its joints.
template <int N>
[[gnu::always_inline]] inline Branches spread_out(const ClosedArm& arm, const Motion<double>& G,
                                                  const double* seed) {
  Branches b;
  D4 sine[2];
  D4 cosine[2];
  sine_cosine<D4>(D4{seed[0], seed[1], seed[2], seed[3]}, sine[0], cosine[0]);
  sine_cosine<D4>(D4{seed[4], seed[5], seed[6], 0.0}, sine[1], cosine[1]);
#pragma GCC unroll 7
  for (int i = 0; i < N; ++i) {
    const int joint = arm.is_reversed ? N - 1 - i : i;
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

[[gnu::always_inline]] inline Vector rotated(const Branches& b, const Vector& a) {
  return by_columns(b.G, a);
}
[[gnu::always_inline]] inline Vector rotated_back(const Branches& b, const Vector& a) {
  return by_rows(b.G, a);
}
[[gnu::always_inline]] inline Vector carried(const Branches& b, const Vector& point) {
  return plus(rotated(b, point), b.G[3]);
}
[[gnu::always_inline]] inline Vector turned_by(const Branches& b, int i, const Vector& a) {
  return turned(b.w[i], b.t[i], a);
}
[[gnu::always_inline]] inline Vector turned_back(const Branches& b, int i, const Vector& a) {
  return turned(b.w[i], back(b.t[i]), a);
}
[[gnu::always_inline]] inline Vector moved_by(const Branches& b, int i, const Vector& point) {
  return moved(b.w[i], b.r[i], b.t[i], point);
}
[[gnu::always_inline]] inline Vector moved_back(const Branches& b, int i, const Vector& point) {
  return moved(b.w[i], b.r[i], back(b.t[i]), point);
}

/// Joint i brings `point` to distance |to - from| of `from`.
[[gnu::always_inline]] inline Turn reach_by(const Branches& b, int i, const Vector& point, const Vector& from,
                                            const Vector& to, D4 sign) {
  const Vector span = minus(to, from);
  return turn_to_distance(b.w[i], minus(point, b.r[i]), minus(from, b.r[i]), dot(span, span), sign,
                          b.otherwise[i]);
}
/// Joint i turns `point` onto `to`.
[[gnu::always_inline]] inline Turn carry_by(const Branches& b, int i, const Vector& point, const Vector& to) {
  return turn_onto(b.w[i], minus(point, b.r[i]), minus(to, b.r[i]), b.otherwise[i]);
}
/// Joint i such that its inverse turns `from` onto `to`.
[[gnu::always_inline]] inline Turn undo_by(const Branches& b, int i, const Vector& from, const Vector& to) {
  return back(turn_onto(b.w[i], from, to, back(b.otherwise[i])));
}
/// Joint i brings the vector `a` to height `d` along `h`.
[[gnu::always_inline]] inline Turn raise_by(const Branches& b, int i, const Vector& h, const Vector& a, D4 d,
                                            D4 sign) {
  return turn_to_height(h, b.w[i], a, d, sign, b.otherwise[i]);
}
/// Joint 0 such that its inverse brings the vector `a` to height `d` along `h`.
[[gnu::always_inline]] inline Turn level_by_first(const Branches& b, const Vector& h, const Vector& a, D4 d) {
  return back(turn_to_height(h, b.w[0], a, d, b.sign[0], back(b.otherwise[0])));
}

/// Joints 0 to 2 bring the wrist's centre c to p.
inline void place_point(Branches& b, Pair pair, const Vector& c, const Vector& p) {
  switch (pair) {
    case Pair::Parallel23: {
      b.t[0] = level_by_first(b, b.w[1], minus(p, b.r[0]), dot(b.w[1], minus(c, b.r[0])));
      const Vector q = moved_back(b, 0, p);
      b.t[2] = reach_by(b, 2, c, b.r[1], q, b.sign[1]);
      b.t[1] = carry_by(b, 1, moved_by(b, 2, c), q);
      return;
    }
    case Pair::Meet12: {  // r[0] = r[1] is where they meet
      b.t[2] = reach_by(b, 2, c, b.r[0], p, b.sign[1]);
      const Vector v = moved_by(b, 2, c);
      b.t[1] = raise_by(b, 1, b.w[0], minus(v, b.r[1]), dot(b.w[0], minus(p, b.r[0])), b.sign[0]);
      b.t[0] = carry_by(b, 0, moved_by(b, 1, v), p);
      return;
    }
    case Pair::Parallel12: {
      b.t[2] = raise_by(b, 2, b.w[0], minus(c, b.r[2]), dot(b.w[0], minus(p, b.r[2])), b.sign[0]);
      const Vector v = moved_by(b, 2, c);
      b.t[1] = reach_by(b, 1, v, b.r[0], p, b.sign[1]);
      b.t[0] = carry_by(b, 0, moved_by(b, 1, v), p);
      return;
    }
    default: {  // Meet23: r[1] = r[2] is where they meet
      const Vector arm = minus(c, b.r[1]);
      b.t[0] = back(turn_to_distance(b.w[0], minus(p, b.r[0]), minus(b.r[1], b.r[0]), dot(arm, arm),
                                     b.sign[0], back(b.otherwise[0])));
      const Vector q = moved_back(b, 0, p);
      b.t[2] = raise_by(b, 2, b.w[1], arm, dot(b.w[1], minus(q, b.r[1])), b.sign[1]);
      b.t[1] = carry_by(b, 1, moved_by(b, 2, c), q);
      return;
    }
  }
}

/// Six joints, the last three through the point c.
inline void place_wrist(Branches& b, Pair pair, const Vector& c, const Vector& across) {
  place_point(b, pair, c, carried(b, c));
  const auto before_arm = [&b](const Vector& a) {
    return turned_back(b, 2, turned_back(b, 1, turned_back(b, 0, rotated(b, a))));
  };
  b.aim = before_arm(b.w[5]);
  b.side = before_arm(across);
}

/// Six joints, 1 to 3 through the point c: joints 0, 4 and 5 must leave it to them, E0 c = G E5⁻¹ E4⁻¹ c.
inline void place_middle(Branches& b, Pair pair, const Vector& c, const Vector& across) {
  const bool is_parallel = pair == Pair::Parallel56;
  const Vector from_first = minus(c, b.r[0]);
  if (is_parallel) {
    const Vector h = rotated(b, b.w[4]);
    b.t[0] = raise_by(b, 0, h, from_first, dot(b.w[4], c) + dot(h, minus(b.G[3], b.r[0])), b.sign[0]);
  } else {  // r[4] = r[5] is where they meet
    const Vector span = minus(c, b.r[4]);
    b.t[0] = turn_to_distance(b.w[0], from_first, minus(carried(b, b.r[4]), b.r[0]), dot(span, span),
                              b.sign[0], b.otherwise[0]);
  }
  const Vector q = rotated_back(b, minus(moved_by(b, 0, c), b.G[3]));
  const Vector arm = minus(c, b.r[4]);
  const Turn otherwise = back(b.otherwise[4]);
  const Vector rest = minus(q, b.r[5]);
  b.t[4] = back(is_parallel ? turn_to_distance(b.w[4], arm, minus(b.r[5], b.r[4]), dot(rest, rest), b.sign[1],
                                               otherwise)
                            : turn_to_height(b.w[5], b.w[4], arm, dot(b.w[5], rest), b.sign[1], otherwise));
  b.t[5] = undo_by(b, 5, minus(moved_back(b, 4, c), b.r[5]), rest);
  const auto between = [&b](const Vector& a) {
    return turned_back(b, 0, rotated(b, turned_back(b, 5, turned_back(b, 4, a))));
  };
  b.aim = between(b.w[3]);
  b.side = between(across);
}

/// Six joints, 1 to 3 parallel: joints 0, 4 and 5 decide all that is along their axes.
inline void place_parallel_234(Branches& b, Pair pair, const Vector& c, const Vector& across) {
  const Vector& h = b.w[1];
  if (pair == Pair::Parallel56) {
    b.t[0] = level_by_first(b, h, rotated(b, b.w[5]), dot(h, b.w[5]));
    const Vector end = moved_back(b, 0, carried(b, b.r[5]));
    b.t[4] = raise_by(b, 4, h, minus(b.r[5], b.r[4]), dot(h, minus(end, b.r[4])), b.sign[1]);
  } else {
    b.t[0] = level_by_first(b, h, minus(carried(b, c), b.r[0]), dot(h, minus(c, b.r[0])));
    const D4 height = dot(h, turned_back(b, 0, rotated(b, b.w[5])));
    b.t[4] = raise_by(b, 4, h, b.w[5], height, b.sign[1]);
  }
  b.t[5] = undo_by(b, 5, turned_back(b, 4, h), rotated_back(b, turned_by(b, 0, h)));
  const Vector end = moved_back(b, 5, moved_back(b, 4, b.r[3]));
  b.aim = moved_back(b, 0, carried(b, end));
  b.side = turned_back(b, 0, rotated(b, turned_back(b, 5, turned_back(b, 4, across))));
}

/// Joints 3 and 4 meet at r[3] = r[4]: u = R4⁻¹ R3⁻¹ h has known heights along axis 5 and along the way to
/// it.
inline void turn_meeting_45(Branches& b, const Vector& h) {
  const Vector way = minus(b.r[5], b.r[4]);
  const D4 along = dot(way, b.w[5]);
  Vector out;
  for (int k = 0; k < 3; ++k) out.v[k] = way.v[k] - along * b.w[5].v[k];
  const D4 square = larger<D4>(dot(out, out), all<D4>(1e-300));
  const Vector normal = cross(b.w[5], out);
  const D4 a = dot(h, rotated(b, b.w[5]));
  const D4 m = (dot(h, minus(carried(b, b.r[5]), b.r[4])) - a * along) / square;
  const D4 rest = larger<D4>(1.0 - a * a - m * m * square, all<D4>(0.0));
  const D4 n = b.sign[0] * root<D4>(rest / square);
  Vector u;
  for (int k = 0; k < 3; ++k) u.v[k] = a * b.w[5].v[k] + m * out.v[k] + n * normal.v[k];
  b.t[4] = raise_by(b, 4, b.w[3], u, dot(b.w[3], h), b.sign[1]);
  b.t[3] = turn_onto(b.w[3], turned_by(b, 4, u), h, b.otherwise[3]);
}

/// Joints 3 and 4 are parallel: first their sum, then the way they share it.
inline void turn_parallel_45(Branches& b, const Vector& h) {
  const Turn sum = raise_by(b, 3, h, b.w[5], dot(h, rotated(b, b.w[5])), b.sign[0]);
  const Vector last = turned(b.w[3], sum, minus(b.r[5], b.r[4]));
  const D4 height = dot(h, minus(minus(carried(b, b.r[5]), b.r[3]), last));
  b.t[3] = raise_by(b, 3, h, minus(b.r[4], b.r[3]), height, b.sign[1]);
  const Turn& t = b.t[3];
  const D4 sine = sum.sine * t.cosine - sum.cosine * t.sine;
  b.t[4] = {sum.cosine * t.cosine + sum.sine * t.sine, dot(b.w[3], b.w[4]) < 0.0 ? -sine : sine};
}

/// Six joints, 0 to 2 parallel: joints 3 to 5 decide all that is along their axes.
inline void place_parallel_123(Branches& b, Pair pair, const Vector& c, const Vector& across) {
  const Vector& h = b.w[0];
  if (pair == Pair::Meet45) {
    turn_meeting_45(b, h);
  } else if (pair == Pair::Parallel45) {
    turn_parallel_45(b, h);
  } else {
    b.t[3] = raise_by(b, 3, h, minus(c, b.r[3]), dot(h, minus(carried(b, c), b.r[3])), b.sign[0]);
    b.t[4] = raise_by(b, 4, turned_back(b, 3, h), b.w[5], dot(h, rotated(b, b.w[5])), b.sign[1]);
  }
  b.t[5] = undo_by(b, 5, turned_back(b, 4, turned_back(b, 3, h)), rotated_back(b, h));
  b.aim = carried(b, moved_back(b, 5, moved_back(b, 4, moved_back(b, 3, b.r[2]))));
  b.side = rotated(b, turned_back(b, 5, turned_back(b, 4, turned_back(b, 3, across))));
}

/// Five joints, 1 to 3 parallel; c on the last axis.
inline void place_five(Branches& b, const Vector& c, const Vector& across) {
  const Vector& h = b.w[1];
  b.t[0] = level_by_first(b, h, minus(carried(b, c), b.r[0]), dot(h, minus(c, b.r[0])));
  b.t[4] = undo_by(b, 4, h, rotated_back(b, turned_by(b, 0, h)));
  b.aim = moved_back(b, 0, carried(b, moved_back(b, 4, b.r[3])));
  b.side = turned_back(b, 0, rotated(b, turned_back(b, 4, across)));
}

/// The answers of the three joints for either sign.
struct Three {
  Turn t[2][3];
};

/// Three joints through one point, from `first` on, turn the last axis to `aim` and `across` to `side`. Both
/// signs go side by side: each step waits for the one before it.
[[gnu::always_inline]] inline void solve_spherical(const Branches& b, int first, const Vector& across,
                                                   const D4* sign, Three& three) {
  const Vector& u = b.w[first];
  const Vector& v = b.w[first + 1];
  const Vector& w = b.w[first + 2];
  const D4 height = dot(u, b.aim);
#pragma GCC unroll 2
  for (int s = 0; s < 2; ++s) three.t[s][1] = raise_by(b, first + 1, u, w, height, sign[s]);
#pragma GCC unroll 2
  for (int s = 0; s < 2; ++s) {
    three.t[s][0] = turn_onto(u, turned(v, three.t[s][1], w), b.aim, b.otherwise[first]);
  }
#pragma GCC unroll 2
  for (int s = 0; s < 2; ++s) {
    const Vector side = turned(v, back(three.t[s][1]), turned(u, back(three.t[s][0]), b.side));
    three.t[s][2] = turn_onto(w, across, side, b.otherwise[first + 2]);
  }
}

/// Three parallel joints from `first` on bring the point of the third to `aim` and turn `across` to `side`.
[[gnu::always_inline]] inline void solve_planar(const Branches& b, int first, const Vector& across,
                                                const D4* sign, Three& three) {
  const Vector& end = b.r[first + 2];
  const Vector& v = b.w[first + 1];
#pragma GCC unroll 2
  for (int s = 0; s < 2; ++s) three.t[s][1] = reach_by(b, first + 1, end, b.r[first], b.aim, sign[s]);
#pragma GCC unroll 2
  for (int s = 0; s < 2; ++s) {
    three.t[s][0] = carry_by(b, first, moved(v, b.r[first + 1], three.t[s][1], end), b.aim);
  }
#pragma GCC unroll 2
  for (int s = 0; s < 2; ++s) {
    const Vector side = turned(v, back(three.t[s][1]), turned(b.w[first], back(three.t[s][0]), b.side));
    three.t[s][2] = turn_onto(b.w[first + 2], across, side, b.otherwise[first + 2]);
  }
}

/// All joints but the three; the index of the first of the three.
inline int place(const ClosedArm& arm, Branches& b) {
  const Vector c = spread(arm.centre);
  const Vector across = spread(arm.across);
  switch (arm.kind) {
    case ArmKind::SphericalWrist:
      place_wrist(b, arm.pair, c, across);
      return 3;
    case ArmKind::Spherical234:
      place_middle(b, arm.pair, c, across);
      return 1;
    case ArmKind::Parallel234:
      place_parallel_234(b, arm.pair, c, across);
      return 1;
    case ArmKind::Parallel123:
      place_parallel_123(b, arm.pair, c, across);
      return 0;
    default:
      break;
  }
  place_five(b, c, across);
  return 1;
}

/// The three joints from `first` on.
inline void solve_three(const ClosedArm& arm, int first, const D4* sign, const Branches& b, Three& three) {
  const Vector across = spread(arm.across);
  const bool is_spherical = arm.kind == ArmKind::SphericalWrist || arm.kind == ArmKind::Spherical234;
  is_spherical ? solve_spherical(b, first, across, sign, three) : solve_planar(b, first, across, sign, three);
}

}  // namespace
}  // namespace sinew::kernel

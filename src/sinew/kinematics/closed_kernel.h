// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/search_kernel.h"

/// Closed forms by the subproblems of Paden and Kahan, on the product of exponentials G = E1 E2 … En = X_BT ·
/// X_BT(0)⁻¹. Each of the eight lanes follows one branch, chosen by the bits of its number, and an angle is a
/// pair of cosine and sine until the end.
namespace sinew::kernel {
namespace {

struct Vector {
  D4 v[3];
};
struct Turn {
  D4 cosine, sine;
};

[[gnu::always_inline]] inline Vector spread(const double* a) {
  return {{all<D4>(a[0]), all<D4>(a[1]), all<D4>(a[2])}};
}
[[gnu::always_inline]] inline Vector plus(const Vector& a, const Vector& b) {
  return {{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2]}};
}
[[gnu::always_inline]] inline Vector minus(const Vector& a, const Vector& b) {
  return {{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]}};
}
[[gnu::always_inline]] inline D4 dot(const Vector& a, const Vector& b) {
  return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}
[[gnu::always_inline]] inline Vector cross(const Vector& a, const Vector& b) {
  return {{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
           a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}
[[gnu::always_inline]] inline Turn back(const Turn& t) {
  return {t.cosine, -t.sine};
}

/// `a` turned about the unit vector `w` (Rodrigues).
[[gnu::always_inline]] inline Vector turned(const Vector& w, const Turn& t, const Vector& a) {
  const Vector side = cross(w, a);
  const D4 along = dot(w, a) * (1.0 - t.cosine);
  Vector result;
  for (int k = 0; k < 3; ++k) result.v[k] = a.v[k] * t.cosine + side.v[k] * t.sine + w.v[k] * along;
  return result;
}

/// A point turned about the line through `r` along `w`.
[[gnu::always_inline]] inline Vector moved(const Vector& w, const Vector& r, const Turn& t,
                                           const Vector& point) {
  return plus(turned(w, t, minus(point, r)), r);
}

/// The pair scaled to unit length; `otherwise` where it has none.
[[gnu::always_inline]] inline Turn unit(D4 cosine, D4 sine, const Turn& otherwise) {
  const D4 square = cosine * cosine + sine * sine;
  const D4 scale = 1.0 / root<D4>(larger<D4>(square, all<D4>(1e-300)));
  const auto is_nothing = square < 1e-22;
  return {is_nothing ? otherwise.cosine : cosine * scale, is_nothing ? otherwise.sine : sine * scale};
}

/// Subproblem 1: about `w`, from `p` to `q`.
[[gnu::always_inline]] inline Turn turn_onto(const Vector& w, const Vector& p, const Vector& q,
                                             const Turn& otherwise) {
  return unit(dot(p, q) - dot(w, p) * dot(w, q), dot(w, cross(p, q)), otherwise);
}

/// Subproblem 4: h · turned(w, t, p) = d, the branch by `sign`. Where d is too far, the nearest; the check at
/// the end tells.
[[gnu::always_inline]] inline Turn turn_to_height(const Vector& h, const Vector& w, const Vector& p, D4 d,
                                                  D4 sign, const Turn& otherwise) {
  const D4 fixed = dot(h, w) * dot(w, p);
  const D4 a = dot(h, p) - fixed;
  const D4 b = dot(h, cross(w, p));
  const D4 rest = d - fixed;
  const D4 other = sign * root<D4>(larger<D4>(a * a + b * b - rest * rest, all<D4>(0.0)));
  return unit(a * rest - b * other, b * rest + a * other, otherwise);
}

/// Subproblem 3: |turned(w, t, p) - q| = distance, given its square.
[[gnu::always_inline]] inline Turn turn_to_distance(const Vector& w, const Vector& p, const Vector& q,
                                                    D4 square, D4 sign, const Turn& otherwise) {
  return turn_to_height(q, w, p, 0.5 * (dot(p, p) + dot(q, q) - square), sign, otherwise);
}

/// The angle of a pair, in (-pi, pi].
[[gnu::always_inline]] inline D4 angle_of_turn(const Turn& t) {
  const D4 x = larger<D4>(t.cosine, -t.cosine);
  const D4 y = larger<D4>(t.sine, -t.sine);
  const auto is_steep = y > x;
  const D4 ratio = smaller<D4>(x, y) / larger<D4>(x, y);
  // beyond an eighth of a turn's half, measure from the diagonal
  const auto is_beyond = ratio > 0.41421356237309504880;
  const D4 u = is_beyond ? (ratio - 1.0) / (ratio + 1.0) : ratio;
  const D4 u2 = u * u;
  D4 series = all<D4>(0.0);
#pragma GCC unroll 22
  for (int k = 21; k >= 1; --k) series = (series + (k % 2 == 0 ? 1.0 : -1.0) / (2.0 * k + 1.0)) * u2;
  D4 angle = u + u * series + (is_beyond ? all<D4>(0.78539816339744830962) : all<D4>(0.0));
  angle = is_steep ? 1.57079632679489661923 - angle : angle;
  angle = t.cosine < 0.0 ? 3.14159265358979323846 - angle : angle;
  return t.sine < 0.0 ? -angle : angle;
}

/// An arm and its task, spread over the lanes.
struct Branches {
  Vector w[6];        ///< Axes at zero.
  Vector r[6];        ///< A point on each.
  Vector G[4];        ///< Columns and origin of G.
  D4 sign[3];         ///< The branch of each lane.
  Turn otherwise[6];  ///< Where any angle will do, the seed's.
  Turn t[6];          ///< The answer.
};

[[gnu::always_inline]] inline Vector rotated(const Branches& b, const Vector& a) {
  Vector result;
  for (int k = 0; k < 3; ++k)
    result.v[k] = b.G[0].v[k] * a.v[0] + b.G[1].v[k] * a.v[1] + b.G[2].v[k] * a.v[2];
  return result;
}
[[gnu::always_inline]] inline Vector rotated_back(const Branches& b, const Vector& a) {
  return {{dot(b.G[0], a), dot(b.G[1], a), dot(b.G[2], a)}};
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

/// Joint 0 such that, before it, `p` has the height of `c` along `h`.
[[gnu::always_inline]] inline Turn level_by_first(const Branches& b, const Vector& h, const Vector& p,
                                                  const Vector& c) {
  const Turn t =
      turn_to_height(h, b.w[0], minus(p, b.r[0]), dot(h, minus(c, b.r[0])), b.sign[0], back(b.otherwise[0]));
  return back(t);
}

/// Joints 0 to 2 bring the wrist's centre c to p.
inline void place_wrist(Branches& b, Shoulder shoulder, const Vector& c, const Vector& p) {
  switch (shoulder) {
    case Shoulder::Parallel23: {
      b.t[0] = level_by_first(b, b.w[1], p, c);
      const Vector q = moved_back(b, 0, p);
      b.t[2] = reach_by(b, 2, c, b.r[1], q, b.sign[1]);
      b.t[1] = carry_by(b, 1, moved_by(b, 2, c), q);
      return;
    }
    case Shoulder::Intersect12: {  // r[0] = r[1] is where they meet
      b.t[2] = reach_by(b, 2, c, b.r[0], p, b.sign[1]);
      const Vector v = moved_by(b, 2, c);
      b.t[1] = turn_to_height(b.w[0], b.w[1], minus(v, b.r[1]), dot(b.w[0], minus(p, b.r[0])), b.sign[0],
                              b.otherwise[1]);
      b.t[0] = carry_by(b, 0, moved_by(b, 1, v), p);
      return;
    }
    case Shoulder::Parallel12: {
      b.t[2] = turn_to_height(b.w[0], b.w[2], minus(c, b.r[2]), dot(b.w[0], minus(p, b.r[2])), b.sign[0],
                              b.otherwise[2]);
      const Vector v = moved_by(b, 2, c);
      b.t[1] = reach_by(b, 1, v, b.r[0], p, b.sign[1]);
      b.t[0] = carry_by(b, 0, moved_by(b, 1, v), p);
      return;
    }
    case Shoulder::Intersect23: {  // r[1] = r[2] is where they meet
      const Vector arm = minus(c, b.r[1]);
      b.t[0] = back(turn_to_distance(b.w[0], minus(p, b.r[0]), minus(b.r[1], b.r[0]), dot(arm, arm),
                                     b.sign[0], back(b.otherwise[0])));
      const Vector q = moved_back(b, 0, p);
      b.t[2] = turn_to_height(b.w[1], b.w[2], arm, dot(b.w[1], minus(q, b.r[1])), b.sign[1], b.otherwise[2]);
      b.t[1] = carry_by(b, 1, moved_by(b, 2, c), q);
      return;
    }
  }
}

/// The last three of six joints, through one point, once the first three have placed it.
inline void solve_spherical_wrist(Branches& b, const Vector& across) {
  const auto before_arm = [&b](const Vector& a) {
    return turned_back(b, 2, turned_back(b, 1, turned_back(b, 0, rotated(b, a))));
  };
  const Vector v = before_arm(b.w[5]);
  b.t[4] = turn_to_height(b.w[3], b.w[4], b.w[5], dot(b.w[3], v), b.sign[2], b.otherwise[4]);
  b.t[3] = turn_onto(b.w[3], turned_by(b, 4, b.w[5]), v, b.otherwise[3]);
  const Vector u = turned_back(b, 4, turned_back(b, 3, before_arm(across)));
  b.t[5] = turn_onto(b.w[5], across, u, b.otherwise[5]);
}

/// Three parallel joints from `first` on make one motion: it carries the point r of the third to `to`, and
/// turns `side`, across them, to `turned_side`.
inline void solve_planar(Branches& b, int first, const Vector& to, const Vector& side,
                         const Vector& turned_side) {
  const Vector& end = b.r[first + 2];
  b.t[first + 1] = reach_by(b, first + 1, end, b.r[first], to, b.sign[1]);
  b.t[first] = carry_by(b, first, moved_by(b, first + 1, end), to);
  const Vector u = turned_back(b, first + 1, turned_back(b, first, turned_side));
  b.t[first + 2] = turn_onto(b.w[first + 2], side, u, b.otherwise[first + 2]);
}

/// Six joints: 2, 3, 4 parallel, 5 and 6 through one point c.
inline void solve_parallel_234(Branches& b, const Vector& c, const Vector& across) {
  const Vector& h = b.w[1];
  b.t[0] = level_by_first(b, h, plus(rotated(b, c), b.G[3]), c);
  const D4 height = dot(h, turned_back(b, 0, rotated(b, b.w[5])));
  b.t[4] = turn_to_height(h, b.w[4], b.w[5], height, b.sign[2], b.otherwise[4]);
  const Vector seen = rotated_back(b, turned_by(b, 0, h));
  b.t[5] = back(turn_onto(b.w[5], turned_back(b, 4, h), seen, back(b.otherwise[5])));
  const Vector end = moved_back(b, 5, moved_back(b, 4, b.r[3]));
  const Vector side = turned_back(b, 5, turned_back(b, 4, across));
  solve_planar(b, 1, moved_back(b, 0, plus(rotated(b, end), b.G[3])), across,
               turned_back(b, 0, rotated(b, side)));
}

/// Six joints: 1, 2, 3 parallel, 5 and 6 through one point c.
inline void solve_parallel_123(Branches& b, const Vector& c, const Vector& across) {
  const Vector& h = b.w[0];
  const Vector p = plus(rotated(b, c), b.G[3]);
  b.t[3] = turn_to_height(h, b.w[3], minus(c, b.r[3]), dot(h, minus(p, b.r[3])), b.sign[0], b.otherwise[3]);
  const Vector seen = turned_back(b, 3, h);
  b.t[4] = turn_to_height(seen, b.w[4], b.w[5], dot(h, rotated(b, b.w[5])), b.sign[2], b.otherwise[4]);
  b.t[5] = back(turn_onto(b.w[5], turned_back(b, 4, seen), rotated_back(b, h), back(b.otherwise[5])));
  const Vector end = moved_back(b, 5, moved_back(b, 4, moved_back(b, 3, b.r[2])));
  const Vector side = turned_back(b, 5, turned_back(b, 4, turned_back(b, 3, across)));
  solve_planar(b, 0, plus(rotated(b, end), b.G[3]), across, rotated(b, side));
}

/// Five joints: 2, 3, 4 parallel; c on the last axis.
inline void solve_five(Branches& b, const Vector& c, const Vector& across) {
  const Vector& h = b.w[1];
  b.t[0] = level_by_first(b, h, plus(rotated(b, c), b.G[3]), c);
  const Vector seen = rotated_back(b, turned_by(b, 0, h));
  b.t[4] = back(turn_onto(b.w[4], h, seen, back(b.otherwise[4])));
  const Vector end = moved_back(b, 4, b.r[3]);
  const Vector side = turned_back(b, 4, across);
  solve_planar(b, 1, moved_back(b, 0, plus(rotated(b, end), b.G[3])), across,
               turned_back(b, 0, rotated(b, side)));
}

inline Branches spread_out(const ClosedArm& arm, const Motion<double>& G, const double* seed) {
  Branches b;
  D4 sine[2];
  D4 cosine[2];
  sine_cosine<D4>(D4{seed[0], seed[1], seed[2], seed[3]}, sine[0], cosine[0]);
  sine_cosine<D4>(D4{seed[4], arm.count > 5 ? seed[5] : 0.0, 0.0, 0.0}, sine[1], cosine[1]);
  for (int i = 0; i < arm.count; ++i) {
    b.w[i] = spread(arm.axis[i]);
    b.r[i] = spread(arm.point[i]);
    b.otherwise[i] = {all<D4>(cosine[i / 4][i % 4]), all<D4>(sine[i / 4][i % 4])};
  }
  b.G[0] = spread(G.x);
  b.G[1] = spread(G.y);
  b.G[2] = spread(G.z);
  b.G[3] = spread(G.o);
  b.sign[0] = D4{1, -1, 1, -1};
  b.sign[1] = D4{1, 1, -1, -1};
  return b;
}

/// Errors of four lanes from `first` on by forward kinematics, N as in walk().
template <int N>
inline void check_branches(const Chain<double>& chain, const Task<double>& task, const D4* q, int first,
                           ClosedAnswer& answer) {
  Walk<D4> way;
  walk<D4, N>(chain, task.X_S0, q, way);
  D4 error[6];
  error_of<D4>(way.X_ST, task.X_ST, false, error);
  const D4 position = root<D4>(error[0] * error[0] + error[1] * error[1] + error[2] * error[2]);
  const D4 rotation = root<D4>(error[3] * error[3] + error[4] * error[4] + error[5] * error[5]);
  __builtin_memcpy(answer.position_error + first, &position, sizeof position);
  __builtin_memcpy(answer.rotation_error + first, &rotation, sizeof rotation);
}

inline void solve_branches(const ClosedArm& arm, bool is_first_pass, Branches& b) {
  const Vector c = spread(arm.centre);
  const Vector across = spread(arm.across);
  switch (arm.kind) {
    case ArmKind::SphericalWrist:
      // both passes share where the wrist is
      if (is_first_pass) place_wrist(b, arm.shoulder, c, plus(rotated(b, c), b.G[3]));
      return solve_spherical_wrist(b, across);
    case ArmKind::Parallel234:
      return solve_parallel_234(b, c, across);
    case ArmKind::Parallel123:
      return solve_parallel_123(b, c, across);
    case ArmKind::Five:
      return solve_five(b, c, across);
  }
}

void closed(const ClosedArm& arm, const Chain<double>& chain, const Task<double>& task,
            const Motion<double>& G, const double* seed, ClosedAnswer& answer) {
  // five joints have four branches
  answer.count = arm.count == 5 ? 4 : 8;
  Branches b = spread_out(arm, G, seed);
  for (int first = 0; first < answer.count; first += 4) {
    b.sign[2] = all<D4>(first == 0 ? 1.0 : -1.0);
    solve_branches(arm, first == 0, b);
    D4 q[6];
    for (int i = 0; i < arm.count; ++i) {
      const int joint = arm.is_reversed ? arm.count - 1 - i : i;
      q[joint] = angle_of_turn(b.t[i]);
      __builtin_memcpy(answer.q[joint] + first, &q[joint], sizeof q[joint]);
    }
    if (arm.count == 5) {
      check_branches<5>(chain, task, q, first, answer);
    } else {
      check_branches<6>(chain, task, q, first, answer);
    }
  }
}

}  // namespace
}  // namespace sinew::kernel

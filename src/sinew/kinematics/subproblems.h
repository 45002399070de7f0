// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/kernels.h"
#include "sinew/kinematics/lanes.h"

/// The subproblems of Paden and Kahan, four branches side by side. An angle is a pair of cosine and sine
/// until the end. See lanes.h for the namespace.
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
/// R a and Rᵀ a, of a rotation by its columns.
[[gnu::always_inline]] inline Vector by_columns(const Vector* R, const Vector& a) {
  Vector result;
  for (int k = 0; k < 3; ++k) result.v[k] = R[0].v[k] * a.v[0] + R[1].v[k] * a.v[1] + R[2].v[k] * a.v[2];
  return result;
}
[[gnu::always_inline]] inline Vector by_rows(const Vector* R, const Vector& a) {
  return {{dot(R[0], a), dot(R[1], a), dot(R[2], a)}};
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

/// Subproblem 4: h · turned(w, t, p) = d, the branch by `sign`. Where d is too far, the nearest, with a pair
/// that is too long; the check at the end tells.
[[gnu::always_inline]] inline Turn turn_to_height(const Vector& h, const Vector& w, const Vector& p, D4 d,
                                                  D4 sign, const Turn& otherwise) {
  const D4 fixed = dot(h, w) * dot(w, p);
  const D4 a = dot(h, p) - fixed;
  const D4 b = dot(h, cross(w, p));
  const D4 rest = d - fixed;
  const D4 square = a * a + b * b;
  const D4 other = sign * root<D4>(larger<D4>(square - rest * rest, all<D4>(0.0)));
  const D4 scale = 1.0 / larger<D4>(square, all<D4>(1e-300));
  const auto is_nothing = square < 1e-22;
  return {is_nothing ? otherwise.cosine : (a * rest - b * other) * scale,
          is_nothing ? otherwise.sine : (b * rest + a * other) * scale};
}

/// Subproblem 3: |turned(w, t, p) - q| = distance, given its square.
[[gnu::always_inline]] inline Turn turn_to_distance(const Vector& w, const Vector& p, const Vector& q,
                                                    D4 square, D4 sign, const Turn& otherwise) {
  return turn_to_height(q, w, p, 0.5 * (dot(p, p) + dot(q, q) - square), sign, otherwise);
}

/// atan(u)/u as a polynomial of u², from the second power on, by interpolation at Chebyshev's points for
/// |u| <= tan(pi/8).
constexpr double kArcTangent[] = {-0.3333333333333325,  0.19999999999898407,  -0.1428571426609662,
                                  0.11111109636534361,  -0.09090852557176049, 0.0769105515839315,
                                  -0.06649613695291669, 0.05736332165907642,  -0.04483334622272885,
                                  0.022750526993361664};

/// The angle of a pair, in (-pi, pi].
[[gnu::always_inline]] inline D4 angle_of_turn(const Turn& t) {
  const D4 x = larger<D4>(t.cosine, -t.cosine);
  const D4 y = larger<D4>(t.sine, -t.sine);
  const auto is_steep = y > x;
  const D4 low = smaller<D4>(x, y);
  const D4 high = larger<D4>(x, y);
  // beyond half of the octant, measure from its diagonal
  const auto is_beyond = low > 0.41421356237309504880 * high;
  const D4 u = (is_beyond ? low - high : low) / (is_beyond ? low + high : high);
  const D4 u2 = u * u;
  D4 series = all<D4>(kArcTangent[9]);
#pragma GCC unroll 9
  for (int k = 8; k >= 0; --k) series = series * u2 + kArcTangent[k];
  D4 angle = u + u * (u2 * series) + (is_beyond ? all<D4>(0.78539816339744830962) : all<D4>(0.0));
  angle = is_steep ? 1.57079632679489661923 - angle : angle;
  angle = t.cosine < 0.0 ? 3.14159265358979323846 - angle : angle;
  return t.sine < 0.0 ? -angle : angle;
}

}  // namespace
}  // namespace sinew::kernel

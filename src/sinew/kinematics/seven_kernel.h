// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/closed_classes.h"
#include "sinew/kinematics/closed_finish.h"

/// Seven joints: three through one point S, the shoulder; an elbow anywhere; three through one point W, the
/// wrist. The elbow follows from the distance between S and W; what is left free is the arm angle, a turn of
/// the arm about the line from S to W. It is counted from the posture nearest to the seed, so a seed that
/// moves a little moves the answer a little.
///
/// Where that posture breaks limits, the arm turns on until all are kept. The angles at which a joint comes
/// to the end of its range all solve x · R(angle) y = c, so each way goes from one such border to the next
/// and passes over nothing. Joints count from 0 here.
namespace sinew::kernel {
namespace {

/// How an arm turns whose elbow is set.
struct Swivel {
  Vector line;         ///< From S to W, of unit length.
  Vector shoulder[3];  ///< Columns of the rotation by joints 0 to 2 at arm angle zero.
  Vector elbow[3];     ///< The same by joints 0 to 3.
  Vector aim;          ///< Where the last axis must point.
  Vector side;         ///< Where ClosedArm::across must.
};

/// The rotation by the seed's joints 0 to 2, its columns in three lanes and then each in all lanes.
inline void turn_as_seed(const Branches& b, Vector* R) {
  Vector columns{{D4{1, 0, 0, 0}, D4{0, 1, 0, 0}, D4{0, 0, 1, 0}}};
  for (int i = 2; i >= 0; --i) columns = turned(b.w[i], b.otherwise[i], columns);
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < 3; ++k) R[c].v[k] = all<D4>(columns.v[k][c]);
  }
}

inline Vector scaled(const Vector& a, D4 factor) {
  return {{a.v[0] * factor, a.v[1] * factor, a.v[2] * factor}};
}
inline Vector direction(const Vector& a) {
  return scaled(a, 1.0 / root<D4>(larger<D4>(dot(a, a), all<D4>(1e-300))));
}

/// Turns the columns R on by the shortest way that brings `from` to `to`, both of unit length.
inline void turn_shortest(const Vector& from, const Vector& to, Vector* R) {
  // opposite directions have no shortest way: first half a turn about anything across
  const L4 is_upright = (to.v[2] > 0.7) | (to.v[2] < -0.7);
  const Vector other{
      {is_upright ? all<D4>(1.0) : all<D4>(0.0), all<D4>(0.0), is_upright ? all<D4>(0.0) : all<D4>(1.0)}};
  const Vector across = direction(cross(to, other));
  const L4 is_opposite = dot(from, to) < -0.9999;
  const auto flipped = [&](const Vector& a) {
    const D4 along = 2.0 * dot(across, a);
    Vector result;
    for (int k = 0; k < 3; ++k) result.v[k] = is_opposite ? along * across.v[k] - a.v[k] : a.v[k];
    return result;
  };
  const Vector start = flipped(from);
  const Vector axis = cross(start, to);
  const D4 cosine = dot(start, to);
  const D4 share = 1.0 / (1.0 + cosine);
  for (int c = 0; c < 3; ++c) {
    const Vector a = flipped(R[c]);
    const Vector side = cross(axis, a);
    const D4 along = dot(axis, a) * share;
    for (int k = 0; k < 3; ++k) R[c].v[k] = a.v[k] * cosine + side.v[k] + axis.v[k] * along;
  }
}

/// Sets the elbow, both ways, and the rest of the arm as near to the seed as the target allows.
inline Swivel swivel_of(const ClosedArm& arm, Branches& b) {
  const Vector S = spread(arm.shoulder);
  const Vector W = spread(arm.centre);
  const Vector target = carried(b, W);
  b.t[3] = reach_by(b, 3, W, S, target, b.sign[0]);
  Swivel s;
  s.line = direction(minus(target, S));
  turn_as_seed(b, s.shoulder);
  const Vector from = by_columns(s.shoulder, direction(minus(moved_by(b, 3, W), S)));
  turn_shortest(from, s.line, s.shoulder);
  const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int c = 0; c < 3; ++c) s.elbow[c] = by_columns(s.shoulder, turned_by(b, 3, spread(unit[c])));
  s.aim = rotated(b, b.w[6]);
  s.side = rotated(b, spread(arm.across));
  return s;
}

/// Three joints through one point, from `first` on, turn the last axis to `aim` and `across` to `side`.
inline void turn_three(Branches& b, int first, const Vector& across, const Vector& aim, const Vector& side,
                       D4 sign) {
  b.t[first + 1] = raise_by(b, first + 1, b.w[first], b.w[first + 2], dot(b.w[first], aim), sign);
  b.t[first] = turn_onto(b.w[first], turned_by(b, first + 1, b.w[first + 2]), aim, b.otherwise[first]);
  const Vector rest = turned_back(b, first + 1, turned_back(b, first, side));
  b.t[first + 2] = turn_onto(b.w[first + 2], across, rest, b.otherwise[first + 2]);
}

/// Four branches of an arm on their way.
struct Seven {
  const ClosedArm& arm;
  Branches b;
  Swivel s;
};

/// All joints but the elbow at an arm angle; `sign` chooses the branch of the wrist.
inline void turn_arm(Seven& seven, D4 angle, D4 sign) {
  const ClosedArm& arm = seven.arm;
  const Swivel& s = seven.s;
  Branches& b = seven.b;
  Turn turn;
  sine_cosine<D4>(angle, turn.sine, turn.cosine);
  const Vector aside = spread(arm.aside);
  turn_three(b, 0, aside, turned(s.line, turn, by_columns(s.shoulder, b.w[2])),
             turned(s.line, turn, by_columns(s.shoulder, aside)), b.sign[1]);
  turn_three(b, 4, spread(arm.across), by_rows(s.elbow, turned(s.line, back(turn), s.aim)),
             by_rows(s.elbow, turned(s.line, back(turn), s.side)), sign);
}

/// Arm angles, in every lane all that concern it; infinite where there is none.
struct Border {
  D4 angle[4];
};
struct Borders {
  Border limit[2][3];  ///< Where a joint of shoulder or wrist comes to an end of its range.
  Border end[2];       ///< Where the branches of the three run into one, and beyond which there may be none.
};

/// The arm angles at which x · R(angle) y = c. The lower two lanes are about one end of a range, the upper
/// two about the other; both concern both.
inline Border border_of(const Vector& line, const Vector& x, const Vector& y, D4 c) {
  const Turn none{all<D4>(2.0), all<D4>(0.0)};
  Border border;
  for (int s = 0; s < 2; ++s) {
    const Turn t = turn_to_height(x, line, y, c, all<D4>(s == 0 ? 1.0 : -1.0), none);
    const D4 length = t.cosine * t.cosine + t.sine * t.sine;
    const D4 angle = length < 1.0 + 1e-9 ? angle_of_turn(t) : all<D4>(__builtin_inf());
    border.angle[2 * s] = angle;
    border.angle[2 * s + 1] = __builtin_shufflevector(angle, angle, 2, 3, 0, 1);
  }
  return border;
}

/// Of three joints u, v, w: the heights u · Rv w between which their branches are.
inline D4 ends_of_height(const Vector& u, const Vector& v, const Vector& w) {
  const D4 fixed = dot(u, v) * dot(v, w);
  const D4 a = dot(u, w) - fixed;
  const D4 b = dot(u, cross(v, w));
  return fixed + D4{-1, -1, 1, 1} * root<D4>(a * a + b * b);
}

inline Turn end_of_range(const ClosedArm& arm, int joint) {
  const ClosedRange& r = arm.range[joint];
  return {D4{r.end_cosine[0], r.end_cosine[0], r.end_cosine[1], r.end_cosine[1]},
          D4{r.end_sine[0], r.end_sine[0], r.end_sine[1], r.end_sine[1]}};
}

/// What R0 R1 R2 = R(angle) shoulder and R4 R5 R6 = elbowᵀ R(angle)ᵀ G become when one joint is at an end of
/// its range.
inline Borders borders_of(const Seven& seven) {
  const ClosedArm& arm = seven.arm;
  const Swivel& s = seven.s;
  const Vector* w = seven.b.w;
  Borders borders;
  const Vector upper = by_columns(s.shoulder, w[2]);
  const Vector beside = turned(w[2], back(end_of_range(arm, 2)), w[1]);
  borders.limit[0][0] = border_of(s.line, turned(w[0], end_of_range(arm, 0), w[1]), upper, dot(w[1], w[2]));
  borders.limit[0][1] = border_of(s.line, w[0], upper, dot(w[0], turned(w[1], end_of_range(arm, 1), w[2])));
  borders.limit[0][2] = border_of(s.line, w[0], by_columns(s.shoulder, beside), dot(w[0], w[1]));
  borders.end[0] = border_of(s.line, w[0], upper, ends_of_height(w[0], w[1], w[2]));

  const Vector fore = by_columns(s.elbow, w[4]);
  const Vector past = by_columns(s.elbow, turned(w[4], end_of_range(arm, 4), w[5]));
  const Vector hand = rotated(seven.b, turned(w[6], back(end_of_range(arm, 6)), w[5]));
  borders.limit[1][0] = border_of(s.line, s.aim, past, dot(w[5], w[6]));
  borders.limit[1][1] = border_of(s.line, s.aim, fore, dot(w[4], turned(w[5], end_of_range(arm, 5), w[6])));
  borders.limit[1][2] = border_of(s.line, hand, fore, dot(w[4], w[5]));
  borders.end[1] = border_of(s.line, s.aim, fore, ends_of_height(w[4], w[5], w[6]));
  return borders;
}

/// The first of them beyond `angle`, in one direction.
inline D4 first_beyond(const Border& border, D4 angle, double direction) {
  D4 first = all<D4>(__builtin_inf());
  for (const D4& one : border.angle) {
    const D4 there = one * direction;
    first = smaller<D4>(first, there > angle ? there : all<D4>(__builtin_inf()));
  }
  return first;
}

inline L4 is_in_range(const ClosedArm& arm, int joint, const Turn& t) {
  const ClosedRange& r = arm.range[joint];
  return t.cosine * r.middle_cosine + t.sine * r.middle_sine >= r.half_cosine;
}
/// A pair that is too long belongs to no branch.
inline L4 is_real(const Turn& t) {
  return t.cosine * t.cosine + t.sine * t.sine < 1.0 + 1e-9;
}

/// How far to turn on at least until what is broken may be kept; `angle` itself where nothing is.
inline D4 next_border(const Seven& seven, const Borders& borders, D4 angle, double direction) {
  const Turn* t = seven.b.t;
  D4 next = angle;
  for (int three = 0; three < 2; ++three) {
    const int first = 4 * three;
    const L4 exists = is_real(t[first + 1]);
    const D4 end = first_beyond(borders.end[three], angle, direction);
    next = exists ? next : larger<D4>(next, end);
    for (int k = 0; k < 3; ++k) {
      const D4 there = smaller<D4>(end, first_beyond(borders.limit[three][k], angle, direction));
      const L4 is_kept = is_in_range(seven.arm, first + k, t[first + k]) | ~exists;
      next = is_kept ? next : larger<D4>(next, there);
    }
  }
  return next;
}

/// Turns on in one direction, up to half a turn, until each open lane keeps all limits; infinite where none
/// does.
inline D4 turn_until_kept(Seven& seven, const Borders& borders, D4 sign, double direction, L4 is_open) {
  constexpr double kHalfTurn = 3.14159265358979323846;
  // over the border, so that rounding does not matter
  constexpr double kOver = 1e-7;
  // as many as all borders together
  constexpr int kMostSteps = 32;
  D4 angle = all<D4>(0.0);
  D4 kept = all<D4>(__builtin_inf());
  for (int step = 0; step <= kMostSteps && mask_bits(is_open) != 0; ++step) {
    turn_arm(seven, angle * direction, sign);
    const D4 next = next_border(seven, borders, angle, direction);
    const L4 is_kept = is_open & (next == angle);
    kept = is_kept ? angle * direction : kept;
    is_open = is_open & ~is_kept & (next < kHalfTurn);
    angle = is_open ? next + kOver : all<D4>(0.0);
  }
  return kept;
}

/// The arm angle nearest to zero that keeps all limits; zero where none does.
inline D4 nearest_kept(Seven& seven, const Borders& borders, D4 sign, L4 is_open) {
  const D4 up = turn_until_kept(seven, borders, sign, 1.0, is_open);
  const D4 down = turn_until_kept(seven, borders, sign, -1.0, is_open);
  const D4 angle = larger<D4>(down, -down) < up ? down : up;
  return angle < 4.0 ? angle : all<D4>(0.0);
}

/// True when the nearest of all branches keeps the limits as it is.
inline bool is_settled(const Judged* halves) {
  double nearest = __builtin_inf();
  double nearest_kept = __builtin_inf();
  for (int half = 0; half < 2; ++half) {
    const Judged& h = halves[half];
    for (int lane = 0; lane < 4; ++lane) {
      if (h.is_hopeful[lane] == 0) continue;
      nearest = smaller<double>(nearest, h.distance[lane]);
      if (h.is_inside[lane] != 0) nearest_kept = smaller<double>(nearest_kept, h.distance[lane]);
    }
  }
  return nearest_kept <= nearest && nearest_kept < __builtin_inf();
}

void closed_seven(const ClosedArm& arm, const Chain<double>& chain, const Motion<double>& X_BT,
                  const double* seed, ClosedAnswer& answer) {
  Seven seven{.arm = arm, .b = spread_out<7>(arm, times<double>(X_BT, arm.X_T0B), seed), .s = {}};
  seven.s = swivel_of(arm, seven.b);
  answer.count = 8;
  const D4 wrist[2] = {all<D4>(1.0), all<D4>(-1.0)};
  const auto finish = [&](const D4* angle, Judged* halves) {
    answer.rough = 0;
    answer.beyond = 0;
#pragma GCC unroll 1
    for (int half = 0; half < 2; ++half) {
      turn_arm(seven, angle[half], wrist[half]);
      Finished done;
#pragma GCC unroll 1
      for (int i = 0; i < 7; ++i) finish_joint(arm, seven.b.t[i], seed[i], i, done);
      halves[half] = write_down<7>(chain, X_BT, done, 4 * half, answer);
      // near the end of its branches an arm may miss by little and yet have none
      halves[half].is_hopeful &= is_real(seven.b.t[1]) & is_real(seven.b.t[5]);
    }
  };
  const D4 start = all<D4>(answer.is_turn_given ? answer.turn : 0.0);
  D4 angle[2] = {start, start};
  Judged halves[2];
  finish(angle, halves);
  const L4 has_elbow = is_real(seven.b.t[3]) & is_in_range(arm, 3, seven.b.t[3]);
  if (answer.is_turn_given || mask_bits(has_elbow) == 0 || is_settled(halves)) return;

  const Borders borders = borders_of(seven);
  for (int half = 0; half < 2; ++half) angle[half] = nearest_kept(seven, borders, wrist[half], has_elbow);
  finish(angle, halves);
}

}  // namespace
}  // namespace sinew::kernel

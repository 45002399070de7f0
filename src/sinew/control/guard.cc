// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/guard.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The way to a stop is looked at in straight pieces: a piece that is too coarse to tell is halved, this
// often.
constexpr int kMostHalvings = 5;

// [rad] Pieces whose curve is further off its chord than this are not worth a look.
constexpr double kWorthALook = 0.01;

// The largest acceleration of a motion between two times.
double largest_acceleration(const AxisProfile& profile, double from, double to) {
  double largest = std::max(std::abs(profile.at(from).acceleration), std::abs(profile.at(to).acceleration));
  // it is linear in between
  for (const ProfilePiece& piece : profile.pieces())
    if (piece.start_time > from && piece.start_time < to)
      largest = std::max(largest, std::abs(piece.start.acceleration));
  return largest;
}

// Per link the positions that move it; parents come before children.
std::vector<std::uint64_t> joints_above_links(const RobotModel& model) {
  std::vector<std::uint64_t> masks(model.links.size(), 0);
  for (const Joint& joint : model.joints) {
    const Joint& leader = joint.mimic ? model.joints[joint.mimic->joint] : joint;
    const std::uint64_t own = leader.position == kNone ? 0 : std::uint64_t{1} << leader.position;
    masks[joint.child_link] = masks[joint.parent_link] | own;
  }
  return masks;
}

}  // namespace

Guard::Guard(const RobotShapes& shapes)
    : shapes_(shapes), checker_(shapes), moves_link_(joints_above_links(shapes.model())) {}

GuardVerdict Guard::check(std::span<const double> from, std::span<const AxisState> next,
                          std::span<const AxisLimits> limits, double dt) SINEW_REALTIME {
  const double longest = plan_stops(next, limits);
  const bool stays = longest == 0.0 && std::ranges::equal(from, next, {}, {}, &AxisState::position);
  if (stays) return {};

  const Way way{.from = from, .limits = limits, .duration = longest, .step = dt};
  JointArray start{};
  std::ranges::copy(from, start.begin());
  const CheckResult result = sweep(way, {.end = longest}, start);
  return result.verdict == Verdict::Clear ? GuardVerdict{} : verdict_of(result);
}

// What is clear with the chord for the curve, and room for how far it may be off, is clear; else it is
// halved. Leaves `start` at the piece's end when it is clear.
CheckResult Guard::sweep(const Way& way, const Piece& piece, JointArray& start) SINEW_REALTIME {
  const std::size_t count = way.from.size();
  JointArray end{};
  JointArray slack{};
  const double coarse = set_chord(way, piece, start, end, slack);
  const bool is_finest = piece.halvings == kMostHalvings;
  if (is_finest || coarse <= kWorthALook) {
    // who is too near already may go away
    const CheckResult result =
        checker_.sweep({start.data(), count}, {end.data(), count},
                       {.slack = {slack.data(), count}, .may_leave = is_finest, .skips_still = true});
    if (result.verdict == Verdict::Clear) start = end;
    if (result.verdict == Verdict::Clear || is_finest) return result;
  }
  const double middle = 0.5 * (piece.begin + piece.end);
  CheckResult result =
      sweep(way, {.begin = piece.begin, .end = middle, .halvings = piece.halvings + 1}, start);
  if (result.verdict != Verdict::Clear) return result;
  return sweep(way, {.begin = middle, .end = piece.end, .halvings = piece.halvings + 1}, start);
}

// Where a piece ends, and how far each joint may be off the straight way there. Answers the largest of these.
double Guard::set_chord(const Way& way, const Piece& piece, const JointArray& start, JointArray& end,
                        JointArray& slack) const SINEW_REALTIME {
  const double braking = piece.end - piece.begin;
  // the step itself goes with the first piece
  const double step = piece.begin == 0.0 ? way.step : 0.0;
  const double span = braking + step;
  double largest = 0.0;
  for (std::size_t i = 0; i < way.from.size(); ++i) {
    end[i] = stops_[i].at(piece.end).position;
    if (stops_[i].duration() <= piece.begin && end[i] == start[i]) continue;
    // a curve is off its chord by at most its largest second derivative times the span squared over eight,
    // and by a quarter of the span for each unit of it over a short while
    slack[i] = largest_acceleration(stops_[i], piece.begin, piece.end) * span * span / 8.0 +
               way.limits[i].acceleration * step * span / 4.0;
    largest = std::max(largest, slack[i]);
  }
  return largest;
}

double Guard::plan_stops(std::span<const AxisState> next, std::span<const AxisLimits> limits) SINEW_REALTIME {
  double longest = 0.0;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const bool rests = next[i].velocity == 0.0 && next[i].acceleration == 0.0;
    stops_[i] = rests ? AxisProfile(next[i].position) : plan_stop(next[i], limits[i]);
    longest = std::max(longest, stops_[i].duration());
  }
  return longest;
}

GuardVerdict Guard::verdict_of(const CheckResult& result) const SINEW_REALTIME {
  GuardVerdict verdict{.is_clear = false, .joint_mask = ~std::uint64_t{0}, .contact = result.contact};
  if (result.verdict != Verdict::TooNear) return verdict;
  const auto above = [this](std::size_t link) { return link == kNone ? 0 : moves_link_[link]; };
  // joints that carry both do not change how far they are apart
  verdict.joint_mask = above(result.contact.link_a) ^ above(result.contact.link_b);
  return verdict;
}

}  // namespace sinew

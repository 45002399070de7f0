// SPDX-License-Identifier: BSD-3-Clause
// Lab 05: a smoothing filter.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/lab/joint_bench.h"
#include "sinew/lab/lab_pictures.h"
#include "sinew/lab/motor_labs.h"

namespace sinew::lab {
namespace filter {
namespace {

constexpr std::int64_t kStep_ns = 10 * kMillisecond_ns;
constexpr double kStep = 0.01;             // [s]
constexpr double kMostSpeed = 0.34;        // [rad/s] as the exercise says
constexpr double kMostAcceleration = 1.3;  // [rad/s^2]
constexpr double kSlack = 1.01;
constexpr double kThere = 1e-3;  // [rad]
constexpr double kNever = std::numeric_limits<double>::infinity();

/// A time from which on another position is wanted.
struct Wish {
  int first = 0;  ///< Step.
  int last = 0;   ///< Exclusive.
  double position = 0.0;
  bool is_cut_short = false;  ///< Changed before it can be reached.
};

// Far, near, a change of mind on the way, and back.
std::vector<Wish> draw_wishes(Draws& draws) {
  std::vector<Wish> wishes;
  const auto add = [&](double position, double seconds, bool is_cut_short) {
    const int first = wishes.empty() ? 0 : wishes.back().last;
    wishes.push_back({first, first + static_cast<int>(seconds / kStep), position, is_cut_short});
  };
  const double side = draws.between(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;
  add(side * draws.between(0.7, 1.1), 6.0, false);
  add(wishes.back().position + side * draws.between(0.02, 0.06), 2.0, false);
  add(-side * draws.between(0.3, 0.6), draws.between(1.0, 2.0), true);
  add(side * draws.between(0.9, 1.2), 6.5, false);
  add(0.0, 6.5, false);
  return wishes;
}

// As good as it gets in steps of 10 ms: full speed, and braking so that it just stops.
double best_next(double wanted, double position, double velocity) {
  const double left = wanted - position;
  const double grain = kMostAcceleration * kStep;
  if (std::abs(left) <= grain * kStep && std::abs(velocity) <= grain) return wanted;
  const double braking =
      std::sqrt(2.0 * kMostAcceleration * std::abs(left) + 0.25 * grain * grain) - 0.5 * grain;
  const double aim = std::copysign(std::min(kMostSpeed, braking), left);
  return position + kStep * std::clamp(aim, velocity - grain, velocity + grain);
}

struct Track {
  std::vector<double> position;  ///< [rad] One a step.
  std::vector<double> measured;
  double peak_speed = 0.0;
  double peak_acceleration = 0.0;
  double overshoot = 0.0;       ///< [rad]
  std::vector<double> arrival;  ///< [s] One a wish; infinite: it was not there at its end.
  double servo_error = 0.0;     ///< [rad]
};

// When the joint came to stay near a wish, and how far it went beyond.
void judge_wishes(std::span<const Wish> wishes, Track& track) {
  double before = 0.0;
  for (const Wish& wish : wishes) {
    int arrived = wish.last;
    for (int i = wish.last - 1; i >= wish.first; --i) {
      if (std::abs(track.position[static_cast<std::size_t>(i)] - wish.position) > kThere) break;
      arrived = i;
    }
    track.arrival.push_back(arrived == wish.last ? kNever : kStep * (arrived - wish.first));
    // who comes in at speed from elsewhere may have to pass and come back
    for (int i = wish.first; !wish.is_cut_short && i < wish.last; ++i) {
      const double beyond = (track.position[static_cast<std::size_t>(i)] - wish.position) *
                            (wish.position > before ? 1.0 : -1.0);
      track.overshoot = std::max(track.overshoot, beyond);
    }
    before = track.position[static_cast<std::size_t>(wish.last - 1)];
  }
}

using Next = std::function<Result<double>(double wanted, double position, double velocity)>;

Result<Track> follow(std::span<const Wish> wishes, const Next& next, JointBench* bench) {
  Track track;
  double position = 0.0;
  double velocity = 0.0;
  for (const Wish& wish : wishes) {
    for (int i = wish.first; i < wish.last; ++i) {
      const auto answer = next(wish.position, position, velocity);
      if (!answer) return answer.error();
      const double speed = (*answer - position) / kStep;
      track.peak_speed = std::max(track.peak_speed, std::abs(speed));
      track.peak_acceleration = std::max(track.peak_acceleration, std::abs(speed - velocity) / kStep);
      position = *answer;
      velocity = speed;
      track.position.push_back(position);
      // what the drive could never follow is not worth simulating
      if (bench == nullptr || std::abs(speed) > 10.0 * kMostSpeed) continue;
      bench->lead(position, kStep_ns);
      track.measured.push_back(bench->measured());
      track.servo_error = std::max(track.servo_error, std::abs(track.measured.back() - position));
    }
  }
  judge_wishes(wishes, track);
  return track;
}

std::string fault_of(const Track& track, const Track& best, std::span<const Wish> wishes) {
  if (track.peak_speed > kSlack * kMostSpeed)
    return fmt::format("it moves at {:.3g} rad/s; {} rad/s are allowed", track.peak_speed, kMostSpeed);
  if (track.peak_acceleration > kSlack * kMostAcceleration)
    return fmt::format("it accelerates by {:.3g} rad/s^2; {} rad/s^2 are allowed", track.peak_acceleration,
                       kMostAcceleration);
  if (track.overshoot > kThere)
    return fmt::format("it goes {} beyond what is wanted", angle_text(track.overshoot));
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    if (wishes[i].is_cut_short) continue;
    if (track.arrival[i] == kNever)
      return fmt::format("it is not within {} of wish {} ({}) when the next one comes", angle_text(kThere),
                         i + 1, angle_text(wishes[i].position));
    if (track.arrival[i] > 1.3 * best.arrival[i] + 0.2)
      return fmt::format("it takes {:.2f} s for wish {}; {:.2f} s are possible", track.arrival[i], i + 1,
                         best.arrival[i]);
  }
  return {};
}

Drawing picture_of(std::span<const Wish> wishes, const Track& track) {
  Chart way{.title = "position", .x_label = "time [s]", .y_label = "angle [rad]"};
  Chart speed{.title = "speed", .x_label = "time [s]", .y_label = "speed [rad/s]"};
  ChartCurve wanted{.name = "wanted", .points = {}, .stroke = {.colour = {150, 155, 163}, .width = 1.5}};
  for (const Wish& wish : wishes) {
    wanted.points.push_back({kStep * wish.first, wish.position});
    wanted.points.push_back({kStep * wish.last, wish.position});
  }
  ChartCurve sent{.name = "smooth()", .points = {}, .stroke = {.colour = series_colour(0), .width = 2.0}};
  ChartCurve measured{.name = "measured",
                      .points = {},
                      .stroke = {.colour = series_colour(1), .width = 1.5, .is_dashed = true}};
  ChartCurve speeds{.name = "smooth()", .points = {}, .stroke = {.colour = series_colour(0), .width = 1.8}};
  double before = 0.0;
  for (std::size_t i = 0; i < track.position.size(); ++i) {
    const double t = kStep * static_cast<double>(i + 1);
    sent.points.push_back({t, track.position[i]});
    if (i < track.measured.size()) measured.points.push_back({t, track.measured[i]});
    speeds.points.push_back({t, (track.position[i] - before) / kStep});
    before = track.position[i];
  }
  const double end = kStep * static_cast<double>(track.position.size());
  speed.curves = {speeds, bound_curve("allowed", 0, end, kMostSpeed), bound_curve("", 0, end, -kMostSpeed)};
  way.curves = {wanted, sent, measured};
  return draw_charts(std::vector<Chart>{way, speed}, "Lab 05: a smoothing filter");
}

}  // namespace
}  // namespace filter

Result<Grade> grade_filter(const RobotModel& model, const Ask& ask, std::uint64_t seed) {
  using namespace filter;
  Draws draws(seed);
  const std::vector<Wish> wishes = draw_wishes(draws);
  auto bench = JointBench::make(model, 0, 0.0);
  if (!bench) return bench.error();
  const auto best = follow(
      wishes, [](double w, double p, double v) -> Result<double> { return best_next(w, p, v); }, nullptr);
  const auto track = follow(
      wishes,
      [&](double w, double p, double v) -> Result<double> {
        const std::vector<Value> arguments{w, p, v};
        const auto value = ask("smooth", arguments);
        if (!value) return value.error();
        const double* number = value->number();
        if (number != nullptr && std::isfinite(*number)) return *number;
        return Error{
            ErrorCode::InvalidInput,
            fmt::format(
                "smooth({:.4f}, {:.4f}, {:.4f}) answers {}; a finite number is wanted: the next position", w,
                p, v, value_text(*value))};
      },
      &*bench);
  if (!track) return no_points(track.error().message);
  const std::string fault = fault_of(*track, *best, wishes);
  double slowest = 0.0;
  for (std::size_t i = 0; i < wishes.size(); ++i)
    if (!wishes[i].is_cut_short && track->arrival[i] != kNever)
      slowest = std::max(slowest, track->arrival[i]);
  return Grade{.passed = fault.empty(),
               .score = fault.empty() ? 100.0 : 0.0,
               .measures = {{"peak_speed_rad_per_s", track->peak_speed},
                            {"peak_acceleration_rad_per_s2", track->peak_acceleration},
                            {"overshoot_rad", track->overshoot},
                            {"slowest_arrival_s", slowest},
                            {"servo_error_rad", track->servo_error}},
               .reason = fault.empty() ? "it keeps its bounds, stops where it shall, and loses little time"
                                       : "The filter fails: " + fault + ".",
               .picture = picture_of(wishes, *track)};
}

}  // namespace sinew::lab

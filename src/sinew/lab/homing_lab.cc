// SPDX-License-Identifier: BSD-3-Clause
// Lab 06: homing with a switch.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "sinew/lab/joint_bench.h"
#include "sinew/lab/lab_pictures.h"
#include "sinew/lab/motor_labs.h"

namespace sinew::lab {
namespace homing {
namespace {

// What the motor's box counts: 3831 a turn of the base (robots/scorbot-er3). All that follows is in counts.
constexpr double kPerTurn = 3831.0;
constexpr double kRadians = 2.0 * std::numbers::pi / kPerTurn;  // [rad] per count
constexpr double kCam = 50.0;                                   // width of the cam that closes the switch
constexpr double kPlay = 4.0;                                   // of the gears
constexpr double kEnd = 1600.0;                                 // where the end stops are, to both sides
constexpr double kFastest = 213.0;                              // per second
constexpr double kBound = 1.0;                                  // how well home must be found
constexpr double kStep = 0.01;                                  // [s]
constexpr double kLongest = 90.0;                               // [s] of simulated time
constexpr double kMostStalled = 2.0;                            // [s] against an end stop
constexpr std::int64_t kStep_ns = 10 * kMillisecond_ns;

/// A joint behind gears with play: it moves when the motor has taken up the play, and stops at its end stops.
struct Axis {
  double motor = 0.0;
  double joint = 0.0;
  double cam = 0.0;      ///< The lower edge of the cam.
  double stalled = 0.0;  ///< [s]

  bool is_closed() const { return joint >= cam && joint < cam + kCam; }
  void drive(double speed) {
    const double next = motor + speed * kStep;
    motor = std::clamp(next, -kEnd - 0.5 * kPlay, kEnd + 0.5 * kPlay);
    if (motor != next) stalled += kStep;
    joint = std::clamp(joint, motor - 0.5 * kPlay, motor + 0.5 * kPlay);
  }
  /// Where the motor is when the switch has just closed from below.
  double home() const { return cam + 0.5 * kPlay; }
};

struct Search {
  std::string name;
  Axis axis;
  std::string fault;  ///< Empty: found.
  double seconds = 0.0;
  double error = 0.0;  ///< [counts]
  double peak_speed = 0.0;
  std::vector<ChartPoint> way;
};

std::vector<Search> draw_searches(Draws& draws) {
  std::vector<Search> searches;
  const auto add = [&](std::string name, double offset) {
    Search search{.name = std::move(name)};
    search.axis.cam = draws.between(-500.0, 500.0);
    search.axis.joint = search.axis.cam + offset;
    search.axis.motor = search.axis.joint + draws.between(-0.5, 0.5) * kPlay;
    searches.push_back(search);
  };
  add("from below", -draws.between(150.0, 900.0));
  add("from above", kCam + draws.between(150.0, 900.0));
  add("from on the cam", draws.between(0.2, 0.8) * kCam);
  return searches;
}

std::string judge_home(Search& search) {
  search.error = search.axis.motor - search.axis.home();
  const double off = std::abs(search.error);
  if (off <= kBound) return {};
  if (std::abs(off - kPlay) <= kBound && search.error < 0.0)
    return fmt::format(
        "home is found {:.1f} counts too low: the lower edge was reached from above, and the gears' play of "
        "{} counts is on the other side; approach it from below",
        off, kPlay);
  if (std::abs(search.axis.joint - search.axis.cam - kCam) <= kPlay + kBound)
    return fmt::format(
        "home is found at the upper edge of the cam, {:.1f} counts off; the lower edge is wanted", off);
  return fmt::format("home is found {:.1f} counts off; {} are allowed: approach the edge slowly", off,
                     kBound);
}

// One step of a search; true once it is over.
Result<bool> step(Search& search, const Ask& ask, double first_count) {
  const double counts = std::round(search.axis.motor - first_count);
  const std::vector<Value> arguments{search.axis.is_closed() ? 1.0 : 0.0, counts};
  const auto value = ask("home", arguments);
  if (!value) return value.error();
  if (value->word() != nullptr && *value->word() == "home") {
    search.fault = judge_home(search);
    return true;
  }
  const double* speed = value->number();
  if (speed == nullptr || !std::isfinite(*speed))
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("home({}, {}) answers {}; a finite speed in counts per second is wanted, or 'home'",
                    search.axis.is_closed() ? "True" : "False", counts, value_text(*value))};
  search.peak_speed = std::max(search.peak_speed, std::abs(*speed));
  if (std::abs(*speed) > kFastest) {
    search.fault = fmt::format("it asks for {:.4g} counts/s; the motor does {}", *speed, kFastest);
    return true;
  }
  search.axis.drive(*speed);
  if (search.axis.stalled > kMostStalled) {
    search.fault =
        fmt::format("it drives against an end stop for {:.1f} s: when the counts stand still, turn round",
                    search.axis.stalled);
    return true;
  }
  return false;
}

// Refused when the solution crashes or answers what makes no sense.
Status run(Search& search, JointBench& bench, const Ask& ask) {
  const std::vector<Value> nothing;
  if (const auto begun = ask("begin", nothing); !begun) return begun.error();
  const double first_count = search.axis.motor;
  search.fault = fmt::format("home is not found within {:.0f} s", kLongest);
  for (; search.seconds < kLongest; search.seconds += kStep) {
    const auto is_over = step(search, ask, first_count);
    if (!is_over) return is_over.error();
    search.way.push_back({search.seconds, search.axis.joint - search.axis.cam});
    if (*is_over) break;
    bench.lead(search.axis.joint * kRadians, kStep_ns);
  }
  return Done{};
}

Drawing picture_of(std::span<const Search> searches) {
  Chart chart{
      .title = "joint, counted from the cam's lower edge", .x_label = "time [s]", .y_label = "counts"};
  double end = 1.0;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    chart.curves.push_back({.name = searches[i].name,
                            .points = searches[i].way,
                            .stroke = {.colour = series_colour(i), .width = 1.8}});
    if (!searches[i].way.empty()) end = std::max(end, searches[i].way.back().x);
  }
  chart.areas.push_back({.corners = {{0, 0}, {end, 0}, {end, kCam}, {0, kCam}}, .colour = {255, 226, 150}});
  return draw_charts(std::vector<Chart>{chart}, "Lab 06: homing (the switch is closed on the yellow cam)");
}

}  // namespace
}  // namespace homing

Result<Grade> grade_homing(const RobotModel& model, const Ask& ask, std::uint64_t seed) {
  using namespace homing;
  Draws draws(seed);
  std::vector<Search> searches = draw_searches(draws);
  std::size_t found = 0;
  std::string fault;
  double seconds = 0.0;
  double worst = 0.0;
  double peak = 0.0;
  for (Search& search : searches) {
    auto bench = JointBench::make(model, 0, search.axis.joint * kRadians);
    if (!bench) return bench.error();
    if (const Status ran = run(search, *bench, ask); !ran) return no_points(ran.error().message);
    found += search.fault.empty() ? 1 : 0;
    if (fault.empty() && !search.fault.empty())
      fault = fmt::format("Homing {} fails: {}.", search.name, search.fault);
    seconds = std::max(seconds, search.seconds);
    worst = std::max(worst, std::abs(search.error));
    peak = std::max(peak, search.peak_speed);
  }
  return Grade{.passed = fault.empty(),
               .score = 100.0 * static_cast<double>(found) / static_cast<double>(searches.size()),
               .measures = {{"found", static_cast<double>(found)},
                            {"worst_error_count", worst},
                            {"peak_speed_count_per_s", peak},
                            {"longest_s", seconds}},
               .reason = fault.empty()
                             ? fmt::format("home is found from all sides, within {:.1f} counts", worst)
                             : fault,
               .picture = picture_of(searches)};
}

}  // namespace sinew::lab

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/run_timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "sinew/motion/speed_law.h"
#include "sinew/motion/tool_length.h"
#include "sinew/trajectory/blend_timing.h"
#include "sinew/trajectory/jerk_limited.h"
#include "sinew/trajectory/jerk_limited_path.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

constexpr std::size_t kGridPerPiece = 4;
constexpr std::size_t kLeastGrid = 100;
constexpr std::size_t kMostGrid = 400;
/// Where the speed changes within a short way, points lie at 4^-1, 4^-2, … of the path before and after.
constexpr int kFinerPoints = 9;

double least(const std::optional<double>& asked, double limit) {
  return asked ? std::min(*asked, limit) : limit;
}

}  // namespace

AxisLimits limits_for(const MoveTiming& timing, const AxisLimits& of_joint) {
  AxisLimits limits = of_joint;
  const double slower = timing.acceleration ? *timing.acceleration : timing.speed * timing.speed;
  const double softer = timing.acceleration ? *timing.acceleration : slower * timing.speed;
  limits.velocity = least(timing.joint_speed, timing.speed * of_joint.velocity);
  limits.acceleration = least(timing.joint_acceleration, slower * of_joint.acceleration);
  limits.jerk = least(timing.joint_jerk, softer * of_joint.jerk);
  return limits;
}

namespace {

/// One run while it is timed.
class Timing {
 public:
  explicit Timing(const RunTask& task) : task_(task), joints_(task.limits.size()) {}

  TimedRun go();

 private:
  const MoveTiming& timing_of(std::size_t section) const {
    return task_.moves[task_.ways[task_.run.sections[section].way].move].timing;
  }
  // where it can be read how far the tool has come
  std::size_t tool_row() const { return task_.run.is_by_tool_length ? joints_ + 1 : joints_; }
  void set_limits();
  std::vector<AxisLimits> limits_of_section(std::size_t section) const;
  void divide();
  bool is_one_line() const;
  Trajectory along_line() const;
  std::optional<Trajectory> along_blends() const;
  Result<Trajectory> as_fast_as_possible() const;
  Trajectory by_law(MoveLaw law) const;
  template <class Look>
  void look_at_tool(const Trajectory& trajectory, Look look) const;
  double tool_excess(const Trajectory& trajectory) const;
  double tool_rate(double u) const;
  std::size_t section_at(double u) const;
  bool is_tool_limited() const;
  bool are_speeds_equal() const;
  bool has_speed_limit() const { return is_tool_limited() || has_speeds_; }
  double speed_limit(std::size_t section, double u) const;
  double speed_limit(double u) const;
  std::vector<double> finer_points() const;
  std::optional<double> wanted_duration(TimedRun& result) const;
  MoveRefusal refusal(MoveFault fault, std::string words) const;

  const RunTask& task_;
  std::size_t joints_;
  bool has_speeds_ = false;         // of joints or tool, that differ between sections
  std::vector<AxisLimits> limits_;  // of all rows, and the highest of all sections
  std::vector<std::vector<AxisLimits>> section_limits_;
  std::vector<LimitSection> sections_;  // with limits of their own; none: all have those of limits_
};

std::size_t Timing::section_at(double u) const {
  const auto& sections = task_.run.sections;
  std::size_t i = 0;
  while (i + 1 < sections.size() && u > sections[i].end) ++i;
  return i;
}

bool Timing::are_speeds_equal() const {
  const MoveTiming& first = timing_of(0);
  for (std::size_t i = 1; i < task_.run.sections.size(); ++i) {
    const MoveTiming& other = timing_of(i);
    if (other.speed != first.speed || other.joint_speed != first.joint_speed ||
        other.tool_speed != first.tool_speed)
      return false;
  }
  return true;
}

bool Timing::is_tool_limited() const {
  for (std::size_t i = 0; i < task_.run.sections.size(); ++i)
    if (timing_of(i).tool_speed) return task_.chain != nullptr;
  return false;
}

std::vector<AxisLimits> Timing::limits_of_section(std::size_t section) const {
  const MoveTiming& timing = timing_of(section);
  std::vector<AxisLimits> limits(joints_ + 2, kNoRowLimit);
  for (std::size_t j = 0; j < joints_; ++j) limits[j] = limits_for(timing, task_.limits[j]);
  AxisLimits& tool = limits[tool_row()];
  tool.acceleration = least(timing.tool_acceleration, tool.acceleration);
  tool.jerk = least(timing.tool_jerk, tool.jerk);
  return limits;
}

// Speeds are kept along the path by speed_limit(), accelerations and jerks by sections where they differ.
void Timing::set_limits() {
  has_speeds_ = !are_speeds_equal();
  bool is_divided = false;
  for (std::size_t i = 0; i < task_.run.sections.size(); ++i) {
    section_limits_.push_back(limits_of_section(i));
    const std::vector<AxisLimits>& own = section_limits_.back();
    if (i == 0) limits_ = own;
    for (std::size_t j = 0; j < limits_.size(); ++j) {
      const AxisLimits& first = section_limits_.front()[j];
      is_divided = is_divided || own[j].acceleration != first.acceleration || own[j].jerk != first.jerk;
      limits_[j].velocity = std::max(limits_[j].velocity, own[j].velocity);
      limits_[j].acceleration = std::max(limits_[j].acceleration, own[j].acceleration);
      limits_[j].jerk = std::max(limits_[j].jerk, own[j].jerk);
    }
  }
  if (is_divided) divide();
}

void Timing::divide() {
  for (std::size_t i = 0; i < section_limits_.size(); ++i) {
    for (std::size_t j = 0; j < limits_.size(); ++j) section_limits_[i][j].velocity = limits_[j].velocity;
    sections_.push_back({.end = task_.run.sections[i].end, .limits = section_limits_[i]});
  }
}

// metres of the tool by the path's coordinate
double Timing::tool_rate(double u) const {
  std::array<double, kMaxChainJoints> q{};
  JointVector slope(static_cast<Eigen::Index>(joints_));
  for (std::size_t j = 0; j < joints_; ++j) {
    const CurvePoint point = task_.run.path.at(j, u);
    q[j] = point.value;
    slope[static_cast<Eigen::Index>(j)] = point.first;
  }
  Jacobian jacobian;
  task_.chain->tool_pose({q.data(), joints_}, jacobian);
  return (jacobian.topRows<3>() * slope).norm();
}

double Timing::speed_limit(std::size_t section, double u) const {
  const MoveTiming& timing = timing_of(section);
  double limit = kLargestValue;
  for (std::size_t j = 0; has_speeds_ && j < joints_; ++j) {
    const double slope = std::abs(task_.run.path.at(j, u).first);
    limit = std::min(limit, limits_for(timing, task_.limits[j]).velocity / std::max(slope, 1e-9));
  }
  if (!timing.tool_speed || task_.chain == nullptr) return limit;
  const double rate = task_.run.is_by_tool_length ? tool_rate_by_length(task_.run, u) : tool_rate(u);
  return std::min(limit, *timing.tool_speed / std::max(rate, 1e-9));
}

// Where two sections meet, that of the slower.
double Timing::speed_limit(double u) const {
  const double near = 1e-9 * task_.run.path.length();
  const std::size_t before = section_at(u - near);
  const std::size_t after = section_at(u + near);
  const double limit = speed_limit(before, u);
  return before == after ? limit : std::min(limit, speed_limit(after, u));
}

// Near to the ends, and to where another speed begins.
std::vector<double> Timing::finer_points() const {
  std::vector<double> points;
  const double length = task_.run.path.length();
  const auto add_near = [&](double u) {
    double apart = length;
    for (int k = 0; k < kFinerPoints; ++k) {
      apart /= 4.0;
      points.push_back(u - apart);
      points.push_back(u + apart);
    }
  };
  add_near(0.0);
  for (const WayRun::Section& section : task_.run.sections) add_near(section.end);
  return points;
}

bool Timing::is_one_line() const {
  return task_.run.path.piece_count() == 1 && task_.ways.size() == 1 && !task_.ways.front().is_tool &&
         !has_speed_limit();
}

// A straight line in the joints: its share of the way is an axis of its own.
Trajectory Timing::along_line() const {
  const JointPath& path = task_.run.path;
  AxisLimits along{.velocity = kLargestValue, .acceleration = kLargestValue, .jerk = kLargestValue};
  for (std::size_t j = 0; j < joints_; ++j) {
    const double slope = std::abs(path.polynomial(0, j)[1]);
    if (slope < 1e-12) continue;
    along.velocity = std::min(along.velocity, limits_[j].velocity / slope);
    along.acceleration = std::min(along.acceleration, limits_[j].acceleration / slope);
    along.jerk = std::min(along.jerk, limits_[j].jerk / slope);
  }
  const AxisProfile profile = plan_to_rest_at(path.length(), {}, along);
  Trajectory trajectory(path.joint_count());
  std::vector<Coefficients> piece(path.joint_count());
  const auto pieces = profile.pieces();
  trajectory.reserve(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double begin = pieces[i].start_time;
    const double end = i + 1 < pieces.size() ? pieces[i + 1].start_time : profile.duration();
    if (!(end - begin > 1e-12)) continue;
    const AxisState state = profile.at(begin);
    const double jerk = profile.jerk_at(0.5 * (begin + end));
    for (std::size_t j = 0; j < piece.size(); ++j) {
      const Coefficients& line = path.polynomial(0, j);
      piece[j] = {line[0] + line[1] * state.position, line[1] * state.velocity,
                  line[1] * state.acceleration / 2.0, line[1] * jerk / 6.0};
    }
    trajectory.append(end - begin, piece);
  }
  return trajectory;
}

// Of moves in the joints: round something, or blended into each other.
std::optional<Trajectory> Timing::along_blends() const {
  const bool is_any_tool = std::ranges::any_of(task_.ways, &MoveWay::is_tool);
  if (is_any_tool || has_speed_limit()) return std::nullopt;
  return sections_.empty() ? time_blends(task_.run.path, limits_) : time_blends(task_.run.path, sections_);
}

Result<Trajectory> Timing::as_fast_as_possible() const {
  const std::size_t usual = std::clamp(kGridPerPiece * task_.run.path.piece_count(), kLeastGrid, kMostGrid);
  JerkLimitedOptions options{.points = static_cast<std::size_t>(task_.fineness * static_cast<double>(usual)),
                             .sections = sections_,
                             .interruption = task_.interruption,
                             .names = task_.names};
  const std::vector<double> finer = finer_points();
  if (has_speed_limit()) options.speed_limit = [this](double u) { return speed_limit(u); };
  if (has_speed_limit() || !sections_.empty()) options.further_points = finer;
  auto motion = jerk_limited_along(task_.run.path, limits_, options);
  if (!motion) return motion.error();
  return std::move(motion->trajectory);
}

// The fastest of some shapes of the law.
Trajectory Timing::by_law(MoveLaw law) const {
  const std::size_t row = task_.ways.front().is_tool ? tool_row() : joints_ + 1;
  Trajectory best(task_.run.path.joint_count());
  for (const SpeedLaw& shape : law == MoveLaw::Quintic ? quintic_shapes() : lspb_shapes()) {
    Trajectory trajectory = along_by_law(task_.run.path, row, shape);
    trajectory.stretch(needed_stretch(trajectory, limits_));
    // the first is what is meant by the law, unless another is much faster
    if (best.piece_count() == 0 || trajectory.length() < 0.98 * best.length()) best = std::move(trajectory);
  }
  return best;
}

// Shows `look` the path's coordinate and how much too fast the tool is there, of what was asked for.
template <class Look>
void Timing::look_at_tool(const Trajectory& trajectory, Look look) const {
  if (!is_tool_limited()) return;
  const double most = 1000.0 * static_cast<double>(1 + task_.run.sections.size());
  const auto looks = static_cast<int>(std::clamp(trajectory.length() / 1e-3, 200.0, most));
  for (int k = 0; k <= looks; ++k) {
    const CurvePoint u = trajectory.at(joints_ + 1, trajectory.length() * k / looks);
    const MoveTiming& timing = timing_of(section_at(u.value));
    if (timing.tool_speed) look(u.value, tool_rate(u.value) * u.first / *timing.tool_speed);
  }
}

double Timing::tool_excess(const Trajectory& trajectory) const {
  double worst = 1.0;
  look_at_tool(trajectory, [&](double /*u*/, double excess) { worst = std::max(worst, excess); });
  return worst;
}

MoveRefusal Timing::refusal(MoveFault fault, std::string words) const {
  return {.move = task_.ways.front().move, .fault = fault, .words = std::move(words)};
}

// The time that was asked for; nothing: as fast as limits allow.
std::optional<double> Timing::wanted_duration(TimedRun& result) const {
  double sum = 0.0;
  std::size_t count = 0;
  const std::size_t all = task_.run.sections.size();
  for (std::size_t i = 0; i < all; ++i) {
    if (!timing_of(i).duration) continue;
    sum += *timing_of(i).duration;
    ++count;
  }
  if (count == 0) return std::nullopt;
  if (count == all) return sum;
  result.refusal = refusal(MoveFault::Invalid,
                           fmt::format("{} of {} moves that are blended into each other say how long they "
                                       "take; give all of them a time, or none",
                                       count, all));
  return std::nullopt;
}

TimedRun Timing::go() {
  TimedRun result;
  set_limits();
  const std::optional<double> wanted = wanted_duration(result);
  if (result.refusal) return result;
  const MoveLaw law = task_.run.sections.size() == 1 ? timing_of(0).law : MoveLaw::JerkLimited;
  if (law != MoveLaw::JerkLimited) {
    result.trajectory = by_law(law);
  } else if (is_one_line()) {
    result.trajectory = along_line();
  } else if (auto blends = along_blends()) {
    result.trajectory = *std::move(blends);
  } else {
    auto fastest = as_fast_as_possible();
    if (!fastest) {
      result.refusal = refusal(MoveFault::Limit, fastest.error().message);
      return result;
    }
    result.trajectory = *std::move(fastest);
  }
  result.trajectory.stretch(tool_excess(result.trajectory));
  if (task_.stretch) result.trajectory.stretch(task_.stretch(result.trajectory));
  const double shortest = result.trajectory.length();
  if (wanted && *wanted < shortest * (1.0 - 1e-9)) {
    result.refusal =
        refusal(MoveFault::TooFast, fmt::format("it cannot be done in {:.3f} s: within the limits it takes "
                                                "{:.3f} s; give it that time, or leave the time out",
                                                *wanted, std::ceil(shortest * 1000.0) / 1000.0));
    return result;
  }
  if (wanted) result.trajectory.stretch(*wanted / shortest);
  return result;
}

}  // namespace

TimedRun time_run(const RunTask& task) {
  return Timing(task).go();
}

double time_at(const Trajectory& trajectory, double coordinate) {
  const std::size_t row = trajectory.joint_count() - 1;
  double low = 0.0;
  double high = trajectory.length();
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    (trajectory.at(row, middle).value < coordinate ? low : high) = middle;
  }
  return high;
}

Trajectory joints_of(const Trajectory& rows, std::span<const std::size_t> order) {
  Trajectory joints(order.size());
  joints.reserve(rows.piece_count());
  std::vector<Coefficients> piece(order.size());
  for (std::size_t i = 0; i < rows.piece_count(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) piece[j] = rows.polynomial(i, order[j]);
    joints.append(rows.piece_length(i), piece);
  }
  return joints;
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/run_timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "sinew/motion/speed_law.h"
#include "sinew/trajectory/jerk_limited.h"
#include "sinew/trajectory/jerk_limited_path.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

constexpr std::size_t kGridPerPiece = 4;
constexpr std::size_t kLeastGrid = 100;
constexpr std::size_t kMostGrid = 400;
constexpr std::size_t kSpeedLooks = 512;
/// Where the tool is this much too fast, the path is timed again, so often at most.
constexpr double kSmallExcess = 1.002;
constexpr int kMostCorrections = 6;

double least(const std::optional<double>& asked, double limit) {
  return asked ? std::min(*asked, limit) : limit;
}

/// The limits of one move, of its joints.
AxisLimits limits_for(const MoveTiming& timing, const AxisLimits& of_joint) {
  AxisLimits limits = of_joint;
  const double slower = timing.acceleration ? *timing.acceleration : timing.speed * timing.speed;
  const double softer = timing.acceleration ? *timing.acceleration : slower * timing.speed;
  limits.velocity = least(timing.joint_speed, timing.speed * of_joint.velocity);
  limits.acceleration = least(timing.joint_acceleration, slower * of_joint.acceleration);
  limits.jerk = least(timing.joint_jerk, softer * of_joint.jerk);
  return limits;
}

/// One run while it is timed.
class Timing {
 public:
  explicit Timing(const RunTask& task) : task_(task), joints_(task.limits.size()) {}

  TimedRun go();

 private:
  const MoveTiming& timing_of(std::size_t section) const {
    return task_.moves[task_.ways[task_.run.sections[section].way].move].timing;
  }
  void set_limits();
  void set_speed_limits();
  bool is_one_line() const;
  Trajectory along_line() const;
  Result<Trajectory> as_fast_as_possible() const;
  Trajectory by_law(MoveLaw law) const;
  template <class Look>
  void look_at_tool(const Trajectory& trajectory, Look look) const;
  double tool_excess(const Trajectory& trajectory) const;
  double tool_rate(double u) const;
  std::size_t section_at(double u) const;
  bool is_tool_limited() const;
  bool are_speeds_equal() const;
  bool is_tool_row_enough() const;
  bool lower_where_too_fast(const Trajectory& trajectory);
  std::optional<double> wanted_duration(TimedRun& result) const;
  MoveRefusal refusal(MoveFault fault, std::string words) const;

  const RunTask& task_;
  std::size_t joints_;
  std::vector<AxisLimits> limits_;    // of all rows
  std::vector<double> speed_limits_;  // along the path, at even coordinates; empty: none
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

// Speeds by section along the path; of the others the least.
void Timing::set_limits() {
  limits_.assign(joints_ + 2, kNoRowLimit);
  for (std::size_t j = 0; j < joints_; ++j) {
    limits_[j] = limits_for(timing_of(0), task_.limits[j]);
    for (std::size_t i = 1; i < task_.run.sections.size(); ++i) {
      const AxisLimits other = limits_for(timing_of(i), task_.limits[j]);
      limits_[j].velocity = std::max(limits_[j].velocity, other.velocity);
      limits_[j].acceleration = std::min(limits_[j].acceleration, other.acceleration);
      limits_[j].jerk = std::min(limits_[j].jerk, other.jerk);
    }
  }
  AxisLimits& tool = limits_[joints_];
  for (std::size_t i = 0; i < task_.run.sections.size(); ++i) {
    tool.acceleration = least(timing_of(i).tool_acceleration, tool.acceleration);
    tool.jerk = least(timing_of(i).tool_jerk, tool.jerk);
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

// Whether a limit of how fast the tool's way is gone bounds its speed: on lines and circles all along.
bool Timing::is_tool_row_enough() const {
  return are_speeds_equal() && std::ranges::all_of(task_.ways, [&](const MoveWay& way) {
           return way.is_tool && task_.moves[way.move].kind != MoveKind::Spline;
         });
}

void Timing::set_speed_limits() {
  if (is_tool_limited() && is_tool_row_enough()) {
    // what turns more than it moves has more way than the tool
    double most = 0.0;
    for (const MoveWay& way : task_.ways) most = std::max(most, way.tool_path.derivative(0.0).linear.norm());
    limits_[joints_].velocity = *timing_of(0).tool_speed / std::max(most, 1e-6);
    return;
  }
  const bool has_sections = !are_speeds_equal();
  if (!has_sections && !is_tool_limited()) return;
  speed_limits_.assign(kSpeedLooks, kLargestValue);
  for (std::size_t k = 0; k < kSpeedLooks; ++k) {
    const double u = task_.run.path.length() * static_cast<double>(k) / (kSpeedLooks - 1);
    const MoveTiming& timing = timing_of(section_at(u));
    double& limit = speed_limits_[k];
    for (std::size_t j = 0; has_sections && j < joints_; ++j) {
      const double slope = std::abs(task_.run.path.at(j, u).first);
      limit = std::min(limit, limits_for(timing, task_.limits[j]).velocity / std::max(slope, 1e-9));
    }
    if (timing.tool_speed && task_.chain != nullptr)
      limit = std::min(limit, *timing.tool_speed / std::max(tool_rate(u), 1e-9));
  }
}

bool Timing::is_one_line() const {
  return task_.run.path.piece_count() == 1 && task_.ways.size() == 1 && !task_.ways.front().is_tool &&
         speed_limits_.empty();
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

Result<Trajectory> Timing::as_fast_as_possible() const {
  const std::size_t usual = std::clamp(kGridPerPiece * task_.run.path.piece_count(), kLeastGrid, kMostGrid);
  JerkLimitedOptions options{.points = static_cast<std::size_t>(task_.fineness * static_cast<double>(usual)),
                             .names = task_.names};
  if (!speed_limits_.empty())
    options.speed_limit = [this](double u) {
      const double at = u / task_.run.path.length() * (kSpeedLooks - 1);
      const auto k = static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(kSpeedLooks - 2)));
      // as slow as either neighbour: a bound must not be passed in between
      return std::min(speed_limits_[k], speed_limits_[k + 1]);
    };
  auto motion = jerk_limited_along(task_.run.path, limits_, options);
  if (!motion) return motion.error();
  return std::move(motion->trajectory);
}

// The fastest of some shapes of the law.
Trajectory Timing::by_law(MoveLaw law) const {
  const bool is_tool = task_.ways.front().is_tool;
  const std::size_t row = is_tool ? joints_ : joints_ + 1;
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
  const auto looks = static_cast<int>(std::clamp(trajectory.length() / 1e-3, 200.0, 2000.0));
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

// A short blend on a long way is slowed down by itself, and not the whole way with it. Answers whether there
// was one.
bool Timing::lower_where_too_fast(const Trajectory& trajectory) {
  if (speed_limits_.empty()) return false;
  std::vector<double> worst(speed_limits_.size(), 1.0);
  look_at_tool(trajectory, [&](double u, double excess) {
    const double at = u / task_.run.path.length() * (kSpeedLooks - 1);
    const auto k = static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(kSpeedLooks - 2)));
    for (const std::size_t i : {k, k + 1}) worst[i] = std::max(worst[i], excess);
  });
  bool is_lowered = false;
  for (std::size_t k = 0; k < worst.size(); ++k) {
    if (worst[k] < kSmallExcess) continue;
    speed_limits_[k] /= worst[k];
    is_lowered = true;
  }
  return is_lowered;
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
  set_speed_limits();
  const std::optional<double> wanted = wanted_duration(result);
  if (result.refusal) return result;
  const MoveLaw law = task_.run.sections.size() == 1 ? timing_of(0).law : MoveLaw::JerkLimited;
  if (law != MoveLaw::JerkLimited) {
    result.trajectory = by_law(law);
  } else if (is_one_line()) {
    result.trajectory = along_line();
  } else {
    auto fastest = as_fast_as_possible();
    if (!fastest) {
      result.refusal = refusal(MoveFault::Limit, fastest.error().message);
      return result;
    }
    result.trajectory = *std::move(fastest);
    for (int i = 0; i < kMostCorrections && lower_where_too_fast(result.trajectory); ++i)
      if (auto again = as_fast_as_possible()) result.trajectory = *std::move(again);
  }
  result.trajectory.stretch(tool_excess(result.trajectory));
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

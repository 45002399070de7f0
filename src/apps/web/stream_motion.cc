// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/stream_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <span>

#include <fmt/format.h>

#include "sinew/model/positions.h"

namespace sinew {
namespace {

constexpr double kBlur = 0.06;           // [s] what is quicker is trembling
constexpr double kEase = 0.8;            // [s] in which it comes to its speed, and again to rest
constexpr double kLeastBetween = 0.08;   // [s] between points of a trajectory
constexpr double kMostBetween = 0.4;     // [s]
constexpr std::size_t kMostParts = 100;  // in which it goes over the channel, which keeps 128
constexpr double kLeastMoved = 1e-4;     // [rad, m] in all of a stream
constexpr double kMostSlower = 16.0;
constexpr double kFromLimit = 1e-3;    // [rad, m] how far from a limit it stays
constexpr double kBeyondLimit = 0.02;  // [rad, m] beyond it, that is taken for the limit

struct Column {
  std::size_t position = 0;  // among the robot's
  std::vector<double> values;
};

bool is_of_gripper(const RobotModel& model, std::size_t position) {
  for (const Gripper& gripper : model.grippers)
    for (const GripperJoint& joint : gripper.joints)
      if (joint.position == position) return true;
  return false;
}

std::span<const std::vector<double>> kept_rows(const Stream& stream) {
  return std::span(stream.rows).subspan(stream.first, stream.last - stream.first + 1);
}

std::vector<double> values_of(const Stream& stream, std::size_t column) {
  std::vector<double> values;
  for (const std::vector<double>& row : kept_rows(stream)) values.push_back(row[column]);
  return values;
}

// A joint that was pushed to its limit was measured a little beyond it, perhaps.
void keep_within(const Joint& joint, std::vector<double>& values) {
  if (joint.kind == JointKind::Continuous) return;
  const auto& [lower, upper] = std::pair(joint.limits.lower, joint.limits.upper);
  const double margin = std::min(kFromLimit, 0.01 * (upper - lower));
  for (double& value : values)
    if (value > lower - kBeyondLimit && value < upper + kBeyondLimit)
      value = std::clamp(value, lower + margin, upper - margin);
}

Result<std::vector<Column>> columns_of(const Stream& stream, const RobotModel& model) {
  std::vector<Column> columns;
  for (std::size_t c = 0; c < stream.joints.size(); ++c) {
    const std::size_t joint = find_joint(model, stream.joints[c]);
    if (joint == kNone || model.joints[joint].position == kNone)
      return Error{ErrorCode::Mismatch,
                   fmt::format("stream '{}' has a joint '{}' that the robot does not have", stream.name,
                               stream.joints[c])};
    const std::size_t position = model.joints[joint].position;
    if (!model.joints[joint].is_enabled || is_of_gripper(model, position)) continue;
    Column column{.position = position, .values = values_of(stream, c)};
    keep_within(model.joints[joint], column.values);
    columns.push_back(std::move(column));
  }
  if (columns.empty())
    return Error{ErrorCode::InvalidInput, fmt::format("no joint of stream '{}' is in use", stream.name)};
  // the points of a trajectory have the joints in their order
  std::ranges::sort(columns, {}, &Column::position);
  return columns;
}

// A row, beyond the ends as if the motion went on as it began: so the ends stay where they are.
double beyond(const std::vector<double>& values, std::ptrdiff_t i) {
  const auto last = static_cast<std::ptrdiff_t>(values.size()) - 1;
  if (i < 0) return 2.0 * values.front() - values[static_cast<std::size_t>(std::min(-i, last))];
  if (i > last)
    return 2.0 * values.back() - values[static_cast<std::size_t>(std::max<std::ptrdiff_t>(2 * last - i, 0))];
  return values[static_cast<std::size_t>(i)];
}

std::vector<double> blurred(const std::vector<double>& values) {
  constexpr double kSigma = kBlur / Stream::kPeriod;
  const auto reach = static_cast<std::ptrdiff_t>(std::ceil(3.0 * kSigma));
  std::vector<double> smooth(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    double sum = 0.0;
    double weights = 0.0;
    for (std::ptrdiff_t k = -reach; k <= reach; ++k) {
      const double weight = std::exp(-0.5 * std::pow(static_cast<double>(k) / kSigma, 2));
      sum += weight * beyond(values, static_cast<std::ptrdiff_t>(i) + k);
      weights += weight;
    }
    smooth[i] = sum / weights;
  }
  return smooth;
}

/// The time in the stream over the time of its replay: slowly into it and out of it. Its rate goes from 0 to
/// 1 and back with acceleration and jerk that begin and end at zero.
struct EasedTime {
  double value = 0.0;
  double rate = 0.0;
  double change = 0.0;  ///< Of the rate [1/s].
};
EasedTime eased(double u, double length, double ease) {
  const auto ramp = [ease](double v) -> EasedTime {
    const double x = std::clamp(v / ease, 0.0, 1.0);
    const double area = x * x * x * x * (2.5 + x * (-3.0 + x));
    return {.value = ease * area,
            .rate = x * x * x * (10.0 + x * (-15.0 + 6.0 * x)),
            .change = 30.0 * x * x * (1.0 - x) * (1.0 - x) / ease};
  };
  const double total = length + ease;
  if (u <= ease) return ramp(u);
  if (u < total - ease) return {.value = u - 0.5 * ease, .rate = 1.0};
  const EasedTime back = ramp(total - u);
  return {.value = length - back.value, .rate = back.rate, .change = -back.change};
}

// A smoothed column and its first two derivatives, at any time: parabolas through three rows, blended.
struct Sampled {
  double value = 0.0;
  double first = 0.0;
  double second = 0.0;
};
Sampled at_time(const std::vector<double>& values, double time) {
  const double place = std::clamp(time / Stream::kPeriod, 0.0, static_cast<double>(values.size() - 1));
  const auto i = std::min(static_cast<std::ptrdiff_t>(place), static_cast<std::ptrdiff_t>(values.size()) - 2);
  const double x = place - static_cast<double>(i);
  const double a = beyond(values, i - 1);
  const double b = beyond(values, i);
  const double c = beyond(values, i + 1);
  const double d = beyond(values, i + 2);
  // Catmull and Rom: through b and c, with the slopes of their neighbours
  const double k1 = 0.5 * (c - a);
  const double k2 = a - 2.5 * b + 2.0 * c - 0.5 * d;
  const double k3 = 0.5 * (d - a) + 1.5 * (b - c);
  const double bend = std::lerp(a - 2.0 * b + c, b - 2.0 * c + d, x);
  return {.value = b + x * (k1 + x * (k2 + x * k3)),
          .first = (k1 + x * (2.0 * k2 + x * 3.0 * k3)) / Stream::kPeriod,
          .second = bend / (Stream::kPeriod * Stream::kPeriod)};
}

Result<double> spacing_of(double length, std::size_t joints) {
  const std::size_t in_part = TrajectoryPart{}.values.size() / (1 + 3 * joints);
  const std::size_t most = std::min<std::size_t>(kMostParts * in_part, kMaxTrajectoryPoints) - 2;
  const double between = std::max(kLeastBetween, length / static_cast<double>(most));
  if (between <= kMostBetween) return between;
  return Error{
      ErrorCode::OutOfLimits,
      fmt::format("{:.0f} s of {} joints are too long to be replayed as one: trim it", length, joints)};
}

TimedPoints points_along(const std::vector<Column>& columns, double between, double slower) {
  const double length = seconds_of(columns.front().values.size());
  const double ease = std::min(kEase, 0.5 * length);
  const double total = length + ease;
  TimedPoints points{.content = kHasVelocities | kHasAccelerations};
  for (const Column& column : columns) points.joint_mask |= std::uint64_t{1} << column.position;
  const auto count = std::max<std::size_t>(2, static_cast<std::size_t>(std::ceil(total / between)));
  for (std::size_t k = 0; k <= count; ++k) {
    const double u = total * static_cast<double>(k) / static_cast<double>(count);
    const EasedTime time = eased(u, length, ease);
    TimedPoint point{.time = slower * u, .position = {}, .velocity = {}, .acceleration = {}};
    for (const Column& column : columns) {
      const Sampled q = at_time(column.values, time.value);
      point.position.push_back(q.value);
      point.velocity.push_back(q.first * time.rate / slower);
      point.acceleration.push_back((q.second * time.rate * time.rate + q.first * time.change) /
                                   (slower * slower));
    }
    points.points.push_back(std::move(point));
  }
  return points;
}

/// The quickest of some paces that the robot can keep.
Result<StreamReplay> within_limits(const std::vector<Column>& columns, StreamReplay replay, double between,
                                   const RobotModel& model) {
  Error why{ErrorCode::OutOfLimits, ""};
  for (double slower = 1.0; slower <= kMostSlower; slower *= 1.15) {
    replay.points = points_along(columns, between, slower);
    const auto trajectory = trajectory_through(replay.points, model, replay.begin);
    if (trajectory) {
      replay.slower = slower;
      return replay;
    }
    why = trajectory.error();
  }
  return Error{ErrorCode::OutOfLimits,
               fmt::format("it cannot be replayed within the robot's limits: {}", why.message)};
}

double deviation(const Stream& stream, std::size_t a, std::size_t b, std::size_t row) {
  // the way counts, not how long it took: the nearest place on the straight line, as all joints go together
  double along = 0.0;
  double square = 0.0;
  for (std::size_t j = 0; j < stream.joints.size(); ++j) {
    const double way = stream.rows[b][j] - stream.rows[a][j];
    along += way * (stream.rows[row][j] - stream.rows[a][j]);
    square += way * way;
  }
  const double share = square > 0.0 ? std::clamp(along / square, 0.0, 1.0) : 0.0;
  double worst = 0.0;
  for (std::size_t j = 0; j < stream.joints.size(); ++j)
    worst = std::max(worst,
                     std::abs(stream.rows[row][j] - std::lerp(stream.rows[a][j], stream.rows[b][j], share)));
  return worst;
}

/// The joints of the first arm that are all in the stream, as columns of it, in the arm's order.
std::optional<std::pair<std::string, std::vector<std::size_t>>> arm_of(const Stream& stream,
                                                                       const RobotModel& model) {
  for (const Arm& arm : model.arms) {
    std::vector<std::size_t> columns;
    const auto path = joints_between(model, arm.base_link, arm.tip_link);
    if (!path) continue;
    bool has_all = true;
    for (const std::size_t joint : *path) {
      if (model.joints[joint].position == kNone) continue;
      const auto found = std::ranges::find(stream.joints, model.joints[joint].name);
      has_all = has_all && found != stream.joints.end();
      columns.push_back(static_cast<std::size_t>(found - stream.joints.begin()));
    }
    if (has_all && !columns.empty()) return std::pair(arm.name, columns);
  }
  return std::nullopt;
}

}  // namespace

Result<StreamReplay> replay_of(const Stream& stream, const RobotModel& model) {
  auto columns = columns_of(stream, model);
  if (!columns) return columns.error();
  StreamReplay replay;
  std::vector<Column> moving;
  for (Column& column : *columns) {
    replay.joint_mask |= std::uint64_t{1} << column.position;
    replay.begin[column.position] = column.values.front();
    const auto [least, most] = std::ranges::minmax(column.values);
    if (most - least > kLeastMoved) moving.push_back({column.position, blurred(column.values)});
  }
  if (moving.empty()) return replay;
  const auto between = spacing_of(length_of(stream), moving.size());
  if (!between) return between.error();
  return within_limits(moving, std::move(replay), *between, model);
}

std::vector<std::size_t> turning_rows(const Stream& stream, double tolerance) {
  // Douglas and Peucker, without recursion
  std::set<std::size_t> kept{stream.first, stream.last};
  std::vector<std::pair<std::size_t, std::size_t>> open{{stream.first, stream.last}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    std::size_t furthest = a;
    double most = tolerance;
    for (std::size_t row = a + 1; row < b; ++row) {
      const double off = deviation(stream, a, b, row);
      if (off <= most) continue;
      most = off;
      furthest = row;
    }
    if (furthest == a) continue;
    kept.insert(furthest);
    open.insert(open.end(), {{a, furthest}, {furthest, b}});
  }
  return {kept.begin(), kept.end()};
}

Result<StreamProgram> program_of(const Stream& stream, const RobotModel& model, double tolerance) {
  const auto arm = arm_of(stream, model);
  if (!arm)
    return Error{ErrorCode::Mismatch,
                 fmt::format("stream '{}' does not hold all joints of an arm of this robot", stream.name)};
  const std::vector<std::size_t> rows = turning_rows(stream, tolerance);
  StreamProgram program{.points = rows.size()};
  program.text = fmt::format(
      "# The stream '{}' as {} points, for the arm '{}': touch them up as you like.\n"
      "UNITS (mm,deg,s)\nSPEED 50%\nBLEND 5\n",
      stream.name, rows.size(), arm->first);
  for (const std::size_t row : rows) {
    program.text += "MOVEJ";
    for (const std::size_t column : arm->second) {
      const std::size_t joint = find_joint(model, stream.joints[column]);
      const bool is_length = model.joints[joint].kind == JointKind::Prismatic;
      const double factor = is_length ? 1000.0 : 180.0 / std::numbers::pi;
      program.text += fmt::format(" {:.2f}", factor * stream.rows[row][column] + 0.0);
    }
    program.text += '\n';
  }
  return program;
}

}  // namespace sinew

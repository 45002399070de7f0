// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/move_planner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/positions.h"
#include "sinew/motion/arm_solver.h"
#include "sinew/motion/run_timing.h"
#include "sinew/motion/straight_way.h"
#include "sinew/motion/tool_length.h"
#include "sinew/motion/tool_sight.h"
#include "sinew/motion/torque_stretch.h"
#include "sinew/motion/way_maker.h"
#include "sinew/trajectory/playback.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {

struct MovePlanner::Parts {
  explicit Parts(const RobotModel& the_model) : model(the_model) {}

  const RobotModel& model;
  MovePlannerOptions options;
  bool is_put_off = false;             // in this call of plan()
  std::unique_ptr<SerialChain> chain;  // to the flange; null without an arm
  std::unique_ptr<ToolArms> arms;
  std::unique_ptr<MoveSpace> space;
  TorqueStretch torque{model};
  std::vector<AxisLimits> limits;  // of the moved joints: what may be used
  std::vector<std::string> names;
  std::vector<std::size_t> ordered;  // moved joints by their place in the mask
  std::uint64_t joint_mask = 0;
};

namespace {

// a blend that is blocked is made smaller, and at last a stop
constexpr std::array kBlendScales{1.0, 0.5, 0.25};
constexpr std::array kCornerShares{0.45, 0.2, 0.08};
constexpr std::array kFinenesses{1.0, 3.0, 9.0};
constexpr double kMostStraying = 10.0;  // of the tolerance: further off a line is none
constexpr int kToolLooks = 100;         // at the tool along one move
constexpr int kClearanceLooks = 24;     // at distances along one run

bool is_over_zero(const std::optional<double>& value) {
  return !value || (*value > 0.0 && std::isfinite(*value));
}

}  // namespace

const char* move_fault_text(MoveFault fault) {
  switch (fault) {
    case MoveFault::Invalid:
      return "not valid";
    case MoveFault::Unreachable:
      return "out of reach";
    case MoveFault::Limit:
      return "joint limit";
    case MoveFault::Singular:
      return "singular";
    case MoveFault::Blocked:
      return "blocked";
    case MoveFault::TooFast:
      return "too fast";
    case MoveFault::Interrupted:
      return "put off";
  }
  return "unknown";
}

namespace {

/// One call of plan().
class ChainPlan {
 public:
  ChainPlan(const RobotModel& model, const MovePlannerOptions& options, MoveSpace& space, ToolArms* arms,
            std::span<const AxisLimits> limits, std::span<const std::string> names,
            std::span<const Move> chain, TorqueStretch& torque, MovePlan& result)
      : model_(model),
        options_(options),
        space_(space),
        arms_(arms),
        limits_(limits),
        names_(names),
        chain_(chain),
        torque_(torque),
        result_(result),
        rows_(limits.size() + 2) {}

  void go(std::span<const double> from);
  const Trajectory& rows() const { return rows_; }

 private:
  bool check_timing(std::size_t move);
  bool make_ways(std::span<const double> from);
  bool add_runs();
  bool add_run(std::size_t first, std::size_t count);
  bool add_one(std::size_t way);
  bool add_blended(std::size_t first, std::size_t count);
  bool add_without_blends(std::size_t first, std::size_t count);
  bool add_joint_way(std::size_t way);
  bool add_stops(std::size_t way);
  bool add_turn(std::size_t way);
  enum class Outcome { Added, Blocked, Refused };
  Outcome try_run(std::size_t first, std::size_t count, double blend_scale);
  bool needs_tool_length(std::span<const MoveWay> ways) const;
  Outcome try_timed(const WayRun& run, std::span<const MoveWay> ways, bool is_proven);
  struct Straying {
    double most = 0.0;  // [m]
    std::size_t move = 0;
  };
  Straying straying_of(const WayRun& run, std::span<const MoveWay> ways, const Trajectory& trajectory) const;
  bool take_straying(const Straying& straying);
  void append(const WayRun& run, std::span<const MoveWay> ways, const Trajectory& trajectory);
  void measure(const Trajectory& trajectory);
  void note_sight(const MoveWay& way, const ToolSightTask& sight);
  double asked_speed(const WayRun& run, std::span<const MoveWay> ways, std::size_t section) const;
  void refuse(std::size_t move, MoveFault fault, std::string words);
  void refuse_blocked(const MoveWay& way);
  const ToolArm* arm_of(const MoveWay& way) const {
    return arms_ == nullptr ? nullptr : &arms_->with(chain_[way.move].X_FT);
  }

  const RobotModel& model_;
  const MovePlannerOptions& options_;
  MoveSpace& space_;
  ToolArms* arms_;
  std::span<const AxisLimits> limits_;
  std::span<const std::string> names_;
  std::span<const Move> chain_;
  TorqueStretch& torque_;
  MovePlan& result_;
  Trajectory rows_;
  std::vector<MadeWay> made_;
  /// A trajectory that was not taken because something is in its way, and up to when it is clear [s].
  struct BlockedTrajectory {
    Trajectory trajectory;
    double clear_until = 0.0;
  };
  BlockedTrajectory blocked_;
};

void ChainPlan::refuse(std::size_t move, MoveFault fault, std::string words) {
  result_.refusal = MoveRefusal{.move = move, .fault = fault, .words = std::move(words)};
}

bool ChainPlan::check_timing(std::size_t move) {
  const MoveTiming& timing = chain_[move].timing;
  const bool is_share = timing.speed > 0.0 && timing.speed <= 1.0 &&
                        (!timing.acceleration || (*timing.acceleration > 0.0 && *timing.acceleration <= 1.0));
  if (!is_share) {
    refuse(move, MoveFault::Invalid,
           fmt::format("speed {} and acceleration {} are shares of the limits: over 0 to 1", timing.speed,
                       timing.acceleration.value_or(1.0)));
    return false;
  }
  for (const auto& value : {timing.duration, timing.tool_speed, timing.tool_acceleration, timing.tool_jerk,
                            timing.joint_speed, timing.joint_acceleration, timing.joint_jerk}) {
    if (is_over_zero(value)) continue;
    refuse(move, MoveFault::Invalid,
           fmt::format("{} as a time, speed, acceleration or jerk cannot be: it must be more than zero",
                       *value));
    return false;
  }
  const double radius = chain_[move].blend_radius;
  if (radius >= 0.0 && std::isfinite(radius)) return true;
  refuse(move, MoveFault::Invalid, fmt::format("a blend radius of {} m cannot be: zero or more", radius));
  return false;
}

bool ChainPlan::make_ways(std::span<const double> from) {
  JointVector q(static_cast<Eigen::Index>(limits_.size()));
  for (std::size_t j = 0; j < limits_.size(); ++j)
    q[static_cast<Eigen::Index>(j)] = from[space_.planned()[j]];
  WayMaker maker(model_, arms_, space_,
                 {.path_tolerance = options_.path_tolerance,
                  .with_advice = options_.with_advice,
                  .interruption = options_.interruption});
  for (std::size_t i = 0; i < chain_.size(); ++i) {
    if (!check_timing(i)) return false;
    made_.push_back(maker.make(i, chain_[i], q));
    if (made_.back().refusal) {
      result_.refusal = std::move(made_.back().refusal);
      return false;
    }
    q = made_.back().end;
    std::vector<double>& posture = result_.planned.postures.emplace_back(from.begin(), from.end());
    for (std::size_t j = 0; j < limits_.size(); ++j)
      posture[space_.planned()[j]] = q[static_cast<Eigen::Index>(j)];
    for (std::string& words : made_.back().notes)
      result_.planned.notes.push_back({.move = i, .words = std::move(words)});
  }
  return true;
}

void ChainPlan::go(std::span<const double> from) {
  space_.stand_at(from);
  result_.planned.clearance = std::numeric_limits<double>::infinity();
  result_.planned.dexterity = 1e9;
  if (!make_ways(from)) return;
  result_.planned.spans.resize(chain_.size());
  for (std::size_t i = 0; i < chain_.size(); ++i) result_.planned.spans[i].posture = i;
  add_runs();
}

// Moves without a stop between them are one run.
bool ChainPlan::add_runs() {
  std::size_t first = 0;
  for (std::size_t i = 0; i < made_.size(); ++i) {
    const bool is_last = i + 1 == made_.size();
    const bool stops = is_last || chain_[i].blend_radius == 0.0 || arms_ == nullptr ||
                       made_[i].way.path.piece_count() == 0 || made_[i + 1].way.path.piece_count() == 0 ||
                       made_[i + 1].turn || &arms_->with(chain_[i].X_FT) != &arms_->with(chain_[i + 1].X_FT);
    if (!stops) continue;
    if (!add_run(first, i + 1 - first)) return false;
    first = i + 1;
  }
  return true;
}

// A turn that the first way begins with belongs to its move.
bool ChainPlan::add_run(std::size_t first, std::size_t count) {
  const double begin = rows_.length();
  if (!add_turn(first)) return false;
  const bool is_added = count == 1 ? add_one(first) : add_blended(first, count);
  result_.planned.spans[first].begin = begin;
  return is_added;
}

bool ChainPlan::add_one(std::size_t way) {
  MoveSpan& span = result_.planned.spans[way];
  span.begin = span.end = rows_.length();
  const MadeWay& made = made_[way];
  if (made.way.path.piece_count() == 0) return true;
  if (!made.corners.empty()) return add_joint_way(way);
  const Outcome outcome = try_run(way, 1, 0.0);
  if (outcome == Outcome::Blocked) refuse_blocked(made.way);
  return outcome == Outcome::Added;
}

bool ChainPlan::add_blended(std::size_t first, std::size_t count) {
  for (const double scale : kBlendScales) {
    const Outcome outcome = try_run(first, count, scale);
    if (outcome != Outcome::Blocked) return outcome == Outcome::Added;
  }
  result_.planned.notes.push_back(
      {.move = first,
       .words = fmt::format("the blends after it are stops, because blended {}",
                            space_.explain(blocked_.trajectory, blocked_.clear_until).words)});
  return add_without_blends(first, count);
}

bool ChainPlan::add_without_blends(std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i)
    if (!add_run(i, 1)) return false;
  return true;
}

// A way round something has corners: rounded as far as there is room, at last with stops.
bool ChainPlan::add_joint_way(std::size_t way) {
  MadeWay& made = made_[way];
  if (made.corners.size() == 2) return try_run(way, 1, 0.0) == Outcome::Added;
  for (const double share : kCornerShares) {
    made.way = way_through(made.corners, share);
    made.way.move = way;
    const Outcome outcome = try_run(way, 1, 0.0);
    if (outcome != Outcome::Blocked) return outcome == Outcome::Added;
  }
  return add_stops(way);
}

// From corner to corner, each a proven straight line.
bool ChainPlan::add_stops(std::size_t way) {
  const double begin = rows_.length();
  if (chain_[way].timing.duration) {
    refuse_blocked(made_[way].way);
    return false;
  }
  const std::vector<JointVector> corners = made_[way].corners;
  for (std::size_t k = 0; k + 1 < corners.size(); ++k) {
    made_[way].way = way_through(std::span(corners).subspan(k, 2), 0.0);
    made_[way].way.move = way;
    made_[way].corners = {corners[k], corners[k + 1]};
    if (try_run(way, 1, 0.0) != Outcome::Added) return false;
  }
  result_.planned.spans[way].begin = begin;
  return true;
}

// Where the tool has a speed of its own, or follows a spline, whose own coordinate is none of its way.
bool ChainPlan::needs_tool_length(std::span<const MoveWay> ways) const {
  return std::ranges::any_of(ways, [&](const MoveWay& way) {
    const Move& move = chain_[way.move];
    return move.timing.tool_speed || (way.is_tool && move.kind == MoveKind::Spline);
  });
}

// The turn that a way begins with, if it does: as fast as the joints may, for the tool stands.
bool ChainPlan::add_turn(std::size_t way) {
  if (!made_[way].turn) return true;
  std::vector<MoveWay> turn{*made_[way].turn};
  turn.front().move = way;
  const Outcome outcome = try_timed(whole_run(turn.front()), turn, false);
  if (outcome == Outcome::Blocked) refuse_blocked(turn.front());
  // once, however often what follows is tried
  made_[way].turn.reset();
  return outcome == Outcome::Added;
}

ChainPlan::Outcome ChainPlan::try_run(std::size_t first, std::size_t count, double blend_scale) {
  std::vector<MoveWay> ways;
  std::vector<double> radii;
  for (std::size_t i = first; i < first + count; ++i) {
    ways.push_back(made_[i].way);
    if (i + 1 < first + count) radii.push_back(blend_scale * chain_[i].blend_radius);
  }
  const ToolArm* arm = arm_of(ways.front());
  WayRun run = count == 1 ? whole_run(ways.front()) : join_ways(ways, radii, arm->chain);
  if (arm != nullptr && needs_tool_length(ways))
    if (auto by_length = by_tool_length(run, arm->chain)) run = *std::move(by_length);
  const bool is_proven = count == 1 && made_[first].corners.size() == 2;
  return try_timed(run, ways, is_proven);
}

ChainPlan::Outcome ChainPlan::try_timed(const WayRun& run, std::span<const MoveWay> ways, bool is_proven) {
  const ToolArm* arm = arm_of(ways.front());
  TimedRun timed;
  Straying straying;
  for (const double fineness : kFinenesses) {
    timed = time_run({.run = run,
                      .ways = ways,
                      .moves = chain_,
                      .limits = limits_,
                      .chain = arm == nullptr ? nullptr : &arm->chain,
                      .names = names_,
                      .fineness = fineness,
                      .interruption = options_.interruption,
                      .stretch = [this](const Trajectory& rows) {
                        return torque_.factor_for(rows, space_.planned(), space_.others());
                      }});
    if (timed.refusal) {
      result_.refusal = std::move(timed.refusal);
      return Outcome::Refused;
    }
    straying = straying_of(run, ways, timed.trajectory);
    if (straying.most <= options_.path_tolerance) break;
  }
  std::vector<AxisLimits> limits(limits_.begin(), limits_.end());
  limits.resize(limits.size() + 2, kNoRowLimit);
  const TrajectoryCheck check = check_trajectory(timed.trajectory, limits, {.tolerance = kJumpTolerance});
  if (!check) {
    refuse(ways.front().move, MoveFault::Limit, trajectory_status(check, names_).error().message);
    return Outcome::Refused;
  }
  if (!is_proven) {
    if (const auto clear_until = space_.clear_until(timed.trajectory)) {
      blocked_ = {.trajectory = std::move(timed.trajectory), .clear_until = *clear_until};
      return Outcome::Blocked;
    }
  }
  if (!take_straying(straying)) return Outcome::Refused;
  append(run, ways, timed.trajectory);
  return Outcome::Added;
}

// What no finer timing has brought nearer to the line is told, and beyond a bound it is not done.
bool ChainPlan::take_straying(const Straying& straying) {
  result_.planned.deviation = std::max(result_.planned.deviation, straying.most);
  if (straying.most <= options_.path_tolerance) return true;
  std::string words = fmt::format("the tool leaves its way by {:.3f} mm; {:.3f} mm are wanted",
                                  1e3 * straying.most, 1e3 * options_.path_tolerance);
  if (straying.most > kMostStraying * options_.path_tolerance) {
    refuse(straying.move, MoveFault::Limit, words + ": divide the move, or do it more slowly");
    return false;
  }
  result_.planned.notes.push_back({.move = straying.move, .words = std::move(words)});
  return true;
}

// How far the finished trajectory has the tool off its lines and circles, and on which most.
ChainPlan::Straying ChainPlan::straying_of(const WayRun& run, std::span<const MoveWay> ways,
                                           const Trajectory& trajectory) const {
  const ToolArm* arm = arm_of(ways.front());
  const std::size_t row = limits_.size();
  Straying worst;
  std::array<double, kMaxChainJoints> q{};
  for (const WayRun::Section& section : run.sections) {
    const MoveWay& way = ways[section.way];
    if (!way.is_tool) continue;
    const double begin = time_at(trajectory, section.pure_begin);
    const double end = time_at(trajectory, section.pure_end);
    for (int k = 0; k <= kToolLooks; ++k) {
      const double t = begin + (end - begin) * k / kToolLooks;
      for (std::size_t j = 0; j < row; ++j) q[j] = trajectory.at(j, t).value;
      const double s = trajectory.at(row, t).value - section.tool_offset;
      const Vector3 p = arm->chain.tool_pose({q.data(), row}).position;
      const double off = (p - way.tool_path.pose(s).position).norm();
      if (off > worst.most) worst = {.most = off, .move = way.move};
    }
  }
  return worst;
}

void ChainPlan::append(const WayRun& run, std::span<const MoveWay> ways, const Trajectory& trajectory) {
  const double offset = rows_.length();
  std::vector<Coefficients> piece(trajectory.joint_count());
  for (std::size_t i = 0; i < trajectory.piece_count(); ++i) {
    for (std::size_t j = 0; j < piece.size(); ++j) piece[j] = trajectory.polynomial(i, j);
    rows_.append(trajectory.piece_length(i), piece);
  }
  for (std::size_t i = 0; i < run.sections.size(); ++i) {
    const WayRun::Section& section = run.sections[i];
    const MoveWay& way = ways[section.way];
    const double begin = i == 0 ? 0.0 : time_at(trajectory, section.begin);
    const double end = i + 1 == run.sections.size() ? trajectory.length() : time_at(trajectory, section.end);
    MoveSpan& span = result_.planned.spans[way.move];
    span.begin = offset + begin;
    span.end = offset + end;
    const MoveTiming& timing = chain_[way.move].timing;
    const bool is_asked = timing.tool_speed && !timing.duration;
    if (!way.is_tool || !(options_.with_measures || is_asked)) continue;
    std::vector<AxisLimits> limits;
    for (const AxisLimits& of_joint : limits_) limits.push_back(limits_for(timing, of_joint));
    const double asked = asked_speed(run, ways, i);
    note_sight(way,
               {.chain = arm_of(way)->chain,
                .trajectory = trajectory,
                .limits = limits,
                .names = names_,
                .begin = begin,
                .end = end,
                .asked_speed = is_asked ? timing.tool_speed : std::nullopt,
                .speeds_up_first = i == 0 || asked_speed(run, ways, i - 1) != asked,
                .slows_down_last = i + 1 == run.sections.size() || asked_speed(run, ways, i + 1) != asked});
  }
  if (options_.with_measures) measure(trajectory);
}

void ChainPlan::measure(const Trajectory& trajectory) {
  std::array<double, kMaxChainJoints> q{};
  for (int k = 0; k <= kClearanceLooks; ++k) {
    for (std::size_t j = 0; j < limits_.size(); ++j)
      q[j] = trajectory.at(j, trajectory.length() * k / kClearanceLooks).value;
    const Contact nearest = space_.nearest({q.data(), limits_.size()});
    if (nearest.distance >= result_.planned.clearance) continue;
    result_.planned.clearance = nearest.distance;
    result_.planned.nearest = nearest;
  }
}

// Of a section [m/s]; zero where nothing is asked of the tool.
double ChainPlan::asked_speed(const WayRun& run, std::span<const MoveWay> ways, std::size_t section) const {
  const MoveWay& way = ways[run.sections[section].way];
  return way.is_tool ? chain_[way.move].timing.tool_speed.value_or(0.0) : 0.0;
}

// How near to a singularity, and where the tool is slow because of a joint.
void ChainPlan::note_sight(const MoveWay& way, const ToolSightTask& task) {
  ToolSight sight = look_at_tool(task);
  result_.planned.dexterity = std::min(result_.planned.dexterity, sight.dexterity);
  if (sight.slow) result_.planned.notes.push_back({.move = way.move, .words = *std::move(sight.slow)});
}

void ChainPlan::refuse_blocked(const MoveWay& way) {
  const Blockage blockage = space_.explain(blocked_.trajectory, blocked_.clear_until);
  std::string words = blockage.words;
  if (const ToolArm* arm = arm_of(way)) {
    std::array<double, kMaxChainJoints> q{};
    for (std::size_t j = 0; j < limits_.size(); ++j) q[j] = blocked_.trajectory.at(j, blockage.time).value;
    words =
        fmt::format("at {} {}", place_text(arm->chain.tool_pose({q.data(), limits_.size()}).position), words);
  }
  const Contact& contact = blockage.contact;
  const bool is_object = contact.object_a != kNone || contact.object_b != kNone;
  if (way.is_tool)
    words +=
        is_object ? "; move it out of the way, or go there by a joint move" : "; go there by a joint move";
  refuse(way.move, MoveFault::Blocked, std::move(words));
}

}  // namespace

MovePlanner::MovePlanner(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
MovePlanner::~MovePlanner() = default;

Result<std::unique_ptr<MovePlanner>> MovePlanner::make(const RobotModel& model, MovePlannerOptions options) {
  auto parts = std::make_unique<Parts>(model);
  MoveSpaceOptions space{.margin = options.margin,
                         .mesh_points = options.mesh_points,
                         .seed = options.seed,
                         .most_iterations = options.most_iterations};
  if (options.joint_mask == 0) {
    if (options.tip_link == kNone) {
      const auto arm = arm_named(model, options.arm);
      if (!arm) return arm.error();
      options.base_link = model.arms[*arm].base_link;
      options.tip_link = model.arms[*arm].tip_link;
    }
    auto chain = SerialChain::make(model, options.base_link, options.tip_link);
    if (!chain) return chain.error();
    parts->chain = std::make_unique<SerialChain>(*std::move(chain));
    parts->arms = std::make_unique<ToolArms>(model, options.base_link, options.tip_link);
    space.chain = parts->chain.get();
  }
  for (std::size_t i = 0; i < model.positions.size(); ++i)
    if ((options.joint_mask >> i & 1) != 0) space.planned.push_back(i);
  parts->options = std::move(options);
  // once interrupted, all that is left of the call ends as early as it can
  if (parts->options.interruption) {
    parts->options.interruption = [&put_off = parts->is_put_off, ask = parts->options.interruption] {
      put_off = put_off || ask();
      return put_off;
    };
  }
  space.interruption = parts->options.interruption;
  auto made = MoveSpace::make(model, std::move(space));
  if (!made) return made.error();
  parts->space = *std::move(made);
  const auto planned = parts->space->planned();
  for (const std::size_t position : planned) {
    parts->joint_mask |= std::uint64_t{1} << position;
    parts->names.push_back(model.joints[model.positions[position]].name);
    AxisLimits limits = limits_of(model, std::uint64_t{1} << position).front();
    limits.velocity *= Playback::kUsableShare;
    limits.acceleration *= Playback::kUsableShare;
    limits.jerk *= Playback::kUsableShare;
    parts->limits.push_back(limits);
  }
  parts->ordered.resize(planned.size());
  std::iota(parts->ordered.begin(), parts->ordered.end(), std::size_t{0});
  std::ranges::sort(parts->ordered, {}, [&](std::size_t j) { return planned[j]; });
  return std::unique_ptr<MovePlanner>(new MovePlanner(std::move(parts)));
}

Status MovePlanner::set_world(const Obstacles& world) {
  return parts_->space->set_world(world);
}

std::span<const std::size_t> MovePlanner::planned() const noexcept {
  return parts_->space->planned();
}

std::uint64_t MovePlanner::joint_mask() const noexcept {
  return parts_->joint_mask;
}

Pose MovePlanner::tool_pose(std::span<const double> q_all, const Pose& X_FT) const {
  if (parts_->chain == nullptr) return {};
  std::vector<double> q;
  for (const std::size_t position : planned()) q.push_back(q_all[position]);
  return parts_->chain->tool_pose(q) * X_FT;
}

MovePlan MovePlanner::plan(std::span<const Move> chain, std::span<const double> from) {
  MovePlan result;
  result.planned.joint_mask = parts_->joint_mask;
  result.planned.trajectory = Trajectory(parts_->limits.size());
  const std::size_t count = parts_->model.positions.size();
  if (from.size() != count || !std::ranges::all_of(from, [](double q) { return std::isfinite(q); })) {
    result.refusal =
        MoveRefusal{.words = fmt::format(
                        "the start must be {} finite joint positions, one for each of the robot's", count)};
    return result;
  }
  parts_->is_put_off = false;
  ChainPlan plan(parts_->model, parts_->options, *parts_->space, parts_->arms.get(), parts_->limits,
                 parts_->names, chain, parts_->torque, result);
  plan.go(from);
  if (parts_->is_put_off)
    result.refusal =
        MoveRefusal{.fault = MoveFault::Interrupted, .words = "it was put off, because others wait"};
  if (!result.refusal) result.planned.trajectory = joints_of(plan.rows(), parts_->ordered);
  return result;
}

}  // namespace sinew

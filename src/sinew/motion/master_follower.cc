// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/master_follower.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

constexpr double kSoftBelow = 0.05;   // singular values
constexpr double kLagMemory = 0.998;  // from step to step: some seconds
constexpr double kLeastSpeed = 1e-4;  // [rad²/s², m²/s²] below which nothing is known of a lag
constexpr double kMostLag = 0.03;     // [s] of a device behind what it was sent

/// The joints of an arm out of all of its robot's, as vectors in the order of the chain.
struct ArmMotion {
  JointVector q;
  JointVector velocity;
  JointVector acceleration;
};

ArmMotion motion_of(const SerialChain& chain, std::span<const AxisState> joints) {
  const auto count = static_cast<Eigen::Index>(chain.size());
  ArmMotion motion{JointVector(count), JointVector(count), JointVector(count)};
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const AxisState& joint = joints[chain.position(i)];
    const auto k = static_cast<Eigen::Index>(i);
    motion.q[k] = joint.position;
    motion.velocity[k] = joint.velocity;
    motion.acceleration[k] = joint.acceleration;
  }
  return motion;
}

}  // namespace

MasterFollower::MasterFollower(const RobotModel& model, RouteFinder& room, const FollowSettings& settings)
    : model_(model), settings_(settings), live_(model, room, settings.live) {}

Status MasterFollower::begin(std::uint64_t number, const FollowTask& task, const RobotModel& master,
                             std::int64_t now_ns) {
  if (is_busy())
    return Error{ErrorCode::Denied, fmt::format("'{}' is followed already by request {}; stop that first",
                                                task_.master, number_)};
  auto arm = ArmSolver::make(model_, task.arm, task.tool);
  if (!arm) return arm.error();
  auto master_arm = ArmSolver::make(master, task.master_arm, task.master_tool);
  if (!master_arm)
    return Error{master_arm.error().code,
                 fmt::format("master '{}': {}", task.master, master_arm.error().message)};
  if (const std::uint64_t unused = (*arm)->joint_mask() & ~enabled_mask(model_); unused != 0)
    return Error{
        ErrorCode::Denied,
        fmt::format(
            "joint '{}' has no motor in use; see 'enabled' in robot.yaml",
            model_.joints[model_.positions[static_cast<std::size_t>(std::countr_zero(unused))]].name)};
  task_ = task;
  arm_ = *std::move(arm);
  master_arm_ = *std::move(master_arm);
  joint_mask_ = arm_->joint_mask();
  if (const Status matched = task.is_of_joints ? match_joints(master) : Done{}; !matched) return matched;
  number_ = number;
  asked_ns_ = now_ns;
  track_.emplace(master);
  anchor_.reset();
  clutch_.reset();
  is_engaged_ = false;
  has_halted_ = false;
  lag_by_speed_ = 0.0;
  speed_squared_ = 0.0;
  outcome_ = {};
  phase_ = Phase::Waiting;
  return Done{};
}

// By name where all have one, else one after the other along the arms.
Status MasterFollower::match_joints(const RobotModel& master) {
  const SerialChain& own = arm_->chain();
  const SerialChain& theirs = master_arm_->chain();
  if (own.size() != theirs.size())
    return Error{ErrorCode::Mismatch,
                 fmt::format("arm '{}' has {} joints and the master's arm '{}' has {}: joints cannot follow "
                             "joints; let the tool follow the tool",
                             arm_->name(), own.size(), master_arm_->name(), theirs.size())};
  master_joint_.clear();
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // own position, the master's
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t named = find_joint(master, model_.joints[own.joint(i)].name);
    const bool is_named = named != kNone && master.joints[named].position != kNone;
    pairs.emplace_back(own.position(i), is_named ? master.joints[named].position : theirs.position(i));
  }
  std::ranges::sort(pairs);
  for (const auto& [mine, its] : pairs) master_joint_.push_back(its);
  return Done{};
}

void MasterFollower::take_master(const JointState& state, std::int64_t came_ns) {
  // a jump is no motion: it goes on from where both are then
  if (track_ && track_->take(state, came_ns) == MasterTrack::News::Jumped) anchor_.reset();
}

void MasterFollower::take_clutch(const Clutch& clutch, std::int64_t now_ns) {
  const bool is_sound =
      clutch.is_engaged <= 1 && clutch.lease_ns >= 0 && clutch.stamp_ns <= now_ns + kSecond_ns;
  if (is_sound) clutch_ = clutch;
}

void MasterFollower::stop(ReplyStatus status, const std::string& why) {
  if (phase_ == Phase::Idle || phase_ == Phase::Ending) return;
  phase_ = Phase::Ending;
  end_status_ = status;
  end_words_ = why;
}

const FollowOutput& MasterFollower::step(const RobotView& robot, std::int64_t now_ns) {
  output_ = {};
  if (phase_ == Phase::Idle) return output_;
  if (const Status ready = robot.is_ready(now_ns); !ready) {
    stop(ReplyStatus::Aborted, ready.error().message);
    live_.end();
  } else if (live_.joint_mask() != 0 && !live_.take_command(robot, now_ns)) {
    const bool is_held = (robot.safety().held_mask & joint_mask_) != 0;
    stop(is_held ? ReplyStatus::Blocked : ReplyStatus::Aborted,
         is_held ? robot.held_words() : "something else moved the joints");
    live_.end();
  }
  if (phase_ == Phase::Waiting) wait(robot, now_ns);
  if (phase_ == Phase::Following) follow(robot, now_ns);
  if (phase_ != Phase::Ending) return output_;
  if (live_.joint_mask() != 0) live_.stop(robot.sent(), now_ns, output_.segments);
  if (!live_.rests(now_ns)) return output_;
  answer(end_status_, end_words_, now_ns);
  live_.end();
  track_.reset();
  joint_mask_ = 0;
  phase_ = Phase::Idle;
  return output_;
}

void MasterFollower::wait(const RobotView& robot, std::int64_t now_ns) {
  const bool rests = bring_to_rest(robot, joint_mask_, now_ns, has_halted_, output_.reference);
  if (!rests && now_ns - asked_ns_ > settings_.patience_ns)
    return stop(ReplyStatus::Refused,
                "its joints are being moved by another program and did not come to rest");
  const bool is_silent = !track_->is_known() && now_ns - asked_ns_ > kSecond_ns;
  if (is_silent)
    return stop(ReplyStatus::Refused,
                fmt::format("'{}' has not said where it is: does it run?", task_.master));
  if (!rests || !track_->is_known()) return;
  live_.begin(joint_mask_, arm_.get(), robot.sent(), number_);
  phase_ = Phase::Following;
  answer(ReplyStatus::Accepted,
         fmt::format("follows '{}'{}", task_.master, task_.has_clutch ? " when the clutch is engaged" : ""),
         now_ns);
}

// Without a word from a clutch it is engaged, unless one was asked for; and a lease that has run out lets go.
void MasterFollower::look_at_clutch(std::int64_t now_ns) {
  const bool holds = clutch_ && (clutch_->lease_ns == 0 || now_ns - clutch_->stamp_ns <= clutch_->lease_ns);
  is_engaged_ = clutch_ ? holds && clutch_->is_engaged == 1 : !task_.has_clutch;
  if (!is_engaged_) anchor_.reset();
}

Pose MasterFollower::own_tool(std::span<const AxisState> joints) const {
  return arm_->chain().tool_pose(joint_numbers(live_.arm_joints(joints)));
}

ToolMotion MasterFollower::master_tool(std::span<const AxisState> joints) const {
  const ArmMotion arm = motion_of(master_arm_->chain(), joints);
  return tool_motion(master_arm_->chain(), arm.q, arm.velocity, arm.acceleration);
}

void MasterFollower::drop_anchor(std::int64_t now_ns) {
  Anchor& anchor = anchor_.emplace();
  anchor.master = track_->at(now_ns, ahead_ns(now_ns));
  anchor.X_MT = master_tool(anchor.master).X_BT;
  anchor.own = live_.states_at(live_.next_ns(now_ns));
  anchor.X_BT = own_tool(anchor.own);
}

// A device is behind what it was sent, all joints by about the same time.
void MasterFollower::note_lag(const RobotView& robot) {
  lag_by_speed_ *= kLagMemory;
  speed_squared_ *= kLagMemory;
  const JointCommand& command = robot.command();
  for (const std::size_t i : live_.joints()) {
    lag_by_speed_ += (command.position[i] - robot.measured()[i]) * command.velocity[i];
    speed_squared_ += command.velocity[i] * command.velocity[i];
  }
}

// From now until what is sent now is where the device is: there the master will be then.
std::int64_t MasterFollower::ahead_ns(std::int64_t now_ns) const {
  const double lag = speed_squared_ > kLeastSpeed ? lag_by_speed_ / speed_squared_ : 0.0;
  return live_.next_ns(now_ns) - now_ns + static_cast<std::int64_t>(1e9 * std::clamp(lag, 0.0, kMostLag));
}

void MasterFollower::follow(const RobotView& robot, std::int64_t now_ns) {
  if (now_ns - track_->came_ns() > settings_.silence_ns)
    return stop(ReplyStatus::Aborted, fmt::format("master '{}' has said nothing for {}", task_.master,
                                                  duration_text(now_ns - track_->came_ns())));
  note_lag(robot);
  look_at_clutch(now_ns);
  if (!is_engaged_) return live_.stop(robot.sent(), now_ns, output_.segments);
  if (!anchor_) drop_anchor(now_ns);
  const std::vector<AxisState> master = track_->at(now_ns, ahead_ns(now_ns));
  const std::vector<AxisState> own = live_.states_at(live_.next_ns(now_ns));
  outcome_ = live_.go(task_.is_of_joints ? wish_for_joints(master, own) : wish_for_tool(master, own),
                      robot.sent(), now_ns, output_.segments);
}

LiveWish MasterFollower::wish_for_joints(std::span<const AxisState> master,
                                         std::span<const AxisState> own) const {
  LiveWish wish{.is_chase = true};
  for (std::size_t k = 0; k < own.size(); ++k) {
    const AxisState& its = master[master_joint_[k]];
    const double wanted =
        anchor_->own[k].position + task_.scale * (its.position - anchor_->master[master_joint_[k]].position);
    wish.joints.push_back(
        {.velocity = task_.scale * its.velocity + velocity_over(wanted - own[k].position, live_.limits()[k]),
         .acceleration = task_.scale * its.acceleration});
  }
  return wish;
}

// Where the own tool shall be, and how it shall move.
ToolMotion MasterFollower::wanted_tool(std::span<const AxisState> master) const {
  const ToolMotion its = master_tool(master);
  const Quaternion& R_BM = task_.R_BM;
  ToolMotion wanted{.X_BT = anchor_->X_BT};
  wanted.X_BT.position += task_.scale * (R_BM * (its.X_BT.position - anchor_->X_MT.position));
  wanted.velocity.linear = task_.scale * (R_BM * its.velocity.linear);
  wanted.acceleration.linear = task_.scale * (R_BM * its.acceleration.linear);
  if (!task_.turns) return wanted;
  const Quaternion turned = its.X_BT.rotation * anchor_->X_MT.rotation.conjugate();
  wanted.X_BT.rotation = R_BM * turned * R_BM.conjugate() * anchor_->X_BT.rotation;
  wanted.velocity.angular = R_BM * its.velocity.angular;
  wanted.acceleration.angular = R_BM * its.acceleration.angular;
  return wanted;
}

LiveWish MasterFollower::wish_for_tool(std::span<const AxisState> master,
                                       std::span<const AxisState> own) const {
  const ToolMotion wanted = wanted_tool(master);
  const SerialChain& chain = arm_->chain();
  const JointVector q = live_.arm_joints(own);
  const Pose X_BT = chain.tool_pose(joint_numbers(q));
  const Twist miss{.linear = wanted.X_BT.position - X_BT.position,
                   .angular = rotation_vector(wanted.X_BT.rotation * X_BT.rotation.conjugate())};
  const JointVector distance = tool_rates(chain, joint_numbers(q), miss, kSoftBelow).velocity;
  const JointRates rates = joint_rates(chain, q, wanted.velocity, wanted.acceleration, kSoftBelow);
  LiveWish wish{.joints = std::vector<VelocityGoal>(own.size()), .is_chase = true};
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const std::size_t slot = live_.slot_of(i);
    wish.joints[slot] = {.velocity = rates.velocity[k] + velocity_over(distance[k], live_.limits()[slot]),
                         .acceleration = rates.acceleration[k]};
  }
  return wish;
}

void MasterFollower::answer(ReplyStatus status, const std::string& words, std::int64_t now_ns) {
  Reply& reply = output_.replies.emplace_back();
  reply.stamp_ns = now_ns;
  reply.request = number_;
  reply.status = status;
  set_text(reply.reason, words);
}

}  // namespace sinew

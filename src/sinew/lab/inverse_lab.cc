// SPDX-License-Identifier: BSD-3-Clause
// Lab 03: inverse kinematics of the SCORBOT.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/lab/arm_angles.h"
#include "sinew/lab/kinematics_labs.h"
#include "sinew/lab/lab_pictures.h"
#include "sinew/lab/suspicion.h"

namespace sinew::lab {
namespace inverse {
namespace {

constexpr double kPositionBound = 1e-4;  // [m]
constexpr double kAngleBound = 1e-3;     // [rad]
constexpr double kLimitSlack = 1e-6;     // [rad]
constexpr double kLeastRadius = 0.05;  // [m] nearer to the base's axis the way that a hand faces says little
constexpr double kDegree = std::numbers::pi / 180.0;

enum class Region { BelowShoulder, AboveShoulder, OverTheBack, OutOfReach };
constexpr std::array<std::string_view, 4> kRegionTexts{
    "with the wrist below the shoulder", "with the wrist above the shoulder",
    "behind the base's axis, over the arm's back", "out of reach"};
constexpr std::array<std::size_t, 4> kCounts{24, 24, 12, 10};

struct Target {
  Region region = Region::BelowShoulder;
  HandPose hand;
  Pose pose;
};

enum class Fault { None, NoAnswer, FalseAnswer, WrongPose, BeyondLimit };

struct Outcome {
  Fault fault = Fault::None;
  std::vector<double> q;  ///< Empty: None was answered.
  std::size_t joint = 0;  ///< BeyondLimit: which.
  PoseDistance off;
};

HandPose hand_towards(const Pose& pose) {
  return hand_pose(pose, std::atan2(pose.position.y(), pose.position.x()));
}

Target draw_reachable(const SerialChain& chain, Draws& draws) {
  while (true) {
    const std::vector<double> q = draw_joints(chain, draws);
    std::vector<Pose> joints(chain.joint_count());
    const Pose tool = chain.joint_poses(q, joints);
    const double yaw = std::atan2(tool.position.y(), tool.position.x());
    if (std::hypot(tool.position.x(), tool.position.y()) < kLeastRadius || tool.position.z() < 0.0) continue;
    const bool is_back = std::cos(yaw - q[0]) < 0.0;
    const bool is_high = joints[3].position.z() > joints[1].position.z();
    return {.region = is_back   ? Region::OverTheBack
                      : is_high ? Region::AboveShoulder
                                : Region::BelowShoulder,
            .hand = hand_towards(tool),
            .pose = tool};
  }
}

Target draw_unreachable(const SerialChain& chain, Draws& draws) {
  const double distance = draws.between(1.1, 1.5) * (chain.reach() + 0.02);
  const double yaw = draws.between(-2.5, 2.5);
  const double rise = draws.between(-0.4, 1.2);
  const Vector3 direction(std::cos(rise) * std::cos(yaw), std::cos(rise) * std::sin(yaw), std::sin(rise));
  Target target{.region = Region::OutOfReach};
  const Vector3 place = chain.first_joint() + distance * direction + Vector3(0, 0, 0.344);
  target.hand = {
      .x = place.x(), .y = place.y(), .z = place.z(), .pitch = draws.between(-1.5, 1.5), .roll = 0.0};
  target.pose = pose_of(target.hand, yaw);
  return target;
}

std::vector<Target> draw_targets(const SerialChain& chain, std::uint64_t seed) {
  Draws draws(seed);
  std::array<std::size_t, 4> left = kCounts;
  std::vector<Target> targets;
  while (left[0] + left[1] + left[2] > 0) {
    const Target target = draw_reachable(chain, draws);
    std::size_t& count = left[static_cast<std::size_t>(target.region)];
    if (count == 0) continue;
    --count;
    targets.push_back(target);
  }
  for (std::size_t i = 0; i < left[3]; ++i) targets.push_back(draw_unreachable(chain, draws));
  return targets;
}

Outcome judge(const SerialChain& chain, const Target& target, std::vector<double> q) {
  Outcome outcome{.q = std::move(q)};
  if (target.region == Region::OutOfReach) {
    if (!outcome.q.empty()) outcome.fault = Fault::FalseAnswer;
    return outcome;
  }
  if (outcome.q.empty()) {
    outcome.fault = Fault::NoAnswer;
    return outcome;
  }
  outcome.off = distance(chain.tool_pose(outcome.q), target.pose);
  if (outcome.off.position > kPositionBound || outcome.off.rotation > kAngleBound) {
    outcome.fault = Fault::WrongPose;
    return outcome;
  }
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const JointLimits& limits = chain.limits(i);
    if (outcome.q[i] >= limits.lower - kLimitSlack && outcome.q[i] <= limits.upper + kLimitSlack) continue;
    outcome.fault = Fault::BeyondLimit;
    outcome.joint = i;
    return outcome;
  }
  return outcome;
}

struct Round {
  const SerialChain& chain;
  std::vector<Target> targets;
  std::vector<Outcome> outcomes;
};

bool reaches(const Round& round, std::size_t i, const std::vector<double>& q, const Pose& wanted) {
  const PoseDistance off = distance(round.chain.tool_pose(q), wanted);
  return off.position < kPositionBound && off.rotation < kAngleBound && !round.outcomes[i].q.empty();
}

std::vector<Suspicion> suspicions_of(const Round& round) {
  std::vector<Suspicion> list;
  // would the answer be right if its joints were changed so?
  const auto add = [&](std::string words, std::function<void(std::vector<double>&)> mend) {
    list.push_back({std::move(words), [&round, mend = std::move(mend)](std::size_t i) {
                      std::vector<double> q = round.outcomes[i].q;
                      if (q.empty()) return false;
                      mend(q);
                      return reaches(round, i, q, round.targets[i].pose);
                    }});
  };
  add("the joint angles are in degrees; radians are wanted", [](std::vector<double>& q) {
    for (double& angle : q) angle *= kDegree;
  });
  for (std::size_t j = 0; j < kArmJoints.size(); ++j)
    add(fmt::format("the sign of '{}' is wrong", kArmJoints[j]),
        [j](std::vector<double>& q) { q[j] = -q[j]; });
  add("'elbow' is the forearm's angle to the ground; its angle to the upper arm is wanted",
      [](std::vector<double>& q) { q[2] -= q[1]; });
  add("'pitch' is the hand's angle to the ground; its angle to the forearm is wanted",
      [](std::vector<double>& q) { q[3] -= q[1] + q[2]; });
  list.push_back(
      {"the hand's pitch is taken as positive upwards; downwards is positive", [&round](std::size_t i) {
         HandPose hand = round.targets[i].hand;
         hand.pitch = -hand.pitch;
         const double yaw = std::atan2(hand.y, hand.x);
         return !round.outcomes[i].q.empty() && reaches(round, i, round.outcomes[i].q, pose_of(hand, yaw));
       }});
  return list;
}

std::string fault_of(const Round& round, std::size_t i) {
  const Outcome& outcome = round.outcomes[i];
  const HandPose& hand = round.targets[i].hand;
  const std::string call = fmt::format("ik({:.4f}, {:.4f}, {:.4f}, {:.4f}, {:.4f})", hand.x, hand.y, hand.z,
                                       hand.pitch, hand.roll);
  switch (outcome.fault) {
    case Fault::NoAnswer:
      return fmt::format("{} gives None, but the arm can be there", call);
    case Fault::FalseAnswer:
      return fmt::format("{} gives ({:.4f}), but no posture brings the hand there: None is right", call,
                         fmt::join(outcome.q, ", "));
    case Fault::BeyondLimit: {
      const JointLimits& limits = round.chain.limits(outcome.joint);
      return fmt::format("{} puts '{}' to {}, beyond its limits {} to {}", call, kArmJoints[outcome.joint],
                         angle_text(outcome.q[outcome.joint]), angle_text(limits.lower),
                         angle_text(limits.upper));
    }
    default:
      return fmt::format("{} gives ({:.4f}), which puts the hand {} and {} off", call,
                         fmt::join(outcome.q, ", "), length_text(outcome.off.position),
                         angle_text(outcome.off.rotation));
  }
}

std::string fault_text(const Round& round, std::span<const std::size_t> wrong) {
  std::string why = explanation(suspicions_of(round), wrong);
  if (!why.empty()) why = fmt::format("It looks as if {}. ", why);
  std::array<std::size_t, 4> counts{};
  for (const std::size_t i : wrong) ++counts[static_cast<std::size_t>(round.targets[i].region)];
  std::vector<std::string> where;
  for (std::size_t region = 0; region < counts.size(); ++region)
    if (counts[region] > 0)
      where.push_back(fmt::format("{} of {} {}", counts[region], kCounts[region], kRegionTexts[region]));
  return fmt::format("{} of {} targets are wrong: {}. {}For example {}.", wrong.size(), round.targets.size(),
                     fmt::join(where, ", "), why, fault_of(round, wrong.front()));
}

Grade graded(const Round& round) {
  std::vector<std::size_t> wrong;
  std::vector<Miss> misses;
  double wrong_places = 0.0;
  double worst_position = 0.0;
  double worst_angle = 0.0;
  for (std::size_t i = 0; i < round.outcomes.size(); ++i) {
    const Outcome& outcome = round.outcomes[i];
    if (outcome.fault != Fault::None) wrong.push_back(i);
    worst_position = std::max(worst_position, outcome.off.position);
    worst_angle = std::max(worst_angle, outcome.off.rotation);
    if (round.targets[i].region == Region::OutOfReach) continue;
    wrong_places += outcome.fault != Fault::None ? 1.0 : 0.0;
    const Vector3 wanted = round.targets[i].pose.position;
    misses.push_back({wanted, outcome.q.empty() ? wanted : round.chain.tool_pose(outcome.q).position,
                      outcome.fault == Fault::None});
  }
  const double count = static_cast<double>(round.outcomes.size());
  const double right = count - static_cast<double>(wrong.size());
  const double places = static_cast<double>(misses.size());
  const double wrong_refusals = static_cast<double>(wrong.size()) - wrong_places;
  return {.passed = wrong.empty(),
          // who always answers None has solved nothing
          .score = 100.0 * (1.0 - wrong_places / places) * (1.0 - 0.5 * wrong_refusals / (count - places)),
          .measures = {{"targets", count},
                       {"right", right},
                       {"worst_position_error_m", worst_position},
                       {"worst_angle_error_rad", worst_angle}},
          .reason = wrong.empty() ? fmt::format("all {} targets are right, the worst by {:.2g} m", count,
                                                worst_position)
                                  : fault_text(round, wrong),
          .picture = draw_misses(misses, "Lab 03: targets of the hand, and where the answers bring it")};
}

}  // namespace
}  // namespace inverse

Grade grade_inverse_kinematics(const SerialChain& chain, const Ask& ask, std::uint64_t seed) {
  using namespace inverse;
  Round round{.chain = chain, .targets = draw_targets(chain, seed), .outcomes = {}};
  for (const Target& target : round.targets) {
    const HandPose& hand = target.hand;
    const std::vector<Value> arguments{hand.x, hand.y, hand.z, hand.pitch, hand.roll};
    const auto value = ask("ik", arguments);
    if (!value) return no_points(value.error().message);
    std::vector<double> q;
    if (!value->is_nothing()) {
      auto numbers = numbers_from(*value, "ik", kArmJoints);
      if (!numbers) return no_points(numbers.error().message);
      q = *std::move(numbers);
    }
    round.outcomes.push_back(judge(chain, target, std::move(q)));
  }
  return graded(round);
}

}  // namespace sinew::lab

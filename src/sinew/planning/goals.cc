// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/goals.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/fixed_vector.h"
#include "sinew/base/text.h"

namespace sinew::planning {
namespace {

/// Goal configurations are gathered up to this number, from so many postures or poses.
constexpr std::size_t kMostGoals = 16;
constexpr std::size_t kPosturesTried = 12;
/// And from so many where all that is found is in the way of something.
constexpr std::size_t kMostPosturesTried = 120;
constexpr std::size_t kMostLookedAt = 256;
/// So many of these are asked how nearly they are clear.
constexpr std::size_t kMostExplained = 64;
constexpr std::size_t kPosesTried = 200;
/// Joint positions this near count as one [rad, m].
constexpr double kSame = 1e-3;
constexpr double kLimitSlack = 1e-9;

std::string value_text(bool is_revolute, double value) {
  return is_revolute ? angle_text(value) : length_text(value);
}

std::span<const double> numbers_of(const JointVector& q) {
  return {q.data(), static_cast<std::size_t>(q.size())};
}

bool is_start(std::string_view who) {
  return who == "start";
}

std::string side_text(const RobotModel& model, const Obstacles& world, std::size_t link, std::size_t object) {
  if (object != kNone) return fmt::format("'{}'", text_of(world[object].name));
  if (link != kNone) return fmt::format("link '{}'", model.links[link].name);
  return "nothing";
}

}  // namespace

std::string pair_text(const RobotModel& model, const Obstacles& world, const Contact& contact) {
  return fmt::format("{} and {}", side_text(model, world, contact.link_a, contact.object_a),
                     side_text(model, world, contact.link_b, contact.object_b));
}

std::string contact_text(const RobotModel& model, const Obstacles& world, const Contact& contact) {
  const std::string pair = pair_text(model, world, contact);
  const std::string distance = length_text(std::abs(contact.distance));
  const std::string margin = length_text(contact.margin);
  // as it is read, not as it is: "0.0 mm inside", or "13.5 mm apart, less than 13.5 mm", would say nothing
  if (distance == length_text(0.0)) return fmt::format("{} touch each other", pair);
  if (contact.distance < 0.0) return fmt::format("{} are {} inside each other", pair, distance);
  if (contact.distance >= contact.margin || distance == margin)
    return fmt::format("{} might come nearer to each other than their margin of {}", pair, margin);
  return fmt::format("{} are {} apart, less than their margin of {}", pair, distance, margin);
}

GoalFinder::GoalFinder(MotionJudge& judge, const SerialChain* chain, const InverseKinematics* solver)
    : judge_(judge), chain_(chain), solver_(solver) {}

bool GoalFinder::is_allowed(std::span<const double> q, const char* who, GoalConfigurations& result) {
  if (!is_within_limits(q, who, result)) return false;
  if (judge_.check(q).verdict == Verdict::Clear) return is_kept(q, who, result);
  // the deepest pair says more than the first one
  say_what_touches(judge_.nearest(q).contact, who, result);
  return false;
}

bool GoalFinder::is_within_limits(std::span<const double> q, const char* who,
                                  GoalConfigurations& result) const {
  const RobotModel& model = judge_.model();
  if (q.size() != judge_.size()) {
    result.status = PlanStatus::InvalidInput;
    result.reason =
        fmt::format("the {} has {} joint positions; {} are planned", who, q.size(), judge_.size());
    return false;
  }
  for (std::size_t j = 0; j < q.size(); ++j) {
    const Joint& joint = model.joints[model.positions[judge_.planned()[j]]];
    const bool is_revolute = joint.kind != JointKind::Prismatic;
    if (!std::isfinite(q[j])) {
      result.status = PlanStatus::InvalidInput;
      result.reason = fmt::format("the {} of joint '{}' is not a number", who, joint.name);
      return false;
    }
    if (q[j] >= joint.limits.lower - kLimitSlack && q[j] <= joint.limits.upper + kLimitSlack) continue;
    result.status = is_start(who) ? PlanStatus::StartOutsideLimits : PlanStatus::GoalOutsideLimits;
    result.reason =
        fmt::format("the {} is outside the limits: joint '{}' at {}, its limits are {} to {}", who,
                    joint.name, value_text(is_revolute, q[j]), value_text(is_revolute, joint.limits.lower),
                    value_text(is_revolute, joint.limits.upper));
    return false;
  }
  return true;
}

bool GoalFinder::is_kept(std::span<const double> q, const char* who, GoalConfigurations& result) const {
  if (judge_.keeper() == nullptr || judge_.keeper()->is_kept(q)) return true;
  const Violation out = judge_.keeper()->violation(q);
  result.status = PlanStatus::ConstraintBroken;
  result.reason = out.angle > 0.0
                      ? fmt::format("the {} breaks the constraint: the tool's axis is {} outside its cone",
                                    who, angle_text(out.angle))
                      : fmt::format("the {} breaks the constraint: the tool is {} outside its box", who,
                                    length_text(out.distance));
  return false;
}

void GoalFinder::say_what_touches(const Contact& contact, const char* who, GoalConfigurations& result) const {
  result.contact = contact;
  result.status = is_start(who) ? PlanStatus::StartInCollision : PlanStatus::GoalInCollision;
  result.reason = fmt::format(
      "the {} is in collision: {}; move one of the two, or take the pair into ignored_pairs if they may "
      "touch",
      who, contact_text(judge_.model(), judge_.world(), contact));
}

// Of several postures, the one with the most room says what to move.
void GoalFinder::say_what_nearly_clears(GoalConfigurations& result) {
  const auto room = [](const Contact& contact) { return contact.distance - contact.margin; };
  Contact best = judge_.nearest(touching_.front()).contact;
  const std::size_t count = is_explaining_ ? std::min(touching_.size(), kMostExplained) : 1;
  for (std::size_t i = 1; i < count; ++i) {
    const Contact contact = judge_.nearest(touching_[i]).contact;
    if (room(contact) > room(best)) best = contact;
  }
  say_what_touches(best, "goal", result);
}

// Answers whether it is new.
bool GoalFinder::note_posture(std::span<const double> q) {
  const auto is_same = [&](const std::vector<double>& known) {
    double most = 0.0;
    for (std::size_t j = 0; j < q.size(); ++j) most = std::max(most, std::abs(known[j] - q[j]));
    return most < kSame;
  };
  if (std::any_of(looked_at_.begin(), looked_at_.end(), is_same)) return false;
  if (looked_at_.size() < kMostLookedAt) looked_at_.emplace_back(q.begin(), q.end());
  return true;
}

void GoalFinder::add(std::span<const double> q, GoalConfigurations& result) {
  if (!is_within_limits(q, "goal", result)) return;
  if (judge_.check(q).verdict != Verdict::Clear) {
    touching_.emplace_back(q.begin(), q.end());
    return;
  }
  if (!is_kept(q, "goal", result)) return;
  result.found.push_back(rounded(q));
  result.exact.emplace_back(q.begin(), q.end());
}

// Most postures touch something: eight are looked at for less than the price of one that is looked at alone.
void GoalFinder::add_new(std::span<const JointVector* const> postures, GoalConfigurations& result) {
  std::array<Configuration, CollisionChecker::kLanes> at{};
  for (std::size_t k = 0; k < postures.size(); ++k) at[k] = rounded(numbers_of(*postures[k]));
  const unsigned clear = judge_.clear_among({at.data(), postures.size()});
  for (std::size_t k = 0; k < postures.size() && result.found.size() < kMostGoals; ++k) {
    const std::span<const double> q = numbers_of(*postures[k]);
    if ((clear >> k & 1U) != 0) {
      add(q, result);
    } else {
      touching_.emplace_back(q.begin(), q.end());
    }
  }
}

GoalConfigurations GoalFinder::find(const PlanGoal& goal, std::span<const double> start, std::uint64_t seed) {
  GoalConfigurations result;
  looked_at_.clear();
  touching_.clear();
  if (const auto* joints = std::get_if<JointGoal>(&goal)) {
    add(joints->q, result);
  } else if (chain_ == nullptr || solver_ == nullptr) {
    result.status = PlanStatus::InvalidInput;
    result.reason = "a pose or region goal needs a chain: say which arm or tip is meant";
  } else if (const auto* pose = std::get_if<PoseGoal>(&goal)) {
    find_pose(*pose, start, seed, result);
  } else {
    find_region(std::get<RegionGoal>(goal), start, seed, result);
  }
  if (!result.found.empty()) {
    result.status = PlanStatus::Solved;
    result.reason.clear();
    sort_by_distance(start, result);
  } else if (!touching_.empty()) {
    say_what_nearly_clears(result);
  }
  return result;
}

void GoalFinder::add_solutions(const Pose& X_BT, const PoseTask& task, std::span<const double> seed,
                               GoalConfigurations& result) {
  const IkResult solved = solver_->solve(X_BT, seed, {.task = task, .accepted = kPoseTolerance});
  if (solved.status != IkStatus::Solved) {
    // a collision says more than a failed search from another posture
    if (!touching_.empty()) return;
    result.status = PlanStatus::GoalUnreachable;
    result.reason = fmt::format("the goal cannot be reached: {}", explain(solved, judge_.model(), *chain_));
    return;
  }
  FixedVector<const JointVector*, CollisionChecker::kLanes> postures;
  for (std::size_t i = 0; i < solved.solutions.size() && result.found.size() < kMostGoals; ++i) {
    const JointVector& q = solved.solutions[i].q;
    if (note_posture(numbers_of(q))) postures.push_back(&q);
    if (postures.size() < CollisionChecker::kLanes && i + 1 < solved.solutions.size()) continue;
    if (!postures.empty()) add_new(std::span(postures.begin(), postures.size()), result);
    postures.clear();
  }
}

void GoalFinder::find_pose(const PoseGoal& goal, std::span<const double> start, std::uint64_t seed,
                           GoalConfigurations& result) {
  if (!is_valid(goal.X_BT)) {
    result.status = PlanStatus::InvalidInput;
    result.reason = "the goal's pose has a number that is not finite, or a quaternion without unit length";
    return;
  }
  EvenSequence sequence(start.size());
  sequence.begin(seed);
  std::vector<double> posture(start.begin(), start.end());
  const auto is_wanted = [&](std::size_t tried) {
    const bool is_blocked = result.found.empty() && !touching_.empty() && looked_at_.size() < kMostLookedAt;
    return tried < (is_blocked ? kMostPosturesTried : kPosturesTried) && result.found.size() < kMostGoals;
  };
  for (std::size_t i = 0; is_wanted(i); ++i) {
    add_solutions(goal.X_BT, goal.task, posture, result);
    Configuration draw{};
    sequence.next(draw.data());
    for (std::size_t j = 0; j < posture.size(); ++j) {
      const JointLimits& limits = chain_->limits(j);
      const double lower = std::max(limits.lower, -3.14);
      posture[j] = lower + static_cast<double>(draw[j]) * (std::min(limits.upper, 3.14) - lower);
    }
  }
}

void GoalFinder::find_region(const RegionGoal& goal, std::span<const double> start, std::uint64_t seed,
                             GoalConfigurations& result) {
  const bool is_sound = is_valid(goal.X_BT) && goal.half_extents.allFinite() &&
                        goal.half_extents.minCoeff() >= 0.0 && std::isfinite(goal.angle) && goal.angle >= 0.0;
  if (!is_sound) {
    result.status = PlanStatus::InvalidInput;
    result.reason = "the goal's region has a number that is not finite or is negative";
    return;
  }
  EvenSequence sequence(6);
  sequence.begin(seed);
  for (std::size_t i = 0; i < kPosesTried && result.found.size() < kMostGoals; ++i) {
    std::array<float, 6> draw{};
    sequence.next(draw.data());
    Vector3 offset;
    Vector3 turn;
    for (int k = 0; k < 3; ++k) {
      offset[k] = goal.half_extents[k] * (2.0 * static_cast<double>(draw[static_cast<std::size_t>(k)]) - 1.0);
      turn[k] = 2.0 * static_cast<double>(draw[static_cast<std::size_t>(3 + k)]) - 1.0;
    }
    // out of the ball in the cube
    if (goal.angle > 0.0 && turn.norm() > 1.0) continue;
    const Pose inside{.rotation = quaternion_from_rotation_vector(goal.angle * turn), .position = offset};
    add_solutions(goal.X_BT * inside, {}, start, result);
  }
}

void GoalFinder::sort_by_distance(std::span<const double> start, GoalConfigurations& result) const {
  std::vector<double> apart;
  for (const std::vector<double>& q : result.exact) {
    double square = 0.0;
    for (std::size_t j = 0; j < q.size(); ++j) square += (q[j] - start[j]) * (q[j] - start[j]);
    apart.push_back(square);
  }
  std::vector<std::size_t> order(apart.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return apart[a] < apart[b]; });
  GoalConfigurations sorted;
  for (const std::size_t i : order) {
    sorted.found.push_back(result.found[i]);
    sorted.exact.push_back(result.exact[i]);
  }
  result.found = std::move(sorted.found);
  result.exact = std::move(sorted.exact);
}

}  // namespace sinew::planning

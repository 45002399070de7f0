// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/goals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/fixed_vector.h"
#include "sinew/base/text.h"
#include "sinew/base/time.h"

namespace sinew::planning {
namespace {

/// Goal configurations that a search begins with, from so many postures or poses.
constexpr std::size_t kMostGoals = 16;
constexpr std::size_t kPosturesTried = 12;
/// Where the arm has joints to spare and none of these is clear, the nearest of so many.
constexpr std::size_t kMostSwept = 64;
/// Of what is found later so many at a time, unlike each other by so much [rad, m].
constexpr std::size_t kMostAtOnce = 8;
constexpr double kUnlike = 0.3;
/// An arm without joints to spare is asked from so many postures: what turns freely in one place is drawn.
constexpr std::size_t kMostPosturesTried = 120;
constexpr std::size_t kMostLookedAt = 256;
/// Where so many samples have given no posture at all, the pose cannot be reached.
constexpr std::size_t kMostInVain = 2000;
constexpr std::size_t kSweepPart = 32;
/// Climbs begin after so many samples, and each time when there are so many times as many.
constexpr std::size_t kFirstClimb = 128;
constexpr std::size_t kClimbGrowth = 4;
constexpr std::size_t kMostTouching = 4096;
/// Of so many postures those with the most room are climbed from, each in so many steps.
constexpr std::size_t kMostMeasured = 256;
constexpr std::size_t kMostClimbs = 8;
constexpr int kClimbSteps = 24;
constexpr double kSameBranch = 1.0;  // [rad, m]
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

GoalFinder::GoalFinder(MotionJudge& judge, const SerialChain* chain, const InverseKinematics* solver,
                       const PostureFamily* family)
    : judge_(judge), chain_(chain), solver_(solver), family_(family) {}

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
void GoalFinder::say_what_nearly_clears(const PlanGoal& goal, GoalConfigurations& result) {
  const std::size_t count = is_explaining_ ? std::min(touching_.size(), kMostExplained) : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<double>& q = touching_[i * touching_.size() / count];
    note_room(judge_.nearest(q).contact);
  }
  say_what_touches(*nearest_to_clear_, "goal", result);
  if (std::holds_alternative<JointGoal>(goal)) return;
  const bool is_all = are_few_ && std::holds_alternative<PoseGoal>(goal);
  result.reason = fmt::format(
      "{}; {} postures looked at, the nearest to clear: {}; move one of the two, or take the pair into "
      "ignored_pairs if they may touch",
      is_all ? "the goal is in collision in every posture" : "no clear posture for the goal was found",
      looked_count_, contact_text(judge_.model(), judge_.world(), result.contact));
}

void GoalFinder::note_room(const Contact& contact) {
  const auto room = [](const Contact& one) { return one.distance - one.margin; };
  if (!nearest_to_clear_ || room(contact) > room(*nearest_to_clear_)) nearest_to_clear_ = contact;
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

void GoalFinder::note_touching(std::span<const double> q) {
  if (touching_.size() < kMostTouching) touching_.emplace_back(q.begin(), q.end());
}

void GoalFinder::add(std::span<const double> q, GoalConfigurations& result) {
  if (!is_within_limits(q, "goal", result)) return;
  if (judge_.check(q).verdict != Verdict::Clear) return note_touching(q);
  if (!is_kept(q, "goal", result)) return;
  result.found.push_back(rounded(q));
  result.exact.emplace_back(q.begin(), q.end());
}

// Most postures touch something: eight are looked at for less than the price of one that is looked at alone.
void GoalFinder::add_new(std::span<const JointVector* const> postures, GoalConfigurations& result) {
  std::array<Configuration, CollisionChecker::kLanes> at{};
  for (std::size_t k = 0; k < postures.size(); ++k) at[k] = rounded(numbers_of(*postures[k]));
  looked_count_ += postures.size();
  const unsigned clear = judge_.clear_among({at.data(), postures.size()});
  for (std::size_t k = 0; k < postures.size() && result.found.size() < most_goals_; ++k) {
    const std::span<const double> q = numbers_of(*postures[k]);
    if ((clear >> k & 1U) != 0) {
      add(q, result);
    } else {
      note_touching(q);
    }
  }
}

GoalConfigurations GoalFinder::find(const PlanGoal& goal, std::span<const double> start, std::uint64_t seed,
                                    const GoalLimits& limits) {
  GoalConfigurations result;
  looked_at_.clear();
  touching_.clear();
  later_.clear();
  nearest_to_clear_.reset();
  looked_count_ = climbed_ = drawn_count_ = 0;
  next_climb_ = kFirstClimb;
  are_few_ = false;
  most_goals_ = kMostGoals;
  start_.assign(start.begin(), start.end());
  limits_ = limits;
  pose_ = std::get_if<PoseGoal>(&goal);
  sweep_.reset();
  drawn_.reset();
  if (const auto* joints = std::get_if<JointGoal>(&goal)) {
    add(joints->q, result);
  } else if (chain_ == nullptr || solver_ == nullptr) {
    result.status = PlanStatus::InvalidInput;
    result.reason = "a pose or region goal needs a chain: say which arm or tip is meant";
  } else if (pose_ != nullptr) {
    drawn_.emplace(start.size()).begin(seed);
    if (family_ != nullptr && asks_for_everything(pose_->task) && is_valid(pose_->X_BT))
      sweep_.emplace(*family_, pose_->X_BT, start, seed);
    find_pose(result);
  } else {
    find_region(std::get<RegionGoal>(goal), seed, result);
  }
  if (!result.found.empty()) {
    result.status = PlanStatus::Solved;
    result.reason.clear();
    keep_nearest(result);
  } else if (limits_.is_cancelled && limits_.is_cancelled()) {
    result.status = PlanStatus::Cancelled;
    result.reason = "planning was cancelled";
  } else if (!touching_.empty()) {
    say_what_nearly_clears(goal, result);
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
  are_few_ = solved.method == IkMethod::ClosedForm && chain_->size() <= 6;
  FixedVector<const JointVector*, CollisionChecker::kLanes> postures;
  for (std::size_t i = 0; i < solved.solutions.size() && result.found.size() < most_goals_; ++i) {
    const JointVector& q = solved.solutions[i].q;
    if (note_posture(numbers_of(q))) postures.push_back(&q);
    if (postures.size() < CollisionChecker::kLanes && i + 1 < solved.solutions.size()) continue;
    if (!postures.empty()) add_new(std::span(postures.begin(), postures.size()), result);
    postures.clear();
  }
}

// From a posture that is drawn.
void GoalFinder::add_solutions_from_drawn(GoalConfigurations& result) {
  Configuration draw{};
  drawn_->next(draw.data());
  std::vector<double> posture(start_.size());
  for (std::size_t j = 0; j < posture.size(); ++j) {
    const JointLimits& limits = chain_->limits(j);
    const double lower = std::max(limits.lower, -3.14);
    posture[j] = lower + static_cast<double>(draw[j]) * (std::min(limits.upper, 3.14) - lower);
  }
  ++drawn_count_;
  add_solutions(pose_->X_BT, pose_->task, posture, result);
}

bool GoalFinder::is_over() const {
  return looked_count_ >= limits_.most_postures ||
         (limits_.deadline_ns > 0 && monotonic_now_ns() >= limits_.deadline_ns) ||
         (limits_.is_cancelled && limits_.is_cancelled());
}

// Where nothing is clear yet, but something may be.
bool GoalFinder::may_go_on(const GoalConfigurations& result) const {
  if (!result.found.empty() || is_over()) return false;
  if (sweep_) return looked_count_ > 0 || sweep_->samples() < kMostInVain;
  return looked_count_ > 0 && (!are_few_ || drawn_count_ < kMostPosturesTried);
}

void GoalFinder::find_pose(GoalConfigurations& result) {
  if (!is_valid(pose_->X_BT)) {
    result.status = PlanStatus::InvalidInput;
    result.reason = "the goal's pose has a number that is not finite, or a quaternion without unit length";
    return;
  }
  add_solutions(pose_->X_BT, pose_->task, start_, result);
  for (std::size_t i = 1; i < kPosturesTried && result.found.size() < most_goals_ && !is_over(); ++i)
    add_solutions_from_drawn(result);
  most_goals_ = kMostSwept;
  while (may_go_on(result)) {
    if (!sweep_) {
      add_solutions_from_drawn(result);
      continue;
    }
    sweep(kSweepPart, result);
    if (result.found.empty() && sweep_->samples() >= next_climb_) climb_to_clear(result);
  }
}

void GoalFinder::find_more(GoalConfigurations& result) {
  if (pose_ == nullptr || result.found.size() + kMostAtOnce > kMostGoalsEver) return;
  GoalConfigurations more;
  for (const std::vector<double>& q : later_) {
    more.found.push_back(rounded(q));
    more.exact.push_back(q);
  }
  later_.clear();
  most_goals_ = more.found.size() + kMostSwept;
  if (sweep_ && more.found.empty()) sweep(kSweepPart, more);
  if (!sweep_ && !are_few_) add_solutions_from_drawn(more);
  std::size_t added = 0;
  for (std::size_t i = 0; i < more.found.size(); ++i) {
    const auto is_like = [&](const Configuration& known) {
      float most = 0.0F;
      for (std::size_t j = 0; j < start_.size(); ++j)
        most = std::max(most, std::abs(known[j] - more.found[i][j]));
      return most < static_cast<float>(kUnlike);
    };
    if (std::ranges::any_of(result.found, is_like)) continue;
    if (++added > kMostAtOnce) {
      later_.push_back(more.exact[i]);
      continue;
    }
    result.found.push_back(more.found[i]);
    result.exact.push_back(more.exact[i]);
  }
}

// Postures of the family, eight at a look.
void GoalFinder::sweep(std::size_t samples, GoalConfigurations& result) {
  std::array<JointVector, CollisionChecker::kLanes> kept;
  FixedVector<const JointVector*, CollisionChecker::kLanes> postures;
  const auto look = [&] {
    if (!postures.empty()) add_new(std::span(postures.begin(), postures.size()), result);
    postures.clear();
  };
  for (std::size_t i = 0; i < samples && result.found.size() < most_goals_; ++i) {
    for (const IkSolution& solution : sweep_->next()) {
      kept[postures.size()] = solution.q;
      postures.push_back(&kept[postures.size()]);
      if (postures.size() == CollisionChecker::kLanes) look();
    }
  }
  look();
}

// Between the postures that were looked at, near those with the most room, one may be clear that only few
// values of the spare joints have.
void GoalFinder::climb_to_clear(GoalConfigurations& result) {
  next_climb_ = kClimbGrowth * sweep_->samples();
  struct Measured {
    double room = 0.0;
    std::size_t index = 0;
  };
  std::vector<Measured> measured;
  const std::size_t stride = std::max<std::size_t>(1, (touching_.size() - climbed_) / kMostMeasured);
  for (std::size_t i = climbed_; i < touching_.size() && !is_over(); i += stride) {
    const Contact contact = judge_.nearest(touching_[i]).contact;
    note_room(contact);
    measured.push_back({.room = contact.distance - contact.margin, .index = i});
  }
  climbed_ = touching_.size();
  std::ranges::stable_sort(measured, std::greater<>(), &Measured::room);
  std::vector<std::size_t> begun;
  for (const Measured& from : measured) {
    const auto is_near = [&](std::size_t other) {
      double most = 0.0;
      for (std::size_t j = 0; j < start_.size(); ++j)
        most = std::max(most, std::abs(touching_[other][j] - touching_[from.index][j]));
      return most < kUnlike;
    };
    if (std::ranges::any_of(begun, is_near)) continue;
    if (begun.size() == kMostClimbs || is_over() || climb(touching_[from.index], from.room, result)) return;
    begun.push_back(from.index);
  }
}

// Along the spare joints to where there is more room, in ever smaller steps.
bool GoalFinder::climb(std::vector<double> q, double room, GoalConfigurations& result) {
  const std::span<const PostureFamily::SpareJoint> spare = family_->spare();
  double share = 1.0;
  for (int i = 0; i < kClimbSteps && !is_over(); ++i) {
    std::vector<double> best = q;
    for (std::size_t k = 0; k < 2 * spare.size(); ++k) {
      const PostureFamily::SpareJoint& joint = spare[k / 2];
      std::vector<double> at = q;
      const double step = (k % 2 == 0 ? share : -share) * sweep_->spacing(k / 2);
      at[joint.variable] = std::clamp(at[joint.variable] + step, joint.lower, joint.upper);
      for (const IkSolution& posture : family_->postures(pose_->X_BT, at)) {
        const auto from = JointVector::Map(q.data(), static_cast<Eigen::Index>(q.size()));
        if ((posture.q - from).cwiseAbs().maxCoeff() > kSameBranch) continue;
        ++looked_count_;
        const Contact contact = judge_.nearest(numbers_of(posture.q)).contact;
        note_room(contact);
        if (contact.distance - contact.margin <= room) continue;
        room = contact.distance - contact.margin;
        best.assign(posture.q.begin(), posture.q.end());
      }
    }
    if (room > 0.0) {
      add(best, result);
      if (!result.found.empty()) return true;
    }
    if (best == q) share *= 0.5;
    q = best;
  }
  return false;
}

void GoalFinder::find_region(const RegionGoal& goal, std::uint64_t seed, GoalConfigurations& result) {
  const bool is_sound = is_valid(goal.X_BT) && goal.half_extents.allFinite() &&
                        goal.half_extents.minCoeff() >= 0.0 && std::isfinite(goal.angle) && goal.angle >= 0.0;
  if (!is_sound) {
    result.status = PlanStatus::InvalidInput;
    result.reason = "the goal's region has a number that is not finite or is negative";
    return;
  }
  EvenSequence sequence(6);
  sequence.begin(seed);
  for (std::size_t i = 0; i < kPosesTried && result.found.size() < kMostGoals && !is_over(); ++i) {
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
    add_solutions(goal.X_BT * inside, {}, start_, result);
  }
}

// The others may be asked for later.
void GoalFinder::keep_nearest(GoalConfigurations& result) {
  sort_by_distance(result);
  if (result.found.size() <= kMostGoals) return;
  later_.assign(result.exact.begin() + kMostGoals, result.exact.end());
  result.found.resize(kMostGoals);
  result.exact.resize(kMostGoals);
}

void GoalFinder::sort_by_distance(GoalConfigurations& result) const {
  std::vector<double> apart;
  for (const std::vector<double>& q : result.exact) {
    double square = 0.0;
    for (std::size_t j = 0; j < q.size(); ++j) square += (q[j] - start_[j]) * (q[j] - start_[j]);
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

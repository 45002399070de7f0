// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/tool_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/planning/follow_attempt.h"
#include "sinew/planning/spare_joint.h"
#include "sinew/planning/way_proof.h"

namespace sinew {
namespace {

constexpr std::size_t kFewStarts = 16;   // seeds tried at one place before another
constexpr std::size_t kMostStarts = 64;  // and before giving up

/// Number `index` of a sequence that fills [0, 1) evenly, another one for each joint.
double even_share(std::size_t index, std::size_t joint) {
  // powers of the inverse of the plastic number's kin: irrational to each other
  const double step = std::pow(1.0 / 1.0885, static_cast<double>(joint + 1));
  return std::fmod(0.5 + static_cast<double>(index) * step, 1.0);
}

/// Joins the way back from a station to the begin and the way on from it to the end.
Followed joined(Followed back, Followed on) {
  const double u = back.points.back().u;
  Followed whole{.status = FollowStatus::Done, .s = 1.0, .limit_joint = kNone};
  whole.points.reserve(back.points.size() + on.points.size());
  for (auto point = back.points.rbegin(); point + 1 != back.points.rend(); ++point) {
    FollowedPoint turned = std::move(*point);
    turned.u = u - turned.u;
    turned.ds_du = -turned.ds_du;
    turned.dq_du = -turned.dq_du;
    whole.points.push_back(std::move(turned));
  }
  for (FollowedPoint& point : on.points) {
    point.u += u;
    whole.points.push_back(std::move(point));
  }
  return whole;
}

/// The postures that put the tool at a pose, found one after the other as they are asked for: those near to a
/// seed first, then those near to more and more others.
class Postures {
 public:
  /// All must outlive it.
  Postures(const SerialChain& chain, const InverseKinematics& ik, const Pose& X_BT, const PoseTask& task)
      : chain_(chain), ik_(ik), X_BT_(X_BT), task_(task) {}

  /// One that was not given before, of those that `end` seeds lead to, `seed` the first; nothing: no other.
  /// Lives until the next call.
  const JointVector* next(std::span<const double> seed, std::size_t end) {
    while (given_ == found_.size()) {
      if (is_over_ || next_seed_ >= end) return nullptr;
      look(seed);
    }
    return &found_[given_++];
  }
  /// Whether it is known that there are no others than those that were given, or none was found at all.
  bool are_all() const { return is_complete_ || (is_over_ && found_.empty()); }

 private:
  void look(std::span<const double> seed) {
    JointVector from = JointVector::Map(seed.data(), static_cast<Eigen::Index>(seed.size()));
    for (std::size_t i = 0; i < chain_.size() && next_seed_ > 0; ++i) {
      const double lower = std::max(chain_.limits(i).lower, -std::numbers::pi);
      const double upper = std::min(chain_.limits(i).upper, std::numbers::pi);
      from[static_cast<Eigen::Index>(i)] = lower + even_share(next_seed_, i) * (upper - lower);
    }
    ++next_seed_;
    const IkResult here = ik_.solve(X_BT_, numbers(from), {.task = task_, .random_seed = next_seed_});
    for (const IkSolution& solution : here.solutions) {
      const auto is_it = [&](const JointVector& q) { return (q - solution.q).cwiseAbs().maxCoeff() < 1e-3; };
      if (std::ranges::none_of(found_, is_it)) found_.push_back(solution.q);
    }
    // a closed form gives all postures there are, unless a joint is to spare
    is_complete_ = here.method == IkMethod::ClosedForm && chain_.size() <= 6;
    is_over_ = is_complete_ || here.status != IkStatus::Solved;
  }

  const SerialChain& chain_;
  const InverseKinematics& ik_;
  Pose X_BT_;
  const PoseTask& task_;
  std::vector<JointVector> found_;
  std::size_t given_ = 0;
  std::size_t next_seed_ = 0;
  bool is_complete_ = false;
  bool is_over_ = false;
};

}  // namespace

ToolPath straight_tool_path(const Pose& from, const Pose& to) {
  const Vector3 turn = from.rotation * rotation_vector(from.rotation.conjugate() * to.rotation);
  const Twist V_BT{.linear = to.position - from.position, .angular = turn};
  return {.X_BT = [from, to](double s) { return interpolate(from, to, s); },
          .V_BT = [V_BT](double) { return V_BT; }};
}

ToolPathFollower::ToolPathFollower(const SerialChain& chain, const InverseKinematics& ik)
    : chain_(chain), ik_(ik), spare_(SpareJoint::find(chain)) {}

Followed ToolPathFollower::follow(const ToolPath& path, std::span<const double> start,
                                  const FollowOptions& options) const {
  return attempt_to_follow(chain_, ik_, path, {}, start, options);
}

/// Both ways from one station; a joint that comes to the end of its range may begin a whole turn back.
Followed ToolPathFollower::follow_from(const ToolPath& path, double station, JointVector start,
                                       const FollowOptions& options) const {
  Followed on;
  for (int turn = 0; turn < 4; ++turn) {
    on = attempt_to_follow(chain_, ik_, path, {.from = station, .to = 1.0}, numbers(start), options);
    if (on.status == FollowStatus::Done && station > 0.0) {
      Followed back =
          attempt_to_follow(chain_, ik_, path, {.from = station, .to = 0.0}, numbers(start), options);
      if (back.status == FollowStatus::Done) return joined(std::move(back), std::move(on));
      on = std::move(back);
    }
    if (on.status != FollowStatus::JointLimit || !chain_.is_revolute(on.limit_joint)) break;
    const auto joint = static_cast<Eigen::Index>(on.limit_joint);
    const JointLimits& limits = chain_.limits(on.limit_joint);
    const bool is_upper = on.points.back().q[joint] > 0.5 * (limits.lower + limits.upper);
    const double other = start[joint] + (is_upper ? -2.0 : 2.0) * std::numbers::pi;
    if (other < limits.lower || other > limits.upper) break;
    start[joint] = other;
  }
  return on;
}

/// Along a way that is chosen with all postures in view. Nothing: it leads nowhere.
std::optional<Followed> ToolPathFollower::follow_by_map(const ToolPath& path,
                                                        const FollowOptions& options) const {
  const std::vector<JointVector> way = way_of_joints(chain_, *spare_, path, options.interruption);
  if (way.empty()) return std::nullopt;
  Followed followed = attempt_to_follow(chain_, ik_, path, {.guide = way}, numbers(way.front()), options);
  const bool is_end = followed.status == FollowStatus::Done || followed.status == FollowStatus::Interrupted;
  return is_end ? std::optional(std::move(followed)) : std::nullopt;
}

Followed ToolPathFollower::follow_from_anywhere(const ToolPath& path, std::span<const double> seed,
                                                const FollowOptions& options) const {
  Followed best{.status = FollowStatus::OutOfReach, .s = 0.0, .limit_joint = kNone};
  // true: there is nothing more to try from here
  const auto try_from = [&](double station, Postures& postures, std::size_t end) {
    while (const JointVector* start = postures.next(seed, end)) {
      Followed followed = follow_from(path, station, *start, options);
      const bool is_end =
          followed.status == FollowStatus::Done || followed.status == FollowStatus::Interrupted;
      if (is_end || (station == 0.0 && followed.s >= best.s)) best = std::move(followed);
      if (is_end) return true;
    }
    return postures.are_all();
  };
  constexpr std::array<double, 7> kStations{0.0, 1.0, 0.5, 0.25, 0.75, 0.1, 0.9};
  std::vector<Postures> postures;
  for (const std::size_t end : {kFewStarts, kMostStarts}) {
    for (std::size_t k = 0; k < kStations.size(); ++k) {
      if (k == postures.size()) postures.emplace_back(chain_, ik_, path.X_BT(kStations[k]), options.task);
      if (try_from(kStations[k], postures[k], end)) return best;
    }
    if (end == kFewStarts && spare_ != nullptr && asks_for_everything(options.task)) {
      if (std::optional<Followed> followed = follow_by_map(path, options)) return *std::move(followed);
    }
    // the narrow place itself
    const double narrow = std::min(1.0, best.s + 0.02);
    Postures there(chain_, ik_, path.X_BT(narrow), options.task);
    if (try_from(narrow, there, end)) return best;
  }
  return best;
}

/// How far the tool is from X_BT anywhere on the straight way of the joints [m, rad].
double ToolPathFollower::farthest_from(const Pose& X_BT, const JointVector& from,
                                       const JointVector& to) const {
  constexpr int kLooks = 64;
  double farthest = 0.0;
  for (int k = 0; k <= kLooks; ++k) {
    const JointVector q = from + static_cast<double>(k) / kLooks * (to - from);
    const PoseDistance off = distance(X_BT, chain_.tool_pose(numbers(q)));
    farthest = std::max({farthest, off.position, off.rotation});
  }
  return farthest;
}

// Postures a little further on tell how the wrist has to be turned: each is followed back to the begin.
std::optional<Followed> ToolPathFollower::follow_after_turn(const ToolPath& path,
                                                            std::span<const double> start,
                                                            const FollowOptions& options) const {
  constexpr double kInPlace = 1e-6;  // [m, rad]
  const JointVector from = JointVector::Map(start.data(), static_cast<Eigen::Index>(start.size()));
  const Pose X_BT = path.X_BT(0.0);
  std::optional<Followed> best;
  double shortest = std::numeric_limits<double>::infinity();
  for (const double station : {0.05, 0.3, 1.0}) {
    const IkResult there = ik_.solve(path.X_BT(station), start, {.task = options.task});
    for (const IkSolution& solution : there.solutions) {
      Followed followed = follow_from(path, station, solution.q, options);
      if (followed.status == FollowStatus::Interrupted) return std::nullopt;
      if (followed.status != FollowStatus::Done) continue;
      const double turn = (followed.points.front().q - from).cwiseAbs().maxCoeff();
      if (turn >= shortest || farthest_from(X_BT, from, followed.points.front().q) > kInPlace) continue;
      shortest = turn;
      best = std::move(followed);
    }
    if (best) break;
  }
  return best;
}

bool ToolPathFollower::is_shown_infeasible(const ToolPath& path, const PoseTask& task) const {
  if (chain_.size() <= 6) return sinew::is_shown_infeasible(chain_, ik_, path, task);
  const auto arm = asks_for_everything(task) ? SpareJoint::find(chain_, kSpareSlack) : nullptr;
  return arm != nullptr && sinew::is_shown_infeasible(chain_, *arm, path);
}

PathAdvice advise(const ToolPathFollower& follower, const ToolPath& path, std::span<const double> start,
                  const FollowOptions& options) {
  const auto attempt = [&](PathRemedy remedy, const PoseTask& task) {
    FollowOptions other = options;
    other.task = task;
    const Followed followed = follower.follow_from_anywhere(path, start, other);
    if (followed.status != FollowStatus::Done) return PathAdvice{};
    // a way that was chosen with all postures in view may not be found from its first one alone
    const bool holds =
        follower.follow(path, numbers(followed.points.front().q), other).status == FollowStatus::Done;
    if (!holds) return PathAdvice{};
    return PathAdvice{.remedy = remedy, .start = followed.points.front().q};
  };
  PathAdvice advice = attempt(PathRemedy::AnotherPosture, options.task);
  if (advice.remedy == PathRemedy::None) advice = attempt(PathRemedy::FreeTurn, kPositionAndPointing);
  if (advice.remedy == PathRemedy::None) advice = attempt(PathRemedy::FreeOrientation, kPositionOnly);
  return advice;
}

std::string explain(const Followed& followed, const ToolPath& path, const RobotModel& model,
                    const SerialChain& chain) {
  if (followed.status == FollowStatus::Done) return "the whole way can be followed";
  if (followed.status == FollowStatus::Interrupted) return "it was put off, because others wait";
  if (followed.status == FollowStatus::InvalidInput) return "the posture to begin from is not within limits";
  if (followed.status == FollowStatus::NotAtStart) return "the tool is not at the begin of the path";
  const Vector3 p = path.X_BT(followed.s).position;
  const std::string where = fmt::format("after {:.1f} % of the way, at x {} y {} z {}", 100.0 * followed.s,
                                        length_text(p.x()), length_text(p.y()), length_text(p.z()));
  switch (followed.status) {
    case FollowStatus::JointLimit: {
      const std::size_t i = followed.limit_joint;
      const double q = followed.points.back().q[static_cast<Eigen::Index>(i)];
      const JointLimits& limits = chain.limits(i);
      const double bound = q > 0.5 * (limits.lower + limits.upper) ? limits.upper : limits.lower;
      return fmt::format("{}, joint '{}' comes to its limit of {}", where, model.joints[chain.joint(i)].name,
                         chain.is_revolute(i) ? angle_text(bound) : length_text(bound));
    }
    case FollowStatus::Singular:
      return fmt::format("{}, the arm is singular and could go on only by a jump to another posture", where);
    case FollowStatus::TooLong:
      return fmt::format("{}, the path needs more points than allowed", where);
    default:
      return fmt::format("{}, the arm reaches no further", where);
  }
}

std::string_view remedy_text(PathRemedy remedy) {
  switch (remedy) {
    case PathRemedy::AnotherPosture:
      return "; from another posture at the begin it would go";
    case PathRemedy::FreeTurn:
      return "; with the tool free to turn about its axis it would go";
    case PathRemedy::FreeOrientation:
      return "; with the tool's orientation free it would go";
    case PathRemedy::None:
      break;
  }
  return "";
}

}  // namespace sinew

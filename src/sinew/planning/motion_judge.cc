// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/motion_judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/assert.h"

namespace sinew::planning {
namespace {

constexpr std::size_t kLanes = CollisionChecker::kLanes;
/// [m] By how much the levels see everything larger; the last is bare, for checks with pairs and sweeps.
constexpr std::array kReaches{0.002, 0.0};
constexpr std::size_t kNear = 0;
constexpr std::size_t kBare = 1;
/// [m] What a search lets any point of the robot move between two samples.
constexpr double kSearchStep = 0.16;
/// [m] A proof refuses nothing that is further apart than its margin and twice this.
constexpr double kProofTolerance = 2e-5;
/// [m] Where a prismatic joint without limits is thought to end.
constexpr double kMostSlide = 10.0;
/// More batches than this on one way are a mistake in the units.
constexpr double kMostBatches = 1e5;

std::size_t batches_for(double travel, double step) {
  const double batches = std::ceil(travel / step / static_cast<double>(kLanes));
  return static_cast<std::size_t>(std::clamp(batches, 1.0, kMostBatches));
}

}  // namespace

Result<MotionJudge> MotionJudge::make(const RobotModel& model, std::span<const std::size_t> planned,
                                      const ClearanceOptions& options) {
  if (planned.empty() || planned.size() > kMaxChainJoints) {
    return Error{ErrorCode::OutOfLimits, fmt::format("robot '{}': {} joints to plan; from 1 to {} can be",
                                                     model.name, planned.size(), kMaxChainJoints)};
  }
  const auto is_unknown = [&](std::size_t position) { return position >= model.positions.size(); };
  if (std::any_of(planned.begin(), planned.end(), is_unknown)) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("robot '{}' has {} joint positions; one beyond them is to be planned",
                             model.name, model.positions.size())};
  }
  MotionJudge judge;
  judge.model_ = &model;
  judge.planned_.assign(planned.begin(), planned.end());
  for (const double reach : kReaches) {
    if (Status added = judge.add_level(options, reach); !added) return added.error();
  }
  judge.others_.resize(model.positions.size(), 0.0);
  judge.lanes_.resize(model.positions.size() * kLanes, 0.0F);
  judge.sweep_from_ = judge.sweep_to_ = judge.others_;
  judge.blocked_.resize(kMostBlocked);
  judge.search_level_ = kNear;
  judge.set_weights();
  return judge;
}

Status MotionJudge::add_level(const ClearanceOptions& options, double reach) {
  RobotShapesOptions wider{.mesh_points = options.mesh_points,
                           .margin = options.margin + reach,
                           .pair_margins = options.pair_margins};
  for (PairMargin& pair : wider.pair_margins) pair.margin += reach;
  auto shapes = RobotShapes::make(*model_, wider);
  if (!shapes) return shapes.error();
  levels_.push_back(std::make_unique<Level>(reach, *std::move(shapes)));
  return Done{};
}

void MotionJudge::set_world(const Obstacles& world) {
  world_ = world;
  for (const auto& level : levels_) {
    Obstacles wider;
    for (Obstacle object : world.objects()) {
      if (object.margin > 0.0) object.margin += level->reach;
      (void)wider.add(object);
    }
    level->checker.set_world(wider);
    // its tables for eight at once are made at the first look: now, not when somebody waits for a path
    (void)level->checker.are_lanes_clear(lanes_);
  }
  set_weights();
}

void MotionJudge::set_others(std::span<const double> q) {
  SINEW_ASSERT(q.size() == others_.size());
  std::copy(q.begin(), q.end(), others_.begin());
  std::copy(q.begin(), q.end(), sweep_from_.begin());
  std::copy(q.begin(), q.end(), sweep_to_.begin());
  for (std::size_t i = 0; i < others_.size(); ++i) {
    std::fill_n(&lanes_[i * kLanes], kLanes, static_cast<float>(q[i]));
  }
}

// The longest lever of each joint, over all that hangs on it.
void MotionJudge::set_weights() {
  const LinkTree& tree = levels_.front()->shapes.tree();
  std::vector<double> lower(others_.size());
  std::vector<double> upper(others_.size());
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const JointLimits& limits = model_->joints[model_->positions[i]].limits;
    lower[i] = std::max(limits.lower, -kMostSlide);
    upper[i] = std::min(limits.upper, kMostSlide);
  }
  std::vector<LinkMotion> motions(tree.link_count());
  tree.link_motions(lower, upper, {}, motions);
  for (std::size_t j = 0; j < planned_.size(); ++j) {
    for (LinkMotion& motion : motions) motion = {.reach = motion.reach};
    for (const LinkTree::Step& step : tree.steps()) {
      if (step.position != planned_[j]) continue;
      (step.is_revolute ? motions[step.child].turn : motions[step.child].slide) = std::abs(step.factor);
    }
    double most = 0.0;
    const auto consider = [&](std::size_t link, const Vector3& centre, double radius) {
      most = std::max(most, tree.travel_bound(link, 0, centre.norm() + radius, motions).way);
    };
    for (const Body& body : levels_.front()->shapes.bodies()) {
      consider(body.link, body.ball.centre, body.ball.radius);
    }
    for (const Obstacle& object : world_.objects()) {
      if (object.link == kNone) continue;
      const BoundingBall ball = ball_around(object.solid);
      consider(object.link, object.X_LO * ball.centre, ball.radius);
    }
    weights_[j] = static_cast<float>(most);
  }
}

double MotionJudge::travel(const float* q0, const float* q1) const {
  float way = 0.0F;
  for (std::size_t j = 0; j < planned_.size(); ++j) way += weights_[j] * std::abs(q1[j] - q0[j]);
  return static_cast<double>(way);
}

CheckResult MotionJudge::check(std::span<const double> q) {
  for (std::size_t j = 0; j < planned_.size(); ++j) sweep_from_[planned_[j]] = q[j];
  return levels_[kBare]->checker.check(sweep_from_);
}

CheckResult MotionJudge::nearest(std::span<const double> q) {
  for (std::size_t j = 0; j < planned_.size(); ++j) sweep_from_[planned_[j]] = q[j];
  return levels_[kBare]->checker.nearest(sweep_from_);
}

void MotionJudge::set_lanes(const float* q0, const float* q1, const std::array<float, kLanes>& at) {
  for (std::size_t j = 0; j < planned_.size(); ++j) {
    float* row = &lanes_[planned_[j] * kLanes];
    const float way = q1[j] - q0[j];
    for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] = q0[j] + at[lane] * way;
  }
}

// All eight lanes: which of them is in the way is looked into when somebody asks.
void MotionJudge::note_blocked() {
  Batch& batch = blocked_[next_blocked_];
  for (std::size_t j = 0; j < planned_.size(); ++j) {
    std::copy_n(&lanes_[planned_[j] * kLanes], kLanes, batch[j].begin());
  }
  next_blocked_ = (next_blocked_ + 1) % kMostBlocked;
  blocked_count_ = std::min(blocked_count_ + 1, kMostBlocked);
}

bool MotionJudge::keeps_tool(const float* q0, const float* q1) const {
  std::array<double, kMaxChainJoints> from{};
  std::array<double, kMaxChainJoints> to{};
  std::copy(q0, q0 + planned_.size(), from.begin());
  std::copy(q1, q1 + planned_.size(), to.begin());
  return keeper_->is_kept_between({from.data(), planned_.size()}, {to.data(), planned_.size()});
}

void MotionJudge::set_ends(const Configuration& start, std::span<const Configuration> goals) {
  const auto has_room = [&](const Configuration& q) {
    set_lanes(q.data(), q.data(), {});
    return levels_[kNear]->checker.are_lanes_clear(lanes_);
  };
  search_level_ = has_room(start) && std::all_of(goals.begin(), goals.end(), has_room) ? kNear : kBare;
}

bool MotionJudge::seems_clear(const float* q0, const float* q1) {
  const std::size_t batches = batches_for(travel(q0, q1), kSearchStep);
  const float step = 1.0F / static_cast<float>(batches * kLanes);
  for (std::size_t batch = 0; batch < batches; ++batch) {
    std::array<float, kLanes> at{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      at[lane] = static_cast<float>((lane + 1) * batches - batch) * step;
    }
    set_lanes(q0, q1, at);
    if (levels_[search_level_]->checker.are_lanes_clear(lanes_)) continue;
    note_blocked();
    return false;
  }
  return keeper_ == nullptr || keeps_tool(q0, q1);
}

void MotionJudge::set_lanes(std::span<const Configuration> configurations) {
  SINEW_ASSERT(!configurations.empty() && configurations.size() <= kLanes);
  for (std::size_t j = 0; j < planned_.size(); ++j) {
    float* row = &lanes_[planned_[j] * kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      row[lane] = configurations[std::min(lane, configurations.size() - 1)][j];
    }
  }
}

unsigned MotionJudge::blocked_among(std::span<const Configuration> configurations) {
  set_lanes(configurations);
  return levels_[search_level_]->checker.hit_lanes(lanes_) & ((1U << configurations.size()) - 1U);
}

unsigned MotionJudge::clear_among(std::span<const Configuration> configurations) {
  set_lanes(configurations);
  return levels_[kBare]->checker.clear_lanes(lanes_) & ((1U << configurations.size()) - 1U);
}

bool MotionJudge::is_clear(const float* q0, const float* q1) {
  return seems_clear(q0, q1) && prove(q0, q1);
}

bool MotionJudge::is_barely_clear(const float* q0, const float* q1) {
  const std::size_t level = std::exchange(search_level_, kBare);
  const bool is_so = is_clear(q0, q1);
  search_level_ = level;
  return is_so;
}

bool MotionJudge::prove(const float* q0, const float* q1) {
  for (std::size_t j = 0; j < planned_.size(); ++j) {
    sweep_from_[planned_[j]] = static_cast<double>(q0[j]);
    sweep_to_[planned_[j]] = static_cast<double>(q1[j]);
  }
  return levels_[kBare]->checker.is_way_clear(sweep_from_, sweep_to_, kProofTolerance);
}

}  // namespace sinew::planning

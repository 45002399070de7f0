// SPDX-License-Identifier: BSD-3-Clause
// OMPL's RRTConnect with its simplification, as MoveIt sets them up: states checked every 0.5 % of the
// space's extent. Compiled for plain processors, as Debian's library is.
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include "sinew/base/assert.h"
#include "sinew/base/time.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/mesh/mesh_points.h"

#include "rival.h"

namespace sinew::bench {
namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;
using Space = ob::RealVectorStateSpace;

/// MoveIt's longest_valid_segment_fraction.
constexpr double kSegmentFraction = 0.005;

double milliseconds_since(std::int64_t begin_ns) {
  return 1e-6 * static_cast<double>(monotonic_now_ns() - begin_ns);
}

class OmplContestant : public Contestant {
 public:
  explicit OmplContestant(const PlanSetting& setting) : setting_(setting) {
    ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
    const std::size_t size = setting.planned.size();
    space_ = std::make_shared<Space>(static_cast<unsigned>(size));
    ob::RealVectorBounds bounds(static_cast<unsigned>(size));
    for (std::size_t j = 0; j < size; ++j) {
      const JointLimits& limits = setting.model->joints[setting.model->positions[setting.planned[j]]].limits;
      bounds.setLow(static_cast<unsigned>(j), std::max(limits.lower, -2.0 * std::numbers::pi));
      bounds.setHigh(static_cast<unsigned>(j), std::min(limits.upper, 2.0 * std::numbers::pi));
    }
    space_->setBounds(bounds);
    space_->setLongestValidSegmentFraction(kSegmentFraction);
  }

  Planned plan(std::span<const double> start, std::span<const double> goal) override {
    og::SimpleSetup setup(space_);
    const std::size_t size = start.size();
    setup.setStateValidityChecker([this, size](const ob::State* state) {
      return is_clear({state->as<Space::StateType>()->values, size});
    });
    ob::ScopedState<Space> from(space_);
    ob::ScopedState<Space> to(space_);
    for (std::size_t j = 0; j < size; ++j) {
      from->values[j] = start[j];
      to->values[j] = goal[j];
    }
    setup.setStartAndGoalStates(from, to);
    setup.setPlanner(std::make_shared<og::RRTConnect>(setup.getSpaceInformation()));
    setup.setup();
    Planned planned;
    std::int64_t begin_ns = monotonic_now_ns();
    setup.solve(setting_.time_limit);
    planned.search_ms = milliseconds_since(begin_ns);
    // an approximate solution counts as solved for OMPL
    planned.is_solved = setup.haveExactSolutionPath();
    if (!planned.is_solved) planned.reason = fmt::format("no path within {} s", setting_.time_limit);
    if (!planned.is_solved) return planned;
    planned.first = corners_of(setup.getSolutionPath());
    begin_ns = monotonic_now_ns();
    setup.simplifySolution(setting_.time_limit);
    planned.shorten_ms = milliseconds_since(begin_ns);
    planned.shortened = corners_of(setup.getSolutionPath());
    return planned;
  }

 protected:
  virtual bool is_clear(std::span<const double> q) = 0;
  const PlanSetting& setting() const { return setting_; }

 private:
  static Corners corners_of(og::PathGeometric& path) {
    Corners corners;
    for (std::size_t i = 0; i < path.getStateCount(); ++i) {
      const double* values = path.getState(static_cast<unsigned>(i))->as<Space::StateType>()->values;
      corners.emplace_back(values, values + path.getSpaceInformation()->getStateDimension());
    }
    return corners;
  }

  const PlanSetting& setting_;
  std::shared_ptr<Space> space_;
};

class OmplOnSinew : public OmplContestant {
 public:
  explicit OmplOnSinew(const PlanSetting& setting)
      : OmplContestant(setting), shapes_(made(*setting.model)), checker_(shapes_), q_(setting.others) {}
  std::string name() const override { return "ompl on sinew's checker"; }
  void set_world(const Obstacles& world) override { checker_.set_world(world); }

 protected:
  bool is_clear(std::span<const double> q) override {
    for (std::size_t j = 0; j < q.size(); ++j) q_[setting().planned[j]] = q[j];
    return checker_.is_clear(q_);
  }

 private:
  static RobotShapes made(const RobotModel& model) {
    auto shapes = RobotShapes::make(model, {.mesh_points = points_of_mesh});
    SINEW_ASSERT(shapes.has_value());
    return *std::move(shapes);
  }

  RobotShapes shapes_;
  CollisionChecker checker_;
  std::vector<double> q_;
};

class OmplOnFcl : public OmplContestant {
 public:
  explicit OmplOnFcl(const PlanSetting& setting) : OmplContestant(setting), fcl_(setting) {}
  std::string name() const override { return "ompl on fcl"; }
  void set_world(const Obstacles& world) override { fcl_.set_world(world); }

 protected:
  bool is_clear(std::span<const double> q) override { return fcl_.is_clear(q); }

 private:
  FclChecker fcl_;
};

}  // namespace

std::vector<std::unique_ptr<Contestant>> make_rivals(const PlanSetting& setting) {
  // before OMPL draws its first number
  ompl::RNG::setSeed(setting.seed);
  std::vector<std::unique_ptr<Contestant>> rivals;
  rivals.push_back(std::make_unique<OmplOnSinew>(setting));
  if (FclChecker::is_available()) rivals.push_back(std::make_unique<OmplOnFcl>(setting));
  return rivals;
}

}  // namespace sinew::bench

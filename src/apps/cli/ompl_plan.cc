// SPDX-License-Identifier: BSD-3-Clause
// The only unit that knows OMPL's types. Compiled for plain processors, as Debian's library is.
#include "apps/cli/ompl_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <ompl/base/MotionValidator.h>
#include <ompl/base/goals/GoalStates.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/est/BiEST.h>
#include <ompl/geometric/planners/kpiece/BKPIECE1.h>
#include <ompl/geometric/planners/kpiece/LBKPIECE1.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/geometric/planners/sbl/SBL.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include "sinew/base/text.h"
#include "sinew/base/time.h"

namespace sinew::cli {
namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;
using Space = ob::RealVectorStateSpace;

/// Joints without limits are looked for so far beyond start and goals [rad, m].
constexpr double kBeyond = std::numbers::pi;

template <class Kind>
ob::PlannerPtr made(const ob::SpaceInformationPtr& space) {
  return std::make_shared<Kind>(space);
}

struct OmplPlanner {
  std::string_view name;
  ob::PlannerPtr (*make)(const ob::SpaceInformationPtr&);
};
constexpr std::array kOmplPlanners{
    OmplPlanner{"ompl-rrtconnect", made<og::RRTConnect>}, OmplPlanner{"ompl-bkpiece", made<og::BKPIECE1>},
    OmplPlanner{"ompl-lbkpiece", made<og::LBKPIECE1>}, OmplPlanner{"ompl-biest", made<og::BiEST>},
    OmplPlanner{"ompl-sbl", made<og::SBL>}};

std::span<const double> values_of(const ob::State* state, std::size_t size) {
  return {state->as<Space::StateType>()->values, size};
}

/// A way is valid when all of it is proven clear, not only states along it.
class ProvenWays : public ob::MotionValidator {
 public:
  ProvenWays(const ob::SpaceInformationPtr& space, Planner& planner)
      : ob::MotionValidator(space), planner_(planner), size_(planner.planned().size()) {}

  bool checkMotion(const ob::State* from, const ob::State* to) const override {
    return planner_.is_way_clear(values_of(from, size_), values_of(to, size_));
  }
  // how far it goes is not looked into
  bool checkMotion(const ob::State* from, const ob::State* to,
                   std::pair<ob::State*, double>& last) const override {
    const bool is_clear = checkMotion(from, to);
    last.second = is_clear ? 1.0 : 0.0;
    if (last.first != nullptr) si_->copyState(last.first, is_clear ? to : from);
    return is_clear;
  }

 private:
  Planner& planner_;
  std::size_t size_;
};

std::shared_ptr<Space> space_of(const Planner& planner, const RobotModel& model, const OmplTask& task) {
  const std::span<const std::size_t> planned = planner.planned();
  auto space = std::make_shared<Space>(static_cast<unsigned>(planned.size()));
  ob::RealVectorBounds bounds(static_cast<unsigned>(planned.size()));
  for (std::size_t j = 0; j < planned.size(); ++j) {
    const JointLimits& limits = model.joints[model.positions[planned[j]]].limits;
    double low = task.start[j];
    double high = task.start[j];
    for (const std::vector<double>& goal : task.goals) {
      low = std::min(low, goal[j]);
      high = std::max(high, goal[j]);
    }
    bounds.setLow(static_cast<unsigned>(j), std::isfinite(limits.lower) ? limits.lower : low - kBeyond);
    bounds.setHigh(static_cast<unsigned>(j), std::isfinite(limits.upper) ? limits.upper : high + kBeyond);
  }
  space->setBounds(bounds);
  return space;
}

void set_ends(const std::shared_ptr<Space>& space, const OmplTask& task, og::SimpleSetup& setup) {
  const auto state_of = [&](std::span<const double> q) {
    ob::ScopedState<Space> state(space);
    std::copy(q.begin(), q.end(), state->values);
    return state;
  };
  setup.setStartState(state_of(task.start));
  const auto goals = std::make_shared<ob::GoalStates>(setup.getSpaceInformation());
  for (const std::vector<double>& goal : task.goals) goals->addState(state_of(goal));
  setup.setGoal(goals);
}

void take_path(og::PathGeometric& found, std::size_t size, PlanResult& result) {
  for (std::size_t i = 0; i < found.getStateCount(); ++i) {
    const std::span<const double> q = values_of(found.getState(static_cast<unsigned>(i)), size);
    result.path.emplace_back(JointVector::Map(q.data(), static_cast<Eigen::Index>(size)));
  }
  result.length = found.length();
}

PlanResult search(Planner& planner, const RobotModel& model, const OmplTask& task) {
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  // every number that is drawn from here on depends on it
  ompl::RNG::setSeed(static_cast<std::uint_fast32_t>(std::max<std::uint64_t>(1, task.seed)));
  const std::shared_ptr<Space> space = space_of(planner, model, task);
  const std::size_t size = planner.planned().size();
  og::SimpleSetup setup(space);
  setup.setStateValidityChecker([&](const ob::State* state) {
    return planner.check(values_of(state, size)).verdict == Verdict::Clear;
  });
  setup.getSpaceInformation()->setMotionValidator(
      std::make_shared<ProvenWays>(setup.getSpaceInformation(), planner));
  set_ends(space, task, setup);
  const auto* const kind = std::ranges::find(kOmplPlanners, task.planner, &OmplPlanner::name);
  setup.setPlanner(kind->make(setup.getSpaceInformation()));
  PlanResult result;
  const std::int64_t begun_ns = monotonic_now_ns();
  setup.solve(task.time_limit);
  result.search_ns = monotonic_now_ns() - begun_ns;
  // an approximate solution counts as solved for OMPL
  if (!setup.haveExactSolutionPath()) {
    result.reason = fmt::format("{} found no path within {}", task.planner, duration_text(result.search_ns));
    return result;
  }
  result.first_length = setup.getSolutionPath().length();
  const std::int64_t found_ns = monotonic_now_ns();
  setup.simplifySolution(task.time_limit);
  result.shorten_ns = monotonic_now_ns() - found_ns;
  take_path(setup.getSolutionPath(), size, result);
  result.status = PlanStatus::Solved;
  return result;
}

/// OMPL's simplification may keep ways that it found valid by states alone.
void refuse_what_is_not_proven(Planner& planner, std::string_view name, PlanResult& result) {
  const auto numbers = [](const JointVector& q) {
    return std::span<const double>(q.data(), static_cast<std::size_t>(q.size()));
  };
  for (std::size_t i = 0; i + 1 < result.path.size(); ++i) {
    if (planner.is_way_clear(numbers(result.path[i]), numbers(result.path[i + 1]))) continue;
    result.status = PlanStatus::NoPath;
    result.reason = fmt::format("{} returned a path whose part {} is not clear", name, i + 1);
    result.path.clear();
    return;
  }
}

}  // namespace

std::vector<std::string> ompl_planners() {
  std::vector<std::string> names;
  for (const OmplPlanner& planner : kOmplPlanners) names.emplace_back(planner.name);
  return names;
}

PlanResult plan_with_ompl(Planner& planner, const RobotModel& model, const OmplTask& task) {
  try {
    PlanResult result = search(planner, model, task);
    refuse_what_is_not_proven(planner, task.planner, result);
    return result;
  } catch (const std::exception& failed) {
    return {.status = PlanStatus::NoPath,
            .reason = fmt::format("{} failed: {}", task.planner, failed.what())};
  }
}

}  // namespace sinew::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/planner.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/planning/diagnosis.h"
#include "sinew/planning/goals.h"
#include "sinew/planning/path_search.h"
#include "sinew/planning/posture_family.h"
#include "sinew/planning/shorten.h"

namespace sinew {

using planning::Configuration;
using planning::GoalConfigurations;
using planning::GoalFinder;
using planning::GoalLimits;
using planning::JointBox;
using planning::MotionJudge;
using planning::Path;
using planning::PathSearch;
using planning::rounded;
using planning::SearchEnd;
using planning::SearchLimits;

struct planning::PlannerParts {
  PlannerParts(MotionJudge the_judge, const PlannerOptions& options)
      : judge(std::move(the_judge)), chain(options.chain), search(judge, options.most_nodes, options.chain) {
    if (chain == nullptr) return;
    solver.emplace(*chain);
    family = PostureFamily::find(judge.model(), *chain);
  }

  MotionJudge judge;
  const SerialChain* chain;
  std::optional<InverseKinematics> solver;
  std::unique_ptr<const PostureFamily> family;  // null: no joint to spare
  PathSearch search;
  Path path;
  Path other;
};

namespace {

/// Joints without limits are drawn so far beyond start and goals [rad, m].
constexpr double kBeyond = std::numbers::pi;

JointBox box_for(const MotionJudge& judge, const Configuration& start, std::span<const Configuration> goals) {
  JointBox box;
  for (std::size_t j = 0; j < judge.size(); ++j) {
    float lower = start[j];
    float upper = start[j];
    for (const Configuration& goal : goals) {
      lower = std::min(lower, goal[j]);
      upper = std::max(upper, goal[j]);
    }
    const JointLimits& limits = judge.model().joints[judge.model().positions[judge.planned()[j]]].limits;
    // rounding must not lead beyond a limit
    const double inset = 1e-6 * std::min(1.0, limits.upper - limits.lower);
    box.lower[j] = static_cast<float>(std::isfinite(limits.lower) ? limits.lower + inset
                                                                  : static_cast<double>(lower) - kBeyond);
    box.upper[j] = static_cast<float>(std::isfinite(limits.upper) ? limits.upper - inset
                                                                  : static_cast<double>(upper) + kBeyond);
  }
  return box;
}

/// One call of plan(): what it has found so far.
class Run {
 public:
  Run(planning::PlannerParts& parts, const PlanRequest& request, PlanResult& result)
      : in_(parts),
        request_(request),
        result_(result),
        begun_ns_(monotonic_now_ns()),
        finder_(parts.judge, parts.chain, parts.solver ? &*parts.solver : nullptr, parts.family.get()) {}

  void go();

 private:
  bool prepare();
  bool accept(GoalConfigurations found);
  SearchLimits limits(double seconds) const;
  std::span<const Configuration> more_goals();
  bool is_wanted(std::size_t iterations) const;
  void search();
  void shorten(Path& path, std::uint64_t seed) const;
  void improve();
  void explain_failure(SearchEnd end);
  void write_path();
  double seconds_used() const { return seconds_from_nanoseconds(monotonic_now_ns() - begun_ns_); }

  planning::PlannerParts& in_;
  const PlanRequest& request_;
  PlanResult& result_;
  std::int64_t begun_ns_;
  std::optional<planning::ToolKeeper> keeper_;
  std::vector<double> start_;
  GoalFinder finder_;
  GoalConfigurations goals_;
  PathSearch::Task task_;
};

bool Run::accept(GoalConfigurations found) {
  result_.status = found.status;
  result_.reason = std::move(found.reason);
  result_.contact = found.contact;
  return result_.status == PlanStatus::Solved;
}

bool Run::prepare() {
  const std::size_t count = in_.judge.model().positions.size();
  const auto is_number = [](double value) { return std::isfinite(value); };
  GoalConfigurations start;
  if (request_.start.size() != count ||
      !std::all_of(request_.start.begin(), request_.start.end(), is_number)) {
    start.status = PlanStatus::InvalidInput;
    start.reason =
        fmt::format("the start must be {} finite joint positions, one for each of the robot's", count);
    return accept(std::move(start));
  }
  const bool is_constrained = request_.constraint.cone || request_.constraint.box;
  if (is_constrained && in_.chain == nullptr) {
    start.status = PlanStatus::InvalidInput;
    start.reason = "a constraint on the tool needs a chain: say which arm or tip is meant";
    return accept(std::move(start));
  }
  if (is_constrained) keeper_.emplace(*in_.chain, request_.constraint);
  in_.judge.set_keeper(keeper_ ? &*keeper_ : nullptr);
  in_.judge.set_others(request_.start);
  in_.judge.forget_blocked();
  for (const std::size_t position : in_.judge.planned()) start_.push_back(request_.start[position]);
  if (!finder_.is_allowed(start_, "start", start)) return accept(std::move(start));
  finder_.set_explaining(request_.with_blockers);
  const SearchLimits all = limits(request_.time_limit);
  GoalLimits postures{.most_postures = request_.most_postures, .deadline_ns = all.deadline_ns};
  if (request_.progress) postures.is_cancelled = [this] { return !is_wanted(0); };
  goals_ = finder_.find(request_.goal, start_, request_.seed, postures);
  if (goals_.found.empty()) return accept(goals_);
  // what is found later is not to move what is searched for
  goals_.found.reserve(planning::kMostGoalsEver);
  task_ = {.start = rounded(start_), .goals = goals_.found, .seed = request_.seed};
  task_.more_goals = [this] { return more_goals(); };
  task_.box = box_for(in_.judge, task_.start, task_.goals);
  return true;
}

std::span<const Configuration> Run::more_goals() {
  const std::size_t known = goals_.found.size();
  finder_.find_more(goals_);
  return std::span(goals_.found).subspan(known);
}

bool Run::is_wanted(std::size_t iterations) const {
  return !request_.progress || request_.progress({.iterations = iterations, .length = result_.length});
}

SearchLimits Run::limits(double seconds) const {
  SearchLimits limits{.most_iterations = request_.most_iterations,
                      .deadline_ns = deadline_after_ns(begun_ns_, nanoseconds_from_seconds(seconds))};
  if (request_.progress)
    limits.is_cancelled = [this](std::size_t iterations) { return !is_wanted(iterations); };
  return limits;
}

void Run::go() {
  if (!prepare()) return;
  search();
  if (result_.status != PlanStatus::Solved) return;
  const std::int64_t found_ns = monotonic_now_ns();
  if (request_.with_shortening) shorten(in_.path, request_.seed);
  result_.length = planning::length_of(in_.path, in_.judge.size());
  result_.shorten_ns = monotonic_now_ns() - found_ns;
  if (request_.improve_time > 0.0) improve();
  write_path();
}

void Run::search() {
  const SearchEnd end = in_.search.run(task_, limits(request_.time_limit), in_.path);
  result_.search_ns = monotonic_now_ns() - begun_ns_;
  result_.iterations = in_.search.iterations();
  result_.node_count = in_.search.node_count();
  if (end != SearchEnd::Found) return explain_failure(end);
  result_.status = PlanStatus::Solved;
  result_.first_length = planning::length_of(in_.path, in_.judge.size());
}

void Run::shorten(Path& path, std::uint64_t seed) const {
  const std::int64_t end_ns =
      deadline_after_ns(begun_ns_, nanoseconds_from_seconds(request_.time_limit + request_.improve_time));
  planning::shorten(in_.judge, {.seed = seed, .deadline_ns = end_ns}, path);
}

// Other seeds, until the time is up.
void Run::improve() {
  const double until = seconds_used() + request_.improve_time;
  PathSearch::Task task = task_;
  while (seconds_used() < until && is_wanted(in_.search.iterations())) {
    ++task.seed;
    if (in_.search.run(task, limits(until), in_.other) != SearchEnd::Found) return;
    shorten(in_.other, task.seed);
    const double length = planning::length_of(in_.other, in_.judge.size());
    if (length >= result_.length) continue;
    result_.length = length;
    std::swap(in_.path, in_.other);
  }
}

void Run::explain_failure(SearchEnd end) {
  if (end == SearchEnd::Cancelled) {
    result_.status = PlanStatus::Cancelled;
    result_.reason = "planning was cancelled";
    return;
  }
  result_.status = PlanStatus::NoPath;
  const planning::Blocker blocker =
      request_.with_blockers ? planning::most_frequent_blocker(in_.judge) : planning::Blocker{};
  result_.contact = blocker.contact;
  result_.reason = fmt::format("no path was found within {} ({} iterations)",
                               end == SearchEnd::TimedOut ? duration_text(result_.search_ns) : "the limit",
                               result_.iterations);
  if (blocker.share > 0.0) {
    result_.reason += fmt::format("; most often in the way: {} ({:.0f} % of the blocked ways)",
                                  planning::pair_text(in_.judge.model(), in_.judge.world(), blocker.contact),
                                  100.0 * blocker.share);
  }
  if (!request_.with_diagnosis) return;
  // with less in the way, more postures would be clear that are none
  task_.more_goals = {};
  const planning::LackingClearance lacking =
      planning::lacking_clearance(in_.judge, in_.search, task_,
                                  {.most_iterations = request_.most_iterations,
                                   .seconds = request_.time_limit,
                                   .is_cancelled = limits(request_.time_limit).is_cancelled});
  result_.lacking_clearance = lacking.clearance;
  if (lacking.is_cancelled) {
    result_.reason += "; how much clearance is lacking was not looked into any further";
  } else if (lacking.clearance > 0.0) {
    result_.reason +=
        fmt::format("; with {} more clearance on every side there is a path", length_text(lacking.clearance));
  } else {
    result_.reason += "; nor was one found with 50.0 mm more clearance on every side";
  }
}

// The ends as they were given, not as single precision holds them.
void Run::write_path() {
  const std::size_t size = in_.judge.size();
  for (const Configuration& corner : in_.path) {
    JointVector q(static_cast<Eigen::Index>(size));
    for (std::size_t j = 0; j < size; ++j) q[static_cast<Eigen::Index>(j)] = static_cast<double>(corner[j]);
    result_.path.push_back(q);
  }
  result_.path.front() = JointVector::Map(start_.data(), static_cast<Eigen::Index>(size));
  const auto is_goal = [&](const Configuration& goal) { return goal == in_.path.back(); };
  const auto at = std::find_if(goals_.found.begin(), goals_.found.end(), is_goal);
  const auto index = static_cast<std::size_t>(at - goals_.found.begin());
  result_.path.back() = JointVector::Map(goals_.exact[index].data(), static_cast<Eigen::Index>(size));
}

Result<std::vector<std::size_t>> planned_positions(const RobotModel& model, const PlannerOptions& options) {
  std::vector<std::size_t> planned = options.planned;
  if (options.chain == nullptr) {
    if (planned.empty()) {
      planned.resize(model.positions.size());
      std::iota(planned.begin(), planned.end(), std::size_t{0});
    }
    return planned;
  }
  planned.clear();
  for (std::size_t i = 0; i < options.chain->size(); ++i) planned.push_back(options.chain->position(i));
  return planned;
}

}  // namespace

const char* plan_status_text(PlanStatus status) {
  switch (status) {
    case PlanStatus::Solved:
      return "solved";
    case PlanStatus::InvalidInput:
      return "invalid input";
    case PlanStatus::StartOutsideLimits:
      return "start outside limits";
    case PlanStatus::StartInCollision:
      return "start in collision";
    case PlanStatus::GoalOutsideLimits:
      return "goal outside limits";
    case PlanStatus::GoalInCollision:
      return "goal in collision";
    case PlanStatus::GoalUnreachable:
      return "goal unreachable";
    case PlanStatus::ConstraintBroken:
      return "constraint broken";
    case PlanStatus::NoPath:
      return "no path";
    case PlanStatus::Cancelled:
      return "cancelled";
  }
  return "unknown";
}

Planner::Planner(std::unique_ptr<planning::PlannerParts> parts) : parts_(std::move(parts)) {}
Planner::Planner(Planner&&) noexcept = default;
Planner& Planner::operator=(Planner&&) noexcept = default;
Planner::~Planner() = default;

Result<Planner> Planner::make(const RobotModel& model, const PlannerOptions& options) {
  const auto planned = planned_positions(model, options);
  if (!planned) return planned.error();
  auto judge = MotionJudge::make(model, *planned, options.clearance);
  if (!judge) return judge.error();
  return Planner(std::make_unique<planning::PlannerParts>(*std::move(judge), options));
}

void Planner::set_world(const Obstacles& world) {
  parts_->judge.set_world(world);
}

std::span<const std::size_t> Planner::planned() const noexcept {
  return parts_->judge.planned();
}

PlanResult Planner::plan(const PlanRequest& request) {
  PlanResult result;
  Run(*parts_, request, result).go();
  // the keeper was this call's
  parts_->judge.set_keeper(nullptr);
  return result;
}

bool Planner::is_way_clear(std::span<const double> from, std::span<const double> to) {
  if (from.size() != parts_->judge.size() || to.size() != from.size()) return false;
  return parts_->judge.is_barely_clear(rounded(from).data(), rounded(to).data());
}

void Planner::set_others(std::span<const double> q_all) {
  parts_->judge.set_others(q_all);
}

double Planner::travel(std::span<const double> from, std::span<const double> to) const {
  return parts_->judge.travel(rounded(from).data(), rounded(to).data());
}

CheckResult Planner::check(std::span<const double> q) {
  return parts_->judge.check(q);
}

CheckResult Planner::nearest(std::span<const double> q) {
  return parts_->judge.nearest(q);
}

std::string Planner::pair_text(const Contact& contact) const {
  return planning::pair_text(parts_->judge.model(), parts_->judge.world(), contact);
}

std::string Planner::contact_text(const Contact& contact) const {
  return planning::contact_text(parts_->judge.model(), parts_->judge.world(), contact);
}

}  // namespace sinew

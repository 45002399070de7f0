// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-plan: planning among obstacles, ours beside OMPL's on the same problems, turn by turn in one
// process on one core.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/positions.h"
#include "sinew/planning/planning_robot.h"
#include "sinew/planning/problem_generator.h"

#include "lines.h"
#include "path_check.h"
#include "plan_options.h"
#include "plan_report.h"
#include "rival.h"
#include "rows/exit_code.h"

namespace sinew::bench {
namespace {

constexpr std::int64_t kBetweenLines_ns = 3'000'000'000;

double length_of(const Corners& path) {
  double length = 0.0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    double square = 0.0;
    for (std::size_t j = 0; j < path[i].size(); ++j) square += std::pow(path[i + 1][j] - path[i][j], 2);
    length += std::sqrt(square);
  }
  return length;
}

/// How far it has come: on one line of a terminal, else a line every few seconds.
class Progress {
 public:
  void show(std::string_view what, std::size_t done, std::size_t all) {
    if (isatty(STDERR_FILENO) != 0) {
      fmt::print(stderr, "\r\033[K");
      if (done < all) fmt::print(stderr, "{}: {} of {}", what, done, all);
    } else if (monotonic_now_ns() - told_ns_ >= kBetweenLines_ns) {
      told_ns_ = monotonic_now_ns();
      fmt::print(stderr, "{}: {} of {}\n", what, done, all);
    }
    std::fflush(stderr);
  }

 private:
  std::int64_t told_ns_ = monotonic_now_ns();
};

PlanOutcome outcome_of(const PlanningProblem& problem, const Planned& planned, std::string planner,
                       double time_ms, const Corners& path, PathCheck* check) {
  PlanOutcome outcome{.planner = std::move(planner),
                      .set = problem.name,
                      .index = problem.index,
                      .is_solved = planned.is_solved,
                      .time_ms = time_ms,
                      .reason = planned.reason};
  if (!planned.is_solved) return outcome;
  outcome.length = length_of(path);
  if (check == nullptr) return outcome;
  outcome.reason = check->first_hit(path);
  outcome.is_clear = outcome.reason.empty();
  return outcome;
}

using Contestants = std::vector<std::unique_ptr<Contestant>>;

// The same reason is not said again for the simplification of a path that there is not.
void measure(const PlanningProblem& problem, const Obstacles& world, std::size_t rounds, PathCheck* check,
             const Contestants& contestants, PlanReport& report) {
  if (check != nullptr) check->set_world(world);
  for (const auto& contestant : contestants) {
    contestant->set_world(world);
    Planned best = contestant->plan(problem.start, problem.goal);
    for (std::size_t round = 1; round < rounds; ++round) {
      const Planned again = contestant->plan(problem.start, problem.goal);
      best.search_ms = std::min(best.search_ms, again.search_ms);
      best.shorten_ms = std::min(best.shorten_ms, again.shorten_ms);
    }
    report.add(outcome_of(problem, best, contestant->name(), best.search_ms, best.first, check));
    if (!contestant->has_simplification()) continue;
    best.reason.clear();
    report.add(outcome_of(problem, best, contestant->name() + " + simplification",
                          best.search_ms + best.shorten_ms, best.shortened, check));
  }
}

Result<std::vector<PlanningProblem>> problems_for(const PlanBenchOptions& options,
                                                  const PlanningRobot& robot) {
  if (!options.problems.empty()) return load_problems(options.problems);
  std::vector<PlanningProblem> all;
  Progress progress;
  const std::vector<std::string> kinds =
      options.generate == "all" ? problem_kinds() : std::vector<std::string>{options.generate};
  for (const std::string& kind : kinds) {
    auto made = generate_problems(
        robot.chosen.robot.model, robot.chosen.chain,
        {.kind = kind,
         .count = options.count,
         .seed = options.seed,
         .clearance = {.mesh_points = points_of_mesh},
         .progress = [&](std::size_t count) { progress.show("making " + kind, count, options.count); }});
    if (!made) return made.error();
    fmt::print(stderr, "{}: {} problems with a known path; {} drawn besides without one were left out\n",
               kind, made->problems.size(), made->undecided);
    for (PlanningProblem& problem : made->problems) all.push_back(std::move(problem));
  }
  return all;
}

Status write_file(const std::string& path, const std::string& text) {
  if (path.empty()) return Done{};
  std::ofstream file(path);
  file << text;
  file.flush();
  if (file) return Done{};
  return Error{ErrorCode::SystemFailure, fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

std::string text_of(const std::vector<PlanningProblem>& problems) {
  std::string text;
  for (const PlanningProblem& problem : problems) text += problem_text(problem);
  return text;
}

Contestants contestants_for(const PlanSetting& setting, bool with_rivals) {
  Contestants contestants;
  contestants.push_back(make_sinew(setting));
  if (auto whole = make_whole_chain(setting)) contestants.push_back(std::move(whole));
  if (!with_rivals) return contestants;
  auto rivals = make_rivals(setting);
  if (rivals.empty())
    fmt::print(stderr,
               "OMPL was not built in (install libompl-dev and build again): only Sinew is measured\n");
  for (auto& rival : rivals) contestants.push_back(std::move(rival));
  return contestants;
}

Status have_same_size(const std::vector<PlanningProblem>& problems, std::size_t count) {
  for (const PlanningProblem& problem : problems) {
    if (problem.start.size() == count) continue;
    return Error{ErrorCode::InvalidInput,
                 fmt::format("problem '{} {}' has {} joint positions, the first has {}", problem.name,
                             problem.index, problem.start.size(), count)};
  }
  return Done{};
}

std::optional<PathCheck> path_check_for(const PlanBenchOptions& options, const PlanSetting& setting) {
  if (options.with_judge && FclChecker::is_available())
    return std::optional<PathCheck>(std::in_place, setting);
  if (options.with_judge)
    fmt::print(stderr, "FCL was not built in (install libfcl-dev and build again): no path is re-checked\n");
  return std::nullopt;
}

Result<PlanReport> measure_all(const PlanBenchOptions& options) {
  // before minutes are spent
  if (Status may = write_file(options.csv, ""); !may) return may.error();
  const auto robot = load_planning_robot(options.choice, points_of_mesh);
  if (!robot) return robot.error();
  if (robot->found_pairs > 0) {
    fmt::print(stderr, "{} pairs of links were found to need no check; 'sinew new' keeps such findings\n",
               robot->found_pairs);
  }
  const auto problems = problems_for(options, *robot);
  if (!problems) return problems.error();
  if (problems->empty())
    return Error{ErrorCode::InvalidInput, fmt::format("{} holds no problem", options.problems)};
  if (Status written = write_file(options.out, text_of(*problems)); !written) return written.error();
  auto planned = positions_for(*robot, problems->front().start.size());
  if (!planned) return planned.error();
  if (Status alike = have_same_size(*problems, planned->size()); !alike) return alike.error();
  const PlanSetting setting{.model = &robot->chosen.robot.model,
                            .planned = *planned,
                            .base_link = robot->chosen.base_link,
                            .tip_link = robot->chosen.tip_link,
                            .others = starting_positions(robot->chosen.robot.model),
                            .time_limit = options.time_limit,
                            .seed = static_cast<unsigned>(options.seed)};
  const Contestants contestants = contestants_for(setting, options.with_rivals);
  std::optional<PathCheck> check = path_check_for(options, setting);
  PlanReport report;
  Progress progress;
  std::size_t done = 0;
  for (const PlanningProblem& problem : *problems) {
    const auto world = world_of(problem);
    if (!world) return world.error();
    measure(problem, *world, options.rounds, check ? &*check : nullptr, contestants, report);
    progress.show("planning", ++done, problems->size());
  }
  if (Status written = write_file(options.csv, report.csv()); !written) return written.error();
  return report;
}

Result<LineRow> measure_lines_of(const PlanBenchOptions& options) {
  const auto robot = load_planning_robot(options.choice, points_of_mesh);
  if (!robot) return robot.error();
  return measure_lines(robot->chosen.chain,
                       {.count = options.count, .seed = options.seed, .rounds = options.rounds});
}

int run(std::span<const char* const> words) {
  const auto options = plan_options_from(words);
  if (options && options->is_help) {
    fmt::print("{}", plan_help_text());
    return 0;
  }
  if (options && options->generate == "lines") {
    const auto row = measure_lines_of(*options);
    if (!row) return complain(row.error());
    fmt::print("{}", line_row_text(*row, options->is_json));
    return 0;
  }
  const auto report = options ? measure_all(*options) : Result<PlanReport>(options.error());
  if (!report) return complain(report.error());
  fmt::print("{}", options->is_json ? report->json() : report->text());
  return 0;
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
  return sinew::bench::run({argv + 1, static_cast<std::size_t>(argc - 1)});
}

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
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "sinew/mesh/mesh_points.h"
#include "sinew/model/positions.h"
#include "sinew/planning/planning_robot.h"
#include "sinew/planning/problem_generator.h"

#include "lines.h"
#include "plan_options.h"
#include "rival.h"

namespace sinew::bench {
namespace {

constexpr int kUsageError = 2;

/// What one planner did on all problems, without or with its simplification.
struct PlanRow {
  std::string planner;
  std::vector<double> times_ms;
  std::size_t count = 0;
  std::size_t solved = 0;
  std::optional<std::size_t> invalid;  // none: nobody judges
  double length = 0.0;
};

double length_of(const Corners& path) {
  double length = 0.0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    double square = 0.0;
    for (std::size_t j = 0; j < path[i].size(); ++j) square += std::pow(path[i + 1][j] - path[i][j], 2);
    length += std::sqrt(square);
  }
  return length;
}

double at_share(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0.0;
  return sorted[static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size() - 1)))];
}

std::string invalid_text(const PlanRow& row, const char* unknown) {
  return row.invalid ? std::to_string(*row.invalid) : unknown;
}

std::string row_text(const PlanRow& row, bool is_json) {
  std::vector<double> times = row.times_ms;
  std::sort(times.begin(), times.end());
  const double solved = std::max(1.0, static_cast<double>(row.solved));
  const double mean =
      std::accumulate(times.begin(), times.end(), 0.0) / std::max(1.0, static_cast<double>(times.size()));
  if (!is_json) {
    return fmt::format("{:40} {:>6} {:>7} {:>10.4f} {:>10.4f} {:>10.4f} {:>10.3f} {:>8.3f} {:>8}\n",
                       row.planner, row.count, row.solved, at_share(times, 0.5), mean, at_share(times, 0.95),
                       at_share(times, 1.0), row.length / solved, invalid_text(row, "-"));
  }
  return fmt::format(
      "{{\"planner\": \"{}\", \"count\": {}, \"solved\": {}, \"median_ms\": {:.6f}, \"mean_ms\": {:.6f}, "
      "\"p95_ms\": {:.6f}, \"max_ms\": {:.6f}, \"mean_length\": {:.6f}, \"invalid\": {}}}",
      row.planner, row.count, row.solved, at_share(times, 0.5), mean, at_share(times, 0.95),
      at_share(times, 1.0), row.length / solved, invalid_text(row, "null"));
}

void print_rows(const std::vector<PlanRow>& rows, bool is_json) {
  if (!is_json) {
    fmt::print("{:40} {:>6} {:>7} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8}\n", "planner", "count", "solved",
               "median ms", "mean ms", "p95 ms", "max ms", "length", "invalid");
    for (const PlanRow& row : rows) fmt::print("{}", row_text(row, false));
    return;
  }
  fmt::print("{{\"rows\": [");
  const char* comma = "";
  for (const PlanRow& row : rows) {
    fmt::print("{}\n  {}", comma, row_text(row, true));
    comma = ",";
  }
  fmt::print("]}}\n");
}

/// Where somebody watches: how far it has come, on one line.
void show_progress(std::string_view what, std::size_t done, std::size_t all) {
  if (isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r\033[K");
  if (done < all) fmt::print(stderr, "{}: {} of {}", what, done, all);
  std::fflush(stderr);
}

/// A planner and its two rows.
struct Entry {
  std::unique_ptr<Contestant> contestant;
  PlanRow found;
  PlanRow shortened;
};

void note(const Planned& planned, double time_ms, const Corners& path, FclJudge* judge, PlanRow& row) {
  ++row.count;
  row.times_ms.push_back(time_ms);
  if (!planned.is_solved) return;
  ++row.solved;
  row.length += length_of(path);
  if (judge != nullptr) row.invalid = row.invalid.value_or(0) + (judge->is_path_clear(path) ? 0 : 1);
}

void measure(const PlanningProblem& problem, const Obstacles& world, std::size_t rounds, FclJudge* judge,
             std::vector<Entry>& entries) {
  if (judge != nullptr) judge->set_world(world);
  for (Entry& entry : entries) {
    entry.contestant->set_world(world);
    Planned best = entry.contestant->plan(problem.start, problem.goal);
    for (std::size_t round = 1; round < rounds; ++round) {
      const Planned again = entry.contestant->plan(problem.start, problem.goal);
      best.search_ms = std::min(best.search_ms, again.search_ms);
      best.shorten_ms = std::min(best.shorten_ms, again.shorten_ms);
    }
    note(best, best.search_ms, best.first, judge, entry.found);
    note(best, best.search_ms + best.shorten_ms, best.shortened, judge, entry.shortened);
  }
}

Result<std::vector<PlanningProblem>> problems_for(const PlanBenchOptions& options,
                                                  const PlanningRobot& robot) {
  if (!options.problems.empty()) return load_problems(options.problems);
  std::vector<PlanningProblem> all;
  const std::vector<std::string> kinds =
      options.generate == "all" ? problem_kinds() : std::vector<std::string>{options.generate};
  for (const std::string& kind : kinds) {
    auto made = generate_problems(
        robot.chosen.robot.model, robot.chosen.chain,
        {.kind = kind,
         .count = options.count,
         .seed = options.seed,
         .clearance = {.mesh_points = points_of_mesh},
         .progress = [&](std::size_t count) { show_progress("making " + kind, count, options.count); }});
    if (!made) return made.error();
    fmt::print(stderr, "{}: {} problems with a known path; {} drawn besides without one were left out\n",
               kind, made->problems.size(), made->undecided);
    for (PlanningProblem& problem : made->problems) all.push_back(std::move(problem));
  }
  return all;
}

Status write_problems(const std::vector<PlanningProblem>& problems, const std::string& path) {
  if (path.empty()) return Done{};
  std::ofstream file(path);
  for (const PlanningProblem& problem : problems) file << problem_text(problem);
  file.flush();
  if (file) return Done{};
  return Error{ErrorCode::SystemFailure, fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

std::vector<Entry> entries_for(const PlanSetting& setting, bool with_rivals) {
  std::vector<std::unique_ptr<Contestant>> contestants;
  contestants.push_back(make_sinew(setting));
  if (auto whole = make_whole_chain(setting)) contestants.push_back(std::move(whole));
  const std::size_t ours = contestants.size();
  if (with_rivals) {
    for (auto& rival : make_rivals(setting)) contestants.push_back(std::move(rival));
    if (contestants.size() == ours) {
      fmt::print(stderr,
                 "OMPL was not built in (install libompl-dev and build again): only Sinew is measured\n");
    }
  }
  std::vector<Entry> entries;
  for (auto& contestant : contestants) {
    const std::string name = contestant->name();
    entries.push_back({.contestant = std::move(contestant),
                       .found = {.planner = name},
                       .shortened = {.planner = name + " + simplification"}});
  }
  return entries;
}

Result<std::vector<PlanRow>> measure_all(const PlanBenchOptions& options) {
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
  if (Status written = write_problems(*problems, options.out); !written) return written.error();
  auto planned = positions_for(*robot, problems->front().start.size());
  if (!planned) return planned.error();
  const PlanSetting setting{.model = &robot->chosen.robot.model,
                            .planned = *planned,
                            .base_link = robot->chosen.base_link,
                            .tip_link = robot->chosen.tip_link,
                            .others = starting_positions(robot->chosen.robot.model),
                            .time_limit = options.time_limit,
                            .seed = static_cast<unsigned>(options.seed)};
  std::vector<Entry> entries = entries_for(setting, options.with_rivals);
  std::optional<FclJudge> judge;
  if (options.with_judge && FclJudge::is_available()) judge.emplace(setting);
  if (options.with_judge && !judge)
    fmt::print(stderr, "FCL was not built in (install libfcl-dev and build again): no path is re-checked\n");
  std::size_t done = 0;
  for (const PlanningProblem& problem : *problems) {
    if (problem.start.size() != planned->size()) {
      return Error{ErrorCode::InvalidInput,
                   fmt::format("problem '{} {}' has {} joint positions, the first has {}", problem.name,
                               problem.index, problem.start.size(), planned->size())};
    }
    const auto world = world_of(problem);
    if (!world) return world.error();
    measure(problem, *world, options.rounds, judge ? &*judge : nullptr, entries);
    show_progress("planning", ++done, problems->size());
  }
  std::vector<PlanRow> rows;
  for (Entry& entry : entries) {
    rows.push_back(std::move(entry.found));
    if (entry.contestant->has_simplification()) rows.push_back(std::move(entry.shortened));
  }
  return rows;
}

Result<LineRow> measure_lines_of(const PlanBenchOptions& options) {
  const auto robot = load_planning_robot(options.choice, points_of_mesh);
  if (!robot) return robot.error();
  return measure_lines(robot->chosen.chain,
                       {.count = options.count, .seed = options.seed, .rounds = options.rounds});
}

int refuse(const Error& error) {
  fmt::print(stderr, "sinew: {}\n", error.message);
  return error.code == ErrorCode::InvalidInput ? kUsageError : 1;
}

int run(std::span<const char* const> words) {
  const auto options = plan_options_from(words);
  if (options && options->is_help) {
    fmt::print("{}", plan_help_text());
    return 0;
  }
  if (options && options->generate == "lines") {
    const auto row = measure_lines_of(*options);
    if (!row) return refuse(row.error());
    fmt::print("{}", line_row_text(*row, options->is_json));
    return 0;
  }
  const auto rows = options ? measure_all(*options) : Result<std::vector<PlanRow>>(options.error());
  if (!rows) return refuse(rows.error());
  print_rows(*rows, options->is_json);
  return 0;
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
  return sinew::bench::run({argv + 1, static_cast<std::size_t>(argc - 1)});
}

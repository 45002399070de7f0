// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-ik: inverse kinematics, ours beside KDL's on the same poses, turn by turn in one process on one
// core.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "sinew/kinematics/sample_arms.h"

#include "ik_options.h"
#include "ik_report.h"
#include "rival.h"
#include "rows/exit_code.h"

namespace sinew::bench {
namespace {

/// A chain to measure, and what the table calls it.
struct Entry {
  std::string name;
  ChosenChain chosen;
};

Entry entry_of_sample(RobotModel model, std::string name) {
  LoadedRobot robot;
  robot.model = std::move(model);
  SerialChain chain = arms::chain_of(robot.model);
  const std::size_t tip = robot.model.links.size() - 1;
  return {.name = std::move(name),
          .chosen = {.robot = std::move(robot),
                     .chain = std::move(chain),
                     .tip = "tip",
                     .base_link = 0,
                     .tip_link = tip}};
}

/// Every arm of every robot shipped, two known ones more, and drawn ones without a closed form.
Result<std::vector<Entry>> all_entries() {
  std::vector<Entry> entries;
  for (const std::string& name : robot_names(usual_places())) {
    const auto robot = load_robot(name);
    if (!robot) return robot.error();
    for (const Arm& arm : robot->model.arms) {
      auto chosen = choose_chain({.robot = name, .arm = arm.name});
      if (!chosen) return chosen.error();
      const bool is_only = robot->model.arms.size() == 1;
      entries.push_back({.name = is_only ? name : name + " " + arm.name, .chosen = *std::move(chosen)});
    }
  }
  entries.push_back(entry_of_sample(arms::kr6(), "(kr6)"));
  entries.push_back(entry_of_sample(arms::iiwa(), "(iiwa)"));
  arms::Random random{5};
  for (const int joints : {5, 6, 7}) {
    entries.push_back(entry_of_sample(arms::ugly(random, joints), fmt::format("(drawn {}R)", joints)));
  }
  return entries;
}

Result<std::vector<Entry>> entries_for(const IkBenchOptions& options) {
  if (options.is_all) return all_entries();
  auto chosen = choose_chain(options.choice);
  if (!chosen) return chosen.error();
  std::string name = chosen->robot.model.name;
  std::vector<Entry> entries;
  entries.push_back({.name = std::move(name), .chosen = *std::move(chosen)});
  return entries;
}

Result<PoseList> poses_for(const Entry& entry, const IkBenchOptions& options) {
  const SerialChain& chain = entry.chosen.chain;
  if (options.poses.empty()) return draw_poses(chain, options.count.value_or(kUsualCount), options.seed);
  auto poses = read_poses(options.poses, chain);
  if (!poses) return poses;
  if (!poses->unused_columns.empty())
    fmt::print(stderr, "{}: columns not used: {}\n", options.poses, fmt::join(poses->unused_columns, ", "));
  if (options.count) poses->shorten(*options.count);
  if (const std::size_t strange = count_strange(*poses, chain); strange > 0) {
    fmt::print(stderr,
               "{}: {} of {} poses are not where their joints q1… put '{}'; is the base or tip another?\n",
               options.poses, strange, poses->targets.size(), entry.chosen.tip);
  }
  return poses;
}

void say_what_is_missing(const Entry& entry, const IkBenchOptions& options) {
  if (!options.with_kdl) return;
  if (!KdlSolver::is_built_in()) {
    fmt::print(
        stderr,
        "KDL was not built in (install liborocos-kdl-dev and build again): only Sinew is measured, and "
        "judges itself\n");
  } else if (KdlSolver::make(entry.chosen) == nullptr) {
    fmt::print(stderr, "{}: KDL cannot say this chain (a joint mimics another): only Sinew is measured\n",
               entry.name);
  }
}

Result<IkReport> measure_all(const IkBenchOptions& options) {
  const auto entries = entries_for(options);
  if (!entries) return entries.error();
  IkReport report;
  for (const Entry& entry : *entries) {
    if (options.is_all) fmt::print(stderr, "{} …\n", entry.name);
    const auto poses = poses_for(entry, options);
    if (!poses) return poses.error();
    say_what_is_missing(entry, options);
    const IkMeasure what{.with_kdl = options.with_kdl, .with_numerical = options.with_numerical};
    for (IkRow& row : measure_ik(entry.name, entry.chosen, *poses, what))
      report.rows.push_back(std::move(row));
    if (options.with_forward || !options.is_json)
      report.forward.push_back(measure_forward(entry.name, entry.chosen, options.with_kdl));
  }
  return report;
}

Status write_csv(const IkReport& report, const std::string& path) {
  if (path.empty()) return Done{};
  std::ofstream file(path);
  file << ik_csv_text(report);
  file.flush();
  if (file) return Done{};
  return Error{ErrorCode::SystemFailure, fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

int run(std::span<const char* const> words) {
  const auto options = ik_options_from(words);
  if (!options) return complain(options.error());
  if (options->is_help) {
    fmt::print("{}", ik_help_text());
    return 0;
  }
  const auto report = measure_all(*options);
  if (!report) return complain(report.error());
  fmt::print("{}", options->is_json ? ik_json_text(*report, options->is_all) : ik_table_text(*report));
  if (const Status written = write_csv(*report, options->csv); !written) return complain(written.error());
  return 0;
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
  return sinew::bench::run({argv + 1, static_cast<std::size_t>(argc - 1)});
}

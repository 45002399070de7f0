// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-simulation: how many times faster than real time worlds run in lockstep, the simulator alone
// and with the controller: one command and one state of the robot each simulated millisecond.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"
#include "sinew/simulation/simulated_driver.h"
#include "sinew/simulation/world_yaml.h"

#include "apps/cli/bench_commands.h"
#include "apps/cli/program.h"
#include "apps/lockstep/lockstep.h"

namespace sinew::bench {
namespace {

constexpr int kBatch = 100;  // steps measured together

/// One world with one robot, measured in one way.
struct SimulationRow {
  std::string world;
  std::string robot;
  std::string part;  ///< "simulator", or "with controller".
  std::size_t joints = 0;
  std::size_t contacts = 0;
  std::vector<double> times;  ///< [us] per step, sorted.

  double at(double share) const {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  }
  double times_real() const { return 1e3 / at(0.5); }
};

/// CPU time of this process: other load on the machine counts only as far as it slows a core.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<double> measure(double seconds, const std::function<void(int)>& step) {
  const int batches = std::max(1, static_cast<int>(seconds * 1e3 / kBatch));
  std::vector<double> times;
  for (int cycle = 0; cycle < batches * kBatch;) {
    const double begun = cpu_seconds();
    for (int i = 0; i < kBatch; ++i, ++cycle) step(cycle);
    times.push_back(1e6 * (cpu_seconds() - begun) / kBatch);
  }
  std::ranges::sort(times);
  return times;
}

/// All joints to and fro by a tenth of a radian or metre, within their limits.
double waved(const RobotModel& model, const std::vector<double>& start, std::size_t joint, int cycle) {
  const JointLimits& limits = model.joints[model.positions[joint]].limits;
  return std::clamp(start[joint] + 0.05 * (1.0 - std::cos(2e-3 * cycle)), limits.lower, limits.upper);
}

std::vector<double> measure_simulator(Simulation& simulation, double seconds) {
  const SceneRobot& robot = simulation.scene().robots.front();
  SimulatedDriver driver(simulation, robot.name);
  static_cast<void>(driver.connect());
  JointState state;
  JointCommand command{.moved_mask = enabled_mask(robot.model),
                       .joint_count = static_cast<std::uint32_t>(robot.start.size()),
                       .is_enabled = 1};
  return measure(seconds, [&](int cycle) {
    driver.read(simulation.now_ns(), state);
    for (std::size_t j = 0; j < robot.start.size(); ++j) {
      command.position[j] = waved(robot.model, robot.start, j, cycle);
      command.velocity[j] = 0.1 * std::sin(2e-3 * cycle);
    }
    driver.write(command);
    simulation.step();
  });
}

std::vector<double> measure_stack(Lockstep& lockstep, const std::vector<double>& start, double seconds) {
  lockstep.controller().set_source(0, "bench", 0);
  constexpr int kBetweenTargets = 250;
  return measure(seconds, [&](int cycle) {
    if (cycle % kBetweenTargets == 0) {
      JointReference reference{.stamp_ns = lockstep.now_ns(), .joint_mask = enabled_mask(lockstep.model())};
      for (std::size_t j = 0; j < start.size(); ++j)
        reference.position[j] = waved(lockstep.model(), start, j, cycle);
      lockstep.put(0, reference);
    }
    lockstep.step();
  });
}

Result<Scene> scene_of(const std::string& world, const std::string& robot) {
  const WorldPlaces places = usual_world_places();
  auto scene = load_world(world, places);
  if (!scene || !scene->robots.empty()) return scene;
  auto added = scene_robot(robot, robot, "", places.robots);
  if (!added) return added.error();
  scene->robots.push_back(*std::move(added));
  return scene;
}

/// The simulator alone, then the whole stack.
Result<std::vector<SimulationRow>> measure_world(const std::string& world, const std::string& robot,
                                                 double seconds) {
  auto scene = scene_of(world, robot);
  if (!scene) return scene.error();
  const std::string name = scene->robots.front().name;
  auto settings = load_robot(robot);
  if (!settings) return settings.error();
  const auto control = read_control(settings->settings.control);
  if (!control) return control.error();

  auto simulation = Simulation::make(*scene);
  if (!simulation) return simulation.error();
  const std::vector<double> start = (*simulation)->scene().robots.front().start;
  std::vector<SimulationRow> rows(2, {.world = world, .robot = robot, .joints = start.size()});
  rows[0].part = "simulator";
  rows[0].times = measure_simulator(**simulation, seconds);
  rows[0].contacts = (*simulation)->contacts().size();

  auto lockstep = Lockstep::make(*std::move(scene), name, *control);
  if (!lockstep) return lockstep.error();
  if (Status shown = (*lockstep)->show_world(); !shown) return shown.error();
  rows[1].part = "with controller";
  rows[1].times = measure_stack(**lockstep, start, seconds);
  rows[1].contacts = (*lockstep)->simulation().contacts().size();
  return rows;
}

void print_row(const SimulationRow& row, const cli::Words& words, bool is_first) {
  if (words.has("--csv")) {
    fmt::print("{},{},{},{},{},{:.2f},{:.2f},{:.2f},{:.2f}\n", row.world, row.robot, row.part, row.joints,
               row.contacts, row.at(0), row.at(0.5), row.at(0.99), row.times_real());
  } else if (words.has("--json")) {
    fmt::print(
        "{}{{\"world\": \"{}\", \"robot\": \"{}\", \"part\": \"{}\", \"joints\": {}, \"contacts\": {}, "
        "\"best_us\": {:.2f}, \"median_us\": {:.2f}, \"p99_us\": {:.2f}, \"times_real\": {:.2f}}}",
        is_first ? "" : ", ", row.world, row.robot, row.part, row.joints, row.contacts, row.at(0),
        row.at(0.5), row.at(0.99), row.times_real());
  } else {
    fmt::print("{:<8} {:<16} {:<16} {:>7} {:>9} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f}\n", row.world, row.robot,
               row.part, row.joints, row.contacts, row.at(0), row.at(0.5), row.at(0.99), row.times_real());
  }
  std::fflush(stdout);
}

/// The worlds asked for, each with its robots.
std::vector<std::pair<std::string, std::string>> rows_wanted(const cli::Words& words) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string world : {"empty", "table"})
    for (const std::string& robot : robot_names(usual_world_places().robots)) all.emplace_back(world, robot);
  all.emplace_back("mds", "mds");
  all.emplace_back("hanoi", "scorbot-er3");
  std::erase_if(all, [&](const auto& row) {
    return (words.has("--world") && row.first != words.text("--world")) ||
           (words.has("--robot") && row.second != words.text("--robot"));
  });
  return all;
}

void print_head(const cli::Words& words) {
  if (words.has("--csv"))
    fmt::print("world,robot,part,joints,contacts,best_us,median_us,p99_us,times_real\n");
  else if (words.has("--json"))
    fmt::print("{{\"rows\": [");
  else
    fmt::print("{:<8} {:<16} {:<16} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "world", "robot", "part",
               "joints", "contacts", "best us", "p50 us", "p99 us", "x real");
}

Status run(const cli::Words& words, std::ostream& /*out*/) {
  const auto seconds = words.number("--seconds", 0.1, 1e6);
  if (!seconds) return seconds.error();
  const auto wanted = rows_wanted(words);
  if (wanted.empty())
    return Error{ErrorCode::NotFound,
                 fmt::format("no row has robot '{}' in world '{}'; see --help for what is measured",
                             words.has("--robot") ? words.text("--robot") : "any",
                             words.has("--world") ? words.text("--world") : "any")};
  print_head(words);
  bool is_first = true;
  for (const auto& [world, robot] : wanted) {
    const auto rows = measure_world(world, robot, *seconds);
    if (!rows) return rows.error();
    for (const SimulationRow& row : *rows) print_row(row, words, std::exchange(is_first, false));
  }
  if (words.has("--json")) fmt::print("]}}\n");
  return Done{};
}

}  // namespace
}  // namespace sinew::bench

int main(int count, char** words) {
  sinew::cli::Command command = sinew::cli::bench_simulation_command();
  command.run = sinew::bench::run;
  return sinew::cli::run_program(command, std::vector<std::string>(words + 1, words + count));
}

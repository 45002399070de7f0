// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-soak: hours of controller, guard and physics under random wishes, judged.
#include <algorithm>
#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/model/load_robot.h"
#include "sinew/simulation/world_yaml.h"

#include "apps/cli/bench_commands.h"
#include "apps/cli/program.h"
#include "apps/lockstep/soak.h"

namespace sinew::bench {
namespace {

// two hours in twenty minutes; of a shorter run the speed says nothing
constexpr double kLeastTimesReal = 6.0;
constexpr double kJudged = 7200.0;  // [s] simulated
constexpr std::int64_t kWarm_ns = 20 * kSecond_ns;
constexpr std::int64_t kPiece_ns = kSecond_ns;
constexpr std::int64_t kBetweenLines_ns = 10 * kSecond_ns;

/// The world asked for, known to the guard, with the robot in it.
Result<std::unique_ptr<Lockstep>> make_stack(const cli::Words& words, RobotControl& control) {
  const WorldPlaces places = usual_world_places();
  auto scene = load_world(words.text("--world"), places);
  if (!scene) return scene.error();
  const std::string robot = words.text("--robot");
  auto loaded = load_robot(robot);
  if (!loaded) return loaded.error();
  auto settings = read_control(loaded->settings.control);
  if (!settings) return settings.error();
  control = *settings;
  if (scene->robots.empty()) {
    auto added = scene_robot(robot, robot, "", places.robots);
    if (!added) return added.error();
    scene->robots.push_back(*std::move(added));
  }
  auto lockstep = Lockstep::make(*std::move(scene), robot, control);
  if (!lockstep) return lockstep.error();
  if (Status shown = (*lockstep)->show_world(); !shown) return shown.error();
  return lockstep;
}

void tell_progress(const SoakReport& report, double wall) {
  const double simulated = 1e-3 * static_cast<double>(report.cycles);
  fmt::print(stderr, "soak: {:.0f} s simulated in {:.0f} s ({:.1f} x real), {:.1f} MiB, {} complaints\n",
             simulated, wall, simulated / std::max(wall, 1e-9),
             static_cast<double>(resident_bytes()) / (1U << 20U), report.violations.size());
}

std::string joint_name(const Lockstep& lockstep, std::size_t position) {
  return lockstep.model().joints[lockstep.model().positions[position]].name;
}

void print_text(const SoakReport& report, const Lockstep& lockstep, double wall, std::ostream& out) {
  const auto cycles = static_cast<double>(report.cycles);
  out << fmt::format(
      "{:.0f} s simulated in {:.1f} s: {:.1f} x real; of a millisecond's CPU time {:.1f} us are the "
      "controller's, {:.1f} us the simulator's\n",
      1e-3 * cycles, wall, 1e-3 * cycles / wall, 1e6 * report.control_s / cycles,
      1e6 * report.physics_s / cycles);
  out << fmt::format("{} wishes; the guard held joints in {:.1f} % of the cycles\n", report.references,
                     100.0 * static_cast<double>(report.held_cycles) / cycles);
  const auto extreme = [&](const char* what, const SoakExtreme& worst) {
    out << fmt::format("most {} sent: {:.6f} of its bound ({})\n", what, worst.share,
                       joint_name(lockstep, worst.joint));
  };
  extreme("velocity", report.velocity);
  extreme("acceleration", report.acceleration);
  extreme("jerk", report.jerk);
  out << fmt::format("worst tracking: {:.3f} mrad or mm ({})\n", 1e3 * report.worst_tracking,
                     joint_name(lockstep, report.worst_tracking_joint));
  out << fmt::format("furthest beyond a joint limit: {:.3f} mrad or mm\n", 1e3 * report.worst_overrun);
  out << fmt::format("nearest two things came: {:.1f} mm\n", 1e3 * report.nearest);
  out << fmt::format("memory: {:.1f} MiB at the start, {:.1f} MiB at the end\n",
                     static_cast<double>(report.resident_begin) / (1U << 20U),
                     static_cast<double>(report.resident_end) / (1U << 20U));
  for (const std::string& violation : report.violations) out << "VIOLATED " << violation << "\n";
  if (report.violations.empty()) out << "no bound, limit or margin was violated\n";
}

void print_json(const SoakReport& report, double wall, std::ostream& out) {
  const auto cycles = static_cast<double>(report.cycles);
  out << fmt::format(
      "{{\"simulated_s\": {}, \"wall_s\": {:.3f}, \"times_real\": {:.3f}, \"controller_us\": {:.3f}, "
      "\"simulator_us\": {:.3f}, \"wishes\": {}, \"held_share\": {:.6f}, \"velocity_share\": {:.9f}, "
      "\"acceleration_share\": {:.9f}, \"jerk_share\": {:.9f}, \"worst_tracking\": {:.9f}, "
      "\"worst_overrun\": {:.9f}, \"nearest_m\": {:.6f}, \"resident_begin\": {}, \"resident_end\": {}, "
      "\"violations\": {}}}\n",
      1e-3 * cycles, wall, 1e-3 * cycles / wall, 1e6 * report.control_s / cycles,
      1e6 * report.physics_s / cycles, report.references, static_cast<double>(report.held_cycles) / cycles,
      report.velocity.share, report.acceleration.share, report.jerk.share, report.worst_tracking,
      report.worst_overrun, report.nearest, report.resident_begin, report.resident_end,
      report.violations.size());
}

Status run(const cli::Words& words, std::ostream& out) {
  const auto minutes = words.number("--minutes", 0.01, 1e5);
  if (!minutes) return minutes.error();
  const auto seed = words.whole("--seed", 0, 0xffffffff);
  if (!seed) return seed.error();
  const auto programs = words.whole("--programs", 1, 8);
  if (!programs) return programs.error();
  RobotControl control;
  auto lockstep = make_stack(words, control);
  if (!lockstep) return lockstep.error();
  Soak soak(**lockstep, {.seed = *seed, .programs = *programs, .margin = control.margin});

  const std::int64_t duration_ns = nanoseconds_from_seconds(60.0 * *minutes);
  const std::int64_t warm_ns = std::min(kWarm_ns, duration_ns / 4);
  const std::int64_t begun_ns = monotonic_now_ns();
  std::int64_t told_ns = begun_ns;
  bool is_warm = false;
  for (std::int64_t done_ns = 0; done_ns < duration_ns; done_ns += kPiece_ns) {
    if (!is_warm && done_ns >= warm_ns) {
      soak.note_warm();
      is_warm = true;
    }
    soak.run(std::min(kPiece_ns, duration_ns - done_ns));
    if (monotonic_now_ns() - told_ns < kBetweenLines_ns) continue;
    told_ns = monotonic_now_ns();
    tell_progress(soak.report(), seconds_from_nanoseconds(told_ns - begun_ns));
  }
  soak.finish();
  const double wall = seconds_from_nanoseconds(monotonic_now_ns() - begun_ns);
  if (words.has("--json"))
    print_json(soak.report(), wall, out);
  else
    print_text(soak.report(), **lockstep, wall, out);
  if (!soak.report().violations.empty())
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("{} or more violations; the first: {}", soak.report().violations.size(),
                             soak.report().violations.front())};
  const double allowed = 60.0 * *minutes / kLeastTimesReal;
  if (60.0 * *minutes >= kJudged && wall > allowed)
    return Error{
        ErrorCode::TimedOut,
        fmt::format("it took {:.0f} s, more than {:.0f} s: {:.1f} times real time, at least {:.0f} is wanted",
                    wall, allowed, 60.0 * *minutes / wall, kLeastTimesReal)};
  return Done{};
}

}  // namespace
}  // namespace sinew::bench

int main(int count, char** words) {
  sinew::cli::Command command = sinew::cli::bench_soak_command();
  command.run = sinew::bench::run;
  return sinew::cli::run_program(command, std::vector<std::string>(words + 1, words + count));
}

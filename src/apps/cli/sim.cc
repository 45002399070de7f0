// SPDX-License-Identifier: BSD-3-Clause
// sinew sim: physics and pictures have programs of their own, so that this one needs neither MuJoCo nor Mesa.
#include "apps/cli/sim.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ostream>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

constexpr std::size_t kMostNumbers = 64;

// Becomes another program of ours; comes back only when that fails.
Status become(const std::string& program, const std::vector<std::string>& words, std::string_view remedy) {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::string path = (folder / program).string();
  std::vector<char*> arguments{const_cast<char*>(path.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(path.c_str(), arguments.data());
  return Error{ErrorCode::NotFound, fmt::format("cannot run {}: {}; {}", path, std::strerror(errno), remedy)};
}

void pass_on(const Words& words, std::string_view option, std::vector<std::string>& to) {
  if (!words.has(option)) return;
  to.emplace_back(option);
  to.push_back(words.text(option));
}

// Values that are several numbers go as several words.
Status pass_numbers(const Words& words, std::string_view option, std::vector<std::string>& to) {
  if (!words.has(option)) return Done{};
  const auto numbers = words.numbers(option);
  if (!numbers) return numbers.error();
  to.emplace_back(option);
  for (const double number : *numbers) to.push_back(fmt::format("{}", number));
  return Done{};
}

Status run_snapshot(const Words& words, std::vector<std::string> passed) {
  passed.insert(passed.begin(), words.text("--snapshot"));
  if (Status done = pass_numbers(words, "--q", passed); !done) return done;
  if (Status done = pass_numbers(words, "--from", passed); !done) return done;
  return become("sinew-snapshot", passed,
                "pictures need the packages libosmesa6-dev and libpng-dev: install them, then build again");
}

Status run_sim(const Words& words, std::ostream& out) {
  std::vector<std::string> passed{"--world", words.arguments().empty() ? "empty" : words.argument(0)};
  for (const std::string_view option : {"--robot", "--name", "--posture", "--discs", "--space"})
    pass_on(words, option, passed);
  out.flush();
  if (words.has("--snapshot")) return run_snapshot(words, std::move(passed));
  for (const std::string_view option : {"--speed", "--seconds"}) pass_on(words, option, passed);
  if (words.has("--paused")) passed.emplace_back("--paused");
  return become("sinew-simulator", passed, "build it: './sinew' does, or the target 'programs'");
}

}  // namespace

Command sim_command() {
  return {
      .name = "sim",
      .summary = "Run a world of physics with its robots, or take a picture of it",
      .details =
          "Each robot of the world is a device on its channels NAME/device/command, state and request; "
          "NAME/clock tells its time and NAME/world_truth where the objects are. In a terminal: space "
          "pauses, '.' takes one step, '+' and '-' change the speed, 'r' puts all back to where it started, "
          "'q' "
          "ends; from elsewhere 'sinew sim pause', resume, step, speed and reset do the same.",
      .arguments = {{.name = "WORLD",
                     .help = "Name or folder of the world; 'empty' when none is given.",
                     .completion = Completion::File,
                     .is_optional = true}},
      .options =
          {{.name = "--robot", .value_name = "ROBOT", .help = "Also this robot, at the world's origin."},
           {.name = "--name", .value_name = "NAME", .help = "What that robot is called; its own name."},
           {.name = "--posture", .value_name = "NAME", .help = "Where that robot starts: 'home' first."},
           {.name = "--discs", .value_name = "N", .help = "Of the world's tower: 1 to 6; as the world says."},
           {.name = "--speed",
            .value_name = "X",
            .help = "Simulated seconds per second, 0.01 to 100; max: as fast as it can.",
            .fallback = "1"},
           {.name = "--paused", .value_name = "", .help = "Stand still until told to go on."},
           {.name = "--seconds",
            .value_name = "S",
            .help = "End after that long; 0: never.",
            .fallback = "0"},
           {.name = "--snapshot",
            .value_name = "FILE",
            .help = "Write a picture of the world as it starts, as PNG, and end.",
            .completion = Completion::File},
           {.name = "--q",
            .value_name = "Q",
            .help = "Picture: where the robot's joints are [rad, m].",
            .most_values = kMostNumbers},
           {.name = "--from",
            .value_name = "DEG",
            .help = "Picture: azimuth and elevation of the view [deg], perhaps distance [m].",
            .most_values = 3}},
      .examples = {"sinew sim table --robot panda", "sinew sim mds --speed 0.5",
                   "sinew sim table --robot ur5e --snapshot out.png --from 135 -20"},
      .run = run_sim,
  };
}

}  // namespace sinew::cli

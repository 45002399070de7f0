// SPDX-License-Identifier: BSD-3-Clause
// sinew lab new
#include "apps/cli/lab_new.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/channels/place_name.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"

#include "apps/cli/lab_templates.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

// where a joint's own speed is not known
constexpr double kAnySpeed = 1.0;

Error cannot(std::string_view doing, const fs::path& path, const std::error_code& error) {
  return {ErrorCode::SystemFailure, fmt::format("cannot {} {}: {}", doing, path.string(), error.message())};
}

Status write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (file) return Done{};
  return Error{ErrorCode::SystemFailure, fmt::format("cannot write {}", path.string())};
}

std::string text_in_file(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool has_key(const std::string& yaml, const std::string& key) {
  return yaml.starts_with(key + ":") || yaml.find("\n" + key + ":") != std::string::npos;
}

// The folder above the programs that has the Python package, in a clone or where Sinew is installed; empty
// when there is none.
fs::path python_above(fs::path folder) {
  std::error_code error;
  for (; folder.has_relative_path(); folder = folder.parent_path())
    for (const char* place : {"python", "share/sinew/python"})
      if (fs::exists(folder / place / "sinew", error)) return folder / place;
  return {};
}

Result<LabFacts> facts_of(const std::string& name, const std::string& robot_name, const RobotModel& model) {
  std::error_code error;
  const fs::path programs = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path build = programs.parent_path();
  LabFacts facts{.name = name,
                 .robot = robot_name,
                 .instance = fs::path(robot_name).lexically_normal().filename().string(),
                 .python = python_above(programs).string(),
                 .build = build.string()};
  if (facts.python.empty())
    return Error{ErrorCode::NotFound,
                 fmt::format("there is neither python/sinew nor share/sinew/python/sinew above {}: the "
                             "templates need Sinew's Python package",
                             programs.string())};
  facts.root = fs::path(facts.python).parent_path().string();
  std::vector<std::string> positions;
  std::vector<std::string> velocities;
  const std::vector<double> start = starting_positions(model);
  for (std::size_t i = 0; i < start.size(); ++i) {
    const double velocity = model.joints[model.positions[i]].limits.velocity;
    positions.push_back(fmt::format("{:.5g}", start[i]));
    velocities.push_back(fmt::format("{:.4g}", std::isfinite(velocity) ? velocity : kAnySpeed));
  }
  facts.positions = fmt::format("{}", fmt::join(positions, ", "));
  facts.velocities = fmt::format("{}", fmt::join(velocities, ", "));
  return facts;
}

// A part lives in a robot: a copy, whose robot.yaml names it.
Status copy_robot(const LoadedRobot& robot, const fs::path& folder, const std::string& processes) {
  const fs::path source = robot.urdf.parent_path();
  const std::string yaml = text_in_file(source / "robot.yaml");
  if (yaml.empty() || has_key(yaml, "processes") ||
      (has_key(processes, "control") && has_key(yaml, "control")))
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{} has a section 'processes' or 'control' of its own, or is none: copy it by "
                             "hand, and add to robot.yaml:{}",
                             (source / "robot.yaml").string(), processes)};
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(source, error)) {
    const std::string name = entry.path().filename().string();
    if (name == "README.md" || name == "picture.png" || name == "variants") continue;
    fs::copy(entry.path(), folder / name, fs::copy_options::recursive, error);
    if (error) return cannot("copy", entry.path(), error);
  }
  return write_file(folder / "robot.yaml", yaml + processes);
}

Status write_lab(const fs::path& folder, std::string_view part, bool is_cpp, const LabFacts& facts) {
  const fs::path program = folder / (facts.name + (is_cpp ? ".cc" : ".py"));
  if (Status written = write_file(program, lab_program(part, is_cpp, facts)); !written) return written;
  if (Status written = write_file(folder / "README.md", lab_readme(part, is_cpp, facts)); !written)
    return written;
  if (Status written = write_file(folder / "run", lab_run_script(is_cpp, facts)); !written) return written;
  std::error_code error;
  fs::permissions(folder / "run", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, error);
  return error ? Status(cannot("make executable", folder / "run", error)) : Status(Done{});
}

Status run_lab_new(const Words& words, std::ostream& out) {
  const fs::path folder = fs::absolute(words.argument(0)).lexically_normal();
  const std::string name = folder.filename().string();
  const std::string part = words.text("--part");
  const bool is_cpp = words.has("--cpp");
  if (is_cpp && words.has("--python")) return usage_error("give --python or --cpp, not both");
  if (!channels::is_word(name))
    return usage_error(fmt::format("'{}' cannot be a name: use letters, digits, '.', '-' and '_'", name));
  const auto robot = load_robot(words.text("--robot"));
  if (!robot) return robot.error();
  const auto facts = facts_of(name, words.text("--robot"), robot->model);
  if (!facts) return facts.error();
  if (lab_program(part, is_cpp, *facts).empty())
    return usage_error(
        fmt::format("there is no template for '{}'{}: there are controller (--python or --cpp), ik, "
                    "planner and driver",
                    part, is_cpp ? " in C++" : ""));
  if (is_cpp && !fs::exists(fs::path(facts->root) / "src/sinew/channels/live_robot.h"))
    return Error{ErrorCode::NotFound,
                 fmt::format("a controller in C++ needs Sinew's headers and libraries, and {} has none: take "
                             "--python, or a 'sinew' that was built in its clone",
                             facts->root)};
  std::error_code error;
  // not create_directories: what is there already stays as it is
  if (!fs::create_directory(folder, error))
    return error ? cannot("make", folder, error)
                 : Error{ErrorCode::AlreadyExists,
                         fmt::format("{} is there already: choose another name", folder.string())};
  const std::string processes = lab_processes(part);
  if (!processes.empty()) {
    if (Status copied = copy_robot(*robot, folder, processes); !copied) {
      fs::remove_all(folder, error);
      return copied;
    }
  }
  if (Status written = write_lab(folder, part, is_cpp, *facts); !written) return written;
  out << (processes.empty() ? fmt::format("start a robot with 'sinew start {} --sim', then: {}/run\n",
                                          facts->robot, words.argument(0))
                            : fmt::format("start it with: sinew start {} --sim\n", words.argument(0)));
  return Done{};
}

}  // namespace

const Command kLabNewCommand{
    .name = "lab new",
    .summary = "Make a controller, or a part of a robot, of your own to begin with",
    .details =
        "Writes a folder with a program of under 20 lines that runs at once, a script 'run' and a README. A "
        "controller moves a robot that runs. A part (ik, planner, driver) stands in a copy of the robot "
        "whose "
        "robot.yaml has the supervisor start it in place of Sinew's own.",
    .arguments = {{.name = "NAME", .help = "The folder to make.", .completion = Completion::File}},
    .options = {{.name = "--python", .value_name = "", .help = "In Python; so it is unless --cpp is given."},
                {.name = "--cpp", .value_name = "", .help = "In C++; controllers only."},
                {.name = "--part",
                 .value_name = "PART",
                 .help = "controller, ik, planner or driver.",
                 .fallback = "controller"},
                {.name = "--robot",
                 .value_name = "ROBOT",
                 .help = "For which robot: name or folder.",
                 .fallback = "scorbot-er3"}},
    .examples = {"sinew lab new my_controller --python", "sinew lab new my_ik --part ik"},
    .run = run_lab_new,
};

}  // namespace sinew::cli

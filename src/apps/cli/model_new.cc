// SPDX-License-Identifier: BSD-3-Clause
// sinew new FILE.urdf
#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/mesh/mesh_remarks.h"
#include "sinew/model/new_robot.h"

#include "apps/cli/collision_pairs.h"
#include "apps/cli/model_commands.h"
#include "apps/cli/model_json.h"
#include "apps/cli/torque_remarks.h"

namespace sinew::cli {
namespace {

std::filesystem::path folder_for(const Words& words) {
  if (words.has("--out")) return words.text("--out");
  // arm.urdf.xacro makes robots/arm
  const std::string file = std::filesystem::path(words.argument(0)).filename().string();
  return std::filesystem::path("robots") / file.substr(0, file.find('.'));
}

void print_new_robot(const NewRobot& robot, std::ostream& out) {
  for (const Remark& remark : robot.remarks) out << "odd: " << remark_text(remark) << '\n';
  for (const Arm& arm : robot.model.arms) {
    out << fmt::format("arm {}: {} to {}\n", arm.name, robot.model.links[arm.base_link].name,
                       robot.model.links[arm.tip_link].name);
  }
  out << fmt::format(
      "made {}: {} links, {} joint positions, {} pairs of links that need no check for collision\n",
      robot.folder.string(), robot.model.links.size(), robot.model.positions.size(),
      robot.model.ignored_pairs.size());
  out << fmt::format("see it with: sinew model {}\n", robot.folder.string());
}

// "a=1,b=2"; ROS writes := for =.
Result<std::map<std::string, std::string>> xacro_arguments(std::string_view text) {
  std::map<std::string, std::string> arguments;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view pair = text.substr(0, comma);
    const std::size_t equals = pair.find('=');
    std::string_view name = pair.substr(0, equals);
    if (name.ends_with(':')) name.remove_suffix(1);
    if (equals == std::string_view::npos || name.empty()) {
      return usage_error(fmt::format("'{}' of --args is not NAME=VALUE; write --args a=1,b=2", pair));
    }
    arguments[std::string(name)] = std::string(pair.substr(equals + 1));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return arguments;
}

// "a:b", as ROS_PACKAGE_PATH is written.
std::vector<std::filesystem::path> folders_in(std::string_view text) {
  std::vector<std::filesystem::path> folders;
  while (!text.empty()) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    if (colon > 0) folders.emplace_back(text.substr(0, colon));
    text.remove_prefix(std::min(colon + 1, text.size()));
  }
  return folders;
}

Status run_new(const Words& words, std::ostream& out) {
  auto arguments = xacro_arguments(words.text("--args"));
  if (!arguments) return arguments.error();
  NewRobotOptions options{.xacro_arguments = std::move(*arguments), .may_replace = words.has("--replace")};
  options.package_paths = folders_in(words.text("--packages"));
  options.srdf = words.text("--srdf");
  auto robot = make_robot_folder(words.argument(0), folder_for(words), options);
  if (robot) {
    if (Status added = add_ignored_pairs(*robot); !added) robot = added.error();
  }
  if (!robot) {
    if (words.has("--json")) out << refusal_json(robot.error()).dump(2) << '\n';
    return robot.error();
  }
  for (Remark& remark : remarks_on_meshes(robot->model, words.argument(0)))
    robot->remarks.push_back(std::move(remark));
  for (Remark& remark : remarks_on_torque(robot->model, 0.0, words.argument(0)))
    robot->remarks.push_back(std::move(remark));
  if (!words.has("--json")) {
    print_new_robot(*robot, out);
    return Done{};
  }
  out << new_robot_json(*robot).dump(2) << '\n';
  return Done{};
}

}  // namespace

const Command kNewCommand{
    .name = "new",
    .summary = "Make a robot folder from a URDF: arms found, limits proposed, everything odd told",
    .details =
        "Writes robot.urdf, robot.yaml and copies of the meshes. What the URDF does not say is proposed in "
        "robot.yaml and told; the folder loads at once. Pairs of links that need no check for collision "
        "(neighbours, always or never in touch) are found by 10,000 drawn postures and a search per pair. An "
        "arm "
        "is the longest chain of driven joints, to the frame beyond it that is named as a place for tools; "
        "what "
        "else it could be is told. With an SRDF, its groups are the arms.",
    .arguments = {{.name = "FILE",
                   .help = "The robot's URDF or xacro file.",
                   .completion = Completion::File}},
    .options = {{.name = "--out",
                 .value_name = "FOLDER",
                 .help = "Where to make it; robots/NAME without.",
                 .completion = Completion::File},
                {.name = "--packages",
                 .value_name = "A:B",
                 .help =
                     "Folders that hold package://NAME and $(find NAME); folders above the file count too.",
                 .completion = Completion::File},
                {.name = "--srdf",
                 .value_name = "FILE",
                 .help = "Its groups, postures and pairs never in collision; the .srdf beside FILE without.",
                 .completion = Completion::File},
                {.name = "--args", .value_name = "A=1,B=2", .help = "Arguments of a xacro file."},
                {.name = "--replace", .value_name = "", .help = "Write over a robot that is there."},
                {.name = "--json", .value_name = "", .help = "Chains, warnings and errors, for programs."}},
    .examples = {"sinew new arm.urdf", "sinew new arm.urdf --out robots/left-arm --json"},
    .run = run_new,
};

}  // namespace sinew::cli

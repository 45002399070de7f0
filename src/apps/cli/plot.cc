// SPDX-License-Identifier: BSD-3-Clause
// sinew lab plot, sinew record --plot, sinew replay --plot
#include "apps/cli/plot.h"

#include <filesystem>
#include <ostream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/model/load_robot.h"
#include "sinew/picture/robot_charts.h"

#include "apps/cli/recorded_motion.h"

namespace sinew::cli {
namespace {

constexpr std::size_t kMostRows = 20'000;  // of a log: more cannot be seen

// A robot of which nothing is known but how many joints it has.
RobotModel numbered_joints(std::size_t count) {
  RobotModel model;
  for (std::size_t i = 0; i < count; ++i) {
    Joint joint;
    joint.name = fmt::format("joint {}", i + 1);
    joint.kind = JointKind::Revolute;
    joint.position = i;
    model.positions.push_back(i);
    model.joints.push_back(std::move(joint));
  }
  return model;
}

Result<RobotModel> model_for(const RecordedMotion& recorded, const std::string& wanted) {
  const std::size_t joints = recorded.log.positions.front().size();
  auto loaded = load_robot(wanted.empty() ? recorded.name : wanted);
  if (!loaded && !wanted.empty()) return loaded.error();
  if (!loaded) return numbered_joints(joints);
  if (loaded->model.positions.size() == joints) return std::move(loaded->model);
  if (wanted.empty()) return numbered_joints(joints);
  return Error{ErrorCode::Mismatch,
               fmt::format("{} has {} joints that move, but the recording has {} for '{}'", wanted,
                           loaded->model.positions.size(), joints, recorded.name)};
}

Status write_plot(const Drawing& drawing, const std::string& path, std::ostream& out) {
  if (Status written = write_drawing(drawing, path); !written) return written;
  out << fmt::format("drew {}\n", path);
  return Done{};
}

Status plot_workspace(const Words& words, std::ostream& out) {
  const std::string name = words.text("--robot").empty() ? "scorbot-er3" : words.text("--robot");
  const auto robot = load_robot(name);
  if (!robot) return robot.error();
  const RobotModel& model = robot->model;
  if (model.arms.empty())
    return Error{ErrorCode::InvalidInput, fmt::format("{} has no arm in its robot.yaml", name)};
  const std::size_t arm = words.has("--arm") ? find_arm(model, words.text("--arm")) : 0;
  if (arm == kNone) {
    std::vector<std::string> names;
    for (const Arm& known : model.arms) names.push_back(known.name);
    return Error{ErrorCode::NotFound,
                 fmt::format("{} has no arm '{}'{}; it has: {}", name, words.text("--arm"),
                             did_you_mean(words.text("--arm"), names), fmt::join(names, ", "))};
  }
  const auto seed = words.whole("--seed", 0, 4'000'000'000U);
  if (!seed) return seed.error();
  const auto chain = SerialChain::make(model, model.arms[arm].base_link, model.arms[arm].tip_link);
  if (!chain) return chain.error();
  Drawing drawing(720, 720);
  Chart chart = workspace_chart(*chain, *seed);
  chart.title = fmt::format("{}: {}", model.name, chart.title);
  draw_chart(chart, {.left = 10, .top = 10, .width = 700, .height = 700}, drawing);
  return write_plot(drawing, words.text("--out"), out);
}

Status run_lab_plot(const Words& words, std::ostream& out) {
  const std::string what = words.argument(0);
  if (what == "workspace") return plot_workspace(words, out);
  const auto reader = recording::McapReader::open(what);
  if (!reader) return reader.error();
  return plot_recording(*reader, words.text("--name"), words.text("--robot"), words.text("--out"), out);
}

}  // namespace

Status plot_recording(const recording::McapReader& reader, const std::string& name, const std::string& model,
                      const std::string& path, std::ostream& out) {
  const auto recorded = recorded_motion(reader, name, kMostRows);
  if (!recorded) return recorded.error();
  const auto robot = model_for(*recorded, model);
  if (!robot) return robot.error();
  const auto drawing =
      draw_run(*robot, recorded->log,
               fmt::format("{}: {:.1f} s of {}", std::filesystem::path(reader.name()).filename().string(),
                           recorded->log.seconds.back(), recorded->name));
  if (!drawing) return drawing.error();
  return write_plot(*drawing, path, out);
}

Command lab_plot_command() {
  return {
      .name = "lab plot",
      .summary = "Draw a recording's joints and tool, or what an arm can reach",
      .details =
          "Pictures without a display, as .svg or .png by the name of --out. Of a recording: joint curves "
          "and the way "
          "of the tool from the side and from above. 'workspace': where the tool can be in a plane through "
          "the base's axis, "
          "brighter "
          "where it can move better in all directions.",
      .arguments = {{.name = "WHAT",
                     .help = "An MCAP file, or the word workspace.",
                     .completion = Completion::File}},
      .options =
          {{.name = "--out",
            .value_name = "FILE",
            .help = "Where to: .svg or .png.",
            .fallback = "plot.svg",
            .completion = Completion::File,
            .short_name = "-o"},
           {.name = "--robot",
            .value_name = "MODEL",
            .help = "The robot's model; not given: that of its name, or scorbot-er3 for a workspace."},
           {.name = "--name", .value_name = "NAME", .help = "Which robot of a recording with several."},
           {.name = "--arm", .value_name = "NAME", .help = "Which arm's workspace; not given: the first."},
           {.name = "--seed",
            .value_name = "S",
            .help = "Of the postures drawn for a workspace.",
            .fallback = "1"}},
      .examples = {"sinew lab plot workspace --robot scorbot-er3 -o reach.svg",
                   "sinew lab plot run.mcap -o run.png"},
      .run = run_lab_plot};
}

}  // namespace sinew::cli

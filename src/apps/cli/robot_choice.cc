// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/robot_choice.h"

#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::cli {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

template <class Parts>
std::vector<std::string> names_of(const Parts& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.name);
  return names;
}

Result<std::size_t> link_named(const RobotModel& model, const std::string& name) {
  const std::size_t link = find_link(model, name);
  if (link != kNone) return link;
  return usage_error(fmt::format("robot '{}' has no link '{}'{}", model.name, name,
                                 did_you_mean(name, names_of(model.links))));
}

Result<SerialChain> chain_of_arm(const RobotModel& model, const Words& words, std::string& tip) {
  const std::vector<std::string> names = names_of(model.arms);
  if (model.arms.empty())
    return usage_error(fmt::format("robot '{}' names no arms: give --tip LINK", model.name));
  if (!words.has("--arm") && model.arms.size() > 1)
    return usage_error(
        fmt::format("robot '{}' has the arms {}: choose one with --arm", model.name, list_of(names)));
  const std::size_t index = words.has("--arm") ? find_arm(model, words.text("--arm")) : 0;
  if (index == kNone)
    return usage_error(fmt::format("robot '{}' has no arm '{}'; there are {}", model.name,
                                   words.text("--arm"), list_of(names)));
  const Arm& arm = model.arms[index];
  tip = model.links[arm.tip_link].name;
  if (!words.has("--tool")) return SerialChain::make(model, arm.base_link, arm.tip_link);
  for (const ToolFrame& tool : arm.tools) {
    if (tool.name != words.text("--tool")) continue;
    tip = tool.name;
    return SerialChain::make(model, arm.base_link, tool.link, tool.X_LT);
  }
  return usage_error(fmt::format("arm '{}' has no tool '{}'; there are {}", arm.name, words.text("--tool"),
                                 list_of(names_of(arm.tools))));
}

Result<SerialChain> chain_of_links(const RobotModel& model, const Words& words, std::string& tip) {
  const auto tip_link = link_named(model, words.text("--tip"));
  if (!tip_link) return tip_link.error();
  const auto base_link =
      words.has("--base") ? link_named(model, words.text("--base")) : Result<std::size_t>(std::size_t{0});
  if (!base_link) return base_link.error();
  tip = words.text("--tip");
  return SerialChain::make(model, *base_link, *tip_link);
}

}  // namespace

std::vector<Option> chain_options() {
  return {
      {.name = "--robot", .value_name = "NAME", .help = "A robot by name or by its folder."},
      {.name = "--arm", .value_name = "NAME", .help = "Which of its arms; the only one may be left out."},
      {.name = "--tool", .value_name = "NAME", .help = "A tool of the arm; without one the flange is meant."},
      {.name = "--urdf",
       .value_name = "FILE",
       .help = "A robot by its URDF or xacro.",
       .completion = Completion::File},
      {.name = "--base", .value_name = "LINK", .help = "Where the chain begins; the root unless given."},
      {.name = "--tip", .value_name = "LINK", .help = "Where the chain ends."}};
}

Result<ChosenChain> choose_chain(const Words& words) {
  if (words.has("--robot") == words.has("--urdf"))
    return usage_error("say which robot: --robot NAME [--arm NAME], or --urdf FILE --tip LINK");
  auto robot = load_robot(words.has("--robot") ? words.text("--robot") : words.text("--urdf"));
  if (!robot) return robot.error();
  for (const Remark& remark : robot->remarks) fmt::print(stderr, "{}\n", remark_text(remark));
  std::string tip;
  auto chain =
      words.has("--tip") ? chain_of_links(robot->model, words, tip) : chain_of_arm(robot->model, words, tip);
  if (!chain) return chain.error();
  return ChosenChain{.robot = *std::move(robot), .chain = *std::move(chain), .tip = std::move(tip)};
}

std::string variables_text(const ChosenChain& chosen) {
  std::string text;
  for (std::size_t i = 0; i < chosen.chain.size(); ++i) {
    text += fmt::format("{}{} [{}]", i > 0 ? ", " : "", chosen.robot.model.joints[chosen.chain.joint(i)].name,
                        chosen.chain.is_revolute(i) ? "rad" : "m");
  }
  return text;
}

}  // namespace sinew::cli

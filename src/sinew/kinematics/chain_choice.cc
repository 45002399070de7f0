// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/chain_choice.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew {
namespace {

/// Where a chain begins and ends.
struct ChainEnds {
  std::string tip;
  std::size_t base_link = kNone;
  std::size_t tip_link = kNone;
  Pose X_LT;
};

template <class Parts>
std::vector<std::string> names_of(const Parts& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.name);
  return names;
}

std::string list_of(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

Error wrong_choice(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

Result<std::size_t> link_named(const RobotModel& model, const std::string& name) {
  const std::size_t link = find_link(model, name);
  if (link != kNone) return link;
  return wrong_choice(fmt::format("robot '{}' has no link '{}'{}", model.name, name,
                                  did_you_mean(name, names_of(model.links))));
}

Result<std::size_t> arm_chosen(const RobotModel& model, const std::string& name) {
  const std::string known = list_of(names_of(model.arms));
  if (model.arms.empty())
    return wrong_choice(
        fmt::format("robot '{}' names no arms: give --tip LINK (in programs: tip)", model.name));
  if (name.empty() && model.arms.size() > 1) {
    return wrong_choice(fmt::format("robot '{}' has the arms {}: choose one with --arm (in programs: arm)",
                                    model.name, known));
  }
  const std::size_t index = name.empty() ? 0 : find_arm(model, name);
  if (index != kNone) return index;
  return wrong_choice(fmt::format("robot '{}' has no arm '{}'; there are {}", model.name, name, known));
}

Result<ChainEnds> ends_of_arm(const RobotModel& model, const ChainChoice& choice) {
  const auto index = arm_chosen(model, choice.arm);
  if (!index) return index.error();
  const Arm& arm = model.arms[*index];
  if (choice.tool.empty()) {
    return ChainEnds{
        .tip = model.links[arm.tip_link].name, .base_link = arm.base_link, .tip_link = arm.tip_link};
  }
  for (const ToolFrame& tool : arm.tools) {
    if (tool.name != choice.tool) continue;
    return ChainEnds{.tip = tool.name, .base_link = arm.base_link, .tip_link = tool.link, .X_LT = tool.X_LT};
  }
  return wrong_choice(fmt::format("arm '{}' has no tool '{}'; there are {}", arm.name, choice.tool,
                                  list_of(names_of(arm.tools))));
}

Result<ChainEnds> ends_of_links(const RobotModel& model, const ChainChoice& choice) {
  const auto tip_link = link_named(model, choice.tip);
  if (!tip_link) return tip_link.error();
  const auto base_link =
      choice.base.empty() ? Result<std::size_t>(std::size_t{0}) : link_named(model, choice.base);
  if (!base_link) return base_link.error();
  return ChainEnds{.tip = choice.tip, .base_link = *base_link, .tip_link = *tip_link};
}

}  // namespace

Result<ChosenChain> choose_chain(const ChainChoice& choice, const LoadOptions& places) {
  LoadOptions options = places;
  if (!choice.srdf.empty()) options.srdf = choice.srdf;
  auto robot = load_robot(choice.robot, options);
  if (!robot) return robot.error();
  const auto ends =
      choice.tip.empty() ? ends_of_arm(robot->model, choice) : ends_of_links(robot->model, choice);
  if (!ends) return ends.error();
  auto chain = SerialChain::make(robot->model, ends->base_link, ends->tip_link, ends->X_LT);
  if (!chain) return chain.error();
  return ChosenChain{.robot = *std::move(robot),
                     .chain = *std::move(chain),
                     .tip = ends->tip,
                     .base_link = ends->base_link,
                     .tip_link = ends->tip_link,
                     .X_LT = ends->X_LT};
}

}  // namespace sinew

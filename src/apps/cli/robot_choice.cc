// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/robot_choice.h"

#include <fmt/format.h>

namespace sinew::cli {
std::vector<Option> chain_options() {
  return {
      {.name = "--robot", .value_name = "NAME", .help = "A robot by name or by its folder."},
      {.name = "--arm", .value_name = "NAME", .help = "Which of its arms; the only one may be left out."},
      {.name = "--tool", .value_name = "NAME", .help = "A tool of the arm; without one the flange is meant."},
      {.name = "--urdf",
       .value_name = "FILE",
       .help = "A robot by its URDF or xacro.",
       .completion = Completion::File},
      {.name = "--srdf",
       .value_name = "FILE",
       .help =
           "Its groups, postures and pairs never in collision; the .srdf beside the robot's file without.",
       .completion = Completion::File},
      {.name = "--base", .value_name = "LINK", .help = "Where the chain begins; the root unless given."},
      {.name = "--tip", .value_name = "LINK", .help = "Where the chain ends."}};
}

Result<ChosenChain> choose_chain(const Words& words) {
  if (words.has("--robot") == words.has("--urdf"))
    return usage_error("say which robot: --robot NAME [--arm NAME], or --urdf FILE --tip LINK");
  auto chosen = sinew::choose_chain({.robot = words.text(words.has("--robot") ? "--robot" : "--urdf"),
                                     .arm = words.text("--arm"),
                                     .tool = words.text("--tool"),
                                     .base = words.text("--base"),
                                     .tip = words.text("--tip"),
                                     .srdf = words.text("--srdf")});
  if (!chosen) return chosen.error();
  for (const Remark& remark : chosen->robot.remarks) fmt::print(stderr, "{}\n", remark_text(remark));
  return chosen;
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

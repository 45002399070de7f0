// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/follow_text.h"

#include <cmath>

#include <fmt/format.h>

#include "sinew/model/yaml_pose.h"

namespace sinew {
namespace {

constexpr double kLargestScale = 10.0;
constexpr std::string_view kFollowExample = "as in {master: panda, scale: 0.5, clutch: true}";

void read_text(const YamlNode& root, std::string_view key, std::string& text, Findings& findings) {
  if (const YamlNode* node = entry_of(root, key)) text = text_from(*node, findings);
}

void read_switch(const YamlNode& root, std::string_view key, bool& is_on, Findings& findings) {
  const YamlNode* node = entry_of(root, key);
  if (node == nullptr) return;
  const std::string text = text_from(*node, findings);
  is_on = text == "true";
  if (!is_on && text != "false")
    findings.refuse(node->place, fmt::format("{} is true or false, not '{}'", key, text), kFollowExample);
}

void read_what(const YamlNode& root, FollowTask& task, Findings& findings) {
  const YamlNode* node = entry_of(root, "what");
  if (node == nullptr) return;
  const std::string text = text_from(*node, findings);
  task.is_of_joints = text == "joints";
  if (!task.is_of_joints && text != "tool")
    findings.refuse(node->place, fmt::format("what follows is tool or joints, not '{}'", text),
                    kFollowExample);
}

void read_scale(const YamlNode& root, FollowTask& task, Findings& findings) {
  const YamlNode* node = entry_of(root, "scale");
  if (node == nullptr) return;
  task.scale = number_from(*node, findings);
  // also for NaN
  if (!(std::abs(task.scale) <= kLargestScale && task.scale != 0.0))
    findings.refuse(
        node->place,
        fmt::format("the scale {} cannot be: not zero, and at most {}", task.scale, kLargestScale),
        kFollowExample);
}

}  // namespace

Result<FollowTask> follow_task_from_text(std::string_view text) {
  const auto root = parse_yaml(text, "follow");
  if (!root) return root.error();
  Findings findings;
  FollowTask task;
  if (expect_map(*root,
                 {"master", "model", "master_arm", "master_tool", "arm", "tool", "what", "scale", "turns",
                  "rpy", "clutch"},
                 findings)) {
    task.master = required_entry(*root, "master", findings);
    task.model = task.master;
    read_text(*root, "model", task.model, findings);
    read_text(*root, "master_arm", task.master_arm, findings);
    read_text(*root, "master_tool", task.master_tool, findings);
    read_text(*root, "arm", task.arm, findings);
    read_text(*root, "tool", task.tool, findings);
    read_what(*root, task, findings);
    read_scale(*root, task, findings);
    read_switch(*root, "turns", task.turns, findings);
    read_switch(*root, "clutch", task.has_clutch, findings);
    task.R_BM = pose_from(*root, findings).rotation;
  }
  if (findings.has_error()) return findings.error();
  return task;
}

}  // namespace sinew

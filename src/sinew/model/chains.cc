// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/chains.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr std::size_t kLeastJoints = 3;

bool moves(const Joint& joint) {
  return joint.kind != JointKind::Fixed;
}

// How many joints move in the tree below each link.
std::vector<std::size_t> movers_below(const RobotModel& model) {
  std::vector<std::size_t> below(model.links.size(), 0);
  for (std::size_t j = model.joints.size(); j-- > 0;) {
    const Joint& joint = model.joints[j];
    below[joint.parent_link] += below[joint.child_link] + (moves(joint) ? 1 : 0);
  }
  return below;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Frames that people put where a tool goes, the likeliest first.
std::size_t tool_rank(const std::string& name) {
  constexpr std::array<std::string_view, 8> kWords{"tool0",  "tcp", "grip", "tool",
                                                   "flange", "ee",  "tip",  "hand"};
  const std::string lower = lower_case(name);
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (lower.find(kWords[i]) != std::string::npos) return i;
  }
  return kWords.size();
}

class ChainFinder {
 public:
  explicit ChainFinder(const RobotModel& model) : model_(model), below_(movers_below(model)) {}

  std::vector<Arm> find() {
    follow(start_of_tree());
    name_arms();
    return std::move(arms_);
  }

 private:
  // a robot that hangs on "world" begins one link later
  std::size_t start_of_tree() const {
    const Link& root = model_.links[0];
    const std::string name = lower_case(root.name);
    const bool is_world = name == "world" || name == "map" || name == "odom";
    if (!is_world || root.child_joints.size() != 1) return 0;
    return model_.joints[root.child_joints[0]].child_link;
  }

  std::vector<std::size_t> moving_branches(std::size_t link) const {
    std::vector<std::size_t> branches;
    for (const std::size_t j : model_.links[link].child_joints) {
      if (moves(model_.joints[j]) || below_[model_.joints[j].child_link] > 0) branches.push_back(j);
    }
    return branches;
  }

  // Goes out from `base` until the way forks or ends, then on from each fork.
  void follow(std::size_t base) {
    std::vector<std::size_t> starts = moving_branches(base);
    for (std::size_t branch : starts) {
      std::size_t joints = 0;
      std::size_t link = base;
      std::vector<std::size_t> ahead{branch};
      while (ahead.size() == 1) {
        const Joint& joint = model_.joints[ahead[0]];
        joints += moves(joint) ? 1 : 0;
        link = joint.child_link;
        ahead = moving_branches(link);
      }
      if (joints >= kLeastJoints)
        arms_.push_back({.base_link = base, .tip_link = tip_of(link, !ahead.empty())});
      // the bound on the depth of a tree is its number of links, so this ends
      if (!ahead.empty()) follow(link);
    }
  }

  // The frame for tools that is fixed to the last link, directly or by others; the link itself without one.
  std::size_t tip_of(std::size_t link, bool is_hand) const {
    for (std::size_t tip = link;;) {
      std::size_t best = kNone;
      for (const std::size_t j : model_.links[tip].child_joints) {
        if (moves(model_.joints[j])) continue;
        const std::size_t child = model_.joints[j].child_link;
        if (best == kNone || tool_rank(model_.links[child].name) < tool_rank(model_.links[best].name))
          best = child;
      }
      const bool is_tool = best != kNone && below_[best] == 0 &&
                           (!is_hand || tool_rank(model_.links[best].name) < tool_rank(""));
      if (!is_tool) return tip;
      tip = best;
    }
  }

  void name_arms() {
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      Arm& arm = arms_[i];
      const std::string tip = lower_case(model_.links[arm.tip_link].name);
      arm.name = arms_.size() == 1 ? "arm" : model_.links[arm.tip_link].name;
      if (arms_.size() > 1 && tip.find("left") != std::string::npos) arm.name = "left";
      if (arms_.size() > 1 && tip.find("right") != std::string::npos) arm.name = "right";
      const auto is_same = [&](const Arm& other) { return other.name == arm.name; };
      if (std::any_of(arms_.begin(), arms_.begin() + static_cast<std::ptrdiff_t>(i), is_same)) {
        arm.name = fmt::format("{}_{}", arm.name, i + 1);
      }
      arm.tools.push_back({.name = "tool", .link = arm.tip_link, .X_LT = {}});
    }
  }

  const RobotModel& model_;
  std::vector<std::size_t> below_;
  std::vector<Arm> arms_;
};

}  // namespace

std::vector<Arm> find_chains(const RobotModel& model) {
  return ChainFinder(model).find();
}

}  // namespace sinew

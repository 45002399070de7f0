// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/chains.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "sinew/model/link_names.h"

namespace sinew {
namespace {

constexpr std::size_t kLeastJoints = 3;
// as many as kinematics takes in one chain
constexpr std::size_t kMostJoints = 16;

bool is_driven(const Joint& joint) {
  return joint.kind != JointKind::Fixed && !joint.mimic;
}

// The most joints that are driven on any way out from each link.
std::vector<std::size_t> driven_beyond(const RobotModel& model) {
  std::vector<std::size_t> beyond(model.links.size(), 0);
  for (std::size_t j = model.joints.size(); j-- > 0;) {
    const Joint& joint = model.joints[j];
    const std::size_t here = beyond[joint.child_link] + (is_driven(joint) ? 1 : 0);
    beyond[joint.parent_link] = std::max(beyond[joint.parent_link], here);
  }
  return beyond;
}

class ChainFinder {
 public:
  explicit ChainFinder(const RobotModel& model) : model_(model), beyond_(driven_beyond(model)) {}

  std::vector<FoundChain> find() {
    follow(start_of_tree());
    const auto order = [&](const FoundChain& chain) {
      return std::tuple(chain.is_finger, flange_rank(name(chain.arm.tip_link)) == kNoRank,
                        -static_cast<long>(chain.joints));
    };
    std::stable_sort(chains_.begin(), chains_.end(),
                     [&](const FoundChain& a, const FoundChain& b) { return order(a) < order(b); });
    name_arms();
    return std::move(chains_);
  }

 private:
  const Joint& joint(std::size_t j) const { return model_.joints[j]; }
  const std::string& name(std::size_t link) const { return model_.links[link].name; }

  // a robot that hangs on "world" begins one link later
  std::size_t start_of_tree() const {
    const Link& root = model_.links[0];
    const std::string lower = lower_case(root.name);
    const bool is_world = lower == "world" || lower == "map" || lower == "odom";
    if (!is_world || root.child_joints.size() != 1) return 0;
    const Joint& first = joint(root.child_joints[0]);
    return is_driven(first) ? 0 : first.child_link;
  }

  std::size_t driven_along(std::size_t branch) const {
    return beyond_[joint(branch).child_link] + (is_driven(joint(branch)) ? 1 : 0);
  }

  // The joints below a link that are driven or lead to some that are.
  std::vector<std::size_t> branches_of(std::size_t link) const {
    std::vector<std::size_t> branches;
    for (const std::size_t j : model_.links[link].child_joints)
      if (driven_along(j) > 0) branches.push_back(j);
    return branches;
  }

  // Whether the first that is driven of a branch is named like a part of a hand.
  bool is_finger(std::size_t branch) const {
    while (!is_driven(joint(branch))) {
      const std::vector<std::size_t> next = branches_of(joint(branch).child_link);
      if (next.size() != 1) return false;
      branch = next[0];
    }
    const std::string& child = name(joint(branch).child_link);
    // a link called gripper is what carries the fingers
    const bool is_palm = lower_case(child).find("gripper") != std::string::npos;
    return is_name_of_finger(joint(branch).name) || (is_name_of_finger(child) && !is_palm);
  }

  // Whether a link beyond the branch is named as a place for tools, and no fingers are on the way.
  bool leads_to_flange(std::size_t branch) const {
    std::vector<std::size_t> waiting{branch};
    while (!waiting.empty()) {
      const Joint& next = joint(waiting.back());
      waiting.pop_back();
      if (is_driven(next) && is_name_of_finger(next.name)) continue;
      if (flange_rank(name(next.child_link)) != kNoRank && !is_name_of_finger(name(next.child_link)))
        return true;
      const auto& children = model_.links[next.child_link].child_joints;
      waiting.insert(waiting.end(), children.begin(), children.end());
    }
    return false;
  }

  // The branch on which an arm goes on; kNone where it ends.
  std::size_t way_on(const std::vector<std::size_t>& branches, bool in_hand) const {
    std::vector<std::size_t> ways;
    for (const std::size_t branch : branches)
      if (in_hand || !is_finger(branch)) ways.push_back(branch);
    // where fingers begin, only a flange beyond them would be the end of an arm
    if (ways.size() < branches.size())
      std::erase_if(ways, [&](std::size_t branch) { return !leads_to_flange(branch); });
    if (ways.size() <= 1) return ways.empty() ? kNone : ways[0];
    const auto only = [&](auto is_meant) {
      const auto count = std::count_if(ways.begin(), ways.end(), is_meant);
      return count == 1 ? *std::find_if(ways.begin(), ways.end(), is_meant) : kNone;
    };
    const auto is_long = [&](std::size_t branch) { return driven_along(branch) >= kLeastJoints; };
    if (std::any_of(ways.begin(), ways.end(), is_long)) return only(is_long);
    return only([&](std::size_t branch) { return leads_to_flange(branch); });
  }

  // Whether an arm that has its joints and a place for tools ends before a joint or two more: a gripper's.
  bool ends_before(std::size_t branch, std::size_t last, const FoundChain& chain) const {
    if (chain.is_finger || chain.joints < kLeastJoints || driven_along(branch) >= kLeastJoints) return false;
    if (leads_to_flange(branch)) return false;
    const std::vector<std::size_t> ends = ends_beyond(last);
    return std::any_of(ends.begin(), ends.end(),
                       [&](std::size_t end) { return flange_rank(name(end)) != kNoRank; });
  }

  // Goes out from `base` until an arm ends, then on from each branch that it passed.
  void follow(std::size_t base) {
    for (const std::size_t branch : branches_of(base)) follow_branch(base, branch);
  }

  void follow_branch(std::size_t base, std::size_t branch) {
    FoundChain chain{.is_finger = is_finger(branch)};
    std::size_t last = base;  // the link beyond the last joint that moves
    std::vector<std::pair<std::size_t, std::size_t>> beside;
    for (std::size_t next = branch; next != kNone;) {
      const Joint& passed = joint(next);
      chain.joints += is_driven(passed) ? 1 : 0;
      if (passed.kind != JointKind::Fixed) last = passed.child_link;
      const std::vector<std::size_t> ahead = branches_of(passed.child_link);
      next = way_on(ahead, chain.is_finger);
      if (next != kNone && ends_before(next, last, chain)) next = kNone;
      for (const std::size_t other : ahead)
        if (other != next) beside.emplace_back(passed.child_link, other);
    }
    for (const auto& [link, other] : beside) chain.sides.push_back(other);
    if (chain.joints >= kLeastJoints) {
      choose_tip(last, chain);
      choose_base(base, chain);
      chains_.push_back(std::move(chain));
    }
    // the bound on the depth of a tree is its number of links, so this ends
    for (const auto& [link, other] : beside) follow_branch(link, other);
  }

  // The links beyond `link` that do not move against it; those that only followers move count where they are
  // named as the place of a tool.
  std::vector<std::size_t> ends_beyond(std::size_t link) const {
    std::vector<std::size_t> ends;
    std::vector<std::size_t> waiting{link};
    while (!waiting.empty()) {
      const std::size_t here = waiting.back();
      waiting.pop_back();
      const auto& children = model_.links[here].child_joints;
      for (auto j = children.rbegin(); j != children.rend(); ++j) {
        const Joint& next = joint(*j);
        const std::string& child = name(next.child_link);
        const bool is_levelled = next.mimic && !is_name_of_finger(next.name) && !is_name_of_finger(child);
        if (next.kind == JointKind::Fixed || is_levelled) waiting.push_back(next.child_link);
      }
      const auto path = joints_between(model_, link, here);
      const bool moves = std::any_of(path->begin(), path->end(),
                                     [&](std::size_t j) { return joint(j).kind != JointKind::Fixed; });
      if (here != link && (!moves || flange_rank(name(here)) != kNoRank)) ends.push_back(here);
    }
    return ends;
  }

  bool is_bare_end(std::size_t link) const {
    const Link& it = model_.links[link];
    return it.visuals.empty() && it.collisions.empty() && !is_name_of_extra(it.name);
  }

  void choose_tip(std::size_t last, FoundChain& chain) const {
    const std::vector<std::size_t> ends = ends_beyond(last);
    // what is only a frame was made to be one
    const auto order = [&](std::size_t link) {
      return std::tuple(flange_rank(name(link)), is_bare_end(link) ? 0 : 1);
    };
    const auto best = std::min_element(ends.begin(), ends.end(),
                                       [&](std::size_t a, std::size_t b) { return order(a) < order(b); });
    std::size_t tip = last;
    if (best != ends.end() && flange_rank(name(*best)) != kNoRank) {
      tip = *best;
      chain.why = fmt::format("'{}' is a usual name of where tools go", name(tip));
    } else if (best != ends.end() && is_bare_end(*best) && flange_rank(name(last)) == kNoRank) {
      tip = *best;
      chain.why = fmt::format("'{}' is a frame beyond the last joint", name(tip));
    } else {
      chain.why = fmt::format("'{}' is the link beyond the last joint", name(tip));
    }
    chain.arm.tip_link = tip;
    for (const std::size_t end : ends)
      if (end != tip && !is_name_of_extra(name(end))) chain.other_tips.push_back(end);
    if (tip != last) chain.other_tips.push_back(last);
  }

  // The link called base that is nearest to the first joint that moves; else where the chain begins.
  void choose_base(std::size_t start, FoundChain& chain) const {
    const auto path = joints_between(model_, start, chain.arm.tip_link);
    std::vector<std::size_t> bases{start};
    for (const std::size_t j : *path) {
      if (joint(j).kind != JointKind::Fixed) break;
      bases.push_back(joint(j).child_link);
    }
    std::size_t base = start;
    for (const std::size_t link : bases) {
      const std::string lower = lower_case(name(link));
      if (lower.find("base") != std::string::npos && lower.find("footprint") == std::string::npos &&
          !is_name_of_extra(lower))
        base = link;
    }
    chain.arm.base_link = base;
    shorten(chain);
    for (const std::size_t link : bases)
      if (link != chain.arm.base_link) chain.other_bases.push_back(link);
  }

  // The part next to the tip of what is longer than kinematics takes.
  void shorten(FoundChain& chain) const {
    const auto path = joints_between(model_, chain.arm.base_link, chain.arm.tip_link);
    std::size_t movers = 0;
    for (auto j = path->rbegin(); j != path->rend(); ++j) {
      movers += joint(*j).kind != JointKind::Fixed ? 1 : 0;
      if (movers <= kMostJoints) continue;
      chain.arm.base_link = joint(*j).child_link;
      chain.joints = kMostJoints;
      return;
    }
  }

  std::string side_of(std::size_t link) const {
    const std::string lower = lower_case(name(link));
    for (const char* part : {"leg", "foot", "ankle", "toe", "sole"})
      if (lower.find(part) != std::string::npos) return {};
    if (lower.find("left") != std::string::npos || has_word(lower, "l")) return "left";
    if (lower.find("right") != std::string::npos || has_word(lower, "r")) return "right";
    return {};
  }

  void name_arms() {
    const auto arms =
        std::count_if(chains_.begin(), chains_.end(), [](const FoundChain& c) { return !c.is_finger; });
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      Arm& arm = chains_[i].arm;
      const bool is_only = chains_.size() == 1 || (arms == 1 && i == 0);
      const std::string side = chains_[i].is_finger ? "" : side_of(arm.tip_link);
      arm.name = is_only ? "arm" : side.empty() ? name(arm.tip_link) : side;
      const auto is_same = [&](const FoundChain& other) { return other.arm.name == arm.name; };
      if (std::any_of(chains_.begin(), chains_.begin() + static_cast<std::ptrdiff_t>(i), is_same))
        arm.name = fmt::format("{}_{}", arm.name, i + 1);
      arm.tools.push_back({.name = "tool", .link = arm.tip_link, .X_LT = {}});
    }
  }

  const RobotModel& model_;
  std::vector<std::size_t> beyond_;
  std::vector<FoundChain> chains_;
};

}  // namespace

std::vector<FoundChain> look_for_chains(const RobotModel& model) {
  return ChainFinder(model).find();
}

std::vector<Arm> find_chains(const RobotModel& model) {
  std::vector<Arm> arms;
  for (FoundChain& chain : look_for_chains(model)) arms.push_back(std::move(chain.arm));
  return arms;
}

}  // namespace sinew

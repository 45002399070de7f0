// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/text_input.h"
#include "sinew/model/urdf_parts.h"

namespace sinew::urdf {
namespace {

using Names = std::unordered_map<std::string, std::size_t>;

// Limits of two joints that are nearer than this, in parts of them, are meant to be equal.
constexpr double kRounding = 1e-6;

std::vector<std::string> words_of(const Names& names) {
  std::vector<std::string> words;
  for (const auto& [name, index] : names) words.push_back(name);
  // the nearest of equals must not depend on the hash
  std::sort(words.begin(), words.end());
  return words;
}

template <class Parts, class NameOf>
Names index_names(const Parts& parts, std::string_view what, NameOf name_of, Findings& findings) {
  Names names;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [first, is_new] = names.emplace(name_of(parts[i]), i);
    if (is_new) continue;
    findings.refuse(parts[i].place,
                    fmt::format("{} '{}' stands twice; the first is in line {}", what, shown(first->first),
                                parts[first->second].place.line),
                    "give each its own name");
  }
  return names;
}

class Assembly {
 public:
  Assembly(std::vector<LinkPart> links, std::vector<JointPart> joints, Findings& findings)
      : links_(std::move(links)), joints_(std::move(joints)), findings_(findings) {}

  RobotModel build(std::string name, const Place& place) {
    RobotModel model;
    model.name = std::move(name);
    index_all();
    if (!findings_.has_error()) connect();
    if (!findings_.has_error()) find_root(place);
    if (!findings_.has_error()) order_joints();
    if (!findings_.has_error()) settle_floating();
    if (!findings_.has_error()) settle_mimics();
    if (!findings_.has_error()) fill(model);
    if (findings_.has_error()) return model;
    hold_surplus(model, place, findings_);
    number_positions(model);
    return model;
  }

 private:
  void index_all() {
    link_names_ = index_names(
        links_, "link", [](const LinkPart& p) { return p.link.name; }, findings_);
    joint_names_ = index_names(
        joints_, "joint", [](const JointPart& p) { return p.joint.name; }, findings_);
  }

  std::size_t link_index(const std::string& name, const JointPart& part) {
    const auto found = link_names_.find(name);
    if (found != link_names_.end()) return found->second;
    findings_.refuse(
        part.place,
        fmt::format("joint '{}' names the link '{}', which is not there{}", shown(part.joint.name),
                    shown(name), did_you_mean(name, words_of(link_names_))),
        "add the link, or mend the name");
    return kNone;
  }

  void connect() {
    parent_joint_.assign(links_.size(), kNone);
    for (std::size_t j = 0; j < joints_.size() && !findings_.has_error(); ++j) {
      JointPart& part = joints_[j];
      part.joint.parent_link = link_index(part.parent, part);
      part.joint.child_link = link_index(part.child, part);
      if (findings_.has_error()) return;
      if (part.joint.parent_link == part.joint.child_link) {
        findings_.refuse(
            part.place,
            fmt::format("joint '{}' ties the link '{}' to itself", shown(part.joint.name), shown(part.child)),
            "name two links");
        return;
      }
      std::size_t& parent = parent_joint_[part.joint.child_link];
      if (parent != kNone) {
        findings_.refuse(part.place,
                         fmt::format("link '{}' hangs on two joints, '{}' and '{}'", shown(part.child),
                                     shown(joints_[parent].joint.name), shown(part.joint.name)),
                         "a link has one parent: a URDF cannot close loops");
      }
      parent = j;
    }
  }

  void find_root(const Place& place) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (parent_joint_[i] != kNone) continue;
      if (root_ != kNone) {
        findings_.refuse(links_[i].place,
                         fmt::format("there are two roots: the links '{}' and '{}' hang on nothing",
                                     shown(links_[root_].link.name), shown(links_[i].link.name)),
                         "join them with a joint");
        return;
      }
      root_ = i;
    }
    if (root_ == kNone) {
      findings_.refuse(place, "there is no root: the joints run in a circle", "let one link hang on nothing");
    }
  }

  // The file's order wherever parents come first; a joint that comes too early waits for its parent.
  void order_joints() {
    std::vector<std::vector<std::size_t>> waiting(links_.size());
    std::vector<bool> is_reached(links_.size(), false);
    std::vector<std::size_t> stack;
    is_reached[root_] = true;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      if (!is_reached[joints_[j].joint.parent_link]) {
        waiting[joints_[j].joint.parent_link].push_back(j);
        continue;
      }
      stack.assign(1, j);
      while (!stack.empty()) {
        const std::size_t next = stack.back();
        stack.pop_back();
        order_.push_back(next);
        const std::size_t child = joints_[next].joint.child_link;
        is_reached[child] = true;
        stack.insert(stack.end(), waiting[child].rbegin(), waiting[child].rend());
      }
    }
    if (order_.size() == joints_.size()) return;
    for (const JointPart& part : joints_) {
      if (is_reached[part.joint.child_link]) continue;
      findings_.refuse(part.place,
                       fmt::format("joint '{}' is part of a circle of joints", shown(part.joint.name)),
                       "let each link hang on the root");
    }
  }

  void settle_floating() {
    for (const JointPart& part : joints_) {
      if (!part.is_floating) continue;
      const bool is_at_root = part.joint.parent_link == root_;
      findings_.remark(
          part.place,
          fmt::format("joint '{}' floats or slides {} and is taken as fixed", shown(part.joint.name),
                      is_at_root ? "at the root" : "in the middle of the robot"),
          is_at_root ? "where the robot stands is no joint position here"
                     : "replace it by prismatic and revolute joints if it is to move");
    }
  }

  // A joint that mimics a mimic follows the first of them.
  void settle_mimics() {
    for (JointPart& part : joints_) {
      if (!part.joint.mimic) continue;
      const auto found = joint_names_.find(part.leader);
      if (found != joint_names_.end()) {
        part.joint.mimic->joint = found->second;
        continue;
      }
      part.joint.mimic.reset();
      findings_.remark(
          part.place,
          fmt::format("joint '{}' mimics '{}', which is not there{}, and is taken to move by itself",
                      shown(part.joint.name), shown(part.leader),
                      did_you_mean(part.leader, words_of(joint_names_))),
          "mend the name");
    }
    for (JointPart& part : joints_) {
      if (part.joint.mimic && !findings_.has_error()) follow_to_leader(part);
    }
    for (const JointPart& part : joints_) {
      if (part.joint.mimic && !findings_.has_error()) narrow_leader(part);
    }
  }

  // The leader must not go where its follower cannot, nor faster than that; but it must be able to move.
  void narrow_leader(const JointPart& part) {
    const JointLimits& own = part.joint.limits;
    const Mimic& mimic = *part.joint.mimic;
    if (mimic.factor == 0.0) return;
    slow_leader(part, own.velocity / std::abs(mimic.factor));
    // many files give a follower the limits 0 0, which mean nothing
    if (!(own.lower < own.upper)) return;
    const auto [lower, upper] =
        std::minmax({(own.lower - mimic.offset) / mimic.factor, (own.upper - mimic.offset) / mimic.factor});
    cut_leader(part, lower, upper);
  }

  void slow_leader(const JointPart& part, double velocity) {
    Joint& leader = joints_[part.joint.mimic->joint].joint;
    const double before = leader.limits.velocity;
    if (!(velocity < before * (1.0 - kRounding))) return;
    leader.limits.velocity = velocity;
    findings_.remark(part.place,
                     fmt::format("joint '{}' goes at most {:.6g} per second instead of {:.6g}, as fast as "
                                 "'{}', which follows it, can",
                                 shown(leader.name), velocity, before, shown(part.joint.name)),
                     "raise the follower's velocity if that is wrong");
  }

  void cut_leader(const JointPart& part, double lower, double upper) {
    Joint& leader = joints_[part.joint.mimic->joint].joint;
    JointLimits& limits = leader.limits;
    if (leader.kind == JointKind::Continuous) return;
    const double slack = kRounding * std::max({1.0, std::abs(lower), std::abs(upper)});
    if (lower <= limits.lower + slack && upper >= limits.upper - slack) return;
    const double from = std::max(limits.lower, lower);
    const double to = std::min(limits.upper, upper);
    // a sign or an offset that is wrong leaves nothing, or one point
    constexpr double kLeastPart = 0.01;
    const double width = limits.upper - limits.lower;
    const bool may_move = std::isfinite(width) ? to - from > kLeastPart * width : to > from;
    const std::string both =
        fmt::format("'{}', which follows it, says {:.6g} to {:.6g}", shown(part.joint.name),
                    part.joint.limits.lower, part.joint.limits.upper);
    if (!may_move) {
      findings_.remark(part.place,
                       fmt::format("joint '{}' keeps its range of {:.6g} to {:.6g}: {}, which would leave it "
                                   "nowhere to go and is passed over",
                                   shown(leader.name), limits.lower, limits.upper, both),
                       "check multiplier, offset and limits");
      return;
    }
    findings_.remark(part.place,
                     fmt::format("joint '{}' goes from {:.6g} to {:.6g} instead of {:.6g} to {:.6g}: {}",
                                 shown(leader.name), from, to, limits.lower, limits.upper, both),
                     "widen the follower's limits if that is wrong");
    limits.lower = from;
    limits.upper = to;
  }

  void follow_to_leader(JointPart& part) {
    Mimic& mimic = *part.joint.mimic;
    for (std::size_t steps = 0; joints_[mimic.joint].joint.mimic; ++steps) {
      const Mimic next = *joints_[mimic.joint].joint.mimic;
      if (steps > joints_.size() || &joints_[mimic.joint] == &part) {
        findings_.remark(
            part.place,
            fmt::format("joint '{}' mimics itself and is taken to move by itself", shown(part.joint.name)),
            "let it mimic another");
        part.joint.mimic.reset();
        return;
      }
      mimic = {.joint = next.joint,
               .factor = mimic.factor * next.factor,
               .offset = mimic.factor * next.offset + mimic.offset};
    }
    if (joints_[mimic.joint].joint.kind == JointKind::Fixed) hold_follower(part);
  }

  // What follows a joint that is fixed stands where that puts it.
  void hold_follower(JointPart& part) {
    const double offset = part.joint.mimic->offset;
    findings_.remark(
        part.place,
        fmt::format("joint '{}' mimics '{}', which is fixed, and is held at {:.6g}", shown(part.joint.name),
                    shown(joints_[part.joint.mimic->joint].joint.name), offset),
        "let it mimic a joint that moves, or be fixed");
    hold_joint(part.joint, offset);
  }

  void fill(RobotModel& model) {
    std::vector<std::size_t> new_link(links_.size(), 0);
    // the root takes the first place, all others keep their order
    std::vector<std::size_t> from(links_.size());
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = i;
    std::rotate(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(root_),
                from.begin() + static_cast<std::ptrdiff_t>(root_) + 1);
    for (std::size_t i = 0; i < from.size(); ++i) {
      new_link[from[i]] = i;
      model.links.push_back(std::move(links_[from[i]].link));
    }
    std::vector<std::size_t> new_joint(joints_.size(), kNone);
    for (std::size_t i = 0; i < order_.size(); ++i) new_joint[order_[i]] = i;
    for (const std::size_t j : order_) {
      Joint joint = std::move(joints_[j].joint);
      joint.parent_link = new_link[joint.parent_link];
      joint.child_link = new_link[joint.child_link];
      if (joint.mimic) joint.mimic->joint = new_joint[joint.mimic->joint];
      model.links[joint.child_link].parent_joint = model.joints.size();
      model.links[joint.parent_link].child_joints.push_back(model.joints.size());
      model.joints.push_back(std::move(joint));
    }
  }

  static void number_positions(RobotModel& model) {
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      Joint& joint = model.joints[j];
      if (joint.kind == JointKind::Fixed || joint.mimic) continue;
      joint.position = model.positions.size();
      model.positions.push_back(j);
    }
  }

  std::vector<LinkPart> links_;
  std::vector<JointPart> joints_;
  Findings& findings_;
  Names link_names_;
  Names joint_names_;
  std::vector<std::size_t> parent_joint_;  // of each link
  std::size_t root_ = kNone;
  std::vector<std::size_t> order_;  // of joints, parents first
};

}  // namespace

RobotModel assemble(std::string name, std::vector<LinkPart> links, std::vector<JointPart> joints,
                    const Place& place, Findings& findings) {
  return Assembly(std::move(links), std::move(joints), findings).build(std::move(name), place);
}

}  // namespace sinew::urdf

// SPDX-License-Identifier: BSD-3-Clause
// The console's 'jog' and 'line': from words to what is asked of the motion service.
#include "apps/cli/console_steer.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/kinematics/serial_chain.h"

#include "apps/cli/command.h"
#include "apps/cli/joint_motion.h"

namespace sinew::cli {
namespace {

constexpr std::array<std::string_view, 6> kAxes{"x", "y", "z", "rx", "ry", "rz"};
constexpr std::string_view kJogUsage =
    "'jog JOINT BY', or 'jog [ARM] [tool|FRAME] x|y|z|rx|ry|rz BY', as in 'jog tool z -10mm'";
constexpr std::string_view kLineUsage =
    "'line [by] [ARM] X Y Z [ROLL PITCH YAW]' in m and rad, or 'line POSTURE'; then perhaps 'in tool', 'with "
    "TOOL', 'at SPEED'";

/// A number with its unit in SI: m or rad unless 'mm' or 'deg' says otherwise.
Result<double> amount_from(std::string_view word, bool is_length) {
  const std::string_view unit = is_length ? "mm" : "deg";
  const bool has_unit = word.ends_with(unit);
  if (word.ends_with(is_length ? "deg" : "mm"))
    return usage_error(fmt::format("'{}' is no {}", word, is_length ? "length" : "angle"));
  const auto number = number_from(word.substr(0, word.size() - (has_unit ? unit.size() : 0)));
  if (!number) return number.error();
  return *number * (!has_unit ? 1.0 : is_length ? 1e-3 : std::numbers::pi / 180.0);
}

/// The words without those pairs that end a command: 'in tool', 'with TOOL', 'at SPEED'.
struct Endings {
  std::vector<std::string> words;
  std::string frame;
  std::string tool;
  std::string speed;
};

Result<Endings> endings_of(ConsoleWords words) {
  Endings result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string* value = words[i] == "in"     ? &result.frame
                         : words[i] == "with" ? &result.tool
                         : words[i] == "at"   ? &result.speed
                                              : nullptr;
    const bool is_unit = (words[i] == "deg" || words[i] == "mm") && !result.words.empty();
    if (is_unit) {
      result.words.back() += words[i];
    } else if (value == nullptr) {
      result.words.push_back(words[i]);
    } else if (++i < words.size()) {
      *value = words[i];
    } else {
      return usage_error(fmt::format("what comes behind '{}'?", words[i - 1]));
    }
  }
  return result;
}

/// The arm of that name; empty: the only one.
Result<const Arm*> arm_for(const RobotModel& model, std::string_view name) {
  if (name.empty() && model.arms.size() != 1) {
    std::vector<std::string> names;
    for (const Arm& arm : model.arms) names.push_back(arm.name);
    return usage_error(names.empty() ? fmt::format("robot '{}' has no arm", model.name)
                                     : fmt::format("which arm? {}", fmt::join(names, ", ")));
  }
  if (name.empty()) return &model.arms.front();
  const auto arm = arm_named(model, name);
  if (!arm) return arm.error();
  return &model.arms[*arm];
}

/// base, tool, and those of robot.yaml.
std::vector<std::string> frame_names(const RobotModel& model) {
  std::vector<std::string> names{"base", "tool"};
  for (const NamedFrame& frame : model.frames) names.push_back(frame.name);
  return names;
}

/// X_BU of a frame that the arm knows; X_BT: where its tool is.
Result<Pose> frame_named(const RobotModel& model, const Arm& arm, const Pose& X_BT, const std::string& name) {
  if (name.empty() || name == "base") return Pose{};
  if (name == "tool") return X_BT;
  for (const BaseFrame& frame : frames_in(model, arm.base_link))
    if (frame.name == name) return frame.X_BU;
  const std::vector<std::string> names = frame_names(model);
  if (std::ranges::find(names, name) != names.end())
    return usage_error(
        fmt::format("joints move the base of arm '{}', and so where '{}' is for it; go on in "
                    "'base' or 'tool'",
                    arm.name, name));
  return usage_error(fmt::format("there is no frame '{}'{}; known: {}", name, did_you_mean(name, names),
                                 fmt::join(names, ", ")));
}

Status check_tool(const Arm& arm, const std::string& name) {
  std::vector<std::string> names;
  for (const ToolFrame& tool : arm.tools) names.push_back(tool.name);
  if (name.empty() || std::ranges::find(names, name) != names.end()) return Done{};
  return usage_error(
      fmt::format("arm '{}' has no tool '{}'{}; {}", arm.name, name, did_you_mean(name, names),
                  names.empty() ? "it has none" : fmt::format("known: {}", fmt::join(names, ", "))));
}

Result<double> share_from(std::string_view word) {
  if (word.ends_with('%')) word.remove_suffix(1);
  const auto percent = number_from(word);
  if (!percent) return percent.error();
  if (!(*percent > 0.0) || *percent > 100.0)
    return usage_error(fmt::format("a share of the speed is over 0 to 100 %, not {}", word));
  return *percent / 100.0;
}

Result<JogWish> joint_jog(const RobotModel& model, const std::string& name, std::string_view by) {
  const auto position = joint_to_move(model, name);
  if (!position) return position.error();
  const bool is_length = model.joints[model.positions[*position]].kind == JointKind::Prismatic;
  const auto amount = amount_from(by, is_length);
  if (!amount) return amount.error();
  JogWish wish{.frame = JogFrame::Joints, .joint_mask = std::uint64_t{1} << *position};
  wish.joint_velocity[*position] = *amount;
  return wish;
}

/// `before`: what stands before the axis, an arm and a frame.
Result<JogWish> tool_jog(const RobotModel& model, ConsoleWords before, std::size_t axis,
                         const Endings& asked) {
  std::string arm_name;
  std::string frame = asked.frame;
  for (const std::string& word : before) (find_arm(model, word) != kNone ? arm_name : frame) = word;
  const auto arm = arm_for(model, arm_name);
  if (!arm) return arm.error();
  if (const Status known = check_tool(**arm, asked.tool); !known) return known.error();
  const auto amount = amount_from(asked.words.back(), axis < 3);
  if (!amount) return amount.error();
  const auto X_BU = frame_named(model, **arm, {}, frame);
  if (!X_BU) return X_BU.error();
  const bool is_named = !frame.empty() && frame != "base" && frame != "tool";
  JogWish wish{.frame = is_named ? JogFrame::User : frame == "tool" ? JogFrame::Tool : JogFrame::Base};
  const RollPitchYaw rpy = roll_pitch_yaw(X_BU->rotation);
  if (is_named) wish.frame_rpy = {rpy.roll, rpy.pitch, rpy.yaw};
  (axis < 3 ? wish.linear[axis] : wish.angular[axis - 3]) = *amount;
  set_text(wish.arm, (*arm)->name);
  set_text(wish.tool, asked.tool);
  return wish;
}

Result<SerialChain> chain_with(const RobotModel& model, const Arm& arm, const std::string& tool_name) {
  for (const ToolFrame& tool : arm.tools)
    if (tool.name == tool_name) return SerialChain::make(model, arm.base_link, tool.link, tool.X_LT);
  return SerialChain::make(model, arm.base_link, arm.tip_link);
}

std::vector<double> joints_of(const SerialChain& chain, std::span<const double> q_all) {
  std::vector<double> q;
  for (std::size_t i = 0; i < chain.size(); ++i) q.push_back(q_all[chain.position(i)]);
  return q;
}

/// Where the tool is at a point of that name, a pose or joint positions; nothing when there is none.
std::optional<Pose> pose_of_point(const RobotModel& model, const SerialChain& chain,
                                  const std::string& name) {
  for (const NamedPosture& posture : model.postures) {
    if (posture.name != name) continue;
    const std::vector<double> q = joints_of(chain, posture.positions);
    if (std::ranges::none_of(q, [](double x) { return x != x; })) return chain.tool_pose(q);
  }
  return {};
}

std::vector<std::string> point_names(const RobotModel& model) {
  std::vector<std::string> names;
  for (const NamedPosture& posture : model.postures) names.push_back(posture.name);
  return names;
}

/// Three numbers and perhaps three angles.
struct Place {
  Vector3 position = Vector3::Zero();
  std::optional<Quaternion> rotation;
};

Result<Place> place_from(ConsoleWords words) {
  if (words.size() != 3 && words.size() != 6) return usage_error(std::string(kLineUsage));
  std::array<double, 6> numbers{};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto number = amount_from(words[i], i < 3);
    if (!number) return number.error();
    numbers[i] = *number;
  }
  Place place{.position = {numbers[0], numbers[1], numbers[2]}};
  if (words.size() == 6) place.rotation = quaternion_from({numbers[3], numbers[4], numbers[5]});
  return place;
}

/// Where the line ends, in the base. X_BU: the frame that it is given in; `by`: as a difference.
Pose end_of_line(const Place& place, const Pose& X_BT, const Pose& X_BU, bool by) {
  const Quaternion& R_BU = X_BU.rotation;
  if (!by)
    return {.rotation = place.rotation ? R_BU * *place.rotation : X_BT.rotation,
            .position = X_BU * place.position};
  const Quaternion turn = place.rotation ? R_BU * *place.rotation * R_BU.conjugate() : Quaternion::Identity();
  return {.rotation = (turn * X_BT.rotation).normalized(), .position = X_BT.position + R_BU * place.position};
}

Status set_speed_of(Request& request, const std::string& word) {
  if (word.empty()) return Done{};
  if (word.ends_with('%')) {
    const auto share = share_from(word);
    if (!share) return share.error();
    request.speed = *share;
    return Done{};
  }
  const auto speed = amount_from(word, true);
  if (!speed) return speed.error();
  if (!(*speed > 0.0)) return usage_error("a speed is over 0, in m/s, or as in 50mm, or a share as in 30%");
  request.tool_speed = *speed;
  return Done{};
}

void set_goal(Request& request, const Pose& X_BT) {
  const RollPitchYaw rpy = roll_pitch_yaw(X_BT.rotation);
  request.position = {X_BT.position.x(), X_BT.position.y(), X_BT.position.z()};
  request.rpy = {rpy.roll, rpy.pitch, rpy.yaw};
}

}  // namespace

Result<JogWish> jog_wish_from(const RobotModel& model, ConsoleWords words) {
  const auto asked = endings_of(words);
  if (!asked) return asked.error();
  if (asked->words.size() < 2) return usage_error(std::string(kJogUsage));
  const std::string& what = asked->words[asked->words.size() - 2];
  const auto axis = std::ranges::find(kAxes, what);
  const bool is_joint = asked->words.size() == 2 && (find_joint(model, what) != kNone || axis == kAxes.end());
  if (!is_joint && (axis == kAxes.end() || asked->words.size() > 4))
    return usage_error(std::string(kJogUsage));
  const ConsoleWords before = std::span(asked->words).first(asked->words.size() - 2);
  auto wish = is_joint ? joint_jog(model, what, asked->words.back())
                       : tool_jog(model, before, static_cast<std::size_t>(axis - kAxes.begin()), *asked);
  if (!wish) return wish.error();
  wish->is_step = 1;
  if (asked->speed.empty()) return wish;
  const auto share = share_from(asked->speed);
  if (!share) return share.error();
  wish->speed = *share;
  return wish;
}

Result<Request> line_request_from(const RobotModel& model, std::span<const double> q_all,
                                  ConsoleWords words) {
  const auto asked = endings_of(words);
  if (!asked) return asked.error();
  ConsoleWords rest = asked->words;
  const bool by = !rest.empty() && rest[0] == "by";
  if (by) rest = rest.subspan(1);
  const bool names_arm = rest.size() > 1 && find_arm(model, rest[0]) != kNone;
  const auto arm = arm_for(model, names_arm ? rest[0] : std::string());
  if (!arm) return arm.error();
  if (names_arm) rest = rest.subspan(1);
  if (const Status known = check_tool(**arm, asked->tool); !known) return known.error();
  const auto chain = chain_with(model, **arm, asked->tool);
  if (!chain) return chain.error();
  Request request{.verb = RequestVerb::MoveLine};
  set_text(request.arm, (*arm)->name);
  set_text(request.tool, asked->tool);
  if (const Status timed = set_speed_of(request, asked->speed); !timed) return timed.error();
  const Pose X_BT = chain->tool_pose(joints_of(*chain, q_all));
  if (rest.size() == 1 && !by && asked->frame.empty()) {
    const auto point = pose_of_point(model, *chain, rest[0]);
    if (!point)
      return usage_error(fmt::format("there is no posture '{}'{}; {}", rest[0],
                                     did_you_mean(rest[0], point_names(model)), kLineUsage));
    set_goal(request, *point);
    return request;
  }
  const auto place = place_from(rest);
  if (!place) return place.error();
  const auto X_BU = frame_named(model, **arm, X_BT, asked->frame);
  if (!X_BU) return X_BU.error();
  set_goal(request, end_of_line(*place, X_BT, *X_BU, by));
  return request;
}

std::vector<std::string> after_jog(const RobotModel& model, ConsoleWords words) {
  if (!words.empty() && std::ranges::find(kAxes, words.back()) != kAxes.end()) return {};
  if (!words.empty() && find_joint(model, words.back()) != kNone) return {};
  if (words.size() > 2) return {"with", "at"};
  std::vector<std::string> names(kAxes.begin(), kAxes.end());
  names.emplace_back("tool");
  for (const NamedFrame& frame : model.frames) names.push_back(frame.name);
  if (!words.empty()) return names;
  for (const Arm& arm : model.arms) names.push_back(arm.name);
  for (const std::string& joint : joint_names(model)) names.push_back(joint);
  return names;
}

std::vector<std::string> after_line(const RobotModel& model, ConsoleWords words) {
  std::vector<std::string> names;
  if (!words.empty() && words.back() == "in") {
    return frame_names(model);
  }
  if (!words.empty() && words.back() == "with") {
    for (const Arm& arm : model.arms)
      for (const ToolFrame& tool : arm.tools) names.push_back(tool.name);
    return names;
  }
  if (words.size() > 2) return {"in", "with", "at"};
  const bool is_first = words.empty();
  if (is_first) names = point_names(model);
  if (is_first) names.emplace_back("by");
  if (is_first || words.back() == "by")
    for (const Arm& arm : model.arms) names.push_back(arm.name);
  return names;
}

}  // namespace sinew::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/site.h"

#include <cmath>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/robot_yaml_parts.h"
#include "sinew/model/text_input.h"
#include "sinew/model/yaml.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using robot_yaml::position_text;

/// What is lost when a number is written and read again [rad, m, and by time].
constexpr double kSlack = 1e-9;

struct Narrowing {
  std::string_view key;
  double JointLimits::*member;
  bool is_lower = false;    ///< Narrower is larger.
  bool is_assumed = false;  ///< Where robot.yaml does not say it, a value is assumed that might be narrower.
};
constexpr Narrowing kNarrowings[] = {
    {.key = "lower", .member = &JointLimits::lower, .is_lower = true},
    {.key = "upper", .member = &JointLimits::upper},
    {.key = "velocity", .member = &JointLimits::velocity},
    {.key = "acceleration", .member = &JointLimits::acceleration, .is_assumed = true},
    {.key = "jerk", .member = &JointLimits::jerk, .is_assumed = true},
    {.key = "effort", .member = &JointLimits::effort},
};

std::string value_text(const Joint& joint, std::string_view key, double value) {
  if (key == "lower" || key == "upper") return position_text(joint, value);
  if (key == "velocity") return position_text(joint, value) + "/s";
  return fmt::format("{}", value);
}

const Place& place_of(const YamlNode& map, std::string_view key) {
  const YamlNode* plain = entry_of(map, key);
  const YamlNode* degrees = entry_of(map, fmt::format("{}_deg", key));
  return plain != nullptr ? plain->place : degrees != nullptr ? degrees->place : map.place;
}

// Within what the robot was made for; a hair beyond it is what it was made for.
void keep_narrower(const YamlNode& entry, const JointLimits& made, Joint& joint, Findings& findings) {
  for (const Narrowing& one : kNarrowings) {
    double& value = joint.limits.*one.member;
    const double most = made.*one.member;
    const double beyond = one.is_lower ? most - value : value - most;
    if (one.is_assumed && std::isinf(most) && std::isfinite(value))
      findings.refuse(place_of(entry, one.key),
                      fmt::format("robot.yaml has no '{}' of joint '{}' to be narrowed", one.key, joint.name),
                      "write it there first");
    if (beyond > kSlack)
      findings.refuse(
          place_of(entry, one.key),
          fmt::format("'{}' of joint '{}' is {}, beyond the {} that the robot is made for", one.key,
                      joint.name, value_text(joint, one.key, value), value_text(joint, one.key, most)),
          "on site, limits can only be made narrower");
    if (beyond > 0.0) value = most;
  }
  if (joint.limits.lower >= joint.limits.upper)
    findings.refuse(
        entry.place,
        fmt::format("joint '{}' could not move: it may go from {} to {}", joint.name,
                    position_text(joint, joint.limits.lower), position_text(joint, joint.limits.upper)),
        "leave it a range");
}

void keep_home(const YamlNode& entry, const RobotModel& model, const Joint& joint, Findings& findings) {
  for (const NamedPosture& posture : model.postures) {
    if (posture.name != "home") continue;
    const double home = posture.positions[joint.position];
    if (std::isnan(home) || (home >= joint.limits.lower - kSlack && home <= joint.limits.upper + kSlack))
      return;
    findings.refuse(entry.place,
                    fmt::format("joint '{}' could not go home to {}: it may go from {} to {}", joint.name,
                                position_text(joint, home), position_text(joint, joint.limits.lower),
                                position_text(joint, joint.limits.upper)),
                    "leave its home within");
  }
}

void narrow_limits(const YamlNode& node, RobotModel& model, Findings& findings) {
  std::vector<JointLimits> made;
  for (const Joint& joint : model.joints) made.push_back(joint.limits);
  robot_yaml::read_limits(node, model, findings);
  if (findings.has_error()) return;
  for (const YamlNode& entry : node.children) {
    const std::size_t index = find_joint(model, entry.key);
    keep_narrower(entry, made[index], model.joints[index], findings);
    keep_home(entry, model, model.joints[index], findings);
  }
}

}  // namespace

Status apply_site_text(std::string_view text, std::string_view file, RobotModel& model) {
  if (Status sound = check_text(text, file); !sound) return sound;
  const auto root = parse_yaml(text, file);
  if (!root) return root.error();
  Findings findings;
  RobotModel changed = model;
  if (expect_map(*root, {"limits", "workspace"}, findings)) {
    const YamlNode* limits = entry_of(*root, "limits");
    if (limits != nullptr) narrow_limits(*limits, changed, findings);
    const YamlNode* workspace = entry_of(*root, "workspace");
    if (workspace != nullptr && !findings.has_error())
      robot_yaml::read_workspace(*workspace, changed, findings);
  }
  if (findings.has_error()) return findings.error();
  model = std::move(changed);
  return Done{};
}

Result<RobotOnSite> load_robot_on_site(std::string_view name_or_path, const fs::path& site,
                                       const LoadOptions& options) {
  auto robot = load_robot(name_or_path, options);
  if (!robot) return robot.error();
  RobotOnSite loaded{.robot = *std::move(robot), .site = {}};
  if (site.empty()) return loaded;
  std::error_code error;
  if (fs::status(site, error).type() == fs::file_type::not_found) return loaded;
  const auto refuse = [&](const Error& why) {
    return Error{why.code,
                 fmt::format("{}; the robot does not run without what was set up on site: mend that file, or "
                             "move it away to run it as it was made",
                             why.message)};
  };
  auto text = read_text_file(site);
  if (!text) return refuse(text.error());
  if (text->size() > kMostSiteBytes)
    return refuse({ErrorCode::OutOfLimits,
                   fmt::format("{} has more than {}", site.string(), bytes_text(kMostSiteBytes))});
  if (Status applied = apply_site_text(*text, site.string(), loaded.robot.model); !applied)
    return refuse(applied.error());
  loaded.site = *std::move(text);
  return loaded;
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/text_input.h"
#include "sinew/model/urdf_parts.h"

namespace sinew::urdf {
namespace {

struct JointType {
  std::string_view name;
  JointKind kind;
};
constexpr std::array<JointType, 4> kJointTypes{{{"revolute", JointKind::Revolute},
                                                {"continuous", JointKind::Continuous},
                                                {"prismatic", JointKind::Prismatic},
                                                {"fixed", JointKind::Fixed}}};

void read_type(const XmlElement& element, JointPart& part, Findings& findings) {
  const std::string type = required_text(element, "type", findings);
  if (findings.has_error()) return;
  std::vector<std::string> names{"floating", "planar"};
  for (const JointType& known : kJointTypes) {
    if (known.name == type) {
      part.joint.kind = known.kind;
      return;
    }
    names.emplace_back(known.name);
  }
  // a robot's own motion over the ground; only the root may have it, and which joint that is shows later
  if (type == "floating" || type == "planar") {
    part.is_floating = true;
    return;
  }
  findings.refuse(element.place,
                  fmt::format("joint '{}' has the unknown type '{}'{}", shown(part.joint.name), shown(type),
                              did_you_mean(type, names)),
                  "use revolute, continuous, prismatic or fixed");
}

std::string read_end(const XmlElement& element, std::string_view which, const std::string& joint,
                     Findings& findings) {
  const XmlElement* end = child_of(element, which);
  if (end != nullptr) return required_text(*end, "link", findings);
  findings.refuse(element.place, fmt::format("joint '{}' has no <{}>", shown(joint), which),
                  fmt::format("write <{} link=\"…\"/>", which));
  return {};
}

void read_axis(const XmlElement& element, Joint& joint, Findings& findings) {
  const XmlElement* axis = child_of(element, "axis");
  if (axis == nullptr || joint.kind == JointKind::Fixed) return;
  remark_on_unknown(*axis, {}, {"xyz"}, findings);
  const Vector3 vector = vector_or(*axis, "xyz", Vector3::UnitX(), findings);
  const double length = vector.stableNorm();
  if (!(length > 1e-9) || !std::isfinite(length)) {
    findings.remark(axis->place,
                    fmt::format("the axis of joint '{}' has no direction; the joint is taken as fixed",
                                shown(joint.name)),
                    "write a vector of length 1, such as \"0 0 1\"");
    joint.kind = JointKind::Fixed;
    return;
  }
  joint.axis = (vector / length).normalized();
  if (std::abs(length - 1.0) > 1e-3) {
    findings.remark(
        axis->place,
        fmt::format("the axis of joint '{}' has the length {:g} and is taken as {:.6g} {:.6g} {:.6g}",
                    shown(joint.name), length, joint.axis.x(), joint.axis.y(), joint.axis.z()),
        "write a vector of length 1");
  }
}

// A limit on how fast or how strong. Exporters write zero where they know nothing.
double read_bound(const XmlElement& limit, std::string_view name, const Joint& joint, Findings& findings) {
  if (attribute_of(limit, name) == nullptr) return std::numeric_limits<double>::infinity();
  const double bound = number_or(limit, name, 0.0, findings);
  if (bound < 0.0) {
    findings.remark(limit.place,
                    fmt::format("'{}' of joint '{}' is {:g}, less than zero, and is taken as not known", name,
                                shown(joint.name), bound),
                    "write how much it may be, in either direction");
  }
  if (bound == 0.0 && name == "velocity") {
    findings.remark(
        limit.place,
        fmt::format("joint '{}' has the velocity limit zero, taken as not known", shown(joint.name)),
        "write what the joint can do, in rad/s or m/s");
  }
  return bound > 0.0 ? bound : std::numeric_limits<double>::infinity();
}

// Limits that stand the wrong way round are turned.
void settle_order(Joint& joint, const Place& place, Findings& findings) {
  JointLimits& limits = joint.limits;
  if (!(limits.lower > limits.upper)) return;
  findings.remark(
      place,
      fmt::format("joint '{0}' has its lower limit {1:g} above its upper limit {2:g} and is taken "
                  "to go from {2:g} to {1:g}",
                  shown(joint.name), limits.lower, limits.upper),
      "exchange them");
  std::swap(limits.lower, limits.upper);
}

void check_speed(const Joint& joint, const Place& place, Findings& findings) {
  const JointLimits& limits = joint.limits;
  const bool turns = joint.kind != JointKind::Prismatic;
  if (turns && std::isfinite(limits.velocity) && limits.velocity > 30.0) {
    findings.remark(place,
                    fmt::format("joint '{}' has the velocity limit {:g} rad/s, which looks like degrees",
                                shown(joint.name), limits.velocity),
                    "URDF counts in radians");
  }
}

void check_limits(const Joint& joint, const Place& place, Findings& findings) {
  const JointLimits& limits = joint.limits;
  if (limits.lower == limits.upper) {
    findings.remark(
        place,
        fmt::format("joint '{}' cannot move: both its limits are {:g}", shown(joint.name), limits.lower),
        "write its range, or make it fixed");
  }
  constexpr double kFourPi = 4.0 * std::numbers::pi;
  // what is not known looks like nothing
  if (!std::isfinite(limits.lower) || !std::isfinite(limits.upper))
    return check_speed(joint, place, findings);
  const double widest = std::max(std::abs(limits.lower), std::abs(limits.upper));
  if (joint.kind == JointKind::Revolute && widest > kFourPi + 0.1) {
    findings.remark(place,
                    fmt::format("joint '{}' has limits {:g} to {:g}, which look like degrees",
                                shown(joint.name), limits.lower, limits.upper),
                    "URDF counts in radians");
  }
  if (joint.kind == JointKind::Prismatic && widest > 20.0) {
    findings.remark(place,
                    fmt::format("joint '{}' has limits {:g} to {:g}, which look like millimetres",
                                shown(joint.name), limits.lower, limits.upper),
                    "URDF counts in metres");
  }
  check_speed(joint, place, findings);
}

// Neither end stands there, or all is zero, as exporters write it who were told nothing.
bool says_no_range(const XmlElement& limit) {
  const auto is_nothing = [&](std::string_view name) {
    const std::string* value = attribute_of(limit, name);
    return value == nullptr || parse_number(*value) == 0.0;
  };
  const bool has_ends = attribute_of(limit, "lower") != nullptr || attribute_of(limit, "upper") != nullptr;
  const bool is_blank = is_nothing("lower") && is_nothing("upper") && is_nothing("velocity");
  return is_blank || !has_ends;
}

void read_limit(const XmlElement& element, Joint& joint, Findings& findings) {
  if (joint.kind == JointKind::Fixed) return;
  const XmlElement* limit = child_of(element, "limit");
  const bool has_ends = joint.kind != JointKind::Continuous;
  if (limit == nullptr) {
    if (has_ends) {
      findings.remark(element.place,
                      fmt::format("joint '{}' has no <limit> and is taken as unlimited", shown(joint.name)),
                      "write <limit lower=… upper=… velocity=… effort=…/>");
    }
    return;
  }
  remark_on_unknown(*limit, {}, {"lower", "upper", "velocity", "effort", "acceleration", "jerk"}, findings);
  if (has_ends && says_no_range(*limit)) {
    findings.remark(limit->place,
                    fmt::format("the <limit> of joint '{}' says no range, and it is taken as unlimited",
                                shown(joint.name)),
                    "write lower=… and upper=…");
  } else if (has_ends) {
    // as the format defines it: what is not said is zero
    joint.limits.lower = number_or(*limit, "lower", 0.0, findings);
    joint.limits.upper = number_or(*limit, "upper", 0.0, findings);
  }
  joint.limits.velocity = read_bound(*limit, "velocity", joint, findings);
  joint.limits.effort = read_bound(*limit, "effort", joint, findings);
  joint.limits.acceleration = read_bound(*limit, "acceleration", joint, findings);
  joint.limits.jerk = read_bound(*limit, "jerk", joint, findings);
  settle_order(joint, limit->place, findings);
  check_limits(joint, limit->place, findings);
}

void read_mimic(const XmlElement& element, JointPart& part, Findings& findings) {
  const XmlElement* mimic = child_of(element, "mimic");
  if (mimic == nullptr) return;
  if (part.joint.kind == JointKind::Fixed) {
    findings.remark(mimic->place,
                    fmt::format("joint '{}' is fixed and mimics nothing", shown(part.joint.name)),
                    "remove <mimic>, or let the joint move");
    return;
  }
  remark_on_unknown(*mimic, {}, {"joint", "multiplier", "offset"}, findings);
  part.leader = required_text(*mimic, "joint", findings);
  part.joint.mimic = Mimic{.joint = kNone,
                           .factor = number_or(*mimic, "multiplier", 1.0, findings),
                           .offset = number_or(*mimic, "offset", 0.0, findings)};
}

void read_dynamics(const XmlElement& element, Joint& joint, Findings& findings) {
  const XmlElement* dynamics = child_of(element, "dynamics");
  if (dynamics == nullptr) return;
  joint.damping = number_or(*dynamics, "damping", 0.0, findings);
  joint.friction = number_or(*dynamics, "friction", 0.0, findings);
  if (joint.damping < 0.0 || joint.friction < 0.0) {
    findings.remark(
        dynamics->place,
        fmt::format("joint '{}' has the damping {:g} and the friction {:g}: what is less than zero is taken "
                    "as zero",
                    shown(joint.name), joint.damping, joint.friction),
        "write what slows it, as a positive number");
    joint.damping = std::max(joint.damping, 0.0);
    joint.friction = std::max(joint.friction, 0.0);
  }
}

}  // namespace

JointPart read_joint(const XmlElement& element, Reading& reading) {
  Findings& findings = reading.findings;
  JointPart part;
  part.place = element.place;
  part.joint.name = required_text(element, "name", findings);
  remark_on_unknown(element,
                    {"origin", "parent", "child", "axis", "limit", "mimic", "dynamics", "calibration",
                     "safety_controller", "gazebo"},
                    {"name", "type"}, findings);
  read_type(element, part, findings);
  part.parent = read_end(element, "parent", part.joint.name, findings);
  part.child = read_end(element, "child", part.joint.name, findings);
  part.joint.X_PJ = read_origin(element, reading);
  read_axis(element, part.joint, findings);
  read_limit(element, part.joint, findings);
  read_mimic(element, part, findings);
  read_dynamics(element, part.joint, findings);
  return part;
}

}  // namespace sinew::urdf

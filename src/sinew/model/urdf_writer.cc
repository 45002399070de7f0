// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/urdf_writer.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "sinew/spatial/pose.h"

namespace sinew {
namespace {

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// every number comes back as the same bits
std::string three_numbers(const Vector3& v) {
  return fmt::format("{} {} {}", v.x(), v.y(), v.z());
}

std::string origin_text(const Pose& X) {
  const RollPitchYaw turn = roll_pitch_yaw(X.rotation);
  return fmt::format(R"(<origin xyz="{}" rpy="{} {} {}"/>)", three_numbers(X.position), turn.roll, turn.pitch,
                     turn.yaw);
}

std::string geometry(const Shape& shape, const MeshNamer& mesh_name) {
  switch (shape.kind) {
    case ShapeKind::Box:
      return fmt::format(R"(<box size="{}"/>)", three_numbers(2.0 * shape.half_extents));
    case ShapeKind::Sphere:
      return fmt::format(R"(<sphere radius="{}"/>)", shape.radius);
    case ShapeKind::Cylinder:
      return fmt::format(R"(<cylinder radius="{}" length="{}"/>)", shape.radius, shape.length);
    case ShapeKind::Mesh:
      break;
  }
  const std::string name = mesh_name(shape);
  if (name.empty()) return {};
  return fmt::format(R"(<mesh filename="{}" scale="{}"/>)", xml_text(name), three_numbers(shape.mesh_scale));
}

std::string shape_text(std::string_view tag, const Shape& shape, const MeshNamer& mesh_name) {
  const std::string form = geometry(shape, mesh_name);
  if (form.empty()) return {};
  std::string material;
  if (shape.colour) {
    const Eigen::Vector4d& c = *shape.colour;
    material = fmt::format(
        R"(<material name="{0:.3f} {1:.3f} {2:.3f} {3:.3f}"><color rgba="{0} {1} {2} {3}"/></material>)",
        c[0], c[1], c[2], c[3]);
  }
  return fmt::format("    <{0}>{1}<geometry>{2}</geometry>{3}</{0}>\n", tag, origin_text(shape.X_LG), form,
                     material);
}

std::string inertia_text(const Inertia& inertia) {
  const Matrix3& I = inertia.about_C;
  return fmt::format(
      "    <inertial><origin xyz=\"{}\" rpy=\"0 0 0\"/><mass value=\"{}\"/>"
      "<inertia ixx=\"{}\" ixy=\"{}\" ixz=\"{}\" iyy=\"{}\" iyz=\"{}\" izz=\"{}\"/></inertial>\n",
      three_numbers(inertia.p_LC), inertia.mass, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2));
}

std::string link_text(const Link& link, const MeshNamer& mesh_name) {
  std::string text = fmt::format("  <link name=\"{}\">\n", xml_text(link.name));
  if (link.inertia) text += inertia_text(*link.inertia);
  for (const Shape& shape : link.visuals) text += shape_text("visual", shape, mesh_name);
  for (const Shape& shape : link.collisions) text += shape_text("collision", shape, mesh_name);
  return text + "  </link>\n";
}

// what is not limited is not said
std::string limit_text(const Joint& joint) {
  const JointLimits& limits = joint.limits;
  std::string text;
  const auto say = [&](std::string_view name, double value) {
    if (std::isfinite(value)) text += fmt::format(R"( {}="{}")", name, value);
  };
  if (joint.kind != JointKind::Continuous) {
    say("lower", limits.lower);
    say("upper", limits.upper);
  }
  say("velocity", limits.velocity);
  say("effort", limits.effort);
  return text.empty() ? text : fmt::format("    <limit{}/>\n", text);
}

std::string joint_text(const RobotModel& model, const Joint& joint) {
  std::string text = fmt::format(
      "  <joint name=\"{}\" type=\"{}\">\n    {}\n    <parent link=\"{}\"/>\n    <child link=\"{}\"/>\n",
      xml_text(joint.name), joint_kind_text(joint.kind), origin_text(joint.X_PJ),
      xml_text(model.links[joint.parent_link].name), xml_text(model.links[joint.child_link].name));
  if (joint.kind == JointKind::Fixed) return text + "  </joint>\n";
  text += fmt::format("    <axis xyz=\"{}\"/>\n", three_numbers(joint.axis));
  text += limit_text(joint);
  if (joint.damping != 0.0 || joint.friction != 0.0)
    text += fmt::format("    <dynamics damping=\"{}\" friction=\"{}\"/>\n", joint.damping, joint.friction);
  if (joint.mimic)
    text += fmt::format("    <mimic joint=\"{}\" multiplier=\"{}\" offset=\"{}\"/>\n",
                        xml_text(model.joints[joint.mimic->joint].name), joint.mimic->factor,
                        joint.mimic->offset);
  return text + "  </joint>\n";
}

}  // namespace

std::string urdf_text(const RobotModel& model, const MeshNamer& mesh_name) {
  std::string text = fmt::format("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", xml_text(model.name));
  for (const Link& link : model.links) text += link_text(link, mesh_name);
  for (const Joint& joint : model.joints) text += joint_text(model, joint);
  return text + "</robot>\n";
}

}  // namespace sinew

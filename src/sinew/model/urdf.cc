// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/urdf.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/text_input.h"
#include "sinew/model/urdf_parts.h"
#include "sinew/model/xacro.h"

namespace sinew {
namespace urdf {
namespace {

// what others write into a URDF for their own programs
constexpr std::array<std::string_view, 9> kRobotChildren{
    "link", "joint", "material", "transmission", "gazebo", "mujoco", "ros2_control", "sensor", "verbose",
};

bool is_prefixed(std::string_view name) {
  return name.find(':') != std::string_view::npos;
}

void remark_on_children(const XmlElement& element, const std::vector<std::string>& known,
                        Findings& findings) {
  for (const XmlElement& child : element.children) {
    if (std::find(known.begin(), known.end(), child.name) != known.end() || is_prefixed(child.name)) continue;
    findings.remark(child.place,
                    fmt::format("<{}> in <{}> is passed over{}", shown(child.name), element.name,
                                did_you_mean(child.name, known)),
                    "remove it if it means nothing");
  }
}

}  // namespace

void remark_on_unknown(const XmlElement& element, std::initializer_list<std::string_view> children,
                       std::initializer_list<std::string_view> attributes, Findings& findings) {
  remark_on_children(element, {children.begin(), children.end()}, findings);
  const std::vector<std::string> known(attributes.begin(), attributes.end());
  for (const XmlAttribute& attribute : element.attributes) {
    if (std::find(known.begin(), known.end(), attribute.name) != known.end() || is_prefixed(attribute.name)) {
      continue;
    }
    findings.remark(element.place,
                    fmt::format("'{}' of <{}> is passed over{}", shown(attribute.name), element.name,
                                did_you_mean(attribute.name, known)),
                    "remove it if it means nothing");
  }
}

Pose read_origin(const XmlElement& parent, Reading& reading) {
  const XmlElement* origin = child_of(parent, "origin");
  if (origin == nullptr) return {};
  Findings& findings = reading.findings;
  remark_on_unknown(*origin, {}, {"xyz", "rpy"}, findings);
  const Vector3 position = vector_or(*origin, "xyz", Vector3::Zero(), findings);
  const Vector3 rpy = vector_or(*origin, "rpy", Vector3::Zero(), findings);
  constexpr double kFar = 100.0;
  if (position.cwiseAbs().maxCoeff() > kFar) {
    findings.remark(origin->place,
                    fmt::format("an origin {} away looks like millimetres", length_text(position.norm())),
                    "URDF counts in metres");
  }
  constexpr double kOverTurned = 6.3;
  if (rpy.cwiseAbs().maxCoeff() > kOverTurned) {
    findings.remark(origin->place,
                    fmt::format("rpy {:g} {:g} {:g} looks like degrees", rpy.x(), rpy.y(), rpy.z()),
                    "URDF counts in radians");
  }
  return {.rotation = quaternion_from({rpy.x(), rpy.y(), rpy.z()}), .position = position};
}

namespace {

void check_root(const XmlElement& root, Findings& findings) {
  if (root.name == "robot") return;
  const bool is_sdf = root.name == "sdf";
  findings.refuse(root.place, fmt::format("the root element is <{}>, not <robot>", shown(root.name)),
                  is_sdf ? "this is SDF: convert it to URDF" : "is it a URDF?");
}

// What the expander would have turned into plain URDF, or what it left.
void remark_on_xacro(const XmlElement& element, Findings& findings) {
  for (const XmlElement& child : element.children) {
    if (!child.name.starts_with("xacro:")) {
      remark_on_xacro(child, findings);
      continue;
    }
    findings.remark(child.place, fmt::format("<{}> is passed over: it is not expanded", shown(child.name)),
                    "expand the file with xacro, or remove what is left over");
  }
}

void check_count(const XmlElement& root, std::size_t links, Findings& findings) {
  if (links == 0) findings.refuse(root.place, "the robot has no links", "add at least one <link>");
  if (links > kMostLinks) {
    findings.refuse(root.place, fmt::format("the robot has {} links, more than {}", links, kMostLinks),
                    "leave out what does not move");
  }
}

RobotModel read_robot(const XmlElement& root, Reading& reading) {
  Findings& findings = reading.findings;
  check_root(root, findings);
  remark_on_xacro(root, findings);
  if (findings.has_error()) return {};
  const std::string name = required_text(root, "name", findings);
  remark_on_children(root, {kRobotChildren.begin(), kRobotChildren.end()}, findings);

  // links may use a material that is defined after them
  for (const XmlElement& child : root.children) {
    if (child.name == "material") read_material(child, reading);
  }
  std::vector<LinkPart> links;
  std::vector<JointPart> joints;
  for (const XmlElement& child : root.children) {
    if (findings.has_error()) return {};
    if (child.name == "link") links.push_back(read_link(child, reading));
    if (child.name == "joint") joints.push_back(read_joint(child, reading));
  }
  check_count(root, links.size(), findings);
  if (findings.has_error()) return {};
  return assemble(name, std::move(links), std::move(joints), root.place, findings);
}

}  // namespace
}  // namespace urdf

Result<ReadRobot> read_urdf_tree(const XmlElement& root, const std::filesystem::path& file,
                                 const UrdfOptions& options) {
  urdf::Reading reading{.options = options, .folder = file.parent_path(), .colours = {}, .findings = {}};
  ReadRobot robot{.model = urdf::read_robot(root, reading), .remarks = {}};
  if (reading.findings.has_error()) return reading.findings.error();
  robot.remarks = reading.findings.take_remarks();
  return robot;
}

Result<ReadRobot> read_urdf_text(std::string_view text, const std::filesystem::path& file,
                                 const UrdfOptions& options) {
  const auto root = parse_xml(text, file.string());
  if (!root) return root.error();
  return read_urdf_tree(*root, file, options);
}

namespace {

bool has_expression(const XmlElement& element) {
  const auto is_open = [](const XmlAttribute& attribute) {
    return attribute.value.find("${") != std::string::npos;
  };
  return std::any_of(element.attributes.begin(), element.attributes.end(), is_open) ||
         std::any_of(element.children.begin(), element.children.end(), [](const XmlElement& child) {
           return !child.name.starts_with("xacro:") && has_expression(child);
         });
}

// A URDF that was expanded once and kept a tag or two, as many exporters leave them.
bool is_plain_urdf(const XmlElement& root, const std::filesystem::path& path) {
  return path.extension() != ".xacro" && child_of(root, "link") != nullptr && !has_expression(root);
}

}  // namespace

Result<RobotXml> read_robot_xml(const std::filesystem::path& path, const UrdfOptions& options) {
  const auto text = read_text_file(path, *options.files);
  if (!text) return text.error();
  auto root = parse_xml(*text, path.string());
  if (!root) return root.error();
  if (!has_xacro(*root)) return RobotXml{.root = *std::move(root), .remarks = {}};
  auto expanded = expand_xacro(
      *root,
      {.arguments = options.xacro_arguments, .package_paths = options.package_paths, .files = options.files});
  if (expanded) return RobotXml{.root = *std::move(expanded), .remarks = {}};
  if (!is_plain_urdf(*root, path)) return expanded.error();
  Remark left{
      .place = root->place,
      .what = "this is read as plain URDF, for its xacro cannot be expanded: " + expanded.error().message,
      .remedy = "mend that, or remove the <xacro:…> that are left over"};
  return RobotXml{.root = *std::move(root), .remarks = {std::move(left)}};
}

Result<ReadRobot> read_urdf(const std::filesystem::path& path, const UrdfOptions& options) {
  auto xml = read_robot_xml(path, options);
  if (!xml) return xml.error();
  auto robot = read_urdf_tree(xml->root, path, options);
  if (robot) robot->remarks.insert(robot->remarks.begin(), xml->remarks.begin(), xml->remarks.end());
  return robot;
}

}  // namespace sinew

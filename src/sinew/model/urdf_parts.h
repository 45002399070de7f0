// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inside the room: the pieces of the URDF reader.

#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/urdf.h"

namespace sinew::urdf {

/// A link, and where it stands.
struct LinkPart {
  Link link;
  Place place;
};

/// A joint whose ends and leader are still names.
struct JointPart {
  Joint joint;
  std::string parent;
  std::string child;
  std::string leader;  ///< The joint that it mimics; empty: none.
  bool is_floating = false;
  Place place;
};

using Colours = std::map<std::string, Eigen::Vector4d>;

/// What the pieces share while one file is read.
struct Reading {
  const UrdfOptions& options;
  std::filesystem::path folder;  ///< Of the URDF.
  Colours colours;               ///< Materials that have been defined so far.
  Findings findings;
};

LinkPart read_link(const XmlElement& element, Reading& reading);
JointPart read_joint(const XmlElement& element, Reading& reading);

/// Defines the colour of a top-level <material>, or finds that of a used one.
std::optional<Eigen::Vector4d> read_material(const XmlElement& element, Reading& reading);

/// <origin xyz rpy> in `parent`; identity without one.
Pose read_origin(const XmlElement& parent, Reading& reading);

/// Puts the parts together: order, parents, roots, mimics.
RobotModel assemble(std::string name, std::vector<LinkPart> links, std::vector<JointPart> joints,
                    const Place& place, Findings& findings);

/// Makes a joint that moves a fixed one that stands where `position` [rad, m] would put it.
void hold_joint(Joint& joint, double position);

/// Holds the joints beyond kMostPositions where the description puts them, those of the longest chains last,
/// and remarks which.
void hold_surplus(RobotModel& model, const Place& place, Findings& findings);

/// The file that `name` means, or nothing: `package://P/rest`, `file://…`, absolute or relative.
std::optional<std::filesystem::path> resolve_mesh(std::string_view name, const std::filesystem::path& folder,
                                                  const UrdfOptions& options);

/// Remarks on children and attributes that no reader knows, such as <limits> for <limit>.
void remark_on_unknown(const XmlElement& element, std::initializer_list<std::string_view> children,
                       std::initializer_list<std::string_view> attributes, Findings& findings);

}  // namespace sinew::urdf

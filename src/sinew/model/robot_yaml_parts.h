// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inside the room: what the pieces of the robot.yaml reader share.

#include <cstddef>
#include <string>

#include "sinew/model/findings.h"
#include "sinew/model/robot_model.h"
#include "sinew/model/yaml.h"
#include "sinew/model/yaml_pose.h"

namespace sinew::robot_yaml {

/// A position for people: degrees or millimetres, as the joint turns or slides.
std::string position_text(const Joint& joint, double position);

/// The joint of that name that has a position of its own; refused at `node` when there is none.
std::size_t joint_named(const YamlNode& node, const std::string& name, const RobotModel& model,
                        Findings& findings);

/// The link of that name; refused at `node` when there is none.
std::size_t link_named(const YamlNode& node, const std::string& name, const RobotModel& model,
                       Findings& findings);

/// The section `limits`.
void read_limits(const YamlNode& node, RobotModel& model, Findings& findings);

/// The section `workspace`, beside the bounds that there are.
void read_workspace(const YamlNode& node, RobotModel& model, Findings& findings);

/// The section `frames`.
void read_frames(const YamlNode& node, RobotModel& model, Findings& findings);

/// The section `actuation`.
void read_actuation(const YamlNode& node, RobotModel& model, Findings& findings);

/// The section `homing`; `limits` must have been read.
void read_homing(const YamlNode& node, RobotModel& model, Findings& findings);

/// The section `io`.
void read_io(const YamlNode& node, RobotModel& model, Findings& findings);

/// The section `grippers`; `io` must have been read.
void read_grippers(const YamlNode& node, RobotModel& model, Findings& findings);

}  // namespace sinew::robot_yaml

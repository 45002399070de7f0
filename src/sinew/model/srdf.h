// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/findings.h"
#include "sinew/model/robot_files.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// Puts what a SRDF says into a model that was read from its URDF: groups that are chains become arms,
/// group_states postures, disable_collisions ignored pairs, end_effectors tools. What the model has already
/// under the same name stays. What cannot be taken over is told in the remarks.
Result<std::vector<Remark>> apply_srdf_text(std::string_view text, const std::filesystem::path& file,
                                            RobotModel& model);

/// The SRDF of a robot whose URDF or robot.yaml is `file`: `given`, which must exist, or else what lies
/// beside it as STEM.srdf, ROBOT.srdf or robot.srdf (STEM: the file's name up to its first dot). Empty: there
/// is none.
Result<std::filesystem::path> find_srdf(const std::filesystem::path& file, std::string_view robot,
                                        const RobotFiles& files, const std::filesystem::path& given = {});

/// The robot's arms, postures, tools and ignored pairs as a SRDF that MoveIt reads.
std::string srdf_text(const RobotModel& model);

}  // namespace sinew

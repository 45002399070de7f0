// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/findings.h"
#include "sinew/model/robot_files.h"
#include "sinew/model/robot_model.h"
#include "sinew/picture/image.h"

namespace sinew {

/// From where a robot is seen. It faces along x: Front looks it in the face, Side has its front to the right,
/// Top its front to the right and its left above, Iso looks from the front right and above.
enum class View { Front, Side, Top, Iso };

/// The view of that name ("front", "side", "top", "iso"); nothing when there is none.
std::optional<View> view_named(std::string_view name);

struct PictureOptions {
  int width = 640;   ///< [pixels], 16 to 4096.
  int height = 480;  ///< [pixels], 16 to 4096.
  View view = View::Iso;
  bool has_tool_axes = true;  ///< Red, green and blue arrows along x, y and z of each arm's tool.
  const RobotFiles* files = &RobotFiles::all();  ///< Where meshes are read.
};

/// A picture and what could not be drawn, such as a mesh that is missing.
struct RobotPicture {
  Image image;
  std::vector<Remark> remarks;
};

/// Draws the robot at joint positions q [rad, m], one for each of RobotModel::positions. The picture is the
/// same on every run. Takes about a second for 640 x 480.
Result<RobotPicture> draw_robot(const RobotModel& model, std::span<const double> q,
                                const PictureOptions& options = {});

/// Where every link is in the root link, in the order of RobotModel::links.
std::vector<Pose> link_poses(const RobotModel& model, std::span<const double> q);

/// The place of a point [m] in the picture that draw_robot() makes, in pixels from the top left; what lies
/// nearer may hide it.
struct PicturePlace {
  double x = 0.0;
  double y = 0.0;
};
Result<PicturePlace> place_in_picture(const RobotModel& model, std::span<const double> q, const Vector3& p_WQ,
                                      const PictureOptions& options = {});

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/robot_model.h"

namespace sinew {

/// What of a robot does not change while it runs, as the page wants it.
class RobotFacts {
 public:
  /// `mode`: "simulated", "emulated" or "real".
  RobotFacts(const RobotModel& model, std::string_view robot, std::string_view mode);

  /// Joints in the order of their positions, arms, tools, grippers, postures, inputs and outputs, workspace.
  const std::string& json() const { return json_; }
  /// One plain URDF whose meshes are at /api/mesh/NUMBER/NAME.
  const std::string& urdf() const { return urdf_; }

  /// The file behind "NUMBER/NAME"; only those that the model names.
  struct Mesh {
    std::filesystem::path file;
    std::string_view type;
  };
  std::optional<Mesh> mesh(std::string_view number_and_name) const;

 private:
  std::string json_;
  std::string urdf_;
  std::vector<std::string> meshes_;  // files, in the order of their numbers
};

}  // namespace sinew

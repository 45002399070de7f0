// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/yaml_pose.h"

#include <numbers>

namespace sinew {

Pose pose_from(const YamlNode& map, Findings& findings) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  Pose X_AB;
  if (const YamlNode* xyz = entry_of(map, "xyz")) X_AB.position = vector_from(*xyz, findings);
  const YamlNode* rpy = entry_of(map, "rpy");
  const YamlNode* rpy_deg = entry_of(map, "rpy_deg");
  if (rpy != nullptr && rpy_deg != nullptr)
    findings.refuse(rpy->place, "both 'rpy' and 'rpy_deg' are given", "keep one of them");
  Vector3 angles = Vector3::Zero();
  if (rpy != nullptr) angles = vector_from(*rpy, findings);
  if (rpy_deg != nullptr) angles = vector_from(*rpy_deg, findings) * kDegree;
  X_AB.rotation = quaternion_from({angles.x(), angles.y(), angles.z()});
  return X_AB;
}

}  // namespace sinew

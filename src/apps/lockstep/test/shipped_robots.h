// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"

namespace sinew {

/// Every robot shipped, by name, and each of its variants as NAME:VARIANT.
inline std::vector<std::string> robots_and_variants() {
  std::vector<std::string> names;
  const LoadOptions places = usual_places();
  for (const std::string& name : robot_names(places)) {
    names.push_back(name);
    const auto robot = load_robot(name, places);
    if (!robot) continue;
    for (const std::string& variant : variant_names(robot->urdf.parent_path()))
      names.push_back(name + ":" + variant);
  }
  return names;
}

/// The name of its case: letters, digits and underscores.
inline std::string case_of_robot(const testing::TestParamInfo<std::string>& param) {
  std::string name = param.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

}  // namespace sinew

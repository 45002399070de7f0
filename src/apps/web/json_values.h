// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "sinew/spatial/pose.h"

namespace sinew {

/// What JSON has no number for is null.
inline nlohmann::ordered_json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

/// To a millionth: nanometres and microdegrees are noise, and short numbers are sent sooner.
inline double rounded(double value) {
  return std::isfinite(value) ? std::round(value * 1e6) / 1e6 : 0.0;
}

inline nlohmann::ordered_json vector_json(const Vector3& v) {
  return {rounded(v.x()), rounded(v.y()), rounded(v.z())};
}

inline nlohmann::ordered_json vector_json(const std::array<double, 3>& v) {
  return {rounded(v[0]), rounded(v[1]), rounded(v[2])};
}

/// {"p": [x, y, z], "q": [w, x, y, z]}
inline nlohmann::ordered_json pose_json(const Pose& X) {
  const Quaternion& r = X.rotation;
  return {{"p", vector_json(X.position)},
          {"q", {rounded(r.w()), rounded(r.x()), rounded(r.y()), rounded(r.z())}}};
}

/// Names may hold any bytes: what is no UTF-8 is shown as such.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sinew

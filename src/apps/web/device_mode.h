// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace sinew {

/// What moves when the robot does: "simulated", "emulated" (a device's protocol, and no motors) or "real".
/// `driver`: which one was asked for, "simulator" or nothing; `settings`: `driver:` of robot.yaml. Whatever
/// is not known to be harmless is real.
inline std::string_view device_mode(std::string_view driver,
                                    const std::map<std::string, std::string>& settings) {
  const auto says = [&](const std::string& key, std::string_view word) {
    const auto found = settings.find(key);
    return found != settings.end() && found->second == word;
  };
  if (driver == "simulator" || driver == "ideal") return "simulated";
  if (says("emulated", "true")) return "emulated";
  return says("kind", "ideal") ? "simulated" : "real";
}

}  // namespace sinew

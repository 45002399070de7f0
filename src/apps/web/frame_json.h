// SPDX-License-Identifier: BSD-3-Clause
// For .cc files of this app only: it brings nlohmann's header along.
#pragma once

#include <nlohmann/json.hpp>

#include "apps/web/frame_store.h"

namespace sinew {

/// {"name", "arm", "position": [m], "rpy": [rad], "mass" [kg], "centre": [m]}
nlohmann::ordered_json frame_json(const TaughtFrame& frame);

/// Refused: what is no position or no rpy. `name` counts when the JSON has none.
Result<TaughtFrame> frame_from(const nlohmann::ordered_json& json, const std::string& name = {});

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
// For .cc files of this app only: it brings nlohmann's header along.
#pragma once

#include <nlohmann/json.hpp>

#include "apps/web/point_store.h"

namespace sinew {

/// {"name", "arm", "note", "joints": {"elbow": 0.2, …}}
nlohmann::ordered_json point_json(const TaughtPoint& point);

/// Refused: other keys, no name, no joints, what is no number. Arm and note may be left out.
Result<TaughtPoint> point_from(const nlohmann::ordered_json& json);

}  // namespace sinew

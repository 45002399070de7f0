// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/recording/mcap_reader.h"

#include "apps/web/api_call.h"
#include "apps/web/background.h"
#include "apps/web/recording_store.h"

namespace sinew {

/// The calls that show recordings: their list, a file's bytes, and the joints of `robot` in it over time.
/// `store` and `background`, where files are read, must outlive the rows. `model`, where it can be loaded,
/// gives joints their names in what is said of stops.
std::vector<ApiRow> recording_rows(const RecordingStore& store, Background& background, std::string robot,
                                   const RobotModel* model);

/// What a recording says of itself: {"robots": […], "seconds", "reason"?}.
nlohmann::ordered_json recording_facts(const recording::McapContents& contents);

/// What a page plays: {"robot", "seconds": […], "positions", "processed", "wanted": [[…], …], "marks": […]},
/// thinned out to `most_numbers` altogether.
Result<nlohmann::ordered_json> recording_curves(const RecordingStore& store, const std::string& name,
                                                const std::string& robot, const RobotModel* model,
                                                std::size_t most_numbers);

}  // namespace sinew

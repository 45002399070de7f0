// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>

#include "sinew/recording/mcap_reader.h"

#include "apps/cli/command.h"

namespace sinew::cli {

// each defined beside what it runs
extern const Command kRecordCommand;
extern const Command kReplayCommand;

/// What `sinew replay FILE --info | --check | --csv CHANNEL | --through-controller` print, defined in
/// replay_info.cc, replay_csv.cc and replay_controller.cc.
Status print_recording_info(const recording::McapReader& reader, bool as_json, std::ostream& out);
Status print_recording_check(const recording::McapReader& reader, std::ostream& out);
Status print_recording_csv(const recording::McapReader& reader, const Words& words, std::ostream& out);
Status print_replayed_runs(const recording::McapReader& reader, const Words& words, std::ostream& out);

}  // namespace sinew::cli

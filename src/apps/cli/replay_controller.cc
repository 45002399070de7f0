// SPDX-License-Identifier: BSD-3-Clause
// sinew replay FILE --through-controller
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/record_commands.h"
#include "apps/controller/replay_run.h"

namespace sinew::cli {
namespace {

void print_text(const ReplayedRun& run, std::ostream& out) {
  if (run.cycles > 0)
    out << fmt::format("{}: {} cycles, {} to {}, came out the same bit for bit\n", run.robot, run.cycles,
                       run.first_cycle, run.last_cycle);
  if (run.left_out > 0)
    out << fmt::format("{}: {} cycles could not be run again: {}\n", run.robot, run.left_out,
                       run.left_out_reason);
  if (!run.difference.empty()) out << fmt::format("{}: {}\n", run.robot, run.difference);
}

void print_json(const std::vector<ReplayedRun>& runs, std::ostream& out) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const ReplayedRun& run : runs)
    rows.push_back({{"robot", run.robot},
                    {"same_cycles", run.cycles},
                    {"first_cycle", run.first_cycle},
                    {"last_cycle", run.last_cycle},
                    {"left_out", run.left_out},
                    {"left_out_reason", run.left_out_reason},
                    {"difference", run.difference}});
  out << rows.dump() << "\n";
}

}  // namespace

Status print_replayed_runs(const recording::McapReader& reader, const Words& words, std::ostream& out) {
  const auto runs =
      replay_through_controller(reader, {.robot = words.text("--robot"), .site = words.text("--site")});
  if (!runs) return runs.error();
  if (words.has("--json")) {
    print_json(*runs, out);
  } else {
    for (const ReplayedRun& run : *runs) print_text(run, out);
  }
  for (const ReplayedRun& run : *runs) {
    if (!run.difference.empty())
      return Error{ErrorCode::Mismatch, fmt::format("{} moved otherwise than its controller would now; the "
                                                    "recording, the build or the processor is another",
                                                    run.robot)};
    if (run.cycles == 0)
      return Error{ErrorCode::NotFound,
                   fmt::format("no cycle of {} can be run again: {}", run.robot,
                               run.left_out_reason.empty() ? "there is none" : run.left_out_reason)};
  }
  return Done{};
}

}  // namespace sinew::cli

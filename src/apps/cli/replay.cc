// SPDX-License-Identifier: BSD-3-Clause
// sinew replay
#include <cstdio>
#include <ostream>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/recording/replayer.h"

#include "apps/cli/plot.h"
#include "apps/cli/record_commands.h"
#include "apps/cli/untyped_channel.h"

namespace sinew::cli {
namespace {

std::vector<std::string> patterns_in(std::string list) {
  std::vector<std::string> patterns;
  for (char& c : list) c = c == ',' ? ' ' : c;
  for (std::size_t start = 0; (start = list.find_first_not_of(' ', start)) != std::string::npos;) {
    const std::size_t end = std::min(list.find(' ', start), list.size());
    patterns.push_back(list.substr(start, end - start));
    start = end;
  }
  return patterns;
}

void tell(const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) fmt::print(stderr, "{}\n", problem);
}

Status play(const recording::McapReader& reader, const Words& words, std::ostream& out) {
  const auto speed = words.number("--speed", 0.001, 1'000'000);
  if (!speed) return speed.error();
  const std::string space = words.text(words.has("--into-space") ? "--into-space" : "--space");
  catch_stop_signals();
  auto replayer = recording::Replayer::open(reader, {.space = space,
                                                     .patterns = patterns_in(words.text("--channels")),
                                                     .speed = *speed,
                                                     .may_mix = words.has("--force")});
  if (!replayer) return replayer.error();
  tell(reader.contents().problems);
  fmt::print(stderr, "replaying {} channels into space '{}'; Ctrl-C ends it\n", replayer->channel_count(),
             space);
  recording::ReplayReport total;
  do {
    const auto report = replayer->play(stop_requested);
    if (!report) return report.error();
    total.messages += report->messages;
    total.skipped += report->skipped;
    total.worst_late_ns = std::max(total.worst_late_ns, report->worst_late_ns);
  } while (words.has("--loop") && !stop_requested());
  tell(replayer->problems());
  out << fmt::format("put {} messages, {} at most late{}\n", total.messages,
                     duration_text(total.worst_late_ns),
                     total.skipped > 0 ? fmt::format(", {} could not be put", total.skipped) : "");
  return Done{};
}

Status run_replay(const Words& words, std::ostream& out) {
  const auto reader = recording::McapReader::open(words.argument(0));
  if (!reader) return reader.error();
  if (words.has("--through-controller")) return print_replayed_runs(*reader, words, out);
  if (words.has("--check")) return print_recording_check(*reader, out);
  if (words.has("--csv")) return print_recording_csv(*reader, words, out);
  if (words.has("--plot"))
    return plot_recording(*reader, {}, words.text("--robot"), words.text("--plot"), out);
  if (words.has("--info") || words.has("--json"))
    return print_recording_info(*reader, words.has("--json"), out);
  return play(*reader, words, out);
}

}  // namespace

const Command kReplayCommand{
    .name = "replay",
    .summary = "Put the messages of a recording again, or tell what it holds",
    .details =
        "Puts every message again with its timing, into channels of the recorded kind; those that are "
        "missing "
        "are made. The bytes are those recorded; number and time of the put are new. Refused when somebody "
        "alive writes one of the channels. Reads files of other programs too, and those that were cut off.",
    .arguments = {{.name = "FILE", .help = "An MCAP file.", .completion = Completion::File}},
    .options =
        {{.name = "--speed", .value_name = "X", .help = "So many times as fast as it was.", .fallback = "1"},
         {.name = "--loop", .value_name = "", .help = "Again from the start, until Ctrl-C."},
         {.name = "--channels",
          .value_name = "LIST",
          .help = "Only these, as in 'mds/state,mds/ref/*'.",
          .completion = Completion::Channel},
         {.name = "--into-space", .value_name = "NAME", .help = "Into the channels of this space."},
         {.name = "--force", .value_name = "", .help = "Also into channels that somebody writes."},
         {.name = "--info", .value_name = "", .help = "Tell what the file holds, and put nothing."},
         {.name = "--json",
          .value_name = "",
          .help = "The same, or what --through-controller finds, as JSON."},
         {.name = "--through-controller",
          .value_name = "",
          .help = "Put nothing: run the recorded inputs of each controller through the same code again, and "
                  "compare every command bit by bit."},
         {.name = "--robot",
          .value_name = "ROBOT",
          .help =
              "With --through-controller: the robot as it was then, when it has changed since; with --plot: "
              "its model, when its name is another."},
         {.name = "--site",
          .value_name = "FILE",
          .help = "With --through-controller: what was set up on site then (site.yaml), when it has changed "
                  "since."},
         {.name = "--check", .value_name = "", .help = "Read all of it and check every CRC."},
         {.name = "--csv",
          .value_name = "CHANNEL",
          .help = "Print the messages of this channel as a table.",
          .completion = Completion::Channel},
         {.name = "--fields", .value_name = "LIST", .help = "With --csv: only these fields."},
         {.name = "--plot",
          .value_name = "FILE",
          .help = "Put nothing: draw joints and tool into this .svg or .png.",
          .completion = Completion::File}},
    .examples = {"sinew replay run.mcap --info", "sinew replay stop.mcap --through-controller",
                 "sinew replay run.mcap --into-space lab --speed 0.5",
                 "sinew replay run.mcap --csv mds/state --fields position[0],velocity[0] > run.csv"},
    .run = run_replay,
};

}  // namespace sinew::cli

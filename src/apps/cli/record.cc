// SPDX-License-Identifier: BSD-3-Clause
// sinew record
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/recording/last_seconds.h"
#include "sinew/recording/recorder.h"

#include "apps/cli/plot.h"
#include "apps/cli/record_commands.h"
#include "apps/cli/untyped_channel.h"

namespace sinew::cli {
namespace {

constexpr std::int64_t kBetweenProgress_ns = kSecond_ns / 2;

Result<std::vector<std::string>> patterns_from(const Words& words) {
  std::vector<std::string> patterns = words.arguments();
  if (words.has("--robot")) patterns.push_back(words.text("--robot") + "/*");
  if (words.has("--all") && !patterns.empty())
    return usage_error("--all records every channel, so neither CHANNEL nor --robot goes with it");
  return patterns;
}

Result<recording::RecorderOptions> recorder_options_from(const Words& words) {
  const auto patterns = patterns_from(words);
  if (!patterns) return patterns.error();
  const auto compression = recording::compression_from(words.text("--compression"));
  if (!compression) return usage_error(compression.error().message);
  const std::string encoding = words.text("--encoding");
  if (encoding != "sinew" && encoding != "json")
    return usage_error(fmt::format("--encoding is sinew or json, not '{}'", encoding));
  std::string path = words.text("--out");
  if (path.empty()) path = fmt::format("sinew-{}.mcap", recording::file_time_text(wall_now_ns()));
  return recording::RecorderOptions{
      .channels = {.space = words.text("--space"), .patterns = *patterns},
      .file = {.path = path, .compression = *compression, .may_replace = words.has("--force")},
      .encoding = encoding == "json" ? recording::MessageEncoding::Json : recording::MessageEncoding::Sinew};
}

std::string count_text(const recording::RecordingFile& file, std::size_t channels, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(file.messages()) / seconds : 0;
  return fmt::format("{} messages of {} channels in {:.1f} s ({:.0f}/s), {}, {} missed", file.messages(),
                     channels, seconds, rate, bytes_text(file.size()), file.missed());
}

// Shows on one line how far the recording has come, where stderr is a terminal.
void show_progress(recording::Recorder& recorder, std::int64_t started_ns) {
  if (isatty(STDERR_FILENO) == 0) return;
  const double seconds = seconds_from_nanoseconds(monotonic_now_ns() - started_ns);
  fmt::print(stderr, "\r\033[K{}", count_text(recorder.file(), recorder.channel_count(), seconds));
  std::fflush(stderr);
}

// Writes until the time is up or a stop is asked for.
Status record_until(recording::Recorder& recorder, std::int64_t started_ns, std::int64_t end_ns) {
  std::int64_t next_progress_ns = started_ns;
  while (!stop_requested() && monotonic_now_ns() < end_ns) {
    const std::int64_t soon_ns = monotonic_now_ns() + kSecond_ns / 10;
    if (Status written = recorder.write_pending(std::min(end_ns, soon_ns)); !written) return written;
    if (monotonic_now_ns() < next_progress_ns) continue;
    show_progress(recorder, started_ns);
    next_progress_ns = monotonic_now_ns() + kBetweenProgress_ns;
  }
  return Done{};
}

void print_report(const recording::Recorder& recorder, double seconds, std::ostream& out) {
  const auto rows = recorder.file().channels();
  out << fmt::format("{}: {}\n", recorder.file().path(), count_text(recorder.file(), rows.size(), seconds));
  std::size_t width = 7;
  for (const auto& row : rows) width = std::max(width, row.name.size());
  if (!rows.empty())
    out << fmt::format("{:<{}}  {:<20} {:>12} {:>10}\n", "CHANNEL", width, "MESSAGE", "MESSAGES", "MISSED");
  for (const auto& row : rows)
    out << fmt::format("{:<{}}  {:<20} {:>12} {:>10}\n", row.name, width,
                       row.message_name.empty() ? "bytes" : row.message_name, row.messages, row.missed);
}

void print_json_report(const recording::Recorder& recorder, double seconds, std::ostream& out) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : recorder.file().channels())
    rows.push_back({{"name", row.name},
                    {"message", row.message_name},
                    {"messages", row.messages},
                    {"missed", row.missed}});
  out << nlohmann::ordered_json{{"file", recorder.file().path()},
                                {"size", recorder.file().size()},
                                {"seconds", seconds},
                                {"messages", recorder.file().messages()},
                                {"missed", recorder.file().missed()},
                                {"channels", rows}}
             .dump(2)
      << '\n';
}

// What was recorded, as a picture; stdout has the report.
Status plot_file(const recording::RecorderOptions& options, const Words& words) {
  const auto reader = recording::McapReader::open(options.file.path);
  if (!reader) return reader.error();
  return plot_recording(*reader, words.text("--robot"), {}, words.text("--plot"), std::cerr);
}

Status run_record(const Words& words, std::ostream& out) {
  const auto options = recorder_options_from(words);
  if (!options) return options.error();
  std::int64_t length_ns = kNever_ns;
  if (words.has("--seconds")) {
    const auto seconds = words.number("--seconds", 0.01, 31'536'000);
    if (!seconds) return seconds.error();
    length_ns = nanoseconds_from_seconds(*seconds);
  }
  catch_stop_signals();
  auto started = recording::Recorder::start(*options);
  if (!started) return started.error();
  recording::Recorder& recorder = **started;
  const std::int64_t started_ns = monotonic_now_ns();
  fmt::print(stderr, "recording {} channels into {}; new ones join; Ctrl-C ends it\n",
             recorder.channel_count(), options->file.path);
  Status recorded = record_until(recorder, started_ns, deadline_after_ns(started_ns, length_ns));
  Status finished = recorder.finish();
  const double seconds = seconds_from_nanoseconds(monotonic_now_ns() - started_ns);
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
  for (const std::string& problem : recorder.problems()) fmt::print(stderr, "{}\n", problem);
  if (!recorded) return recorded;
  if (!finished) return finished;
  if (words.has("--json")) {
    print_json_report(recorder, seconds, out);
  } else {
    print_report(recorder, seconds, out);
  }
  return words.has("--plot") ? plot_file(*options, words) : Done{};
}

}  // namespace

const Command kRecordCommand{
    .name = "record",
    .summary = "Record channels into an MCAP file",
    .details =
        "Records every message of every channel that fits, with schemas, until Ctrl-C; channels that appear "
        "later join. Of a channel that is there already the newest message is taken along. Looks without "
        "being "
        "noticed. Messages that came faster than they could be read are counted exactly, per channel, in the "
        "file and in the closing report. When the recorder is killed, all but the last half second can be "
        "read.",
    .arguments = {{.name = "CHANNEL",
                   .help = "A name or a pattern such as 'mds/*'; none: all of the space.",
                   .completion = Completion::Channel,
                   .is_optional = true,
                   .is_repeated = true}},
    .options =
        {{.name = "--out",
          .value_name = "FILE",
          .help = "Where to; not given: sinew-DATE.mcap here.",
          .completion = Completion::File,
          .short_name = "-o"},
         {.name = "--robot", .value_name = "NAME", .help = "All channels of this robot."},
         {.name = "--all", .value_name = "", .help = "All channels of the space, as when none is named."},
         {.name = "--seconds", .value_name = "N", .help = "End after N seconds."},
         {.name = "--force", .value_name = "", .help = "Overwrite a file of that name."},
         {.name = "--compression",
          .value_name = "KIND",
          .help = "none, lz4 or zstd.",
          .fallback = recording::default_compression() == recording::Compression::Zstd ? "zstd" : "none"},
         {.name = "--encoding",
          .value_name = "KIND",
          .help = "sinew: messages as they are, for replay; json: for tools that know nothing of Sinew.",
          .fallback = "sinew"},
         {.name = "--plot",
          .value_name = "FILE",
          .help = "Draw the robot's joints and tool into this .svg or .png at the end.",
          .completion = Completion::File},
         {.name = "--json", .value_name = "", .help = "Print the closing report as JSON."}},
    .examples = {"sinew record -o run.mcap", "sinew record mds/state 'mds/ref/*' -o run.mcap --seconds 10",
                 "sinew record --robot mds --encoding json -o for-foxglove.mcap",
                 "sinew record --robot scorbot --seconds 20 --plot run.svg"},
    .run = run_record,
};

}  // namespace sinew::cli

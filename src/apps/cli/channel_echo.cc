// SPDX-License-Identifier: BSD-3-Clause
// sinew channel echo
#include <time.h>

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/messages/decode.h"

#include "apps/cli/channel_commands.h"
#include "apps/cli/untyped_channel.h"

namespace sinew::cli {
namespace {

struct EchoOptions {
  bool as_json = false;
  std::vector<FieldPath> fields;
  std::uint32_t count = 0;    ///< Messages to print; 0: without end.
  std::int64_t pause_ns = 0;  ///< Between messages; 0: every message.
};

std::string hex_of(std::span<const std::byte> message) {
  std::string out;
  for (const std::byte byte : message) out += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return out;
}

std::string frame_json(const sinew_frame& frame) {
  return fmt::format(
      "\"sequence\": {}, \"stamp_ns\": {}, \"wall_ns\": {}, \"missed\": {}, \"sender_pid\": {}, \"size\": {}",
      frame.sequence, frame.stamp_ns, frame.wall_ns, frame.missed, frame.sender_pid, frame.size);
}

void print(const UntypedReader& reader, const sinew_frame& frame, const EchoOptions& options,
           std::ostream& out) {
  const auto message = reader.message(frame);
  if (options.as_json) {
    const std::string body = reader.schema() ? json_of(*reader.schema(), message, options.fields)
                                             : fmt::format("\"{}\"", hex_of(message));
    out << fmt::format("{{\"frame\": {{{}}}, \"{}\": {}}}\n", frame_json(frame),
                       reader.schema() ? "message" : "hex", body);
  } else {
    out << fmt::format("#{} at {:.6f} s from pid {}{}\n", frame.sequence,
                       seconds_from_nanoseconds(frame.stamp_ns), frame.sender_pid,
                       frame.missed > 0 ? fmt::format(", {} missed before it", frame.missed) : "");
    out << (reader.schema() ? text_of_message(*reader.schema(), message, options.fields)
                            : fmt::format("  {}\n", hex_of(message)));
  }
  out.flush();
}

// Reads the next message to print: each in turn, or with a pause the newest.
int read_message(UntypedReader& reader, const EchoOptions& options, sinew_frame& frame) {
  return options.pause_ns > 0 ? sinew_read_fresh(reader.handle(), reader.buffer(), reader.capacity(), &frame)
                              : sinew_read_next(reader.handle(), reader.buffer(), reader.capacity(), &frame);
}

Status echo(UntypedReader& reader, const EchoOptions& options, std::ostream& out) {
  std::uint32_t printed = 0;
  while (!stop_requested() && (options.count == 0 || printed < options.count)) {
    const auto is_there = wait_for_message(reader, kNever_ns);
    if (!is_there) return is_there.error();
    sinew_frame frame{};
    const int status = read_message(reader, options, frame);
    if (status == SINEW_OK) {
      print(reader, frame, options, out);
      ++printed;
      const std::int64_t resume_ns = deadline_after_ns(monotonic_now_ns(), options.pause_ns);
      while (options.pause_ns > 0 && !stop_requested() && monotonic_now_ns() < resume_ns) {
        const timespec rest{0, static_cast<long>(std::clamp<std::int64_t>(resume_ns - monotonic_now_ns(), 1,
                                                                          kSecond_ns / 10))};
        nanosleep(&rest, nullptr);
      }
    } else if (status != SINEW_NOTHING_NEW && status != SINEW_GONE) {
      return error_from_status(status, "reading");
    }
  }
  return Done{};
}

Status run_echo(const Words& words, std::ostream& out) {
  const sinew_start start = words.has("--all") ? SINEW_START_OLDEST : SINEW_START_NEWEST;
  auto reader = UntypedReader::open(words.text("--space"), words.argument(0), start);
  if (!reader) return reader.error();
  EchoOptions options{.as_json = words.has("--json")};
  if (words.has("--count")) {
    const auto count = words.whole("--count", 1, 1'000'000'000);
    if (!count) return count.error();
    options.count = *count;
  }
  if (words.has("--once")) options.count = 1;
  if (words.has("--rate")) {
    const auto rate = words.number("--rate", 0.01, 10'000);
    if (!rate) return rate.error();
    options.pause_ns = nanoseconds_from_seconds(1.0 / *rate);
  }
  if (words.has("--fields")) {
    if (!reader->schema())
      return Error{
          ErrorCode::InvalidInput,
          fmt::format("channel '{}' carries bytes without a schema, so it has no fields", words.argument(0))};
    auto fields = find_fields(*reader->schema(), words.text("--fields"));
    if (!fields) return fields.error();
    options.fields = *std::move(fields);
  }
  catch_stop_signals();
  return echo(*reader, options, out);
}

}  // namespace

const Command kChannelEchoCommand{
    .name = "channel echo",
    .summary = "Print the messages of a channel, decoded",
    .details =
        "Begins with the newest message and goes on with every one that follows, until Ctrl-C. Looks without "
        "being noticed: writers and other readers are not slowed.",
    .arguments = {{.name = "CHANNEL",
                   .help = "Its name, such as mds/state.",
                   .completion = Completion::Channel}},
    .options =
        {{.name = "--json", .value_name = "", .help = "One JSON object a line."},
         {.name = "--once", .value_name = "", .help = "Only one message; waits for it if there is none."},
         {.name = "--count", .value_name = "N", .help = "Stop after N messages."},
         {.name = "--all", .value_name = "", .help = "Begin with the oldest message still kept."},
         {.name = "--rate", .value_name = "HZ", .help = "At most so many a second, the newest each time."},
         {.name = "--fields",
          .value_name = "LIST",
          .help = "Only these fields, as in stamp_ns,position[2]."}},
    .examples = {"sinew channel echo mds/state --fields position[0],velocity[0] --rate 5",
                 "sinew channel echo mds/state --once --json | jq .message.position"},
    .run = run_echo,
};

}  // namespace sinew::cli

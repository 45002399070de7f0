// SPDX-License-Identifier: BSD-3-Clause
// sinew channel put
#include <time.h>

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/time.h"
#include "sinew/channels/inspect.h"
#include "sinew/messages/decode.h"

#include "apps/cli/channel_commands.h"
#include "apps/cli/untyped_channel.h"

namespace sinew::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kEverybodyMayWrite = 0002;

// Sets the fields of a JSON object, arrays and objects within it included.
Status set_from_json(const Schema& schema, std::span<std::byte> message, const std::string& path,
                     const Json& value) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      if (Status set = set_from_json(schema, message, path.empty() ? key : path + "." + key, inner); !set)
        return set;
    }
    return Done{};
  }
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (Status set = set_from_json(schema, message, fmt::format("{}[{}]", path, i), value[i]); !set)
        return set;
    }
    return Done{};
  }
  return set_field(schema, message, path, value.is_string() ? value.get<std::string>() : value.dump());
}

Result<std::vector<std::byte>> bytes_from_hex(std::string_view hex) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  if (hex.size() % 2 != 0) return usage_error("--hex takes an even number of hexadecimal digits");
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    if (digit(hex[i]) < 0 || digit(hex[i + 1]) < 0)
      return usage_error(fmt::format("'{}' is no hexadecimal byte", hex.substr(i, 2)));
    bytes.push_back(static_cast<std::byte>(digit(hex[i]) * 16 + digit(hex[i + 1])));
  }
  return bytes;
}

// The message to change: the newest when asked for and there is one, else zeros.
Result<std::vector<std::byte>> starting_message(const Words& words, const Schema& schema) {
  std::vector<std::byte> message(schema.message().size);
  if (!words.has("--change")) return message;
  auto reader = UntypedReader::open(words.text("--space"), words.argument(0), SINEW_START_NEWEST);
  if (!reader) return reader.error();
  const int status = sinew_read_newest(reader->handle(), message.data(), message.size(), nullptr);
  if (status != SINEW_OK && status != SINEW_NOTHING_NEW)
    return error_from_status(status, "reading the newest message");
  return message;
}

Result<std::vector<std::byte>> message_from(const Words& words, const Schema& schema) {
  auto message = starting_message(words, schema);
  if (!message) return message;
  if (words.has("--json")) {
    const Json json = Json::parse(words.text("--json"), nullptr, false);
    if (!json.is_object()) return usage_error("--json takes an object, as in '{\"joint_mask\": 1}'");
    if (const Status set = set_from_json(schema, *message, "", json); !set) return set.error();
  }
  for (std::size_t i = 1; i < words.arguments().size(); ++i) {
    const std::string& word = words.arguments()[i];
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) return usage_error(fmt::format("'{}' does not read FIELD=VALUE", word));
    if (const Status set = set_field(schema, *message, word.substr(0, equals), word.substr(equals + 1)); !set)
      return set.error();
  }
  // a message without a time of its own gets that of the put
  const auto stamp = find_field(schema, "stamp_ns");
  const bool has_empty_stamp =
      stamp && stamp->field.type == "int64" && json_of(schema, *message, {&*stamp, 1}) == "{\"stamp_ns\": 0}";
  if (has_empty_stamp)
    static_cast<void>(set_field(schema, *message, "stamp_ns", std::to_string(monotonic_now_ns())));
  return message;
}

struct Repetition {
  std::uint32_t count = 1;
  std::int64_t period_ns = 0;
};

Result<Repetition> repetition_from(const Words& words) {
  Repetition repetition;
  if (words.has("--rate")) {
    const auto rate = words.number("--rate", 0.001, 100'000);
    if (!rate) return rate.error();
    repetition = {.count = UINT32_MAX, .period_ns = nanoseconds_from_seconds(1.0 / *rate)};
  }
  if (words.has("--count")) {
    const auto count = words.whole("--count", 1, 1'000'000'000);
    if (!count) return count.error();
    repetition.count = *count;
  }
  return repetition;
}

// Two who write one channel confuse all who read it; the stop is everybody's.
Status check_alone(const std::string& space, const std::string& name) {
  const auto info = channels::inspect_channel(space, name);
  if (!info || (info->mode & kEverybodyMayWrite) != 0) return Done{};
  for (const channels::WriterInfo& writer : info->writers) {
    if (writer.life == channels::Life::Dead) continue;
    return Error{
        ErrorCode::Denied,
        fmt::format("'{}' is written by {} (pid {}, program {}), which lives; nothing was put; end it "
                    "first, or put beside it with --force",
                    name, writer.name, writer.pid, channels::program_name(writer.pid))};
  }
  return Done{};
}

Status run_put(const Words& words, std::ostream& out) {
  sinew_options options{};
  const std::string space = words.text("--space");
  const std::string name = words.argument(0);
  if (const Status alone = check_alone(space, name); !alone && !words.has("--force")) return alone;
  options.space = space.c_str();
  options.name = name.c_str();
  sinew_error error{};
  const std::unique_ptr<sinew_writer, channels::CloseWriter> writer(sinew_writer_open(&options, &error));
  if (writer == nullptr) return error_from(error);
  const auto repetition = repetition_from(words);
  if (!repetition) return repetition.error();

  const std::string schema_text = sinew_writer_schema(writer.get());
  Result<std::vector<std::byte>> message = std::vector<std::byte>();
  if (words.has("--hex")) {
    message = bytes_from_hex(words.text("--hex"));
  } else if (schema_text.empty()) {
    return usage_error(
        fmt::format("channel '{}' carries bytes without a schema: give them with --hex", name));
  } else {
    const auto schema = parse_schema(schema_text);
    if (!schema) return schema.error();
    message = message_from(words, *schema);
  }
  if (!message) return message.error();

  catch_stop_signals();
  std::uint64_t sequence = 0;
  std::int64_t due_ns = monotonic_now_ns();
  for (std::uint32_t i = 0; i < repetition->count && !stop_requested(); ++i) {
    const int status = sinew_put(writer.get(), message->data(), message->size(), &sequence);
    if (status != SINEW_OK)
      return error_from_status(status, fmt::format("putting {} bytes on '{}'", message->size(), name));
    due_ns += repetition->period_ns;
    const timespec due{static_cast<time_t>(due_ns / kSecond_ns), static_cast<long>(due_ns % kSecond_ns)};
    if (repetition->period_ns > 0 && i + 1 < repetition->count)
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
  }
  out << fmt::format("put message {}\n", sequence);
  return Done{};
}

}  // namespace

const Command kChannelPutCommand{
    .name = "channel put",
    .summary = "Put a message on a channel",
    .details =
        "Fields that are not named are zero, or with --change as in the newest message. A field stamp_ns "
        "that "
        "stays zero becomes the time of the put. Nothing is put when any value is refused, or while somebody "
        "else who lives writes the channel.",
    .arguments = {{.name = "CHANNEL",
                   .help = "Its name, such as mds/ref/me.",
                   .completion = Completion::Channel},
                  {.name = "FIELD=VALUE",
                   .help = "As in joint_mask=0x3, position=0.1,0.2 or position[5]=1.5.",
                   .is_optional = true,
                   .is_repeated = true}},
    .options =
        {{.name = "--json", .value_name = "OBJECT", .help = "Fields as a JSON object."},
         {.name = "--hex", .value_name = "BYTES", .help = "The message itself, as hexadecimal digits."},
         {.name = "--change", .value_name = "", .help = "Begin from the newest message instead of zeros."},
         {.name = "--force",
          .value_name = "",
          .help = "Also beside somebody who writes it, unless that one writes alone."},
         {.name = "--rate", .value_name = "HZ", .help = "Put it again and again, so many times a second."},
         {.name = "--count", .value_name = "N", .help = "Put it N times."}},
    .examples = {"sinew channel put mds/ref/me joint_mask=1 position[0]=-0.123",
                 "sinew channel put mds/ref/me --json '{\"joint_mask\": 3, \"position\": [0.1, 0.2]}'"},
    .run = run_put,
};

}  // namespace sinew::cli

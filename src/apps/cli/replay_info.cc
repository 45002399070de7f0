// SPDX-License-Identifier: BSD-3-Clause
// sinew replay FILE --info | --check
#include <time.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/recording/last_seconds.h"

#include "apps/cli/record_commands.h"

namespace sinew::cli {
namespace {

using Json = nlohmann::ordered_json;
using recording::McapContents;

struct TopicRow {
  std::string message;
  std::string encoding;
  std::uint64_t messages = 0;
  std::optional<std::uint64_t> missed;  ///< None: the file does not tell.
};

// The number of missed messages that the recorder wrote for a channel.
std::optional<std::uint64_t> said_missed(const McapContents& contents, const std::string& topic) {
  for (const auto& metadata : contents.metadata) {
    const auto found = metadata.facts.find(topic);
    if (metadata.name != "sinew:missed" || found == metadata.facts.end()) continue;
    std::uint64_t count = 0;
    const std::string& text = found->second;
    if (std::from_chars(text.data(), text.data() + text.size(), count).ec == std::errc()) return count;
  }
  return std::nullopt;
}

bool is_of_sinew(const McapContents& contents) {
  return std::any_of(contents.metadata.begin(), contents.metadata.end(),
                     [](const auto& metadata) { return metadata.name == "sinew"; });
}

// One row a topic: a channel that was made anew while it was recorded stands in the file twice.
std::map<std::string, TopicRow> topic_rows(const McapContents& contents) {
  std::map<std::string, TopicRow> rows;
  const bool has_gaps = contents.is_scanned && is_of_sinew(contents);
  for (const auto& [id, channel] : contents.channels) {
    TopicRow& row = rows[channel.topic];
    const auto schema = contents.schemas.find(channel.schema_id);
    if (schema != contents.schemas.end()) row.message = schema->second.name;
    row.encoding = channel.encoding;
    const auto count = contents.statistics.counts.find(id);
    if (count != contents.statistics.counts.end()) row.messages += count->second;
    const auto gaps = contents.gaps.find(id);
    if (has_gaps) row.missed = row.missed.value_or(0) + (gaps == contents.gaps.end() ? 0 : gaps->second);
    if (const auto said = said_missed(contents, channel.topic)) row.missed = said;
  }
  return rows;
}

std::int64_t duration_ns(const McapContents& contents) {
  const auto& statistics = contents.statistics;
  const std::uint64_t length =
      statistics.end_ns > statistics.start_ns ? statistics.end_ns - statistics.start_ns : 0;
  return static_cast<std::int64_t>(std::min<std::uint64_t>(length, kNever_ns));
}

void print_info_json(const recording::McapReader& reader, std::ostream& out) {
  const McapContents& contents = reader.contents();
  Json channels = Json::array();
  for (const auto& [topic, row] : topic_rows(contents)) {
    channels.push_back({{"name", topic},
                        {"message", row.message},
                        {"encoding", row.encoding},
                        {"messages", row.messages},
                        {"missed", row.missed ? Json(*row.missed) : Json()}});
  }
  Json metadata = Json::object();
  for (const auto& record : contents.metadata) metadata[record.name] = record.facts;
  const Json all{{"file", reader.name()},
                 {"size", reader.size()},
                 {"is_whole", contents.is_whole},
                 {"messages", contents.statistics.message_count},
                 {"chunks", contents.statistics.chunk_count},
                 {"start_ns", contents.statistics.start_ns},
                 {"end_ns", contents.statistics.end_ns},
                 {"seconds", seconds_from_nanoseconds(duration_ns(contents))},
                 {"channels", channels},
                 {"metadata", metadata},
                 {"problems", contents.problems}};
  // a file of anybody's may hold bytes that are no text
  out << all.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

Status print_recording_info(const recording::McapReader& reader, bool as_json, std::ostream& out) {
  const McapContents& contents = reader.contents();
  if (as_json) {
    print_info_json(reader, out);
    return Done{};
  }
  const auto& statistics = contents.statistics;
  const double seconds = seconds_from_nanoseconds(duration_ns(contents));
  out << fmt::format("file      {} ({}, {} chunks{})\n", reader.name(), bytes_text(reader.size()),
                     statistics.chunk_count, contents.is_whole ? "" : ", cut off");
  out << fmt::format("written   by {}\n", contents.header.library);
  if (statistics.message_count > 0)
    out << fmt::format("begins    {}, lasts {:.3f} s\n",
                       recording::file_time_text(static_cast<std::int64_t>(
                           std::min<std::uint64_t>(statistics.start_ns, kNever_ns))),
                       seconds);
  out << fmt::format("messages  {}\n\n", statistics.message_count);
  const auto rows = topic_rows(contents);
  std::size_t width = 7;
  for (const auto& [topic, row] : rows) width = std::max(width, topic.size());
  out << fmt::format("{:<{}}  {:<20} {:<8} {:>10} {:>10} {:>10}\n", "CHANNEL", width, "MESSAGE", "ENCODING",
                     "MESSAGES", "RATE", "MISSED");
  for (const auto& [topic, row] : rows) {
    const double rate = seconds > 0 ? static_cast<double>(row.messages) / seconds : 0;
    out << fmt::format("{:<{}}  {:<20} {:<8} {:>10} {:>10} {:>10}\n", topic, width,
                       row.message.empty() ? "bytes" : row.message, row.encoding, row.messages,
                       fmt::format("{:.1f}/s", rate), row.missed ? std::to_string(*row.missed) : "unknown");
  }
  for (const std::string& problem : contents.problems) fmt::print(stderr, "{}\n", problem);
  return Done{};
}

Status print_recording_check(const recording::McapReader& reader, std::ostream& out) {
  const auto problems = reader.check();
  if (!problems.empty())
    return Error{ErrorCode::Damaged, fmt::format("{} is not whole: {}; 'sinew replay' takes what can be read",
                                                 reader.name(), fmt::join(problems, "; "))};
  out << fmt::format("{} is whole: {} messages in {} chunks, every CRC is right\n", reader.name(),
                     reader.contents().statistics.message_count, reader.contents().statistics.chunk_count);
  return Done{};
}

}  // namespace sinew::cli

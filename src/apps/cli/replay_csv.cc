// SPDX-License-Identifier: BSD-3-Clause
// sinew replay FILE --csv CHANNEL
#include <ostream>
#include <set>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/recording/csv.h"

#include "apps/cli/record_commands.h"

namespace sinew::cli {
namespace {

using recording::McapChannel;
using recording::McapReader;

// The numbers of the channels with that topic; all of them must carry one schema.
Result<std::set<std::uint16_t>> channels_named(const McapReader& reader, const std::string& topic) {
  std::set<std::uint16_t> ids;
  std::set<std::uint16_t> schemas;
  std::vector<std::string> topics;
  for (const auto& [id, channel] : reader.contents().channels) {
    topics.push_back(channel.topic);
    if (channel.topic != topic) continue;
    ids.insert(id);
    schemas.insert(channel.schema_id);
  }
  if (ids.empty())
    return Error{ErrorCode::NotFound, fmt::format("{} holds no channel '{}'{}", reader.name(), topic,
                                                  did_you_mean(topic, topics))};
  if (schemas.size() > 1)
    return Error{
        ErrorCode::Mismatch,
        fmt::format("'{}' carried different messages while it was recorded: no one table holds them", topic)};
  return ids;
}

Result<Schema> schema_for(const McapReader& reader, const McapChannel& channel) {
  const auto& schemas = reader.contents().schemas;
  const auto found = schemas.find(channel.schema_id);
  if (channel.encoding == "sinew" && found != schemas.end() && found->second.encoding == "sinew")
    return parse_schema(found->second.text);
  return Error{ErrorCode::InvalidInput,
               fmt::format("'{}' is written as '{}': only messages with a schema of Sinew's become a table",
                           channel.topic, channel.encoding)};
}

}  // namespace

Status print_recording_csv(const McapReader& reader, const Words& words, std::ostream& out) {
  const auto ids = channels_named(reader, words.text("--csv"));
  if (!ids) return ids.error();
  const auto schema = schema_for(reader, reader.contents().channels.at(*ids->begin()));
  if (!schema) return schema.error();
  Result<std::vector<FieldPath>> columns = recording::csv_columns(*schema);
  if (words.has("--fields")) {
    const auto fields = find_fields(*schema, words.text("--fields"));
    if (!fields) return fields.error();
    columns = recording::csv_columns(*schema, *fields);
  }
  if (!columns) return columns.error();
  out << "time_ns,sequence," << recording::csv_head(*columns) << '\n';
  recording::McapMessages messages(reader, *ids);
  while (const auto message = messages.next())
    out << fmt::format("{},{},{}\n", message->log_ns, message->sequence,
                       recording::csv_row(*schema, *columns, message->bytes));
  for (const std::string& problem : messages.problems()) fmt::print(stderr, "{}\n", problem);
  return Done{};
}

}  // namespace sinew::cli

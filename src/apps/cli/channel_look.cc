// SPDX-License-Identifier: BSD-3-Clause
// sinew channel ls | info
#include <ostream>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/channels/inspect.h"

#include "apps/cli/channel_commands.h"

namespace sinew::cli {
namespace {

using channels::ChannelInfo;
using channels::Life;
using channels::Listing;
using channels::ReaderInfo;
using channels::WriterInfo;
using Json = nlohmann::ordered_json;

std::string_view life_text(Life life) {
  switch (life) {
    case Life::Alive:
      return "alive";
    case Life::Dead:
      return "dead";
    case Life::Unknown:
      break;
  }
  return "unknown";
}

std::string time_text(std::int64_t wall_ns) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(static_cast<std::time_t>(wall_ns / kSecond_ns)));
}

std::string message_text(const ChannelInfo& info) {
  return info.message_name.empty() ? "bytes" : fmt::format("{} v{}", info.message_name, info.message_version);
}

std::string rate_text(const ChannelInfo& info) {
  if (info.newest_sequence == 0) return "empty";
  if (info.rate) return fmt::format("{:.1f} Hz", *info.rate);
  return fmt::format("{} ago", duration_text(monotonic_now_ns() - info.newest_stamp_ns));
}

Json json_of_channel(const ChannelInfo& info) {
  Json writers = Json::array();
  for (const WriterInfo& writer : info.writers) {
    writers.push_back({{"pid", writer.pid},
                       {"name", writer.name},
                       {"life", life_text(writer.life)},
                       {"puts", writer.puts},
                       {"since_wall_ns", writer.since_wall_ns}});
  }
  Json readers = Json::array();
  for (const ReaderInfo& reader : info.readers)
    readers.push_back({{"pid", reader.pid}, {"name", reader.name}});
  return {{"name", info.name},
          {"path", info.path},
          {"message", info.message_name},
          {"version", info.message_version},
          {"hash", fmt::format("{:016x}", info.schema_hash)},
          {"rate", info.rate ? Json(*info.rate) : Json(nullptr)},
          {"newest_sequence", info.newest_sequence},
          {"newest_stamp_ns", info.newest_stamp_ns},
          {"capacity", info.capacity},
          {"depth", info.depth},
          {"writer_places", info.writer_places},
          {"owner", info.owner},
          {"group", info.group},
          {"mode", fmt::format("{:04o}", info.mode)},
          {"memory_bytes", info.memory_size},
          {"creator", {{"name", info.creator}, {"pid", info.creator_pid}, {"version", info.creator_version}}},
          {"created_wall_ns", info.created_wall_ns},
          {"writers", writers},
          {"readers", readers}};
}

std::size_t living_writers(const ChannelInfo& info) {
  std::size_t count = 0;
  for (const WriterInfo& writer : info.writers) count += writer.life != Life::Dead ? 1 : 0;
  return count;
}

void print_table(const Listing& listing, std::ostream& out) {
  std::size_t width = 8;
  for (const ChannelInfo& info : listing.channels) width = std::max(width, info.name.size());
  out << fmt::format("{:<{}}  {:<20} {:>12} {:>12} {:>8} {:>8}  {}\n", "CHANNEL", width, "MESSAGE", "RATE",
                     "MESSAGES", "WRITERS", "READERS", "RIGHTS");
  for (const ChannelInfo& info : listing.channels) {
    out << fmt::format("{:<{}}  {:<20} {:>12} {:>12} {:>8} {:>8}  {:04o} {}:{}\n", info.name, width,
                       message_text(info), rate_text(info), info.newest_sequence, living_writers(info),
                       info.readers.size(), info.mode, info.owner, info.group);
  }
}

void tell_what_is_hidden(bool sees_all_readers) {
  if (!sees_all_readers) fmt::print(stderr, "readers of other users are not shown; root sees them\n");
}

Status run_ls(const Words& words, std::ostream& out) {
  const std::string space = words.text("--space");
  const auto listing = channels::list_channels(space);
  if (!listing) return listing.error();
  if (words.has("--names")) {
    for (const ChannelInfo& info : listing->channels) out << info.name << '\n';
    return Done{};
  }
  if (words.has("--json")) {
    Json rows = Json::array();
    for (const ChannelInfo& info : listing->channels) rows.push_back(json_of_channel(info));
    Json strange = Json::array();
    for (const auto& file : listing->strange)
      strange.push_back({{"name", file.name}, {"reason", file.reason}});
    out << Json{{"space", space}, {"channels", rows}, {"strange", strange}}.dump(2) << '\n';
    return Done{};
  }
  if (listing->channels.empty() && listing->strange.empty()) {
    fmt::print(stderr, "space '{}' has no channels\n", space);
    return Done{};
  }
  print_table(*listing, out);
  for (const auto& file : listing->strange)
    fmt::print(stderr, "passed over {}: {}\n", file.name, file.reason);
  tell_what_is_hidden(listing->sees_all_readers);
  return Done{};
}

void print_info(const ChannelInfo& info, std::ostream& out) {
  const std::string newest = info.newest_sequence == 0
                                 ? "none yet"
                                 : fmt::format("number {}, {} ago", info.newest_sequence,
                                               duration_text(monotonic_now_ns() - info.newest_stamp_ns));
  out << fmt::format("channel   {}\nfile      {} ({} of {} in memory)\n", info.name, info.path,
                     bytes_text(info.memory_size), bytes_text(info.file_size));
  out << fmt::format("message   {}, at most {}, hash {:016x}\n", message_text(info),
                     bytes_text(info.capacity), info.schema_hash);
  out << fmt::format("keeps     {} messages; places for {} writers\n", info.depth, info.writer_places);
  out << fmt::format("rights    {:04o} {}:{} (who may write the file may put, who may read it may read)\n",
                     info.mode, info.owner, info.group);
  out << fmt::format("made      {} by {} (pid {}, Sinew {})\n", time_text(info.created_wall_ns), info.creator,
                     info.creator_pid, info.creator_version);
  out << fmt::format("newest    {}\nrate      {}\n", newest,
                     info.rate ? fmt::format("{:.1f} Hz", *info.rate) : "silent");
  out << fmt::format("\nwriters   {}\n", info.writers.empty() ? "none" : "");
  for (const WriterInfo& writer : info.writers) {
    out << fmt::format("  pid {:<8} {:<16} {:<8} {} messages since {}\n", writer.pid, writer.name,
                       life_text(writer.life), writer.puts, time_text(writer.since_wall_ns));
  }
  out << fmt::format("readers   {}\n", info.readers.empty() ? "none" : "");
  for (const ReaderInfo& reader : info.readers)
    out << fmt::format("  pid {:<8} {:<16} alive\n", reader.pid, reader.name);
  if (!info.schema.empty()) out << "\nschema\n" << info.schema;
}

Status run_info(const Words& words, std::ostream& out) {
  const auto info = channels::inspect_channel(words.text("--space"), words.argument(0));
  if (!info) return info.error();
  if (words.has("--json")) {
    Json json = json_of_channel(*info);
    json["schema"] = info->schema;
    out << json.dump(2) << '\n';
    return Done{};
  }
  print_info(*info, out);
  tell_what_is_hidden(channels::sees_all_processes());
  return Done{};
}

}  // namespace

const Command kChannelLsCommand{
    .name = "channel ls",
    .summary = "List the channels of a space with their messages, rates and users",
    .options = {{.name = "--json", .value_name = "", .help = "Print JSON."},
                {.name = "--names", .value_name = "", .help = "Print only the names, one a line."}},
    .examples = {"sinew channel ls", "sinew channel ls --space lab --json"},
    .run = run_ls,
};

const Command kChannelInfoCommand{
    .name = "channel info",
    .summary = "Show what a channel carries, who may use it, and who does",
    .details =
        "Writers are those registered in the channel, alive or dead; readers are the processes that have it "
        "mapped.",
    .arguments = {{.name = "CHANNEL",
                   .help = "Its name, such as mds/state.",
                   .completion = Completion::Channel}},
    .options = {{.name = "--json", .value_name = "", .help = "Print JSON."}},
    .examples = {"sinew channel info mds/state"},
    .run = run_info,
};

}  // namespace sinew::cli

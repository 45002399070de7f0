// SPDX-License-Identifier: BSD-3-Clause
// sinew channel mk | rm
#include <charconv>
#include <fstream>
#include <iterator>
#include <ostream>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/channels/channel_file.h"
#include "sinew/channels/inspect.h"
#include "sinew/messages/schema.h"
#include "sinew/messages/schemas.h"

#include "apps/cli/channel_commands.h"

namespace sinew::cli {
namespace {

using channels::ChannelFile;
using channels::ChannelInfo;
using channels::ChannelOptions;

Result<std::string> schema_from(const Words& words) {
  if (words.has("--schema")) {
    std::ifstream file(words.text("--schema"));
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file)
      return Error{ErrorCode::NotFound,
                   fmt::format("cannot read the schema file '{}'", words.text("--schema"))};
    return text;
  }
  if (!words.has("--message")) return std::string();
  std::vector<std::string> names;
  for (const MessageSchema* schema : kAllMessages) {
    if (schema->name == words.text("--message")) return std::string(schema->text);
    names.emplace_back(schema->name);
  }
  return usage_error(fmt::format("there is no message '{}'{}; there are {}", words.text("--message"),
                                 did_you_mean(words.text("--message"), names), fmt::join(names, ", ")));
}

Result<std::uint32_t> mode_from(const std::string& text) {
  std::uint32_t mode = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  if (error != std::errc() || end != text.data() + text.size() || mode > 0777)
    return usage_error(fmt::format("--mode takes an octal number up to 777, not '{}'", text));
  return mode;
}

Status run_mk(const Words& words, std::ostream& out) {
  ChannelOptions options{
      .space = words.text("--space"), .name = words.argument(0), .sender = "sinew channel mk"};
  const auto schema = schema_from(words);
  if (!schema) return schema.error();
  options.schema = *schema;
  const auto depth = words.whole("--depth", 1, channels::kMaxDepth);
  const auto writers = words.whole("--writers", 1, channels::kMaxWriters);
  const auto mode = mode_from(words.text("--mode"));
  if (!depth) return depth.error();
  if (!writers) return writers.error();
  if (!mode) return mode.error();
  options.depth = *depth;
  options.writers = *writers;
  options.mode = *mode;
  if (words.has("--capacity")) {
    const auto capacity = words.whole("--capacity", 1, channels::kMaxCapacity);
    if (!capacity) return capacity.error();
    options.capacity = *capacity;
  }
  Status made = ChannelFile::create(options);
  if (!made && made.error().code == ErrorCode::AlreadyExists && words.has("--or-keep")) return Done{};
  if (!made) return made;
  out << fmt::format("made {}\n", options.name);
  return Done{};
}

std::string users_text(const ChannelInfo& info) {
  std::vector<std::string> users;
  for (const auto& writer : info.writers) {
    if (writer.life != channels::Life::Dead)
      users.push_back(fmt::format("{} (pid {}) writes", writer.name, writer.pid));
  }
  for (const auto& reader : info.readers)
    users.push_back(fmt::format("{} (pid {}) reads", reader.name, reader.pid));
  return fmt::format("{}", fmt::join(users, ", "));
}

Status remove_one(const std::string& space, const std::string& name, bool is_forced, std::ostream& out) {
  const auto info = channels::inspect_channel(space, name);
  if (!info && info.error().code == ErrorCode::NotFound) return info.error();
  if (info && info->has_living_users() && !is_forced) {
    return Error{ErrorCode::Denied,
                 fmt::format("channel '{}' is in use: {}; end them, or remove it all the same with --force",
                             name, users_text(*info))};
  }
  if (Status removed = ChannelFile::remove(space, name); !removed) return removed;
  out << fmt::format("removed {}\n", name);
  return Done{};
}

Status remove_unused(const std::string& space, std::ostream& out) {
  const auto listing = channels::list_channels(space);
  if (!listing) return listing.error();
  if (!listing->sees_all_readers)
    fmt::print(
        stderr,
        "readers of other users cannot be seen; their channels are kept when they have another owner\n");
  for (const ChannelInfo& info : listing->channels) {
    if (info.has_living_users()) continue;
    if (Status removed = remove_one(space, info.name, false, out); !removed) return removed;
  }
  return Done{};
}

Status run_rm(const Words& words, std::ostream& out) {
  const std::string space = words.text("--space");
  if (words.has("--unused")) {
    if (!words.arguments().empty())
      return usage_error("--unused takes no names: it removes whatever nobody uses");
    return remove_unused(space, out);
  }
  if (words.arguments().empty())
    return usage_error("CHANNEL is missing; usage: sinew channel rm CHANNEL…, or --unused");
  for (const std::string& name : words.arguments()) {
    if (Status removed = remove_one(space, name, words.has("--force"), out); !removed) return removed;
  }
  return Done{};
}

}  // namespace

const Command kChannelMkCommand{
    .name = "channel mk",
    .summary = "Make a channel",
    .arguments = {{.name = "CHANNEL", .help = "Its name: words with '/' between, such as mds/ref/me."}},
    .options = {{.name = "--message",
                 .value_name = "NAME",
                 .help = "The message it carries, such as JointState; none: bytes without meaning.",
                 .completion = Completion::Message},
                {.name = "--schema",
                 .value_name = "FILE",
                 .help = "The message it carries, as a schema text.",
                 .completion = Completion::File},
                {.name = "--capacity",
                 .value_name = "BYTES",
                 .help = "Largest message; the message's own size, or 1024."},
                {.name = "--depth",
                 .value_name = "N",
                 .help = "Messages kept; rounded up to a power of two.",
                 .fallback = "16"},
                {.name = "--writers", .value_name = "N", .help = "Places for writers.", .fallback = "16"},
                {.name = "--mode",
                 .value_name = "OCTAL",
                 .help = "Rights of its file: who may write it may put, who may read it may read.",
                 .fallback = "644"},
                {.name = "--or-keep", .value_name = "", .help = "No complaint when it is there already."}},
    .examples = {"sinew channel mk mds/ref/me --message JointReference --mode 640",
                 "sinew channel mk ach/mds-ref --capacity 30000"},
    .run = run_mk,
};

const Command kChannelRmCommand{
    .name = "channel rm",
    .summary = "Remove channels",
    .details = "A channel in use is kept unless --force is given; its users are then told that it is gone.",
    .arguments = {{.name = "CHANNEL",
                   .help = "Their names.",
                   .completion = Completion::Channel,
                   .is_optional = true,
                   .is_repeated = true}},
    .options = {{.name = "--unused",
                 .value_name = "",
                 .help = "All channels of the space whose users are gone."},
                {.name = "--force", .value_name = "", .help = "Also channels in use."}},
    .examples = {"sinew channel rm mds/ref/me", "sinew channel rm --unused --space lab"},
    .run = run_rm,
};

}  // namespace sinew::cli

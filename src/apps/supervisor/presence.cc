// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/presence.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/time.h"
#include "sinew/channels/inspect.h"
#include "sinew/channels/place_name.h"

namespace sinew::supervisor {
namespace {

namespace fs = std::filesystem;
using processes::ProcessIdentity;

constexpr const char* kChannel = "supervisor";
constexpr std::uint32_t kLongestWord = 32U << 10U;
constexpr std::int64_t kRemakesFolder_ns = 5 * kSecond_ns;

/// What each part of a robot writes alone.
constexpr std::array<std::string_view, 3> kAlone{"device/state", "processed", "reply"};

sinew_options channel_options(const std::string& space) {
  sinew_options options{};
  options.space = space.c_str();
  options.name = kChannel;
  options.sender = kChannel;
  options.capacity = kLongestWord;
  options.depth = 2;
  options.writers = 2;
  return options;
}

ProcessIdentity identity_in(const Json& json) {
  return {.pid = static_cast<std::int32_t>(number_in(json, "pid")),
          .start_ticks = static_cast<std::uint64_t>(number_in(json, "start_ticks"))};
}

// The objects of a list; none where there is no list.
std::vector<Json> rows_in(const Json& json, const char* key) {
  std::vector<Json> rows;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return rows;
  for (const Json& row : *found)
    if (row.is_object()) rows.push_back(row);
  return rows;
}

std::vector<std::string> robots_of(const std::string& space) {
  std::vector<std::string> names;
  const auto folder = channels::space_folder(space);
  std::error_code error;
  if (!folder) return names;
  for (const auto& entry : fs::directory_iterator(*folder, error))
    if (entry.is_directory(error)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// What others have written tells nothing: whoever believed it could be made to end any process.
bool is_ours(const std::string& space, std::string_view channel) {
  struct stat status {};
  const auto path = channels::channel_path(space, channel);
  return path && lstat(path->c_str(), &status) == 0 && status.st_uid == geteuid();
}

bool has(const std::vector<LivingPart>& parts, const ProcessIdentity& identity) {
  return std::ranges::any_of(parts, [&](const LivingPart& part) { return part.identity == identity; });
}

// Those of whom a supervisor has said that it started them, in that order.
void add_told(const std::string& space, const std::string& robot, std::vector<LivingPart>& parts) {
  const auto seen = see_supervisor(space);
  if (!seen) return;
  for (LivingPart part : seen->started) {
    if ((!robot.empty() && part.robot != robot) || !processes::is_alive(part.identity)) continue;
    part.program = channels::program_name(static_cast<std::uint32_t>(part.identity.pid));
    parts.push_back(std::move(part));
  }
}

void add_writers(const std::string& space, const std::string& robot, std::vector<LivingPart>& parts) {
  for (const std::string_view leaf : kAlone) {
    const std::string channel = fmt::format("{}/{}", robot, leaf);
    const auto writer = channels::sole_writer(space, channel);
    if (!writer) continue;
    const bool is_known = writer->life == channels::Life::Alive && is_ours(space, channel);
    const auto identity =
        is_known ? processes::identity_of(static_cast<std::int32_t>(writer->pid)) : std::nullopt;
    if (identity && has(parts, *identity)) continue;
    parts.push_back(
        {.robot = robot,
         .role = writer->name,
         .channel = channel,
         .identity = identity.value_or(ProcessIdentity{}),
         .program = is_known ? channels::program_name(writer->pid) : std::string("not to be seen"),
         .since_wall_ns = writer->since_wall_ns});
  }
}

bool is_own(const std::optional<channels::WriterInfo>& writer) {
  return writer && writer->pid == static_cast<std::uint32_t>(getpid());
}

}  // namespace

Status Presence::claim() {
  if (writer_) return Done{};
  sinew_options options = channel_options(folder_.space);
  options.may_create = 1;
  sinew_error error{};
  writer_.reset(sinew_writer_open_alone(&options, &error));
  told_.clear();
  if (writer_) return Done{};
  const auto seen = see_supervisor(folder_.space);
  if (!seen || !seen->is_alive) return error_from(error);
  return Error{
      ErrorCode::AlreadyExists,
      fmt::format("space '{}' has a supervisor already, pid {}, whose run folder is {}; 'sinew stop' "
                  "stops what it runs",
                  folder_.space, seen->identity.pid, seen->folder)};
}

void Presence::tell(const Json& robots) {
  const auto self = processes::identity_of(getpid());
  if (!self) return;
  const Json word{
      {"pid", self->pid}, {"start_ticks", self->start_ticks}, {"folder", folder_.path}, {"robots", robots}};
  std::string text = word.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kLongestWord) {
    Json shorter = word;
    shorter["robots"] = Json::array();
    text = shorter.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  // somebody may have removed the channel, or made another one in its place
  if (writer_ && !is_own(channels::sole_writer(folder_.space, kChannel))) writer_.reset();
  if (text == told_ && writer_) return;
  if (!claim()) return;
  if (sinew_put(writer_.get(), text.data(), text.size(), nullptr) == SINEW_OK) told_ = text;
}

void Presence::leave() {
  if (!std::exchange(writer_, nullptr)) return;
  sinew_remove(folder_.space.c_str(), kChannel, nullptr);
}

std::optional<SeenSupervisor> see_supervisor(const std::string& space) {
  if (!is_ours(space, kChannel)) return std::nullopt;
  const sinew_options options = channel_options(space);
  sinew_error error{};
  const std::unique_ptr<sinew_reader, channels::CloseReader> reader(
      sinew_reader_open(&options, SINEW_START_NEWEST, &error));
  if (!reader) return std::nullopt;
  std::string text(kLongestWord, '\0');
  sinew_frame frame{};
  if (sinew_read_newest(reader.get(), text.data(), text.size(), &frame) != SINEW_OK) return std::nullopt;
  text.resize(frame.size);
  const Json word = Json::parse(text, nullptr, false);
  if (!word.is_object()) return std::nullopt;
  SeenSupervisor seen{.identity = identity_in(word), .folder = text_in(word, "folder"), .started = {}};
  seen.is_alive = processes::is_alive(seen.identity);
  for (const Json& row : rows_in(word, "robots"))
    for (const Json& process : rows_in(row, "processes"))
      seen.started.push_back({.robot = text_in(row, "name"),
                              .role = text_in(process, "role"),
                              .channel = {},
                              .identity = identity_in(process),
                              .program = {}});
  return seen;
}

std::vector<LivingPart> living_parts(const std::string& space, const std::string& robot) {
  std::vector<LivingPart> parts;
  add_told(space, robot, parts);
  for (const std::string& name : robots_of(space))
    if (robot.empty() || name == robot) add_writers(space, name, parts);
  return parts;
}

std::string part_text(const LivingPart& part) {
  const std::string since =
      part.since_wall_ns == 0
          ? std::string()
          : fmt::format(", since {:%Y-%m-%d %H:%M:%S}",
                        fmt::localtime(static_cast<std::time_t>(part.since_wall_ns / kSecond_ns)));
  return fmt::format("{} of {} (pid {}, program {}{})", part.role, part.robot, part.identity.pid,
                     part.program, since);
}

Result<processes::RunFolder> folder_in_use(const std::string& space) {
  auto folder = processes::run_folder(space);
  if (!folder) return folder;
  const auto seen = see_supervisor(space);
  if (!seen || !seen->is_alive || !seen->folder.starts_with('/')) return folder;
  folder->path = seen->folder;
  const std::int64_t give_up_ns = monotonic_now_ns() + kRemakesFolder_ns;
  while (access(folder->socket().c_str(), F_OK) != 0 && monotonic_now_ns() < give_up_ns &&
         processes::is_alive(seen->identity))
    usleep(10'000);
  return folder;
}

}  // namespace sinew::supervisor

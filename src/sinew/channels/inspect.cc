// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/inspect.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/channels/writer_place.h"

namespace sinew::channels {
namespace {

constexpr int kDeepestFolder = 8;

// A file of memory, as /proc/PID/maps names it.
using FileId = std::pair<std::string, std::uint64_t>;
using ReadersByFile = std::map<FileId, std::vector<ReaderInfo>>;

// Calls visit(name, is_folder) for all in a folder but hidden files.
template <class Visit>
void for_each_entry(const std::string& folder, Visit visit) {
  DIR* stream = opendir(folder.c_str());
  if (stream == nullptr) return;
  while (const dirent* entry = readdir(stream)) {
    if (entry->d_name[0] == '.') continue;
    struct stat status {};
    if (lstat((folder + "/" + entry->d_name).c_str(), &status) == 0)
      visit(std::string(entry->d_name), S_ISDIR(status.st_mode));
  }
  closedir(stream);
}

// Notes the channel files that process `pid` has mapped read-only.
void scan_maps(std::uint32_t pid, ReadersByFile& readers) {
  std::FILE* file = std::fopen(fmt::format("/proc/{}/maps", pid).c_str(), "re");
  if (file == nullptr) return;
  char line[512];
  while (std::fgets(line, sizeof line, file) != nullptr) {
    char rights[8] = "";
    char device[16] = "";
    unsigned long long inode = 0;
    if (std::strstr(line, "/sinew-") == nullptr) continue;
    if (std::sscanf(line, "%*s %7s %*s %15s %llu", rights, device, &inode) != 3 ||
        std::strcmp(rights, "r--s") != 0)
      continue;
    auto& found = readers[{device, inode}];
    if (found.empty() || found.back().pid != pid) found.push_back({.pid = pid, .name = process_name(pid)});
  }
  std::fclose(file);
}

ReadersByFile find_readers() {
  ReadersByFile readers;
  const auto own_pid = static_cast<std::uint32_t>(getpid());
  for_each_entry("/proc", [&](const std::string& name, bool is_folder) {
    std::uint32_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    const bool is_process = is_folder && error == std::errc() && end == name.data() + name.size();
    // the one who looks is no reader
    if (is_process && pid != own_pid) scan_maps(pid, readers);
  });
  return readers;
}

void add_writers(const RingMemory& memory, ChannelInfo& info) {
  for (std::uint32_t i = 0; i < memory.layout.writers; ++i) {
    const WriterPlace& place = memory.place(i);
    const ProcessKey owner = place.owner.load(std::memory_order_acquire);
    if (owner == 0) continue;
    info.writers.push_back({.place = i,
                            .pid = pid_of(owner),
                            .name = std::string(text_of(place.name)),
                            .puts = place.puts.load(std::memory_order_relaxed),
                            .since_wall_ns = place.since_wall_ns,
                            .life = life_of(owner),
                            .is_sole = is_sole(memory, i)});
  }
}

void add_file(const ChannelFile& file, const ReadersByFile& readers, ChannelInfo& info) {
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0) return;
  info.owner = user_name(status.st_uid);
  info.group = group_name(status.st_gid);
  info.mode = status.st_mode & 07777;
  info.file_size = static_cast<std::uint64_t>(status.st_size);
  info.memory_size = static_cast<std::uint64_t>(status.st_blocks) * 512;
  const FileId id(fmt::format("{:02x}:{:02x}", major(status.st_dev), minor(status.st_dev)), status.st_ino);
  if (const auto found = readers.find(id); found != readers.end()) info.readers = found->second;
}

Result<ChannelInfo> look_at(const std::string& path, const std::string& name, const ReadersByFile& readers) {
  const auto file = ChannelFile::open_path(path, Access::Read);
  if (!file) return file.error();
  const ChannelHeader& header = file->header();
  const RingReader ring(file->memory());
  ChannelInfo info{.name = name,
                   .path = path,
                   .message_name = std::string(text_of(header.message_name)),
                   .message_version = header.message_version,
                   .schema_hash = header.schema_hash,
                   .schema = std::string(file->schema()),
                   .capacity = header.capacity,
                   .depth = header.depth,
                   .writer_places = header.writers,
                   .creator = std::string(text_of(header.creator_name)),
                   .creator_pid = header.creator_pid,
                   .creator_version = std::string(text_of(header.creator_version)),
                   .created_wall_ns = header.created_wall_ns,
                   .newest_sequence = ring.newest_sequence(),
                   .rate = rate_of(ring, monotonic_now_ns())};
  RingFrame newest;
  if (ring.read_newest(nullptr, 0, newest) == ReadOutcome::TooSmall) info.newest_stamp_ns = newest.stamp_ns;
  add_file(*file, readers, info);
  add_writers(file->memory(), info);
  return info;
}

struct Search {
  const ReadersByFile& readers;
  Listing& listing;
};

void list_folder(const std::string& folder, const std::string& prefix, int depth, Search search) {
  for_each_entry(folder, [&](const std::string& leaf, bool is_folder) {
    const std::string path = folder + "/" + leaf;
    const std::string name = prefix + leaf;
    if (is_folder) {
      if (depth < kDeepestFolder) list_folder(path, name + "/", depth + 1, search);
      return;
    }
    auto info = look_at(path, name, search.readers);
    if (info) {
      search.listing.channels.push_back(*std::move(info));
    } else if (info.error().code != ErrorCode::NotFound) {
      search.listing.strange.push_back({.name = name, .reason = info.error().message});
    }
  });
}

}  // namespace

bool ChannelInfo::has_living_users() const {
  return !readers.empty() || std::any_of(writers.begin(), writers.end(),
                                         [](const WriterInfo& w) { return w.life != Life::Dead; });
}

Result<Listing> list_channels(std::string_view space) {
  const auto folder = space_folder(space);
  if (!folder) return folder.error();
  Listing listing;
  listing.sees_all_readers = sees_all_processes();
  const ReadersByFile readers = find_readers();
  list_folder(*folder, "", 0, {.readers = readers, .listing = listing});
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::sort(listing.channels.begin(), listing.channels.end(), by_name);
  std::sort(listing.strange.begin(), listing.strange.end(), by_name);
  return listing;
}

std::vector<std::string> channel_names(std::string_view space, std::string_view folder) {
  std::vector<std::string> names;
  const auto path = channel_path(space, folder);
  if (!path) return names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(*path, error)) {
    const std::string name = entry.path().filename().string();
    if (is_word(name) && entry.is_regular_file(error)) names.push_back(fmt::format("{}/{}", folder, name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<ChannelInfo> inspect_channel(std::string_view space, std::string_view name) {
  const auto path = channel_path(space, name);
  if (!path) return path.error();
  auto info = look_at(*path, std::string(name), find_readers());
  if (!info && info.error().code == ErrorCode::NotFound) {
    return Error{
        ErrorCode::NotFound,
        fmt::format("there is no channel '{}' in space '{}'; 'sinew channel ls' shows those there are", name,
                    space)};
  }
  return info;
}

bool is_written(std::string_view space, std::string_view name) {
  const auto path = channel_path(space, name);
  if (!path) return false;
  const auto info = look_at(*path, std::string(name), {});
  return info && std::ranges::any_of(info->writers, [](const auto& w) { return w.life != Life::Dead; });
}

std::optional<WriterInfo> sole_writer(std::string_view space, std::string_view name) {
  const auto path = channel_path(space, name);
  if (!path) return std::nullopt;
  const auto info = look_at(*path, std::string(name), {});
  if (!info) return std::nullopt;
  const auto found = std::ranges::find_if(
      info->writers, [](const WriterInfo& w) { return w.is_sole && w.life != Life::Dead; });
  return found == info->writers.end() ? std::nullopt : std::optional(*found);
}

ProcessKey writer_at(std::string_view space, std::string_view name, std::uint32_t place) {
  const auto path = channel_path(space, name);
  if (!path) return 0;
  const auto file = ChannelFile::open_path(*path, Access::Read);
  if (!file || place >= file->memory().layout.writers) return 0;
  return file->memory().place(place).owner.load(std::memory_order_acquire);
}

bool sees_all_processes() {
  return geteuid() == 0;
}

std::optional<double> rate_of(const RingReader& ring, std::int64_t now_ns) {
  RingFrame newest;
  RingFrame oldest;
  if (ring.read_newest(nullptr, 0, newest) != ReadOutcome::TooSmall) return std::nullopt;
  if (ring.read_after(ring.oldest_sequence() - 1, nullptr, 0, oldest) != ReadOutcome::TooSmall)
    return std::nullopt;
  if (newest.sequence <= oldest.sequence || newest.stamp_ns <= oldest.stamp_ns) return std::nullopt;
  const auto count = static_cast<double>(newest.sequence - oldest.sequence);
  const double period = seconds_from_nanoseconds(newest.stamp_ns - oldest.stamp_ns) / count;
  const double silence = seconds_from_nanoseconds(now_ns - newest.stamp_ns);
  if (silence > std::max(1.0, 5 * period)) return std::nullopt;
  return 1.0 / period;
}

}  // namespace sinew::channels

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/channel_tap.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/channels/place_name.h"

namespace sinew::recording {
namespace {

constexpr std::int64_t kBetweenDiscoveries_ns = 100 * kMillisecond_ns;
constexpr int kDeepestFolder = 8;

TappedChannel describe(const channels::ChannelFile& file, const std::string& name) {
  const channels::ChannelHeader& header = file.header();
  struct stat status {};
  const bool is_known = fstat(file.descriptor(), &status) == 0;
  return {.name = name,
          .schema = std::string(file.schema()),
          .message_name = std::string(text_of(header.message_name)),
          .capacity = header.capacity,
          .depth = header.depth,
          .writers = header.writers,
          .mode = is_known ? status.st_mode & 0777U : 0644U};
}

}  // namespace

bool fits_patterns(const std::string& name, const std::vector<std::string>& patterns) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
         });
}

ChannelTap::ChannelTap(TapOptions options, std::string folder)
    : options_(std::move(options)), folder_(std::move(folder)) {}

Result<ChannelTap> ChannelTap::open(const TapOptions& options) {
  const auto folder = channels::space_folder(options.space);
  if (!folder) return folder.error();
  ChannelTap tap(options, *folder);
  tap.discover();
  return tap;
}

double ChannelTap::poll(std::int64_t now_ns, MessageBatch& out) {
  double fullest = 0;
  for (Follower& follower : followers_) fullest = std::max(fullest, read_all(follower));
  if (now_ns >= next_discovery_ns_) {
    discover();
    next_discovery_ns_ = deadline_after_ns(now_ns, kBetweenDiscoveries_ns);
  }
  fresh_.sort_by_time();
  later_.clear();
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    const TappedMessage message = fresh_[i];
    (message.stamp_ns <= now_ns ? out : later_).add(message);
  }
  std::swap(fresh_, later_);
  return fullest;
}

// Reads at most one ring full, so that a flood on one channel does not keep us from the others.
double ChannelTap::read_all(Follower& follower) {
  const std::uint32_t depth = follower.channel->depth;
  const std::uint64_t behind = follower.ring.newest_sequence() - follower.seen;
  channels::RingFrame frame;
  buffer_.resize(std::max<std::size_t>(buffer_.size(), follower.channel->capacity));
  for (std::uint32_t i = 0; i < depth; ++i) {
    const auto outcome = follower.ring.read_after(follower.seen, buffer_.data(), buffer_.size(), frame);
    if (outcome != channels::ReadOutcome::Ok || frame.sequence <= follower.seen) break;
    fresh_.add({.channel = follower.channel,
                .sequence = frame.sequence,
                .stamp_ns = frame.stamp_ns,
                .missed = frame.sequence - follower.seen - 1,
                .bytes = std::span<const std::byte>(buffer_).first(frame.size)});
    follower.seen = frame.sequence;
  }
  return std::min(1.0, static_cast<double>(behind) / depth);
}

// Lets go of channels that were removed, and begins with those that are new.
void ChannelTap::discover() {
  for (auto follower = followers_.begin(); follower != followers_.end();) {
    if (!follower->file.is_removed()) {
      ++follower;
      continue;
    }
    read_all(*follower);
    followed_.erase(follower->channel->name);
    follower = followers_.erase(follower);
  }
  discover_in(folder_, "", 0);
  has_discovered_ = true;
}

void ChannelTap::discover_in(const std::string& folder, const std::string& prefix, int depth) {
  DIR* stream = opendir(folder.c_str());
  if (stream == nullptr) return;
  while (const dirent* entry = readdir(stream)) {
    if (entry->d_name[0] == '.') continue;
    const std::string path = folder + "/" + entry->d_name;
    const std::string name = prefix + entry->d_name;
    if (followed_.contains(name)) continue;
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) continue;
    if (S_ISDIR(status.st_mode)) {
      if (depth < kDeepestFolder) discover_in(path, name + "/", depth + 1);
    } else if (fits_patterns(name, options_.patterns)) {
      follow(path, name);
    }
  }
  closedir(stream);
}

void ChannelTap::follow(const std::string& path, const std::string& name) {
  auto file = channels::ChannelFile::open_path(path, channels::Access::Read);
  if (!file) {
    const bool is_news = file.error().code != ErrorCode::NotFound && refused_.insert(name).second;
    if (is_news) problems_.push_back(fmt::format("{} is not followed: {}", name, file.error().message));
    return;
  }
  channels_.push_back(describe(*file, name));
  channels_.back().number = channels_.size() - 1;
  followers_.push_back({.file = *std::move(file), .channel = &channels_.back()});
  Follower& follower = followers_.back();
  follower.ring = channels::RingReader(follower.file.memory());
  // of one that was there before us the newest counts as news, of a new one everything
  const std::uint64_t newest = follower.ring.newest_sequence();
  if (!has_discovered_ && newest > 0) follower.seen = newest - 1;
  followed_.insert(name);
  // at once, because a new channel may be in use already
  read_all(follower);
}

}  // namespace sinew::recording

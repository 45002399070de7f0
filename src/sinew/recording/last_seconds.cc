// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/last_seconds.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sinew/recording/recording_file.h"

namespace sinew::recording {
namespace {

namespace fs = std::filesystem;

// Messages are forgotten by the block.
constexpr std::size_t kBlockMemory = 256U << 10;
constexpr std::int64_t kBlockTime_ns = kSecond_ns / 4;
constexpr std::string_view kUnfinished = ".unfinished";
constexpr std::string_view kTimeShape = "0000-00-00T00-00-00Z-";
constexpr std::size_t kTimeLength = kTimeShape.size();

Error cannot(std::string_view what, const fs::path& path, const std::error_code& reason) {
  return {ErrorCode::SystemFailure, fmt::format("cannot {} {}: {}", what, path.string(), reason.message())};
}

// True for names that save() gives: they begin with a time and end in .mcap.
bool is_ours(std::string_view name) {
  if (name.size() <= kTimeLength || !name.ends_with(".mcap")) return false;
  return std::equal(kTimeShape.begin(), kTimeShape.end(), name.begin(), [](char shape, char c) {
    return shape == '0' ? std::isdigit(static_cast<unsigned char>(c)) != 0 : shape == c;
  });
}

// Deletes the oldest files of ours beyond `keep`, and what a save that died left behind.
void tidy(const fs::path& folder, std::size_t keep) {
  std::error_code ignored;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    if (is_ours(name)) files.push_back(entry.path());
    if (name.starts_with(".") && name.ends_with(kUnfinished)) fs::remove(entry.path(), ignored);
  }
  // by the time in their names, and within one second by that of the file
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    std::error_code unknown;
    const int order = a.filename().string().compare(0, kTimeLength, b.filename().string(), 0, kTimeLength);
    return order != 0 ? order < 0 : fs::last_write_time(a, unknown) < fs::last_write_time(b, unknown);
  });
  for (std::size_t i = 0; i + keep < files.size(); ++i) fs::remove(files[i], ignored);
}

std::string numbered(const std::string& stem, std::uint64_t number) {
  return number <= 1 ? stem + ".mcap" : fmt::format("{}-{}.mcap", stem, number);
}

using LastOfChannel = std::map<std::size_t, MessageBatch>;  // by TappedChannel::number

void note_last(const TappedMessage& message, LastOfChannel& last) {
  MessageBatch& kept = last[message.channel->number];
  kept.clear();
  kept.add(message);
}

// Of each channel the last message, by time. What was missed before them is no part of a recording.
MessageBatch by_time(const LastOfChannel& last) {
  MessageBatch all;
  for (const auto& [number, kept] : last) {
    TappedMessage message = kept[0];
    message.missed = 0;
    all.add(message);
  }
  all.sort_by_time();
  return all;
}

Status write_all(const MessageBatch& messages, std::int64_t oldest_ns, RecordingFile& file) {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i].stamp_ns < oldest_ns) continue;
    if (Status written = file.write(messages[i]); !written) return written;
  }
  return Done{};
}

}  // namespace

std::string file_time_text(std::int64_t wall_ns) {
  const time_t seconds = static_cast<time_t>(wall_ns / kSecond_ns);
  tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}-{:02}-{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string file_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte < 0x80 && std::isalnum(byte) != 0;
    if (is_plain) word += static_cast<char>(std::tolower(byte));
    if (!is_plain && !word.empty() && word.back() != '-') word += '-';
    if (word.size() == 60) break;
  }
  while (word.ends_with('-')) word.pop_back();
  return word.empty() ? "stop" : word;
}

Result<std::unique_ptr<LastSeconds>> LastSeconds::start(const LastSecondsOptions& options) {
  auto tap = ChannelTap::open(options.channels);
  if (!tap) return tap.error();
  return std::unique_ptr<LastSeconds>(new LastSeconds(options, *std::move(tap)));
}

LastSeconds::LastSeconds(LastSecondsOptions options, ChannelTap tap)
    : options_(std::move(options)),
      compressor_(options_.compression),
      feeder_(std::move(tap), [this](const MessageBatch& batch) { take(batch); }) {}

// In the feeder's thread, or in that of save().
void LastSeconds::take(const MessageBatch& batch) {
  const std::lock_guard lock(mutex_);
  open_.add_all(batch);
  const std::int64_t newest_ns = open_[open_.size() - 1].stamp_ns;
  if (open_.memory() > kBlockMemory || newest_ns - open_[0].stamp_ns > kBlockTime_ns) put_away();
  forget_before(newest_ns - options_.window_ns);
}

void LastSeconds::put_away() {
  if (open_.empty()) return;
  blocks_.push_back(std::make_shared<const PackedBatch>(open_, compressor_));
  memory_ += blocks_.back()->memory();
  open_.clear();
}

void LastSeconds::forget_before(std::int64_t oldest_ns) {
  while (!blocks_.empty()) {
    if (blocks_.front()->last_ns() >= oldest_ns && memory_ <= options_.most_memory) return;
    const MessageBatch block = blocks_.front()->unpacked();
    for (std::size_t i = 0; i < block.size(); ++i) note_last(block[i], before_);
    memory_ -= blocks_.front()->memory();
    blocks_.pop_front();
  }
}

// The messages put since the recording's start, after the last one before that of each channel. One block is
// unpacked at a time.
Status LastSeconds::write(const std::string& path, const RecordingFacts& facts) {
  Blocks blocks;
  LastOfChannel earlier;
  {
    const std::lock_guard lock(mutex_);
    put_away();
    blocks = blocks_;
    earlier = before_;
  }
  for (const auto& block : blocks) {
    if (block->first_ns() >= facts.started_ns) break;
    const MessageBatch messages = block->unpacked();
    for (std::size_t i = 0; i < messages.size() && messages[i].stamp_ns < facts.started_ns; ++i)
      note_last(messages[i], earlier);
  }
  auto file =
      RecordingFile::create({.path = path, .compression = options_.compression, .may_replace = true}, facts);
  if (!file) return file.error();
  if (Status written = write_all(by_time(earlier), 0, *file); !written) return written;
  for (const auto& block : blocks) {
    if (block->last_ns() < facts.started_ns) continue;
    if (Status written = write_all(block->unpacked(), facts.started_ns, *file); !written) return written;
  }
  return file->close();
}

// A name that nobody has, nor had since we began: who was told of a file finds that one or none.
std::string LastSeconds::free_name(const std::string& stem) {
  std::error_code ignored;
  std::uint64_t& number = stem == last_stem_ ? last_number_ : (last_number_ = 0);
  last_stem_ = stem;
  do ++number;
  while (fs::exists(fs::path(options_.folder) / numbered(stem, number), ignored));
  return numbered(stem, number);
}

Result<std::string> LastSeconds::save(std::string_view reason) {
  const std::lock_guard lock(saving_);
  feeder_.feed_now();
  RecordingFacts facts = facts_now(options_.channels.space);
  const std::int64_t now_wall_ns = facts.started_ns + facts.wall_ahead_ns;
  facts.started_ns -= options_.window_ns;
  facts.more = {{"reason", std::string(reason)}};

  const fs::path folder(options_.folder);
  std::error_code error;
  // what a robot did is for who may watch it
  if (fs::create_directories(folder, error))
    fs::permissions(folder, fs::perms::owner_all, fs::perm_options::replace, error);
  if (error) return cannot("make", folder, error);
  tidy(folder, std::max<std::size_t>(options_.keep, 1) - 1);
  const fs::path path =
      folder / free_name(fmt::format("{}-{}", file_time_text(now_wall_ns), file_word(reason)));
  // written under another name, so that it is whole as soon as it has its own
  const fs::path unfinished = folder / fmt::format(".{}{}", path.filename().string(), kUnfinished);
  const Status written = write(unfinished, facts);
  if (written) fs::rename(unfinished, path, error);
  if (written && !error) return path.string();
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  return written ? cannot("name", path, error) : written.error();
}

std::size_t LastSeconds::memory() const {
  const std::lock_guard lock(mutex_);
  std::size_t all = memory_ + open_.memory();
  for (const auto& [number, last] : before_) all += last.memory();
  return all;
}

}  // namespace sinew::recording

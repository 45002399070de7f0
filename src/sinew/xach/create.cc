// SPDX-License-Identifier: BSD-3-Clause
// Channels as such: names, sizes, making and removing them, and the words for what went wrong.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "sinew/channels/layout.h"
#include "sinew/channels/place_name.h"
#include "sinew/xach/handle.h"

namespace sinew::xach {
namespace {

constexpr std::size_t kMostFrames = 4096;
constexpr std::uint64_t kMaxCount = 1ULL << 32;  // so that its product with a frame's size stays in 64 bits
constexpr std::uint32_t kMostWriters = 32;
constexpr std::uint64_t kWriterShare = 64ULL << 20;  // [bytes]

// a plain array, since a thread may ask for the text at any time, also while it ends
thread_local char last_refusal[1024] = "";

}  // namespace

std::string space_of_environment() {
  const char* space = std::getenv("SINEW_SPACE");
  return space == nullptr || *space == '\0' ? std::string(channels::kDefaultSpace) : std::string(space);
}

std::string channel_name(const char* ach_name) {
  if (ach_name == nullptr || !channels::is_word(ach_name)) return "";
  return std::string("ach/") + ach_name;
}

Dimensions dimensions_for(std::size_t frame_count, std::size_t frame_size) {
  if (frame_count == 0) frame_count = ACH_DEFAULT_FRAME_COUNT;
  if (frame_size == 0) frame_size = ACH_DEFAULT_FRAME_SIZE;
  if (frame_size > channels::kMaxCapacity) return {};
  Dimensions wanted;
  wanted.depth = static_cast<std::uint32_t>(std::bit_ceil(std::min(frame_count, kMostFrames)));
  wanted.writers = std::min(kMostWriters, channels::kMaxSlots / (wanted.depth + 1));
  const std::uint64_t share = std::max<std::uint64_t>(frame_size, kWriterShare / (wanted.depth + 1));
  const std::uint64_t whole = frame_size * std::min<std::uint64_t>(frame_count, kMaxCount);
  wanted.capacity = static_cast<std::uint32_t>(std::min(share, whole));
  return wanted;
}

ach_status refuse(ach_status status, std::string_view text) {
  const std::size_t size = std::min(text.size(), sizeof last_refusal - 1);
  std::memcpy(last_refusal, text.data(), size);
  last_refusal[size] = '\0';
  return status;
}

ach_status status_from(int sinew_status) {
  switch (sinew_status) {
    case SINEW_OK:
      return ACH_OK;
    case SINEW_NOTHING_NEW:
    case SINEW_GONE:
      return ACH_STALE_FRAMES;
    case SINEW_TIMED_OUT:
      return ACH_TIMEOUT;
    case SINEW_INTERRUPTED:
      return ACH_CANCELED;
    case SINEW_TOO_SMALL:
    case SINEW_TOO_LARGE:
      return ACH_OVERFLOW;
    case SINEW_REMOVED:
      return ACH_CLOSED;
    case SINEW_NOT_FOUND:
      return ACH_ENOENT;
    case SINEW_EXISTS:
      return ACH_EEXIST;
    case SINEW_DENIED:
      return ACH_EACCES;
    case SINEW_MISMATCH:
    case SINEW_DAMAGED:
      return ACH_BAD_SHM_FILE;
    case SINEW_INVALID:
      return ACH_EINVAL;
    default:
      return ACH_FAILED_SYSCALL;
  }
}

}  // namespace sinew::xach

using sinew::xach::refuse;
using sinew::xach::status_from;

namespace {

constexpr const char* kNameRule =
    "an Ach channel's name is at most 64 letters, digits, '.', '-' and '_', and does not begin with '.'";

}  // namespace

void ach_create_attr_init(ach_create_attr_t* attr) {
  *attr = {};
}

ach_status ach_create_attr_set_clock(ach_create_attr_t* attr, clockid_t clock) {
  if (clock != CLOCK_MONOTONIC) return refuse(ACH_EINVAL, "channels know no clock but CLOCK_MONOTONIC");
  attr->clock = clock;
  attr->set_clock = 1;
  return ACH_OK;
}

ach_status ach_create_attr_set_map(ach_create_attr_t* attr, ach_map map) {
  if (map == ACH_MAP_ANON) return refuse(ACH_EINVAL, "channels without a name do not exist here");
  attr->map = map;
  return ACH_OK;
}

ach_status ach_create_attr_set_truncate(ach_create_attr_t* attr, int truncate) {
  attr->truncate = truncate != 0;
  return ACH_OK;
}

ach_status ach_create(const char* channel_name, size_t frame_cnt, size_t frame_size,
                      ach_create_attr_t* attr) {
  const std::string name = sinew::xach::channel_name(channel_name);
  if (name.empty()) return refuse(ACH_INVALID_NAME, kNameRule);
  if (attr != nullptr && attr->map == ACH_MAP_ANON)
    return refuse(ACH_EINVAL, "channels without a name do not exist here");
  if (attr != nullptr && attr->set_clock != 0 && attr->clock != CLOCK_MONOTONIC)
    return refuse(ACH_EINVAL, "channels know no clock but CLOCK_MONOTONIC");
  const sinew::xach::Dimensions dimensions = sinew::xach::dimensions_for(frame_cnt, frame_size);
  if (dimensions.capacity == 0) return refuse(ACH_EINVAL, "a frame takes at most 256 MiB");
  if (attr != nullptr && attr->truncate != 0) {
    const ach_status removed = ach_unlink(channel_name);
    if (removed != ACH_OK && removed != ACH_ENOENT) return removed;
  }
  const std::string space = sinew::xach::space_of_environment();
  sinew_options options;
  sinew_options_init(&options);
  options.space = space.c_str();
  options.name = name.c_str();
  options.capacity = dimensions.capacity;
  options.depth = dimensions.depth;
  options.writers = dimensions.writers;
  sinew_error error{};
  const int status = sinew_create(&options, &error);
  return status == SINEW_OK ? ACH_OK : refuse(status_from(status), error.text);
}

ach_status ach_unlink(const char* channel_name) {
  const std::string name = sinew::xach::channel_name(channel_name);
  if (name.empty()) return refuse(ACH_INVALID_NAME, kNameRule);
  sinew_error error{};
  const int status = sinew_remove(sinew::xach::space_of_environment().c_str(), name.c_str(), &error);
  return status == SINEW_OK ? ACH_OK : refuse(status_from(status), error.text);
}

const char* ach_result_to_string(ach_status_t result) {
  static constexpr const char* kNames[] = {
      "ACH_OK",           "ACH_OVERFLOW",     "ACH_INVALID_NAME", "ACH_BAD_SHM_FILE", "ACH_FAILED_SYSCALL",
      "ACH_STALE_FRAMES", "ACH_MISSED_FRAME", "ACH_TIMEOUT",      "ACH_EEXIST",       "ACH_ENOENT",
      "ACH_CLOSED",       "ACH_BUG",          "ACH_EINVAL",       "ACH_CORRUPT",      "ACH_BAD_HEADER",
      "ACH_EACCES",       "ACH_CANCELED",     "ACH_EFAULT",       "ACH_EINTR"};
  const auto number = static_cast<std::size_t>(result);
  return number < std::size(kNames) ? kNames[number] : "UNKNOWN";
}

const char* ach_errstr(void) {
  return sinew::xach::last_refusal;
}

// SPDX-License-Identifier: BSD-3-Clause
// Handles: opening, getting, putting.
#include "sinew/xach/handle.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "sinew/base/time.h"
#include "sinew/channels/place_name.h"

using sinew::xach::refuse;
using sinew::xach::status_from;

namespace {

// "achopen" and a zero byte: what stands in an open handle
constexpr std::uint64_t kOpenMark = 0x006e65706f686361;

// A reader that is overtaken by a whole ring while it copies tries again, so many times.
constexpr int kMostAttempts = 100;

bool is_open(const ach_channel_t* channel) {
  return channel != nullptr && channel->mark == kOpenMark;
}

ach_status refuse_closed() {
  return refuse(ACH_EINVAL, "the handle is not open: call ach_open() first");
}

sinew_options options_for(const ach_handle& handle) {
  sinew_options options;
  sinew_options_init(&options);
  options.space = handle.space.c_str();
  options.name = handle.name.c_str();
  return options;
}

std::int64_t deadline_from(const timespec* timeout, int options) {
  if (timeout == nullptr) return sinew::kNever_ns;
  // far beyond any uptime, and far from overflow
  constexpr std::int64_t kMostSeconds = 1'000'000'000;
  if (timeout->tv_sec >= kMostSeconds) return sinew::kNever_ns;
  const std::int64_t span_ns = std::int64_t{timeout->tv_sec} * sinew::kSecond_ns + timeout->tv_nsec;
  return (options & ACH_O_RELTIME) != 0 ? sinew::monotonic_now_ns() + span_ns : span_ns;
}

ach_status wait_for_news(ach_handle& handle, const timespec* timeout, int options) {
  const std::int64_t deadline_ns = deadline_from(timeout, options);
  while (true) {
    const int status = sinew_wait(handle.reader, deadline_ns);
    if (status == SINEW_OK) return ACH_OK;
    if (status != SINEW_INTERRUPTED) return status_from(status);
    // set before the reader is told, so a cancel is never taken for a signal
    if (handle.is_cancelled.exchange(false)) return ACH_CANCELED;
  }
}

struct Buffer {
  void* start;
  std::size_t size;
};

int read_once(ach_handle& handle, int options, Buffer buffer, sinew_frame& frame) {
  const bool may_repeat = (options & ACH_O_COPY) != 0;
  if ((options & ACH_O_LAST) != 0) {
    return may_repeat ? sinew_read_newest(handle.reader, buffer.start, buffer.size, &frame)
                      : sinew_read_fresh(handle.reader, buffer.start, buffer.size, &frame);
  }
  const int status = sinew_read_next(handle.reader, buffer.start, buffer.size, &frame);
  if (status != SINEW_NOTHING_NEW || !may_repeat) return status;
  return sinew_read_newest(handle.reader, buffer.start, buffer.size, &frame);
}

std::uint64_t id_of(const sinew_reader* reader) {
  sinew_description description{};
  sinew_describe_reader(reader, &description);
  return description.channel_id;
}

// Whether the handle's name stands for no channel, or for another one, by now.
bool is_replaced(const ach_handle& handle) {
  const sinew_options options = options_for(handle);
  sinew_error error{};
  sinew_reader* other = sinew_reader_open(&options, SINEW_START_NOW, &error);
  if (other == nullptr) return error.status == SINEW_NOT_FOUND;
  const bool is_another = id_of(other) != id_of(handle.reader);
  sinew_reader_close(other);
  return is_another;
}

ach_status open_writer(ach_handle& handle) {
  const sinew_options options = options_for(handle);
  sinew_error error{};
  sinew_writer* writer = sinew_writer_open(&options, &error);
  if (writer == nullptr) return refuse(status_from(error.status), error.text);
  sinew_description description{};
  sinew_describe_writer(writer, &description);
  // the name may stand for another channel by now, and nobody puts to one channel and gets from another
  if (description.channel_id != id_of(handle.reader)) {
    sinew_writer_close(writer);
    return refuse(ACH_CLOSED, "the channel was unlinked: open it again");
  }
  handle.writer = writer;
  return ACH_OK;
}

}  // namespace

ach_handle::~ach_handle() {
  sinew_writer_close(writer);
  sinew_reader_close(reader);
}

void ach_attr_init(ach_attr_t* attr) {
  *attr = {};
}

void ach_cancel_attr_init(ach_cancel_attr_t* attr) {
  *attr = {};
}

ach_status ach_open(ach_channel_t* channel, const char* channel_name, ach_attr_t* attr) {
  if (channel == nullptr) return refuse(ACH_EINVAL, "there is no handle to open");
  *channel = {};
  if (attr != nullptr && attr->map == ACH_MAP_ANON)
    return refuse(ACH_EINVAL, "channels without a name do not exist here");
  auto handle = std::make_unique<ach_handle>();
  handle->space = sinew::xach::space_of_environment();
  handle->name = sinew::xach::channel_name(channel_name);
  if (handle->name.empty()) return refuse(ACH_INVALID_NAME, "no Ach channel can have that name");
  const sinew_options options = options_for(*handle);
  sinew_error error{};
  handle->reader = sinew_reader_open(&options, SINEW_START_OLDEST, &error);
  if (handle->reader == nullptr) return refuse(status_from(error.status), error.text);
  channel->handle = handle.release();
  channel->mark = kOpenMark;
  return ACH_OK;
}

ach_status ach_get(ach_channel_t* channel, void* buffer, size_t size, size_t* frame_size,
                   const timespec* timeout, int options) {
  if (!is_open(channel)) return refuse_closed();
  if ((buffer == nullptr && size > 0) || frame_size == nullptr)
    return refuse(ACH_EINVAL, "ach_get() needs a buffer and a place for the frame's size");
  if ((options & ACH_O_WAIT) != 0) {
    const ach_status waited = wait_for_news(*channel->handle, timeout, options);
    if (waited != ACH_OK) return waited;
  }
  sinew_frame frame{};
  int status = SINEW_GONE;
  for (int attempt = 0; attempt < kMostAttempts && status == SINEW_GONE; ++attempt)
    status = read_once(*channel->handle, options, {buffer, size}, frame);
  if (status == SINEW_OK || status == SINEW_TOO_SMALL) *frame_size = frame.size;
  if (status != SINEW_OK) return status_from(status);
  // counted from the first frame ever put, as in Ach, so that a late handle learns what it came too late for
  const bool is_missed = frame.sequence > channel->seq_num + 1;
  channel->seq_num = frame.sequence;
  return is_missed ? ACH_MISSED_FRAME : ACH_OK;
}

ach_status ach_put(ach_channel_t* channel, const void* buffer, size_t size) {
  if (!is_open(channel)) return refuse_closed();
  if (buffer == nullptr || size == 0) return refuse(ACH_EINVAL, "a frame has at least one byte");
  ach_handle& handle = *channel->handle;
  const std::lock_guard lock(handle.put_lock);
  if (handle.writer == nullptr) {
    const ach_status opened = open_writer(handle);
    if (opened != ACH_OK) return opened;
  }
  const int status = sinew_put(handle.writer, buffer, size, nullptr);
  if (status == SINEW_OK) return ACH_OK;
  if (status == SINEW_DAMAGED) return refuse(ACH_CORRUPT, sinew_status_text(status));
  return refuse(status_from(status), sinew_status_text(status));
}

ach_status ach_flush(ach_channel_t* channel) {
  if (!is_open(channel)) return refuse_closed();
  sinew_skip(channel->handle->reader);
  sinew_description description{};
  sinew_describe_reader(channel->handle->reader, &description);
  channel->seq_num = description.newest_sequence;
  return ACH_OK;
}

ach_status ach_close(ach_channel_t* channel) {
  if (!is_open(channel)) return refuse_closed();
  delete channel->handle;
  *channel = {};
  return ACH_OK;
}

ach_status ach_chmod(ach_channel_t* channel, mode_t mode) {
  if (!is_open(channel)) return refuse_closed();
  const auto path = sinew::channels::channel_path(channel->handle->space, channel->handle->name);
  if (!path) return refuse(ACH_INVALID_NAME, path.error().message);
  if (is_replaced(*channel->handle)) return refuse(ACH_CLOSED, "the channel was unlinked: open it again");
  if (chmod(path->c_str(), mode) == 0) return ACH_OK;
  const int reason = errno;
  return refuse(reason == EPERM || reason == EACCES ? ACH_EACCES : ACH_FAILED_SYSCALL,
                *path + ": " + std::strerror(reason));
}

ach_status ach_cancel(ach_channel_t* channel, const ach_cancel_attr_t*) {
  if (!is_open(channel)) return ACH_EINVAL;
  channel->handle->is_cancelled.store(true);
  sinew_cancel(channel->handle->reader);
  return ACH_OK;
}

ach_status ach_channel_fd(const ach_channel_t* channel, int* descriptor) {
  if (!is_open(channel) || descriptor == nullptr) return refuse_closed();
  *descriptor = sinew_reader_fd(channel->handle->reader);
  return *descriptor >= 0 ? ACH_OK : refuse(ACH_FAILED_SYSCALL, "no descriptor to be had");
}

// SPDX-License-Identifier: BSD-3-Clause
// The reading half of sinew_channel.h.
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "sinew/base/time.h"
#include "sinew/channels/c_api.h"
#include "sinew/channels/fork_count.h"
#include "sinew/channels/futex.h"
#include "sinew/channels/ring.h"

using sinew::channels::Access;
using sinew::channels::AtomicU64;
using sinew::channels::ChannelFile;
using sinew::channels::ReadOutcome;
using sinew::channels::RingFrame;
using sinew::channels::RingReader;
using sinew::channels::SleepOutcome;

struct sinew_reader {
  ChannelFile file;
  RingReader ring;
  std::uint64_t seen = 0;  ///< Number of the last message seen.
  std::atomic<bool> is_cancelled{false};
  std::atomic<bool> is_closing{false};
  int event_descriptor = -1;
  std::thread watcher;
  std::uint64_t forks = 0;  ///< fork_count() when the descriptor was made.

  bool has_inherited_descriptor() const {
    return event_descriptor >= 0 && forks != sinew::channels::fork_count();
  }
};

namespace {

// A writer that dies between publishing and waking leaves sleepers asleep; they look up this often, and also
// see then whether the channel has been removed.
constexpr std::int64_t kLongestSleep_ns = 50 * sinew::kMillisecond_ns;

int status_from(ReadOutcome outcome) {
  switch (outcome) {
    case ReadOutcome::Ok:
      return SINEW_OK;
    case ReadOutcome::NotYet:
      return SINEW_NOTHING_NEW;
    case ReadOutcome::Gone:
      return SINEW_GONE;
    case ReadOutcome::TooSmall:
      return SINEW_TOO_SMALL;
  }
  return SINEW_DAMAGED;
}

void fill(sinew_frame* out, const RingFrame& frame, std::uint64_t missed) {
  if (out == nullptr) return;
  *out = {.sequence = frame.sequence,
          .stamp_ns = frame.stamp_ns,
          .wall_ns = frame.wall_ns,
          .missed = missed,
          .size = frame.size,
          .sender_pid = frame.sender_pid,
          .writer = frame.writer,
          .reserved = 0};
}

// The descriptor stays readable while something is unseen: it is drained when all has been read, and set
// again when a message came meanwhile.
void settle_descriptor(sinew_reader& reader) {
  if (reader.event_descriptor < 0 || reader.has_inherited_descriptor()) return;
  if (reader.ring.newest_sequence() > reader.seen) return;
  eventfd_t count = 0;
  eventfd_read(reader.event_descriptor, &count);
  if (reader.ring.newest_sequence() > reader.seen) eventfd_write(reader.event_descriptor, 1);
}

// Takes note of a message that was read in passing from older to newer.
int finish(sinew_reader& reader, ReadOutcome outcome, const RingFrame& frame, sinew_frame* out) {
  if (outcome == ReadOutcome::Ok || outcome == ReadOutcome::TooSmall) {
    const std::uint64_t missed = frame.sequence > reader.seen ? frame.sequence - reader.seen - 1 : 0;
    fill(out, frame, missed);
  }
  if (outcome == ReadOutcome::Ok) reader.seen = std::max(reader.seen, frame.sequence);
  settle_descriptor(reader);
  if (outcome == ReadOutcome::NotYet && reader.file.header().removed.load(std::memory_order_relaxed) != 0)
    return SINEW_REMOVED;
  return status_from(outcome);
}

// Sleeps until a message after number `seen` is there, `deadline_ns` comes, or the channel is removed.
int wait_beyond(const sinew_reader& reader, std::uint64_t seen, std::int64_t deadline_ns,
                const std::atomic<bool>& is_cancelled) {
  const AtomicU64& head = reader.file.header().head;
  while (true) {
    const std::uint64_t word = head.load(std::memory_order_acquire);
    if (sinew::channels::sequence_of(word) > seen) return SINEW_OK;
    if (is_cancelled.load(std::memory_order_relaxed)) return SINEW_INTERRUPTED;
    const std::int64_t now_ns = sinew::monotonic_now_ns();
    if (now_ns >= deadline_ns) return SINEW_TIMED_OUT;
    const std::int64_t until_ns = std::min(deadline_ns, now_ns + kLongestSleep_ns);
    const SleepOutcome outcome =
        sinew::channels::sleep_while(head, static_cast<std::uint32_t>(word), until_ns);
    if (outcome == SleepOutcome::Interrupted) return SINEW_INTERRUPTED;
    const bool is_news = head.load(std::memory_order_acquire) != word;
    if (!is_news && reader.file.is_removed()) return SINEW_REMOVED;
  }
}

// Begins after message number `told`, given by value because the reader's own cursor belongs to its thread.
void watch(sinew_reader& reader, std::uint64_t told) {
  while (!reader.is_closing.load(std::memory_order_relaxed)) {
    const int status = wait_beyond(reader, told, sinew::kNever_ns, reader.is_closing);
    if (status == SINEW_OK) told = reader.ring.newest_sequence();
    if (status == SINEW_OK || status == SINEW_REMOVED) eventfd_write(reader.event_descriptor, 1);
    if (status == SINEW_REMOVED) return;
  }
}

// Starts the thread that sets the descriptor. Signals are the program's: none is ever delivered to this
// thread.
bool start_watcher(sinew_reader& reader) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool is_started = true;
  try {
    reader.watcher = std::thread(watch, std::ref(reader), reader.seen);
  } catch (const std::system_error&) {
    is_started = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return is_started;
}

// In a forked child the descriptor is the parent's, and the thread behind it does not exist.
void drop_inherited_descriptor(sinew_reader& reader) {
  if (!reader.has_inherited_descriptor()) return;
  close(reader.event_descriptor);
  reader.event_descriptor = -1;
  // neither to be joined nor detached: it is left where it is
  static_cast<void>(new std::thread(std::move(reader.watcher)));
}

}  // namespace

sinew_reader* sinew_reader_open(const sinew_options* options, int start, sinew_error* error) {
  auto file = ChannelFile::open(sinew::channels::options_from(*options), Access::Read);
  if (!file) {
    sinew::channels::report(file.error(), error);
    return nullptr;
  }
  auto reader = std::make_unique<sinew_reader>();
  reader->file = *std::move(file);
  reader->ring = RingReader(reader->file.memory());
  const std::uint64_t newest = reader->ring.newest_sequence();
  if (start == SINEW_START_NOW) reader->seen = newest;
  if (start == SINEW_START_NEWEST) reader->seen = newest > 0 ? newest - 1 : 0;
  if (start == SINEW_START_OLDEST) reader->seen = newest > 0 ? reader->ring.oldest_sequence() - 1 : 0;
  if (error != nullptr) *error = {};
  return reader.release();
}

void sinew_reader_close(sinew_reader* reader) {
  if (reader == nullptr) return;
  drop_inherited_descriptor(*reader);
  if (reader->watcher.joinable()) {
    reader->is_closing.store(true);
    sinew::channels::wake_all(reader->file.header().head);
    reader->watcher.join();
    close(reader->event_descriptor);
  }
  delete reader;
}

int sinew_read_newest(sinew_reader* reader, void* buffer, size_t size, sinew_frame* frame) {
  RingFrame found;
  return finish(*reader, reader->ring.read_newest(buffer, size, found), found, frame);
}

int sinew_read_fresh(sinew_reader* reader, void* buffer, size_t size, sinew_frame* frame) {
  RingFrame found;
  if (reader->ring.newest_sequence() <= reader->seen)
    return finish(*reader, ReadOutcome::NotYet, found, frame);
  return sinew_read_newest(reader, buffer, size, frame);
}

int sinew_read_next(sinew_reader* reader, void* buffer, size_t size, sinew_frame* frame) {
  RingFrame found;
  return finish(*reader, reader->ring.read_after(reader->seen, buffer, size, found), found, frame);
}

int sinew_read_sequence(sinew_reader* reader, uint64_t sequence, void* buffer, size_t size,
                        sinew_frame* frame) {
  RingFrame found;
  const ReadOutcome outcome = reader->ring.read_sequence(sequence, buffer, size, found);
  if (outcome == ReadOutcome::Ok || outcome == ReadOutcome::TooSmall) fill(frame, found, 0);
  return status_from(outcome);
}

int sinew_read_at(sinew_reader* reader, int64_t stamp_ns, void* buffer, size_t size, sinew_frame* frame) {
  RingFrame found;
  const ReadOutcome outcome = reader->ring.read_at(stamp_ns, buffer, size, found);
  if (outcome == ReadOutcome::Ok || outcome == ReadOutcome::TooSmall) fill(frame, found, 0);
  return status_from(outcome);
}

void sinew_skip(sinew_reader* reader) {
  reader->seen = std::max(reader->seen, reader->ring.newest_sequence());
  settle_descriptor(*reader);
}

int sinew_wait(sinew_reader* reader, int64_t deadline_ns) {
  const int status = wait_beyond(*reader, reader->seen, deadline_ns, reader->is_cancelled);
  if (status == SINEW_INTERRUPTED) reader->is_cancelled.store(false);
  return status;
}

void sinew_cancel(sinew_reader* reader) {
  reader->is_cancelled.store(true);
  sinew::channels::wake_all(reader->file.header().head);
}

int sinew_reader_fd(sinew_reader* reader) {
  drop_inherited_descriptor(*reader);
  if (reader->event_descriptor >= 0) return reader->event_descriptor;
  const int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) return -1;
  reader->event_descriptor = descriptor;
  reader->forks = sinew::channels::fork_count();
  if (start_watcher(*reader)) return descriptor;
  close(descriptor);
  reader->event_descriptor = -1;
  return -1;
}

void sinew_describe_reader(const sinew_reader* reader, sinew_description* description) {
  sinew::channels::describe(reader->file, *description);
}

const char* sinew_reader_schema(const sinew_reader* reader) {
  return reader->file.memory().schema();
}

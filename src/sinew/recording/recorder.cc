// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/recorder.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace sinew::recording {
namespace {

// Messages are written in lots, not one by one as they come.
constexpr std::int64_t kBetweenLots_ns = 20 * kMillisecond_ns;

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::start(const RecorderOptions& options) {
  RecordingFacts facts = facts_now(options.channels.space);
  facts.encoding = options.encoding;
  auto tap = ChannelTap::open(options.channels);
  if (!tap) return tap.error();
  auto file = RecordingFile::create(options.file, facts);
  if (!file) return file.error();
  for (const TappedChannel& channel : tap->channels()) {
    if (const Status noted = file->note(channel); !noted) return noted.error();
  }
  return std::unique_ptr<Recorder>(new Recorder(options, *std::move(tap), *std::move(file)));
}

Recorder::Recorder(const RecorderOptions& options, ChannelTap tap, RecordingFile file)
    : options_(options),
      file_(std::move(file)),
      flushed_ns_(monotonic_now_ns()),
      feeder_(std::move(tap), [this](const MessageBatch& batch) { take(batch); }) {}

// In the feeder's thread. While too much waits to be written nothing more is read, and the channels count
// what is lost by it.
void Recorder::take(const MessageBatch& batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return pending_.memory() < options_.largest_backlog || is_finishing_; });
  pending_.add_all(batch);
}

Status Recorder::write_batch() {
  writing_.clear();
  {
    const std::lock_guard lock(mutex_);
    std::swap(writing_, pending_);
  }
  changed_.notify_all();
  for (std::size_t i = 0; i < writing_.size(); ++i) {
    if (Status written = file_.write(writing_[i]); !written) return written;
  }
  const std::int64_t now_ns = monotonic_now_ns();
  if (now_ns - flushed_ns_ < options_.flush_ns) return Done{};
  flushed_ns_ = now_ns;
  return file_.flush();
}

Status Recorder::write_pending(std::int64_t deadline_ns) {
  while (true) {
    if (Status written = write_batch(); !written) return written;
    const std::int64_t left_ns = deadline_ns - monotonic_now_ns();
    if (left_ns <= 0) return Done{};
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(left_ns, kBetweenLots_ns)));
  }
}

// However much waits to be written, the feeder's thread no longer does.
void Recorder::let_feeder_go() {
  {
    const std::lock_guard lock(mutex_);
    is_finishing_ = true;
  }
  changed_.notify_all();
}

Recorder::~Recorder() {
  let_feeder_go();
}

Status Recorder::finish() {
  let_feeder_go();
  feeder_.stop();
  if (Status written = write_batch(); !written) return written;
  return file_.close();
}

}  // namespace sinew::recording

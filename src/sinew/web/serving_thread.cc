// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/serving_thread.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "sinew/base/time.h"

namespace sinew::web {
namespace {

constexpr std::int64_t kIdle_ns = 100 * kMillisecond_ns;

}  // namespace

void ServingThread::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_) return;
    tasks_.push_back(std::move(task));
  }
  has_task_.notify_one();
}

void ServingThread::repeat(std::function<std::int64_t()> look) {
  repeated_.push_back({.look = std::move(look)});
}

void ServingThread::start() {
  thread_ = std::thread([this] { run(); });
}

void ServingThread::finish() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  has_task_.notify_one();
  if (thread_.joinable()) thread_.join();
}

// Whatever is due, and how long until the next is [ns].
std::int64_t ServingThread::look() {
  std::int64_t next_ns = monotonic_now_ns() + kIdle_ns;
  for (Repeated& repeated : repeated_) {
    if (monotonic_now_ns() >= repeated.due_ns) repeated.due_ns = repeated.look() + monotonic_now_ns();
    next_ns = std::min(next_ns, repeated.due_ns);
  }
  return std::max<std::int64_t>(next_ns - monotonic_now_ns(), 0);
}

void ServingThread::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    // looks come in between, however many tasks there are
    const bool is_over = is_ending_;
    lock.unlock();
    const std::int64_t pause_ns = is_over ? 0 : look();
    lock.lock();
    has_task_.wait_for(lock, std::chrono::nanoseconds(pause_ns),
                       [this] { return is_ending_ || !tasks_.empty(); });
    if (tasks_.empty() && is_ending_) return;
    if (tasks_.empty()) continue;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace sinew::web

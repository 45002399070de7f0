// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

namespace sinew::web {

/// A thread that serves beside the one that waits for bytes: tasks in the order in which they came, and looks
/// that are repeated. Whatever takes long here keeps nobody from being heard.
class ServingThread {
 public:
  ServingThread() = default;
  ~ServingThread() { finish(); }
  ServingThread(const ServingThread&) = delete;
  ServingThread& operator=(const ServingThread&) = delete;

  /// From any thread. After finish() tasks are dropped.
  void post(std::function<void()> task);
  /// Calls `look` again and again, each time after the pause [ns] that it answered with last; at once first.
  /// Before start(), or in this thread.
  void repeat(std::function<std::int64_t()> look);
  void start();
  /// Does the tasks that wait, repeats nothing any more, and ends. Not in this thread.
  void finish();

 private:
  struct Repeated {
    std::function<std::int64_t()> look;
    std::int64_t due_ns = 0;
  };
  void run();
  std::int64_t look();

  std::mutex mutex_;
  std::condition_variable has_task_;
  std::deque<std::function<void()>> tasks_;
  bool is_ending_ = false;
  std::list<Repeated> repeated_;
  std::thread thread_;
};

}  // namespace sinew::web

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sinew {

/// One thread for work that takes longer than the others may wait. Jobs are done in order; of jobs with the
/// same key that wait, the newest counts, so that somebody who types is asked about what he has typed last.
class Background {
 public:
  static constexpr std::size_t kMostWaiting = 8;

  Background();
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// `work` runs in the other thread and must not throw; what it answers is called by deliver(). `dropped` is
  /// called by deliver() when a newer job with the same key took its place. False: too many wait.
  using Delivery = std::function<void()>;
  bool start(std::string key, std::function<Delivery()> work, Delivery dropped);

  /// Hands over what is done, in the thread that calls it.
  void deliver();

 private:
  struct Job {
    std::string key;
    std::function<Delivery()> work;
    Delivery dropped;
  };
  void run();

  std::mutex mutex_;
  std::condition_variable is_work_;
  std::deque<Job> waiting_;
  std::vector<Delivery> done_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace sinew

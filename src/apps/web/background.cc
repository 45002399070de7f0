// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/background.h"

#include <algorithm>
#include <utility>

namespace sinew {

Background::Background() : thread_([this] { run(); }) {}

Background::~Background() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  is_work_.notify_one();
  thread_.join();
}

bool Background::start(std::string key, std::function<Delivery()> work, Delivery dropped) {
  {
    const std::lock_guard lock(mutex_);
    const auto older = std::ranges::find(waiting_, key, &Job::key);
    if (older != waiting_.end()) {
      done_.push_back(std::move(older->dropped));
      waiting_.erase(older);
    }
    if (waiting_.size() >= kMostWaiting) return false;
    waiting_.push_back({std::move(key), std::move(work), std::move(dropped)});
  }
  is_work_.notify_one();
  return true;
}

void Background::deliver() {
  std::vector<Delivery> done;
  {
    const std::lock_guard lock(mutex_);
    done.swap(done_);
  }
  for (const Delivery& delivery : done) delivery();
}

void Background::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    is_work_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
    if (is_over_) return;
    const Job job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    Delivery delivery = job.work();
    lock.lock();
    done_.push_back(std::move(delivery));
  }
}

}  // namespace sinew

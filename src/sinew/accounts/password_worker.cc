// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/password_worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace sinew::accounts {
namespace {

constexpr int kNiceness = 10;

}  // namespace

PasswordWorker::PasswordWorker(const PasswordCost& cost) : cost_(cost), thread_([this] { run(); }) {}

PasswordWorker::~PasswordWorker() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  has_work_.notify_one();
  thread_.join();
}

bool PasswordWorker::check(std::string password, std::string hash, Checked done) {
  return add([=, this, password = std::move(password), hash = std::move(hash),
              done = std::move(done)]() mutable -> Delivery {
    Result<bool> outcome = false;
    if (!hash.empty()) outcome = is_password(password, hash);
    // the time it takes must not tell who exists
    if (hash.empty())
      if (const auto nobody = hash_password(password, cost_); !nobody) outcome = nobody.error();
    wipe(password);
    return [done = std::move(done), outcome = std::move(outcome)] { done(outcome); };
  });
}

bool PasswordWorker::hash(std::string password, Hashed done) {
  return add([=, this, password = std::move(password), done = std::move(done)]() mutable -> Delivery {
    Result<std::string> outcome = hash_password(password, cost_);
    wipe(password);
    return [done = std::move(done), outcome = std::move(outcome)] { done(outcome); };
  });
}

bool PasswordWorker::add(Work work) {
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() >= kMostWaiting) return false;
    waiting_.push_back(std::move(work));
  }
  has_work_.notify_one();
  return true;
}

void PasswordWorker::run() {
  // of this thread only, as Linux has it; who serves and who moves the robot goes first
  static_cast<void>(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNiceness));
  std::unique_lock lock(mutex_);
  while (true) {
    has_work_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
    if (is_ending_) return;
    Work work = std::move(waiting_.front());
    waiting_.pop_front();
    is_working_ = true;
    lock.unlock();
    Delivery delivery = work();
    // what the work still holds ends here, not under the lock
    work = nullptr;
    lock.lock();
    is_working_ = false;
    done_.push_back(std::move(delivery));
  }
}

std::size_t PasswordWorker::deliver() {
  std::vector<Delivery> done;
  {
    const std::scoped_lock lock(mutex_);
    done.swap(done_);
  }
  for (const Delivery& delivery : done) delivery();
  return done.size();
}

bool PasswordWorker::is_idle() const {
  const std::scoped_lock lock(mutex_);
  return waiting_.empty() && done_.empty() && !is_working_;
}

}  // namespace sinew::accounts

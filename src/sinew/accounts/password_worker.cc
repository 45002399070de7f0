// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/password_worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace sinew::accounts {
namespace {

constexpr int kNiceness = 10;

Error displaced() {
  return Error{ErrorCode::Full, "too many passwords are being checked; try again in a moment"};
}

}  // namespace

PasswordWorker::PasswordWorker(const PasswordCost& cost) : cost_(cost) {
  for (std::size_t i = 0; i < kThreads; ++i) threads_.emplace_back([this] { run(); });
}

PasswordWorker::~PasswordWorker() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool PasswordWorker::check(const PasswordSource& source, std::string password, std::string hash,
                           const Checked& done) {
  const auto act = [=, this, password = std::move(password), hash = std::move(hash)]() mutable -> Delivery {
    Result<bool> outcome = false;
    if (!hash.empty()) outcome = is_password(password, hash);
    // the time it takes must not tell who exists
    if (hash.empty())
      if (const auto nobody = hash_password(password, cost_); !nobody) outcome = nobody.error();
    wipe(password);
    return [done, outcome = std::move(outcome)] { done(outcome); };
  };
  return add(source, {.act = act, .displaced = [done] { done(displaced()); }});
}

bool PasswordWorker::hash(const PasswordSource& source, std::string password, const Hashed& done) {
  const auto act = [=, this, password = std::move(password)]() mutable -> Delivery {
    Result<std::string> outcome = hash_password(password, cost_);
    wipe(password);
    return [done, outcome = std::move(outcome)] { done(outcome); };
  };
  return add(source, {.act = act, .displaced = [done] { done(displaced()); }});
}

// One place for an address of which nobody waits, from the address that has most.
bool PasswordWorker::make_room(Lane& lane) {
  const auto longest =
      std::ranges::max_element(lane.lines, {}, [](const Line& line) { return line.works.size(); });
  if (longest == lane.lines.end() || longest->works.size() < 2) return false;
  done_.push_back(std::move(longest->works.back().displaced));
  longest->works.pop_back();
  --lane.waiting;
  return true;
}

bool PasswordWorker::add(const PasswordSource& source, Work work) {
  {
    const std::scoped_lock lock(mutex_);
    Lane& lane = lanes_[source.is_local ? 1 : 0];
    auto line = std::ranges::find(lane.lines, source.address, &Line::address);
    if (line != lane.lines.end() && line->works.size() >= kMostOfAddress) return false;
    const bool is_full = lane.waiting >= kMostWaiting;
    if (is_full && (line != lane.lines.end() || !make_room(lane))) return false;
    if (line == lane.lines.end())
      line = lane.lines.insert(lane.lines.end(), {.address = source.address, .works = {}});
    line->works.push_back(std::move(work));
    ++lane.waiting;
  }
  has_work_.notify_one();
  return true;
}

// The lanes take turns, and within a lane the addresses.
PasswordWorker::Work PasswordWorker::take_next() {
  if (lanes_[next_lane_].waiting == 0) next_lane_ = 1 - next_lane_;
  Lane& lane = lanes_[next_lane_];
  next_lane_ = 1 - next_lane_;
  Line line = std::move(lane.lines.front());
  lane.lines.pop_front();
  Work work = std::move(line.works.front());
  line.works.pop_front();
  --lane.waiting;
  if (!line.works.empty()) lane.lines.push_back(std::move(line));
  return work;
}

void PasswordWorker::run() {
  // of this thread only, as Linux has it; who serves and who moves the robot goes first
  static_cast<void>(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNiceness));
  std::unique_lock lock(mutex_);
  while (true) {
    has_work_.wait(lock, [this] { return is_ending_ || lanes_[0].waiting + lanes_[1].waiting > 0; });
    if (is_ending_) return;
    Work work = take_next();
    ++working_;
    lock.unlock();
    Delivery delivery = work.act();
    // what the work still holds ends here, not under the lock
    work = {};
    lock.lock();
    --working_;
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
  return lanes_[0].waiting + lanes_[1].waiting == 0 && done_.empty() && working_ == 0;
}

}  // namespace sinew::accounts

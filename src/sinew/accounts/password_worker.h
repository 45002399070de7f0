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

#include "sinew/accounts/secrets.h"
#include "sinew/base/result.h"

namespace sinew::accounts {

/// Works on passwords beside the thread that serves, because each takes half a second: one thread of low
/// priority, with a queue that does not grow. However many log in at once, those who are served already do
/// not notice.
class PasswordWorker {
 public:
  static constexpr std::size_t kMostWaiting = 16;
  using Checked = std::function<void(Result<bool>)>;
  using Hashed = std::function<void(Result<std::string>)>;

  explicit PasswordWorker(const PasswordCost& cost);
  /// What waits is dropped; its functions are not called.
  ~PasswordWorker();
  PasswordWorker(const PasswordWorker&) = delete;
  PasswordWorker& operator=(const PasswordWorker&) = delete;

  /// Whether a password is the one of `hash`. An empty hash is nobody's: that is wrong, and takes as long.
  /// False when too many wait; else `done` is called later, by deliver().
  bool check(std::string password, std::string hash, Checked done);
  /// The hash of a new password; the same way.
  bool hash(std::string password, Hashed done);

  /// Calls the functions of all that is done, in this thread. How many.
  std::size_t deliver();
  /// Whether nothing waits, is worked on or is to be delivered.
  bool is_idle() const;

 private:
  using Delivery = std::function<void()>;
  using Work = std::function<Delivery()>;

  bool add(Work work);
  void run();

  PasswordCost cost_;
  mutable std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<Work> waiting_;
  std::vector<Delivery> done_;
  bool is_working_ = false;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace sinew::accounts

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sinew/accounts/secrets.h"
#include "sinew/base/result.h"

namespace sinew::accounts {

/// Who asks for work on a password.
struct PasswordSource {
  std::string address{};  ///< One network, or one user of this machine: see address_group().
  bool is_local = false;  ///< Of this machine.
};

/// Works on passwords beside the thread that serves, because each takes half a second: two threads of low
/// priority, with a queue that does not grow. However many log in at once, those who are served already do
/// not notice; and whoever asks waits for those before him from his own address, and for one of each other
/// address, not for all that one of them has sent. This machine and the network take turns, so that nobody
/// out there keeps who sits at it from logging in.
class PasswordWorker {
 public:
  static constexpr std::size_t kMostWaiting = 16;  ///< Of this machine, and as many of the network.
  static constexpr std::size_t kMostOfAddress = 4;
  static constexpr std::size_t kThreads = 2;  ///< Each takes the memory of one password's cost.
  using Checked = std::function<void(Result<bool>)>;
  using Hashed = std::function<void(Result<std::string>)>;

  explicit PasswordWorker(const PasswordCost& cost);
  /// What waits is dropped; its functions are not called.
  ~PasswordWorker();
  PasswordWorker(const PasswordWorker&) = delete;
  PasswordWorker& operator=(const PasswordWorker&) = delete;

  /// Whether a password is the one of `hash`. An empty hash is nobody's: that is wrong, and takes as long.
  /// False when too many wait, of that address or of all; else `done` is called later, by deliver(). When all
  /// places are taken, an address of which nobody waits takes the last one of the address that has most: its
  /// `done` is told a refusal.
  bool check(const PasswordSource& source, std::string password, std::string hash, const Checked& done);
  /// The hash of a new password; the same way.
  bool hash(const PasswordSource& source, std::string password, const Hashed& done);

  /// Calls the functions of all that is done, in this thread. How many.
  std::size_t deliver();
  /// Whether nothing waits, is worked on or is to be delivered.
  bool is_idle() const;

 private:
  using Delivery = std::function<void()>;
  struct Work {
    std::function<Delivery()> act;
    Delivery displaced;  // when another took its place
  };
  /// What waits of one address.
  struct Line {
    std::string address;
    std::deque<Work> works;
  };
  /// Those of this machine, or of the network; whose turn it is first.
  struct Lane {
    std::deque<Line> lines;
    std::size_t waiting = 0;
  };

  bool add(const PasswordSource& source, Work work);
  bool make_room(Lane& lane);
  Work take_next();
  void run();

  PasswordCost cost_;
  mutable std::mutex mutex_;
  std::condition_variable has_work_;
  std::array<Lane, 2> lanes_;  // the network, this machine
  std::size_t next_lane_ = 1;
  std::vector<Delivery> done_;
  std::size_t working_ = 0;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace sinew::accounts

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace sinew::bench {

/// What this machine lets the benchmark do for steady figures. Lives for the whole run: it keeps the cores
/// from deep sleep while it exists.
class Conditions {
 public:
  /// Tries everything out, in the calling process.
  Conditions();
  ~Conditions();
  Conditions(const Conditions&) = delete;
  Conditions& operator=(const Conditions&) = delete;

  /// Gives the calling process the first claim to its core: SCHED_FIFO when `is_realtime`, for those that
  /// sleep most of the time; otherwise the best nice value, for the kernel throttles real-time spinners.
  void take_priority(bool is_realtime) const;

  /// Puts the calling thread on the writer's core (-1) or on that of reader 0, 1, 2, …
  void pin(int reader) const;

  int core_count() const { return static_cast<int>(cores_.size()); }

  /// What was not allowed, with the remedy; empty when all was.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  bool may_use_fifo_ = false;
  bool may_lock_ = false;
  bool may_use_nice_ = false;
  int latency_descriptor_ = -1;
  std::vector<int> cores_;
  std::vector<std::string> notes_;
};

}  // namespace sinew::bench

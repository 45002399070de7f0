// SPDX-License-Identifier: BSD-3-Clause
#include "conditions.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

namespace sinew::bench {
namespace {

constexpr int kPriority = 60;
constexpr int kBestNice = -20;

// load average from which other programs are seen in the figures
constexpr double kBusy = 0.5;

// lock what is touched, not the whole of large mappings
constexpr int kLock = MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT;

bool set_policy(int policy, int priority) {
  const sched_param parameter{.sched_priority = priority};
  return sched_setscheduler(0, policy, &parameter) == 0;
}

std::vector<int> usable_cores() {
  cpu_set_t set;
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

}  // namespace

Conditions::Conditions() : cores_(usable_cores()) {
  may_use_fifo_ = set_policy(SCHED_FIFO, kPriority) && set_policy(SCHED_OTHER, 0);
  if (!may_use_fifo_) notes_.emplace_back("SCHED_FIFO is not allowed here: run as root for steadier figures");
  may_lock_ = mlockall(kLock) == 0 && munlockall() == 0;
  if (!may_lock_) notes_.emplace_back("locking memory is not allowed here: run as root for steadier figures");
  const int nice_before = getpriority(PRIO_PROCESS, 0);
  may_use_nice_ = setpriority(PRIO_PROCESS, 0, kBestNice) == 0;
  setpriority(PRIO_PROCESS, 0, nice_before);
  if (!may_use_nice_)
    notes_.emplace_back("nice -20 is not allowed here: other programs disturb the spin and flat-out rows");

  latency_descriptor_ = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
  const std::int32_t no_latency_us = 0;
  const bool is_held = latency_descriptor_ >= 0 && write(latency_descriptor_, &no_latency_us,
                                                         sizeof no_latency_us) == sizeof no_latency_us;
  if (!is_held)
    notes_.emplace_back("/dev/cpu_dma_latency cannot be held at 0: cores may sleep deeply and wake up late");
  // two are enough: the writer's, and the one of every second reader
  if (cores_.size() > 2) cores_.resize(2);
  double load = 0;
  if (getloadavg(&load, 1) == 1 && load > kBusy)
    notes_.push_back(fmt::format(
        "the machine was busy at the start (load {:.1f}): a core that others use wakes up ten times "
        "slower than a free one, so compare the blocking rows of a quiet run",
        load));
  if (cores_.size() < 2) notes_.emplace_back("only one core: no spin rows, and writer and readers share it");
}

Conditions::~Conditions() {
  if (latency_descriptor_ >= 0) close(latency_descriptor_);
}

void Conditions::take_priority(bool is_realtime) const {
  prctl(PR_SET_TIMERSLACK, 1);
  if (may_lock_) mlockall(kLock);
  if (is_realtime && may_use_fifo_) {
    set_policy(SCHED_FIFO, kPriority);
  } else if (may_use_nice_) {
    setpriority(PRIO_PROCESS, 0, kBestNice);
  }
}

void Conditions::pin(int reader) const {
  if (cores_.empty()) return;
  const std::size_t which = static_cast<std::size_t>(reader + 1) % cores_.size();
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cores_[which]), &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace sinew::bench

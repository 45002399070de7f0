// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/result.h"

namespace sinew::bench {

/// Clients that watch: WebSockets which read all that comes and answer pings. One thread.
class Watchers {
 public:
  Watchers() = default;
  ~Watchers();
  Watchers(const Watchers&) = delete;
  Watchers& operator=(const Watchers&) = delete;

  /// One more. Who does not read keeps silent, too.
  Status add(std::uint16_t port, bool reads);
  /// Reads for this time.
  void watch(std::int64_t duration_ns);
  /// From here on it is counted.
  void count_anew();

  struct Count {
    std::uint64_t messages = 0;
    std::int64_t longest_gap_ns = 0;  ///< Between two of its messages.
  };
  /// Of those that read.
  std::vector<Count> counts() const;
  /// How many of those that read the server has closed.
  std::size_t closed() const;

 private:
  struct Watcher {
    int socket = -1;
    bool reads = true;
    bool is_open = true;
    std::string waiting;  // of a frame that is not whole
    Count count;
    std::int64_t last_ns = 0;
  };
  static void read(Watcher& watcher);
  static void take_frames(Watcher& watcher);

  std::vector<Watcher> watchers_;
};

}  // namespace sinew::bench

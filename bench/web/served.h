// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "sinew/base/result.h"

namespace sinew::bench {

/// A server in a process of its own, which sends everybody who watches a message of this size, so many times
/// a second.
class Served {
 public:
  struct Options {
    double rate = 30.0;  ///< [1/s]
    std::size_t message_bytes = 2048;
  };
  static Result<Served> start(const Options& options);
  ~Served();
  Served(Served&& other) noexcept;
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  std::uint16_t port() const { return port_; }
  /// [ns] That it has computed so far.
  std::int64_t computed_ns() const;
  /// [bytes] Of memory that it really has.
  std::size_t memory() const;

 private:
  Served(pid_t process, std::uint16_t port) : process_(process), port_(port) {}
  pid_t process_;
  std::uint16_t port_;
};

}  // namespace sinew::bench

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sinew::web {

/// Who is at the other end.
struct WirePeer {
  std::string address;  ///< In digits.
  std::optional<std::uint32_t>
      user;  ///< Whose program it is, when it runs on this machine and that is known.
};

/// One connection, in the clear or under TLS: bytes in, bytes out. What is asked for is never done inside the
/// call but told later, by `then`, which keeps alive whom it captures.
class Wire {
 public:
  /// Whether it went well, and how many bytes were read.
  using Then = std::function<void(bool is_well, std::size_t size)>;
  virtual ~Wire() = default;

  /// Reads what there is, at least one byte, into `room`, which must stay until then. One at a time.
  virtual void read(std::span<char> room, Then then) = 0;
  /// Sends all of `bytes`, which must stay until then. One at a time, and under TLS not before something was
  /// read.
  virtual void write(std::string_view bytes, Then then) = 0;
  /// Says that nothing more comes, and lets what the client is still sending pass by, so that it reads what
  /// it was sent last. Neither reading nor writing may be under way.
  virtual void finish(Then then) = 0;
  /// At once: what is under way ends, and not well.
  virtual void close() = 0;
  /// Closes it after this time, unless another is said meanwhile; below zero: never.
  virtual void close_after(std::int64_t pause_ns) = 0;
  /// Prefers fresh bytes to many: little waits in the system, for who can drop what is old.
  virtual void keep_short() = 0;
  virtual bool is_secure() const = 0;
  virtual const WirePeer& peer() const = 0;
};

}  // namespace sinew::web

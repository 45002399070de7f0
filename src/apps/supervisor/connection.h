// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sinew/base/result.h"

#include "apps/supervisor/wire.h"

namespace sinew::supervisor {

/// One who asks. Takes one request, answers it, and is closed. Reads and writes never wait.
class Connection {
 public:
  /// What it waits for.
  enum class Wait { Request, Start, Stop, Nothing };

  Connection(int descriptor, std::int64_t now_ns) : descriptor_(descriptor), since_ns_(now_ns) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Reads what has come; a whole line, or none yet. Sets is_broken() when the other side has gone.
  std::optional<std::string> take_line();
  void send(const Json& json);
  /// The last line: what is not sent yet is sent, then the connection is over.
  void finish(const Json& json);
  void fail(const std::string& message);
  void flush();

  int descriptor() const { return descriptor_; }
  std::int64_t since_ns() const { return since_ns_; }
  bool has_to_send() const { return !output_.empty(); }
  bool is_over() const { return is_broken_ || (wait == Wait::Nothing && output_.empty()); }
  bool is_broken() const { return is_broken_; }

  Wait wait = Wait::Request;
  std::set<std::string> robots;  ///< Those it waits for.
  std::size_t channels = 0;      ///< Removed for it so far.

 private:
  int descriptor_;
  std::int64_t since_ns_;
  bool is_broken_ = false;
  std::string input_;
  std::string output_;
};

/// A socket that callers come to; closed when destroyed.
class Listener {
 public:
  explicit Listener(int descriptor) : descriptor_(descriptor) {}
  Listener(Listener&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Listener& operator=(Listener&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Listener();
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// Binds the socket at `path`, in place of one that a dead supervisor left. For the one who holds the lock.
Result<Listener> listen_at(const std::string& path);

/// Takes a caller; none when there is none, or it is another user, which is told so.
std::optional<int> accept_same_user(int listener);

}  // namespace sinew::supervisor

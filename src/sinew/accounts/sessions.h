// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/accounts/secrets.h"
#include "sinew/base/time.h"

namespace sinew::accounts {

/// A session's number; never used twice. Zero: no session.
using SessionNumber = std::uint64_t;

/// Who has a session.
struct SessionOwner {
  std::string user;
  SessionNumber number = 0;
};

/// Who has said who they are. A session is known by a random token, of which only a digest is kept, in memory
/// only: a restart ends all. Bounded: each user has so many, and the one that was unused longest makes room.
/// One thread.
class Sessions {
 public:
  struct Options {
    std::size_t most_of_user = 16;
    std::int64_t longest_ns = 12 * 3600 * kSecond_ns;       ///< From the beginning.
    std::int64_t longest_unused_ns = 30 * 60 * kSecond_ns;  ///< From the last use.
    Randomness randomness = fill_random;
  };

  Sessions() : Sessions(Options{}) {}
  explicit Sessions(Options options) : options_(std::move(options)) {}

  /// The token of a new session.
  std::string open(const std::string& user, std::int64_t now_ns);
  /// Who has this token, which counts as a use; nobody when it never was one, or is none any more.
  std::optional<SessionOwner> use(std::string_view token, std::int64_t now_ns);

  /// Whether a session goes on; asking is no use of it.
  bool is_open(SessionNumber number, std::int64_t now_ns) const;

  void close(SessionNumber number);
  /// All sessions of a user, but perhaps this one.
  void close_all_of(std::string_view user, SessionNumber except = 0);
  /// Ends those whose time is over.
  void expire(std::int64_t now_ns);

  /// The digests of the tokens of all that go on, with their users.
  std::vector<std::pair<Digest, std::string>> open_ones(std::int64_t now_ns) const;
  /// Those that have ended since this was called last, in whatever way.
  std::vector<SessionNumber> take_ended();
  std::size_t count_of(std::string_view user, std::int64_t now_ns) const;
  std::size_t count() const { return sessions_.size(); }

 private:
  struct Session {
    std::string user;
    SessionNumber number = 0;
    std::int64_t opened_ns = 0;
    std::int64_t used_ns = 0;
  };
  using Entry = std::map<Digest, Session>::iterator;

  bool is_over(const Session& session, std::int64_t now_ns) const;
  template <class Condition>
  void close_where(Condition condition);
  void make_room_for(const std::string& user, std::int64_t now_ns);

  Options options_;
  std::map<Digest, Session> sessions_;
  std::vector<SessionNumber> ended_;
  SessionNumber last_ = 0;
};

}  // namespace sinew::accounts

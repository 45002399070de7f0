// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/sessions.h"

#include <algorithm>
#include <utility>

namespace sinew::accounts {

bool Sessions::is_over(const Session& session, std::int64_t now_ns) const {
  return now_ns - session.opened_ns >= options_.longest_ns ||
         now_ns - session.used_ns >= options_.longest_unused_ns;
}

template <class Condition>
void Sessions::close_where(Condition condition) {
  std::erase_if(sessions_, [&](const auto& entry) {
    if (!condition(entry.second)) return false;
    ended_.push_back(entry.second.number);
    return true;
  });
}

void Sessions::make_room_for(const std::string& user, std::int64_t now_ns) {
  while (count_of(user, now_ns) >= options_.most_of_user) {
    const Session* oldest = nullptr;
    for (const auto& [digest, session] : sessions_)
      if (session.user == user && (oldest == nullptr || session.used_ns < oldest->used_ns)) oldest = &session;
    close(oldest->number);
  }
}

std::string Sessions::open(const std::string& user, std::int64_t now_ns) {
  expire(now_ns);
  make_room_for(user, now_ns);
  std::string token = random_token(options_.randomness);
  sessions_[digest_of(token)] = {.user = user, .number = ++last_, .opened_ns = now_ns, .used_ns = now_ns};
  return token;
}

std::optional<SessionOwner> Sessions::use(std::string_view token, std::int64_t now_ns) {
  // found by its digest, whose bytes nobody can steer: how long this takes tells nothing of other tokens
  const auto entry = sessions_.find(digest_of(token));
  if (entry == sessions_.end()) return std::nullopt;
  Session& session = entry->second;
  if (is_over(session, now_ns)) {
    close(session.number);
    return std::nullopt;
  }
  session.used_ns = std::max(session.used_ns, now_ns);
  return SessionOwner{.user = session.user, .number = session.number};
}

bool Sessions::is_open(SessionNumber number, std::int64_t now_ns) const {
  return std::ranges::any_of(sessions_, [&](const auto& entry) {
    return entry.second.number == number && !is_over(entry.second, now_ns);
  });
}

void Sessions::close(SessionNumber number) {
  close_where([=](const Session& session) { return session.number == number; });
}

void Sessions::close_all_of(std::string_view user, SessionNumber except) {
  close_where([=](const Session& session) { return session.user == user && session.number != except; });
}

void Sessions::expire(std::int64_t now_ns) {
  close_where([=, this](const Session& session) { return is_over(session, now_ns); });
}

std::vector<std::pair<Digest, std::string>> Sessions::open_ones(std::int64_t now_ns) const {
  std::vector<std::pair<Digest, std::string>> open;
  for (const auto& [digest, session] : sessions_)
    if (!is_over(session, now_ns)) open.emplace_back(digest, session.user);
  return open;
}

std::vector<SessionNumber> Sessions::take_ended() {
  return std::exchange(ended_, {});
}

std::size_t Sessions::count_of(std::string_view user, std::int64_t now_ns) const {
  return static_cast<std::size_t>(std::ranges::count_if(sessions_, [&](const auto& entry) {
    return entry.second.user == user && !is_over(entry.second, now_ns);
  }));
}

}  // namespace sinew::accounts

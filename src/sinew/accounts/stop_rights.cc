// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/stop_rights.h"

#include <utility>

namespace sinew::accounts {

StopRights::StopRights(Gate::Options options, const Users& users, const Sessions& sessions,
                       std::int64_t now_ns)
    : options_(std::move(options)) {
  for (const auto& [digest, name] : sessions.open_ones(now_ns)) {
    const User* user = users.find(name);
    if (user != nullptr && may(user->role, Right::Stop)) sessions_.emplace(digest, name);
  }
}

std::optional<std::string> StopRights::who(const Credentials& credentials) const {
  if (!options_ || !credentials.is_own_page) return std::nullopt;
  // anybody of this machine may, and is told by no name
  const auto stranger = credentials.is_loopback ? std::optional<std::string>("") : std::nullopt;
  if (!options_->has_accounts)
    return is_owner(credentials, *options_) ? std::optional(std::string(kLocalUser)) : stranger;
  const auto token = session_token(credentials, options_->cookie_name);
  if (!token) return stranger;
  const auto found = sessions_.find(digest_of(*token));
  return found == sessions_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace sinew::accounts

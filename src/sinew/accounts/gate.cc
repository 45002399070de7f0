// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/gate.h"

#include <algorithm>

#include <fmt/format.h>

namespace sinew::accounts {
namespace {

constexpr std::uint32_t kRoot = 0;
constexpr std::size_t kMostHeader = 4096;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

GateVerdict no_control(const ControlDesk& desk, const Identity& who, ControlCheck check) {
  GateVerdict verdict{.status = 409, .who = who};
  if (check == ControlCheck::Lost) {
    verdict.error = "nobody controls the robot: take control first";
    return verdict;
  }
  verdict.holder = desk.who()->user;
  verdict.error = verdict.holder == who.user
                      ? "you control the robot from elsewhere: take control here"
                      : fmt::format("'{}' controls the robot: take control first", verdict.holder);
  return verdict;
}

}  // namespace

std::optional<std::string_view> cookie_value(std::string_view header, std::string_view name) {
  std::optional<std::string_view> value;
  header = header.substr(0, kMostHeader);
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(';'), header.size());
    const std::string_view pair = trimmed(header.substr(0, end));
    header.remove_prefix(std::min(end + 1, header.size()));
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || pair.substr(0, equals) != name) continue;
    if (value) return std::nullopt;
    value = pair.substr(equals + 1);
  }
  return value;
}

std::optional<std::string_view> bearer_token(std::string_view header) {
  constexpr std::string_view kScheme = "bearer ";
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  if (!std::ranges::equal(header.substr(0, kScheme.size()), kScheme, {}, lower)) return std::nullopt;
  const std::string_view token = trimmed(header.substr(kScheme.size()));
  if (token.empty()) return std::nullopt;
  return token;
}

std::optional<std::string_view> session_token(const Credentials& credentials, std::string_view cookie_name) {
  std::optional<std::string_view> token;
  if (credentials.authorization) token = bearer_token(*credentials.authorization);
  if (!token && credentials.cookie) token = cookie_value(*credentials.cookie, cookie_name);
  return token;
}

bool is_owner(const Credentials& credentials, const Gate::Options& options) {
  return credentials.is_loopback && credentials.system_user &&
         (credentials.system_user == options.owner || credentials.system_user == kRoot);
}

std::optional<Identity> Gate::identify(const Credentials& credentials, std::int64_t now_ns) {
  if (!options_.has_accounts) {
    if (!is_owner(credentials, options_)) return std::nullopt;
    return Identity{.user = std::string(kLocalUser), .role = Role::Expert};
  }
  const auto token = session_token(credentials, options_.cookie_name);
  if (!token) return std::nullopt;
  const auto owner = sessions_.use(*token, now_ns);
  if (!owner) return std::nullopt;
  // asked anew each time: who was removed or demoted is so at once
  const User* user = users_.find(owner->user);
  if (user == nullptr) return std::nullopt;
  return Identity{.user = user->name, .role = user->role, .session = owner->number};
}

GateVerdict Gate::unknown(const Credentials& credentials) const {
  if (options_.has_accounts) return {.status = 401, .error = "log in first"};
  return {.status = 401,
          .error = credentials.is_loopback
                       ? "accounts are off, and only programs of the user who started this robot are let in"
                       : "accounts are off, and only this machine itself is let in"};
}

GateVerdict Gate::check(const Credentials& credentials, const Need& need, std::int64_t now_ns) {
  if (need.changes && !credentials.is_own_page)
    return {.status = 403, .error = "another page asks for this, and only pages of this server may"};
  const auto who = identify(credentials, now_ns);
  if (!who) {
    if (need.is_open_to_all || (need.is_open_on_loopback && credentials.is_loopback)) return {};
    return unknown(credentials);
  }
  if (!may(who->role, need.right))
    return {.status = 403,
            .error = fmt::format("'{}' is {} and may not {}: that takes {}", who->user, role_text(who->role),
                                 right_text(need.right), role_text(least_role_for(need.right))),
            .who = *who};
  if (!need.needs_control) return {.who = *who};
  const ControlCheck control = desk_.check(credentials.control.value_or(""), who->user);
  if (control != ControlCheck::Yours) return no_control(desk_, *who, control);
  return {.who = *who};
}

}  // namespace sinew::accounts

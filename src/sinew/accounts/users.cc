// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/users.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/accounts/secrets.h"
#include "sinew/base/text.h"

namespace sinew::accounts {
namespace {

constexpr std::size_t kMostLetters = 32;

bool is_small_letter(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_allowed(char c) {
  return is_small_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

Error last_expert(std::string_view name) {
  return {ErrorCode::Denied,
          fmt::format("'{}' is the last expert, and somebody must be; make another one first", name)};
}

}  // namespace

Result<std::string> user_name_from(std::string_view text) {
  std::string name(text.substr(0, kMostLetters + 1));
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const bool is_name = !name.empty() && name.size() <= kMostLetters && is_small_letter(name.front()) &&
                       std::ranges::all_of(name, is_allowed);
  if (!is_name)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("'{}' is no name for a user: use letters, digits, '.', '-' and '_', at most {}, "
                             "beginning with a letter",
                             shown_text(text), kMostLetters)};
  if (name == kLocalUser)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("nobody may be called '{}': that is who comes in without accounts", kLocalUser)};
  return name;
}

const User* Users::find(std::string_view name) const {
  const auto user = std::ranges::find(users_, name, &User::name);
  return user == users_.end() ? nullptr : &*user;
}

Result<User*> Users::found(std::string_view name) {
  const auto user = std::ranges::find(users_, name, &User::name);
  if (user != users_.end()) return &*user;
  return Error{ErrorCode::NotFound, fmt::format("there is no user '{}'", shown_text(name))};
}

bool Users::is_last_expert(const User& user) const {
  return user.role == Role::Expert && std::ranges::count(users_, Role::Expert, &User::role) == 1;
}

Status Users::add(User user) {
  auto name = user_name_from(user.name);
  if (!name) return name.error();
  if (find(*name) != nullptr)
    return Error{ErrorCode::AlreadyExists, fmt::format("there is a user '{}' already", *name)};
  if (users_.size() >= kMost)
    return Error{ErrorCode::Full, fmt::format("there are {} users, which is the most", kMost)};
  if (Status known = check_password_hash(user.password_hash); !known) return known;
  user.name = *std::move(name);
  users_.push_back(std::move(user));
  return Done{};
}

Status Users::remove(std::string_view name) {
  const auto user = found(name);
  if (!user) return user.error();
  if (is_last_expert(**user)) return last_expert(name);
  users_.erase(users_.begin() + (*user - users_.data()));
  return Done{};
}

Status Users::set_role(std::string_view name, Role role) {
  const auto user = found(name);
  if (!user) return user.error();
  if (role != Role::Expert && is_last_expert(**user)) return last_expert(name);
  (*user)->role = role;
  return Done{};
}

Status Users::set_password_hash(std::string_view name, std::string hash) {
  const auto user = found(name);
  if (!user) return user.error();
  if (Status known = check_password_hash(hash); !known) return known;
  (*user)->password_hash = std::move(hash);
  return Done{};
}

}  // namespace sinew::accounts

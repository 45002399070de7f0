// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/accounts/role.h"
#include "sinew/base/result.h"

namespace sinew::accounts {

struct User {
  std::string name;  ///< In small letters, as user_name_from() gives it.
  Role role = Role::Viewer;
  std::string password_hash;
};

/// Whom commands and logs call so when there are no accounts; nobody else may have that name.
inline constexpr std::string_view kLocalUser = "local";

/// The name that is meant: in small letters, because tablets begin words with a capital. Refused: other than
/// 1 to 32 letters, digits, '.', '-' and '_', beginning with a letter; and "local".
Result<std::string> user_name_from(std::string_view text);

/// The users of a robot, by name. Once there is an expert, one always stays.
class Users {
 public:
  static constexpr std::size_t kMost = 64;

  const std::vector<User>& all() const { return users_; }
  bool is_empty() const { return users_.empty(); }
  const User* find(std::string_view name) const;

  /// Refused: a name that is taken or no name, a hash that is none, more than kMost.
  Status add(User user);
  /// Refused: somebody who is not there, and the last expert.
  Status remove(std::string_view name);
  Status set_role(std::string_view name, Role role);
  Status set_password_hash(std::string_view name, std::string hash);

 private:
  Result<User*> found(std::string_view name);
  bool is_last_expert(const User& user) const;

  std::vector<User> users_;
};

}  // namespace sinew::accounts

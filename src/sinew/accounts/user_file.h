// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "sinew/accounts/users.h"
#include "sinew/base/result.h"

namespace sinew::accounts {

/// Users as the text of users.json.
std::string users_text(const Users& users);

/// Refused, with line or field: anything that users_text() could not have written.
Result<Users> users_from(std::string_view text);

/// The file that keeps the users. Several programs may change it: a change reads it, changes it and puts it
/// back under the folder's lock. A file that cannot be understood is left as it is, and is an error, never an
/// empty list.
class UserFile {
 public:
  static constexpr std::size_t kMostBytes = 64 << 10U;

  explicit UserFile(std::string path) : path_(std::move(path)) {}

  /// Nobody, when there is no file.
  Result<Users> load() const;
  /// Applies `edit` to what the file holds and puts the outcome back; when `edit` refuses, all stays. Answers
  /// with what the file holds now.
  Result<Users> change(const std::function<Status(Users&)>& edit) const;
  /// Changes whenever the file does.
  std::string stamp() const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace sinew::accounts

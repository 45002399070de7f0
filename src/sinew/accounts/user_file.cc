// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/user_file.h"

#include <sys/stat.h>

#include <filesystem>

#include <fmt/format.h>

#include "sinew/accounts/strict_json.h"
#include "sinew/accounts/whole_file.h"

namespace sinew::accounts {
namespace {

constexpr int kVersion = 1;

Result<User> user_from(const Json& json, const std::string& where) {
  if (Status known = check_keys(json, where, {"name", "role", "password"}); !known) return known.error();
  User user;
  for (auto [key, text] : {std::pair("name", &user.name), {"password", &user.password_hash}}) {
    auto found = text_at(json, where, key);
    if (!found) return found.error();
    *text = *std::move(found);
  }
  const auto word = text_at(json, where, "role");
  if (!word) return word.error();
  const auto role = role_from(*word);
  if (!role)
    return Error{ErrorCode::InvalidInput, fmt::format("'role' of {}: {}", where, role.error().message)};
  user.role = *role;
  return user;
}

bool has_expert(const Users& users) {
  for (const User& user : users.all())
    if (user.role == Role::Expert) return true;
  return false;
}

Error damaged(const std::string& path, const Error& why) {
  return {ErrorCode::Damaged,
          fmt::format("{}: {}; mend it, or move it away and start with a new code", path, why.message)};
}

}  // namespace

std::string users_text(const Users& users) {
  Json list = Json::array();
  for (const User& user : users.all())
    list.push_back({{"name", user.name}, {"role", role_text(user.role)}, {"password", user.password_hash}});
  return Json{{"version", kVersion}, {"users", list}}.dump(2) + "\n";
}

Result<Users> users_from(std::string_view text) {
  const auto json = strict_json(text);
  if (!json) return json.error();
  if (Status known = check_keys(*json, "the file", {"version", "users"}); !known) return known.error();
  if (json->value("version", Json()) != kVersion)
    return Error{ErrorCode::Mismatch, fmt::format("'version' must be {}", kVersion)};
  const auto list = json->find("users");
  if (list == json->end() || !list->is_array())
    return Error{ErrorCode::InvalidInput, "the file needs 'users', a list"};
  Users users;
  for (const Json& item : *list) {
    const std::string where = fmt::format("user {}", users.all().size() + 1);
    auto user = user_from(item, where);
    if (!user) return user.error();
    if (const auto name = user_name_from(user->name); name && *name != user->name)
      return Error{ErrorCode::InvalidInput, fmt::format("'name' of {} must be in small letters", where)};
    if (Status added = users.add(*std::move(user)); !added)
      return Error{added.error().code, fmt::format("{}: {}", where, added.error().message)};
  }
  if (!users.is_empty() && !has_expert(users)) return Error{ErrorCode::InvalidInput, "no user is an expert"};
  return users;
}

Result<Users> UserFile::load() const {
  const auto text = read_whole_file(path_, kMostBytes);
  if (!text && text.error().code == ErrorCode::NotFound) return Users();
  if (!text) return text.error();
  auto users = users_from(*text);
  if (!users) return damaged(path_, users.error());
  return users;
}

Result<Users> UserFile::change(const std::function<Status(Users&)>& edit) const {
  const auto lock = FolderLock::take(std::filesystem::path(path_).parent_path().string());
  if (!lock) return lock.error();
  auto users = load();
  if (!users) return users;
  if (Status edited = edit(*users); !edited) return edited.error();
  if (!users->is_empty() && !has_expert(*users))
    return Error{ErrorCode::Denied, "somebody must be an expert, and the first user has to be one"};
  if (Status written = replace_whole_file(path_, users_text(*users)); !written) return written.error();
  return users;
}

std::string UserFile::stamp() const {
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0) return "none";
  return fmt::format("{} {} {} {}.{}", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

}  // namespace sinew::accounts

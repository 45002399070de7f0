// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/backup.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "sinew/accounts/audit_log.h"
#include "sinew/accounts/strict_json.h"
#include "sinew/accounts/user_file.h"
#include "sinew/accounts/whole_file.h"
#include "sinew/base/text.h"
#include "sinew/model/site.h"

#include "apps/web/program_store.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using accounts::Json;

constexpr std::string_view kBackupFormat = "sinew-backup";
constexpr int kBackupVersion = 1;
constexpr std::size_t kMostFiles = 32;
constexpr std::size_t kMostLevels = 16;
constexpr std::string_view kProgramEnding = ".prog";
constexpr std::string_view kFileEnding = ".json";
constexpr std::string_view kUsersPart = "users";

/// What a document holds, checked.
struct Content {
  std::string robot;
  std::string robot_yaml;
  std::map<std::string, std::string> programs;  ///< By file name.
  std::map<std::string, std::string> files;     ///< By name without ".json"; users among them, if wanted.
  std::optional<std::string> site;              ///< Text of site.yaml; empty: there was none.
  std::size_t users = 0;
};

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

// "pick" of "pick.prog"; empty when it is not such a name.
std::string_view stem_of(std::string_view name, std::string_view ending) {
  if (!name.ends_with(ending)) return {};
  name.remove_suffix(ending.size());
  return is_plain_name(name) ? name : std::string_view();
}

Error bad_backup(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

Error backup_failed(std::string_view what, const fs::path& path, const std::string& why) {
  return {ErrorCode::SystemFailure, fmt::format("cannot {} {}: {}", what, path.string(), why)};
}

// The plain files of a folder that have this ending, by their names.
Result<std::map<std::string, std::string>> texts_in(const fs::path& folder, std::string_view ending) {
  std::map<std::string, std::string> texts;
  std::size_t bytes = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (stem_of(name, ending).empty() || !entry->is_regular_file(error)) continue;
    auto text = accounts::read_whole_file(entry->path().string(), kMostBackupBytes);
    if (!text) return text.error();
    bytes += text->size();
    if (bytes > kMostBackupBytes)
      return Error{ErrorCode::OutOfLimits, fmt::format("{} holds more than {}, the most that a backup has",
                                                       folder.string(), bytes_text(kMostBackupBytes))};
    texts[name] = *std::move(text);
  }
  return texts;
}

Result<Json> files_json(const std::map<std::string, std::string>& texts, const fs::path& folder) {
  Json files = Json::object();
  for (const auto& [name, text] : texts) {
    const std::string stem(stem_of(name, kFileEnding));
    if (stem == kUsersPart) continue;
    auto json = accounts::strict_json(text, kMostLevels);
    if (!json) return bad_backup(fmt::format("{}: {}", (folder / name).string(), json.error().message));
    files[stem] = *std::move(json);
  }
  return files;
}

/// Text of site.yaml; empty: there is none.
Result<std::string> site_in(const fs::path& folder) {
  std::error_code error;
  const fs::path file = folder / kSiteFile;
  if (!fs::exists(file, error)) return std::string();
  return accounts::read_whole_file(file.string(), kMostSiteBytes);
}

}  // namespace

Result<std::string> make_backup(const BackupOptions& options) {
  const fs::path folder = options.folder;
  const auto texts = texts_in(folder, kFileEnding);
  if (!texts) return texts.error();
  const auto files = files_json(*texts, folder);
  if (!files) return files.error();
  const auto users = accounts::UserFile((folder / "users.json").string()).load();
  if (!users) return users.error();
  const auto programs = texts_in(folder / "programs", kProgramEnding);
  if (!programs) return programs.error();
  const auto site = site_in(folder);
  if (!site) return site.error();
  const Json json{{"format", kBackupFormat},  {"version", kBackupVersion},
                  {"robot", options.robot},   {"made", accounts::utc_text(options.wall_ns)},
                  {"sinew", options.version}, {"programs", *programs},
                  {"files", *files},          {"users", Json::parse(accounts::users_text(*users))["users"]},
                  {"site_yaml", *site},       {"robot_yaml", options.robot_yaml}};
  try {
    std::string document = json.dump(1) + "\n";
    if (document.size() <= kMostBackupBytes) return document;
  } catch (const nlohmann::json::exception&) {
    for (const auto& [name, text] : *programs)
      if (Json(text).dump(-1, ' ', false, Json::error_handler_t::ignore) !=
          Json(text).dump(-1, ' ', false, Json::error_handler_t::replace))
        return bad_backup(fmt::format("program '{}' holds letters that are no UTF-8: mend it first", name));
    return bad_backup("robot.yaml or site.yaml holds letters that are no UTF-8: mend it first");
  }
  return Error{ErrorCode::OutOfLimits,
               fmt::format("the backup would have more than {}", bytes_text(kMostBackupBytes))};
}

namespace {

Status take_programs(const Json& programs, Content& content) {
  if (!programs.is_object() || programs.size() > ProgramStore::kMostPrograms)
    return bad_backup(fmt::format("'programs' must be an object of at most {}", ProgramStore::kMostPrograms));
  for (const auto& [name, text] : programs.items()) {
    if (const Status valid = ProgramStore::check_name(name); !valid)
      return bad_backup(fmt::format("'{}' is no program: {}", shown_text(name), valid.error().message));
    if (!text.is_string() || text.get_ref<const std::string&>().size() > ProgramStore::kMostBytes)
      return bad_backup(
          fmt::format("program '{}' must be text of at most {}", name, bytes_text(ProgramStore::kMostBytes)));
    content.programs[name] = text.get<std::string>();
  }
  return Done{};
}

Status take_files(const Json& files, const RestoreOptions& options, Content& content) {
  if (!files.is_object() || files.size() > kMostFiles)
    return bad_backup(fmt::format("'files' must be an object of at most {}", kMostFiles));
  for (const auto& [name, json] : files.items()) {
    if (!is_plain_name(name) || name == kUsersPart)
      return bad_backup(fmt::format("'{}' is no name for a file of a backup", shown_text(name)));
    std::string text = json.dump(1) + "\n";
    if (const auto check = options.checks.find(name); check != options.checks.end())
      if (Status fit = check->second(text); !fit)
        return bad_backup(fmt::format("'{}': {}", name, fit.error().message));
    content.files[name] = std::move(text);
  }
  return Done{};
}

Status take_users(const Json& users, Content& content) {
  const auto known = accounts::users_from(Json{{"version", 1}, {"users", users}}.dump());
  if (!known) return bad_backup(fmt::format("'users': {}", known.error().message));
  content.users = known->all().size();
  if (!known->is_empty()) content.files[std::string(kUsersPart)] = accounts::users_text(*known);
  return Done{};
}

// Backups of earlier versions have none; then what is there stays.
Status take_site(const Json& json, const RestoreOptions& options, Content& content) {
  if (!json.contains("site_yaml")) return Done{};
  auto text = accounts::text_at(json, "a backup", "site_yaml");
  if (!text) return text.error();
  if (text->size() > kMostSiteBytes)
    return bad_backup(fmt::format("'site_yaml' must be text of at most {}", bytes_text(kMostSiteBytes)));
  if (!text->empty() && options.site_check)
    if (Status fit = options.site_check(*text); !fit)
      return bad_backup(fmt::format("'site_yaml': {}", fit.error().message));
  content.site = *std::move(text);
  return Done{};
}

Result<Content> content_of(std::string_view document, const RestoreOptions& options) {
  if (document.size() > kMostBackupBytes)
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("the document has {}; a backup has {} at most", bytes_text(document.size()),
                             bytes_text(kMostBackupBytes))};
  const auto json = accounts::strict_json(document, kMostLevels);
  if (!json) return json.error();
  if (Status known = accounts::check_keys(*json, "a backup",
                                          {"format", "version", "robot", "made", "sinew", "programs", "files",
                                           "users", "site_yaml", "robot_yaml"});
      !known)
    return known.error();
  if (json->value("format", Json()) != kBackupFormat || json->value("version", Json()) != kBackupVersion)
    return Error{ErrorCode::Mismatch, fmt::format("this is no backup: 'format' must be {} and 'version' {}",
                                                  kBackupFormat, kBackupVersion)};
  for (const char* key : {"programs", "files", "users"})
    if (!json->contains(key)) return bad_backup(fmt::format("a backup needs '{}'", key));
  Content content;
  for (auto [key, text] : {std::pair("robot", &content.robot), {"robot_yaml", &content.robot_yaml}}) {
    auto found = accounts::text_at(*json, "a backup", key);
    if (!found) return found.error();
    *text = *std::move(found);
  }
  if (content.robot != options.robot && !options.is_for_any_robot)
    return bad_backup(
        fmt::format("this backup is of '{}', and this robot is '{}'; 'any_robot' takes it all the same",
                    shown_text(content.robot), options.robot));
  if (Status taken = take_programs((*json)["programs"], content); !taken) return taken.error();
  if (Status taken = take_files((*json)["files"], options, content); !taken) return taken.error();
  if (Status taken = take_users((*json)["users"], content); !taken) return taken.error();
  if (Status taken = take_site(*json, options, content); !taken) return taken.error();
  return content;
}

Status write_new(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) return backup_failed("write", path, std::strerror(errno));
  std::error_code error;
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write, error);
  return error ? Status(backup_failed("protect", path, error.message())) : Status(Done{});
}

// What was there of a program goes where its earlier versions are.
Status keep_in_history(const fs::path& programs, const std::string& name, std::string_view text) {
  const fs::path folder = programs / ".history" / name;
  std::error_code error;
  fs::create_directories(folder, error);
  std::uint64_t last = 0;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string number = entry->path().filename().string();
    std::uint64_t value = 0;
    const auto [stop, problem] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (problem == std::errc() && stop == number.data() + number.size()) last = std::max(last, value);
  }
  return write_new(folder / fmt::format("{}", last + 1), text);
}

/// What a document brings besides programs and files.
struct Brought {
  bool users = false;
  bool site = false;
};

// What a restore leaves alone: the log, recordings, keys; not what was there before the last restore.
std::vector<std::string> names_left_alone(const fs::path& folder, const Brought& brought) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool stays = name == "users.json" ? !brought.users
                       : name == kSiteFile  ? !brought.site
                                            : stem_of(name, kFileEnding).empty();
    if (stays && name != ".before" && name != "programs") names.push_back(name);
  }
  return names;
}

// The same files under a second name, because recordings are large; copies where a file system has no links.
Status link_all(const fs::path& from, const fs::path& to) {
  constexpr auto kAll = fs::copy_options::recursive | fs::copy_options::copy_symlinks;
  std::error_code error;
  fs::copy(from, to, kAll | fs::copy_options::create_hard_links, error);
  if (!error) return Done{};
  fs::remove_all(to, error);
  fs::copy(from, to, kAll, error);
  return error ? Status(backup_failed("copy", from, error.message())) : Status(Done{});
}

Status carry_over(const fs::path& from, const fs::path& to, const Brought& brought) {
  for (const std::string& name : names_left_alone(from, brought))
    if (Status linked = link_all(from / name, to / name); !linked) return linked;
  std::error_code error;
  fs::create_directories(to / "programs", error);
  if (error) return backup_failed("make", to / "programs", error.message());
  if (!fs::exists(from / "programs/.history", error)) return Done{};
  return link_all(from / "programs/.history", to / "programs/.history");
}

// What was left alone is in both folders now; what came while we worked is in the old one only.
void leave_in_new(const fs::path& old, const fs::path& folder, const Brought& brought) {
  std::error_code error;
  for (const std::string& name : names_left_alone(old, brought)) {
    for (fs::recursive_directory_iterator entry(old / name, error), end; !error && entry != end;
         entry.increment(error)) {
      const fs::path place = folder / entry->path().lexically_relative(old);
      std::error_code ignored;
      if (entry->is_regular_file(ignored) && !fs::exists(place, ignored))
        fs::rename(entry->path(), place, ignored);
    }
    fs::remove_all(old / name, error);
  }
}

Status build_folder(const fs::path& from, const fs::path& to, const Content& content,
                    const Brought& brought) {
  if (Status carried = carry_over(from, to, brought); !carried) return carried;
  const auto before = texts_in(from / "programs", kProgramEnding);
  if (!before) return before.error();
  for (const auto& [name, text] : *before) {
    const auto now = content.programs.find(name);
    if (now != content.programs.end() && now->second == text) continue;
    if (Status kept = keep_in_history(to / "programs", name, text); !kept) return kept;
  }
  for (const auto& [name, text] : content.programs)
    if (Status written = write_new(to / "programs" / name, text); !written) return written;
  for (const auto& [name, text] : content.files) {
    if (name == kUsersPart && !brought.users) continue;
    if (Status written = write_new(to / fmt::format("{}{}", name, kFileEnding), text); !written)
      return written;
  }
  if (content.site && !content.site->empty())
    if (Status written = write_new(to / kSiteFile, *content.site); !written) return written;
  // all of it at once, instead of file by file
  const int opened = open(to.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_kept = opened >= 0 && syncfs(opened) == 0;
  if (opened >= 0) close(opened);
  return is_kept ? Status(Done{}) : Status(backup_failed("write", to, std::strerror(errno)));
}

fs::path new_folder_of(const fs::path& folder) {
  return folder.parent_path() / fmt::format(".{}.new", folder.filename().string());
}

fs::path old_folder_of(const fs::path& folder) {
  return folder.parent_path() / fmt::format(".{}.old", folder.filename().string());
}

// `made` takes the place of `folder`, which is then found at the path that is answered with.
Result<fs::path> swap_in(const fs::path& made, const fs::path& folder) {
  if (renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) == 0) return made;
  if (errno != EINVAL && errno != ENOSYS && errno != EXDEV)
    return backup_failed("replace", folder, std::strerror(errno));
  // in two steps; mend_restore() makes the second one when we cannot
  const fs::path old = old_folder_of(folder);
  std::error_code error;
  fs::remove_all(old, error);
  fs::rename(folder, old, error);
  if (error) return backup_failed("move", folder, error.message());
  fs::rename(made, folder, error);
  if (!error) return old;
  const std::string why = error.message();
  fs::rename(old, folder, error);
  return backup_failed("replace", folder, why);
}

}  // namespace

Status mend_restore(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error) && fs::exists(new_folder_of(folder), error)) {
    fs::rename(new_folder_of(folder), folder, error);
    if (error) return backup_failed("make", folder, error.message());
  }
  // half made, or no longer of use
  fs::remove_all(new_folder_of(folder), error);
  fs::remove_all(old_folder_of(folder), error);
  return Done{};
}

Result<Restored> restore_backup(std::string_view document, const RestoreOptions& options) {
  const auto content = content_of(document, options);
  if (!content) return content.error();
  const fs::path folder = options.folder;
  const auto lock = accounts::FolderLock::take(options.folder);
  if (!lock) return lock.error();
  if (Status mended = mend_restore(options.folder); !mended) return mended.error();
  const Brought brought{.users = options.has_users && content->users > 0, .site = content->site.has_value()};
  const fs::path made = new_folder_of(folder);
  if (Status is_there = accounts::make_private_folder(made.string()); !is_there) return is_there.error();
  std::error_code error;
  if (Status built = build_folder(folder, made, *content, brought); !built) {
    fs::remove_all(made, error);
    return built.error();
  }
  const std::string site_before = site_in(folder).value_or("");
  const auto old = swap_in(made, folder);
  if (!old) {
    fs::remove_all(made, error);
    return old.error();
  }
  static_cast<void>(accounts::sync_folder(folder.parent_path().string()).has_value());
  // from here on all is done; what was there is only put away
  fs::remove_all(*old / ".before", error);
  leave_in_new(*old, folder, brought);
  fs::rename(*old, folder / ".before", error);

  Restored restored{.programs = content->programs.size(),
                    .files = content->files.size() - content->files.count(std::string(kUsersPart)),
                    .users = brought.users ? content->users : 0};
  if (options.has_users && content->users == 0)
    restored.notes.emplace_back("the backup has no users: those who are there stay");
  if (brought.site && *content->site != site_before)
    restored.notes.emplace_back(
        "limits and workspace of the site are those of the backup, in force after a restart of the "
        "controller");
  if (!content->robot_yaml.empty() && content->robot_yaml != options.robot_yaml)
    restored.notes.emplace_back(
        "robot.yaml was another one when the backup was made, and is left as it is: limits and "
        "workspace may differ");
  return restored;
}

}  // namespace sinew

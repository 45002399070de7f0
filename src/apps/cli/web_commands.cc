// SPDX-License-Identifier: BSD-3-Clause
// sinew web …: works on the files, whether the robot runs or not; its web process sees the change within a
// second.
#include "apps/cli/web_commands.h"

#include <pwd.h>
#include <termios.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/accounts/accounts.h"
#include "sinew/accounts/whole_file.h"
#include "sinew/base/time.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

const Option kRobot{.name = "--robot",
                    .value_name = "NAME",
                    .help = "Whose accounts; may be left out while only one robot has any."};
const Option kData{.name = "--data",
                   .value_name = "FOLDER",
                   .help = "Where they are kept, when that is not the user's own folder.",
                   .completion = Completion::File};
const Option kPasswordFromInput{.name = "--password-stdin",
                                .value_name = "",
                                .help = "Read the password from the standard input, one line."};

/// The one robot that has accounts.
Result<std::string> only_robot() {
  const auto any = accounts::data_folder_of("any");
  if (!any) return any.error();
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(fs::path(*any).parent_path(), error), end; !error && entry != end;
       entry.increment(error))
    if (accounts::data_folder_of(entry->path().filename().string()))
      names.push_back(entry->path().filename().string());
  if (names.size() == 1) return names.front();
  if (names.empty()) return usage_error("no robot has accounts yet: say which with --robot NAME");
  return usage_error(fmt::format("say which robot: --robot {}", fmt::join(names, " or ")));
}

Result<std::string> folder_from(const Words& words) {
  if (words.has("--data")) return words.text("--data");
  if (words.has("--robot")) return accounts::data_folder_of(words.text("--robot"));
  const auto robot = only_robot();
  return robot ? accounts::data_folder_of(*robot) : robot;
}

/// The folder, made when it is not there. Refused when it is somebody else's: what root writes there, the
/// robot of that user could not read.
Result<std::string> own_folder_from(const Words& words) {
  auto folder = folder_from(words);
  if (!folder) return folder;
  if (Status made = accounts::make_private_folder(*folder); !made) return made.error();
  return folder;
}

/// A line that is not shown while it is typed.
Result<std::string> hidden_line(const std::string& prompt) {
  termios before{};
  if (tcgetattr(STDIN_FILENO, &before) != 0)
    return usage_error("a password is typed at a terminal, or read with --password-stdin");
  fmt::print(stderr, "{}: ", prompt);
  termios silent = before;
  silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
  std::string line;
  std::getline(std::cin, line);
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
  fmt::print(stderr, "\n");
  return line;
}

Result<std::string> password_hash_from(const Words& words) {
  Result<std::string> password = std::string();
  if (words.has("--password-stdin")) {
    std::getline(std::cin, *password);
  } else {
    password = hidden_line("new password");
    if (!password) return password;
    const auto again = hidden_line("the same again");
    if (!again) return again;
    if (*password != *again) return usage_error("the two passwords differ; nothing is changed");
  }
  if (Status fit = accounts::check_new_password(*password); !fit) return fit.error();
  auto hash = accounts::hash_password(*password, {});
  accounts::wipe(*password);
  return hash;
}

std::string system_user_name() {
  const passwd* user = getpwuid(geteuid());  // NOLINT(concurrency-mt-unsafe)
  return user != nullptr ? user->pw_name : fmt::format("{}", geteuid());
}

Status change(const Words& words, const std::string& what,
              const std::function<Status(accounts::Users&)>& edit) {
  const auto folder = own_folder_from(words);
  if (!folder) return folder.error();
  const auto changed = accounts::UserFile(*folder + "/users.json").change(edit);
  accounts::AuditLog log(*folder + "/audit.log");
  const Status noted = log.add({.wall_ns = wall_now_ns(),
                                .user = system_user_name(),
                                .address = "terminal",
                                .what = what,
                                .outcome = changed ? "done" : changed.error().message});
  if (!changed) return changed.error();
  return noted;
}

Status run_list(const Words& words, std::ostream& out) {
  const auto folder = folder_from(words);
  if (!folder) return folder.error();
  const auto users = accounts::UserFile(*folder + "/users.json").load();
  if (!users) return users.error();
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const accounts::User& user : users->all()) {
    list.push_back({{"name", user.name}, {"role", accounts::role_text(user.role)}});
    if (!words.has("--json")) out << fmt::format("{:<32} {}\n", user.name, accounts::role_text(user.role));
  }
  if (words.has("--json")) out << list.dump() << "\n";
  if (users->is_empty() && !words.has("--json"))
    fmt::print(stderr, "there are no users; 'sinew web code' lets somebody make the first in the browser\n");
  return Done{};
}

Status run_add(const Words& words, std::ostream&) {
  const auto name = accounts::user_name_from(words.argument(0));
  if (!name) return name.error();
  const auto role = accounts::role_from(words.text("--role"));
  if (!role) return role.error();
  const auto hash = password_hash_from(words);
  if (!hash) return hash.error();
  return change(words, fmt::format("users/{}: added as {}", *name, accounts::role_text(*role)),
                [&](accounts::Users& users) {
                  return users.add({.name = *name, .role = *role, .password_hash = *hash});
                });
}

Status run_remove(const Words& words, std::ostream&) {
  const auto name = accounts::user_name_from(words.argument(0));
  if (!name) return name.error();
  return change(words, fmt::format("users/{}: removed", *name),
                [&](accounts::Users& users) { return users.remove(*name); });
}

Status run_password(const Words& words, std::ostream&) {
  const auto name = accounts::user_name_from(words.argument(0));
  if (!name) return name.error();
  const auto hash = password_hash_from(words);
  if (!hash) return hash.error();
  return change(words, fmt::format("users/{}: new password", *name),
                [&](accounts::Users& users) { return users.set_password_hash(*name, *hash); });
}

Status run_role(const Words& words, std::ostream&) {
  const auto name = accounts::user_name_from(words.argument(0));
  if (!name) return name.error();
  const auto role = accounts::role_from(words.argument(1));
  if (!role) return role.error();
  return change(words, fmt::format("users/{}: role {}", *name, accounts::role_text(*role)),
                [&](accounts::Users& users) { return users.set_role(*name, *role); });
}

Status run_code(const Words& words, std::ostream& out) {
  const auto folder = own_folder_from(words);
  if (!folder) return folder.error();
  const auto users = accounts::UserFile(*folder + "/users.json").load();
  if (!users) return users.error();
  if (!users->is_empty())
    return Error{ErrorCode::AlreadyExists,
                 "there are users already, and no code is needed: 'sinew web users password NAME' sets a "
                 "password that was forgotten"};
  const auto code = accounts::first_code_in(*folder, accounts::fill_random);
  if (!code) return code.error();
  out << code->text() << "\n";
  return Done{};
}

const Argument kName{.name = "NAME", .help = "The user's name."};
constexpr std::string_view kSeenSoon =
    "A running robot sees it within a second: who is removed, or gets another password, is logged out, and "
    "loses control of the robot.";

}  // namespace

std::vector<Command> web_commands() {
  return {
      {.name = "web users list",
       .summary = "Show who has an account at a robot's web interface",
       .options = {kRobot, kData, {.name = "--json", .value_name = "", .help = "For programs."}},
       .examples = {"sinew web users list", "sinew web users list --robot scorbot-er3 --json"},
       .run = run_list},
      {.name = "web users add",
       .summary = "Make an account",
       .details = "A viewer looks and may stop the robot, an operator moves it and runs programs, a "
                  "programmer changes programs and points, an expert also users, limits and processes. The "
                  "first user has to be an expert. The password is asked for.",
       .arguments = {kName},
       .options = {{.name = "--role",
                    .value_name = "ROLE",
                    .help = "viewer, operator, programmer or expert.",
                    .fallback = "viewer"},
                   kPasswordFromInput,
                   kRobot,
                   kData},
       .examples = {"sinew web users add ada --role expert"},
       .run = run_add},
      {.name = "web users remove",
       .summary = "Take an account away",
       .details = kSeenSoon,
       .arguments = {kName},
       .options = {kRobot, kData},
       .examples = {"sinew web users remove ada"},
       .run = run_remove},
      {.name = "web users password",
       .summary = "Set a password, such as one that was forgotten",
       .details = kSeenSoon,
       .arguments = {kName},
       .options = {kPasswordFromInput, kRobot, kData},
       .examples = {"sinew web users password ada"},
       .run = run_password},
      {.name = "web users role",
       .summary = "Change what a user may do",
       .details = kSeenSoon,
       .arguments = {kName, {.name = "ROLE", .help = "viewer, operator, programmer or expert."}},
       .options = {kRobot, kData},
       .examples = {"sinew web users role ada operator"},
       .run = run_role},
      {.name = "web code",
       .summary = "Show the code that lets somebody make the first account in the browser",
       .details =
           "It is worth one account, an expert's. Ten wrong ones use it up; then this makes a new one.",
       .options = {kRobot, kData},
       .examples = {"sinew web code --robot scorbot-er3"},
       .run = run_code},
  };
}

}  // namespace sinew::cli

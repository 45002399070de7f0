// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/accounts.h"

#include <unistd.h>

#include <utility>

#include "sinew/accounts/whole_file.h"

namespace sinew::accounts {
namespace {

constexpr std::int64_t kBetweenReads_ns = kSecond_ns;
constexpr std::int64_t kIdlePause_ns = 50 * kMillisecond_ns;
constexpr std::int64_t kBusyPause_ns = 5 * kMillisecond_ns;
constexpr std::size_t kMostCodeBytes = 64;

std::string code_file(const std::string& folder) {
  return folder + "/first_code";
}

Result<FirstCode> code_from_file(const std::string& folder) {
  auto text = read_whole_file(code_file(folder), kMostCodeBytes);
  if (!text) return text.error();
  while (text->ends_with('\n')) text->pop_back();
  return FirstCode::from(*text);
}

}  // namespace

Result<FirstCode> first_code_in(const std::string& folder, const Randomness& randomness) {
  if (auto kept = code_from_file(folder); kept && !kept->is_used_up()) return kept;
  FirstCode code = FirstCode::random(randomness);
  if (Status written = replace_whole_file(code_file(folder), code.text() + "\n"); !written)
    return written.error();
  return code;
}

Accounts::Accounts(Options options, const Moment& now)
    : options_(std::move(options)),
      now_(now),
      file_(options_.folder + "/users.json"),
      sessions_({.randomness = options_.randomness}),
      audit_log_(options_.folder + "/audit.log"),
      desk_(options_.randomness),
      gate_(users_, sessions_, desk_, options_.gate),
      worker_(options_.cost) {
  read_users();
  if (!needs_first()) return;
  const auto code = first_code_in(options_.folder, options_.randomness);
  if (code)
    first_code_ = *code;
  else
    problem_ = code.error().message;
}

bool Accounts::needs_first() const {
  return options_.gate.has_accounts && problem_.empty() && users_.is_empty();
}

void Accounts::keep_first_code() {
  if (first_code_.is_used_up()) unlink(code_file(options_.folder).c_str());
}

// A file that has become unreadable changes nothing: those who are known stay known until it is mended.
void Accounts::read_users() {
  const std::string stamp = file_.stamp();
  if (stamp == file_stamp_) return;
  file_stamp_ = stamp;
  auto users = file_.load();
  if (users) {
    problem_.clear();
    return put_users(*std::move(users), 0);
  }
  problem_ = users.error().message;
  note({.what = "users.json", .outcome = problem_});
}

// Whoever may write the file may make a new code, with 'sinew web code'.
void Accounts::read_code() {
  if (!needs_first() || !first_code_.is_used_up()) return;
  if (auto code = code_from_file(options_.folder)) first_code_ = *code;
}

void Accounts::put_users(Users users, SessionNumber keeper) {
  const Users before = std::exchange(users_, std::move(users));
  for (const User& user : before.all()) {
    const User* now = users_.find(user.name);
    const bool is_same = now != nullptr && now->password_hash == user.password_hash;
    if (!is_same) sessions_.close_all_of(user.name, now != nullptr ? keeper : 0);
  }
  if (!users_.is_empty() && !first_code_.is_used_up()) {
    first_code_.use_up();
    keep_first_code();
  }
  end_control_of_the_gone();
}

Status Accounts::change_users(const std::function<Status(Users&)>& edit, SessionNumber keeper) {
  auto users = file_.change(edit);
  if (!users) return users.error();
  file_stamp_ = file_.stamp();
  problem_.clear();
  put_users(*std::move(users), keeper);
  return Done{};
}

template <class Change>
bool Accounts::change_control(Change change) {
  const std::optional<Controller> before = desk_.who();
  const std::uint64_t changes = desk_.changes();
  const bool is_done = change();
  if (desk_.changes() != changes && options_.on_control)
    options_.on_control({.before = before, .now = desk_.who()});
  return is_done;
}

void Accounts::end_control_of_the_gone() {
  for (const SessionNumber session : sessions_.take_ended())
    change_control([&] { return desk_.session_gone(session); });
  if (!options_.gate.has_accounts || !desk_.who()) return;
  const User* user = users_.find(desk_.who()->user);
  if (user != nullptr && may(user->role, Right::Move)) return;
  change_control([&] { return desk_.user_gone(std::string(desk_.who()->user)); });
}

ControlTaken Accounts::take_control(const Controller& taker, bool is_forced) {
  ControlTaken taken;
  change_control([&] {
    taken = desk_.take(taker, is_forced);
    return true;
  });
  return taken;
}

bool Accounts::leave_control(std::string_view token) {
  return change_control([&] { return desk_.leave(token); });
}

void Accounts::take_control_away() {
  change_control([&] { return desk_.who() && desk_.user_gone(desk_.who()->user); });
}

void Accounts::client_gone(std::string_view client) {
  change_control([&] { return desk_.client_gone(client); });
}

void Accounts::close_session(SessionNumber number) {
  sessions_.close(number);
  end_control_of_the_gone();
}

// A log that cannot be written stops nobody from stopping a robot; problem() is for what stops people.
void Accounts::note(AuditEvent event) {
  event.wall_ns = now_.wall_ns;
  static_cast<void>(audit_log_.add(event).has_value());
}

void Accounts::note_refusal(AuditEvent event) {
  event.wall_ns = now_.wall_ns;
  static_cast<void>(audit_log_.add_refusal(event).has_value());
}

std::int64_t Accounts::look(const Moment& now) {
  now_ = now;
  worker_.deliver();
  if (now.now_ns >= next_read_ns_) {
    next_read_ns_ = now.now_ns + kBetweenReads_ns;
    read_users();
    read_code();
    sessions_.expire(now.now_ns);
    audit_log_.retry();
  }
  end_control_of_the_gone();
  return worker_.is_idle() ? kIdlePause_ns : kBusyPause_ns;
}

}  // namespace sinew::accounts

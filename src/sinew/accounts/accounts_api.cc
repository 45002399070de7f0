// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/accounts_api.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sinew/accounts/strict_json.h"
#include "sinew/base/text.h"

namespace sinew::accounts {
namespace {

constexpr std::size_t kMostBody = 4096;
constexpr std::size_t kMostEvents = 500;
constexpr std::string_view kUsersFolder = "/api/users/";

ApiAnswer json_answer(unsigned status, const Json& json) {
  return {.status = status, .body = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"};
}

ApiAnswer error_answer(unsigned status, const std::string& why) {
  ApiAnswer answer = json_answer(status, {{"error", why}});
  if (status == 503) answer.retry_after = 1;
  return answer;
}

ApiAnswer held_answer(const std::string& why, const std::string& holder) {
  Json json{{"error", why}};
  if (!holder.empty()) json["holder"] = holder;
  return json_answer(409, json);
}

ApiAnswer busy_answer() {
  return error_answer(503, "too many passwords are being checked; try again");
}

unsigned status_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::NotFound:
      return 404;
    case ErrorCode::Damaged:
    case ErrorCode::SystemFailure:
    case ErrorCode::TimedOut:
      return 503;
    default:
      return 422;
  }
}

bool is_json(const std::optional<std::string>& content_type) {
  if (!content_type) return false;
  std::string type = content_type->substr(0, content_type->find(';'));
  while (type.ends_with(' ')) type.pop_back();
  std::ranges::transform(type, type.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return type == "application/json";
}

// The fields of a body, all of them text. `optional_keys` may be missing.
Result<Json> fields_of(const std::string& body, std::initializer_list<std::string_view> keys,
                       std::initializer_list<std::string_view> optional_keys = {}) {
  auto json = strict_json(body, 2);
  if (!json) return json;
  std::vector<std::string_view> all(keys);
  all.insert(all.end(), optional_keys.begin(), optional_keys.end());
  if (!json->is_object())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("the body must be an object with {}", fmt::join(all, ", "))};
  for (const auto& [key, value] : json->items()) {
    if (std::ranges::find(all, key) == all.end())
      return Error{ErrorCode::InvalidInput,
                   fmt::format("the body has no '{}'; there are {}", shown_text(key), fmt::join(all, ", "))};
    if (!value.is_string())
      return Error{ErrorCode::InvalidInput, fmt::format("'{}' must be text", shown_text(key))};
  }
  for (const std::string_view key : keys)
    if (!json->contains(key)) return Error{ErrorCode::InvalidInput, fmt::format("the body needs '{}'", key)};
  return json;
}

std::string cookie_text(const Gate::Options& options, const std::string& token, bool is_secure) {
  constexpr std::int64_t kLongest = 12 * 3600;
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}", options.cookie_name, token,
                     token.empty() ? 0 : kLongest, is_secure ? "; Secure" : "");
}

}  // namespace

/// What is asked for, what that needs, and who answers it.
struct AccountsApi::Row {
  std::string_view method;
  std::string_view path;  ///< With a '/' at its end: a name follows.
  bool is_for_all = false;
  Need need;
  void (AccountsApi::*step)(Call& call) = nullptr;
};

std::span<const AccountsApi::Row> AccountsApi::rows() {
  constexpr Need kLook{};
  constexpr Need kChange{.changes = true};
  constexpr Need kSeeUsers{.right = Right::ManageUsers};
  constexpr Need kChangeUsers{.right = Right::ManageUsers, .changes = true};
  constexpr Need kTake{.right = Right::Move, .changes = true};
  static constexpr std::array<Row, 12> kRows{{
      {"GET", "/api/session", true, kLook, &AccountsApi::tell_session},
      {"POST", "/api/first", true, kChange, &AccountsApi::make_first},
      {"POST", "/api/login", true, kChange, &AccountsApi::log_in},
      {"POST", "/api/logout", true, kChange, &AccountsApi::log_out},
      {"GET", "/api/users", false, kSeeUsers, &AccountsApi::list_users},
      {"POST", "/api/users", false, kChangeUsers, &AccountsApi::add_user},
      {"PUT", kUsersFolder, false, kChangeUsers, &AccountsApi::change_user},
      {"DELETE", kUsersFolder, false, kChangeUsers, &AccountsApi::remove_user},
      {"PUT", "/api/password", false, kChange, &AccountsApi::change_password},
      {"GET", "/api/audit", false, kSeeUsers, &AccountsApi::tell_audit},
      {"POST", "/api/control/take", false, kTake, &AccountsApi::take_control},
      {"POST", "/api/control/leave", false, kTake, &AccountsApi::leave_control},
  }};
  return kRows;
}

bool AccountsApi::is_target(std::string_view target) {
  return std::ranges::any_of(rows(), [&](const Row& row) {
    return row.path == kUsersFolder ? target.starts_with(row.path) : target == row.path;
  });
}

std::vector<std::pair<std::string, std::string>> AccountsApi::targets() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Row& row : rows())
    all.emplace_back(row.method, std::string(row.path) + (row.path == kUsersFolder ? "{name}" : ""));
  return all;
}

void AccountsApi::answer(const ApiRequest& request, const Answer& answer) {
  const std::string_view target = request.target;
  std::string methods;
  const Row* found = nullptr;
  for (const Row& row : rows()) {
    const bool is_here = row.path == kUsersFolder ? target.starts_with(row.path) : target == row.path;
    if (!is_here) continue;
    methods += fmt::format("{}{}", methods.empty() ? "" : ", ", row.method);
    if (row.method == request.method || (row.method == "GET" && request.method == "HEAD")) found = &row;
  }
  if (methods.empty()) return answer(error_answer(404, fmt::format("there is no '{}'", shown_text(target))));
  if (found == nullptr)
    return answer(error_answer(405, fmt::format("'{}' takes {} only", shown_text(target), methods)));
  if (request.body.size() > kMostBody)
    return answer(error_answer(413, fmt::format("the body has more than {}", bytes_text(kMostBody))));
  if (!request.body.empty() && !is_json(request.content_type))
    return answer(error_answer(415, "the body must be JSON, and Content-Type must say so: application/json"));

  Call call{.request = request, .answer = answer};
  if (found->path == kUsersFolder) call.name = target.substr(kUsersFolder.size());
  const GateVerdict verdict =
      accounts_.gate().check(request.credentials, found->need, accounts_.now().now_ns);
  call.who = verdict.who;
  const bool may_pass = verdict.is_ok() || (verdict.status == 401 && found->is_for_all);
  if (!may_pass)
    return refuse(call, verdict.status, fmt::format("{} {}", request.method, target), verdict.error);
  (this->*found->step)(call);
}

void AccountsApi::note(const Call& call, std::string what, std::string outcome) {
  accounts_.note({.user = call.who.user,
                  .address = call.request.credentials.peer,
                  .what = std::move(what),
                  .outcome = std::move(outcome)});
}

void AccountsApi::refuse(const Call& call, unsigned status, std::string what, const std::string& why) {
  accounts_.note_refusal({.user = call.who.user,
                          .address = call.request.credentials.peer,
                          .what = std::move(what),
                          .outcome = why});
  call.answer(error_answer(status, why));
}

void AccountsApi::tell_session(Call& call) {
  const bool is_known = !call.who.user.empty();
  call.answer(json_answer(200, {{"user", is_known ? Json(call.who.user) : Json()},
                                {"role", is_known ? Json(role_text(call.who.role)) : Json()},
                                {"accounts", accounts_.gate().options().has_accounts ? "on" : "off"},
                                {"needs_first", accounts_.needs_first()}}));
}

void AccountsApi::open_session(const Call& call, const std::string& user, std::string_view what) {
  const std::string token = accounts_.sessions().open(user, accounts_.now().now_ns);
  const User& who = *accounts_.users().find(user);
  accounts_.note(
      {.user = user, .address = call.request.credentials.peer, .what = std::string(what), .outcome = "done"});
  ApiAnswer answer = json_answer(200, {{"user", user}, {"role", role_text(who.role)}, {"token", token}});
  answer.set_cookie = cookie_text(accounts_.gate().options(), token, call.request.credentials.is_secure);
  call.answer(answer);
}

// Users of this machine are told apart: none of them locks another one out.
PasswordSource AccountsApi::source_of(const Credentials& credentials) {
  if (credentials.is_loopback && credentials.system_user)
    return {.address = fmt::format("user {} of this machine", *credentials.system_user), .is_local = true};
  return {.address = address_group(credentials.peer), .is_local = credentials.is_loopback};
}

// Whether a password may be tried now; if so it counts as wrong until it is right.
bool AccountsApi::may_try(const Call& call, const std::string& name) {
  const std::int64_t wait_ns =
      accounts_.lockout().begin(name, source_of(call.request.credentials).address, accounts_.now().now_ns);
  if (wait_ns == 0) return true;
  const auto seconds = static_cast<unsigned>((wait_ns + kSecond_ns - 1) / kSecond_ns);
  accounts_.note_refusal(
      {.address = call.request.credentials.peer, .what = "password", .outcome = "locked out"});
  ApiAnswer answer = error_answer(429, fmt::format("too many wrong passwords: try again in {} s", seconds));
  answer.retry_after = seconds;
  call.answer(answer);
  return false;
}

// `tried` is the user as he was when the password came; he may have changed while it was checked.
bool AccountsApi::is_right(const Call& call, const User& tried, const Result<bool>& checked) {
  const std::string& peer = call.request.credentials.peer;
  const std::string source = source_of(call.request.credentials).address;
  if (!checked) {
    accounts_.lockout().take_back(tried.name, source);
    call.answer(error_answer(503, checked.error().message));
    return false;
  }
  const User* now = accounts_.users().find(tried.name);
  if (*checked && now != nullptr && now->password_hash == tried.password_hash) {
    accounts_.lockout().was_right(tried.name, source);
    return true;
  }
  // 401 only where there is no session: who mistypes his old password still has one
  const bool has_session = call.request.target == "/api/password";
  const std::string why = has_session ? "the old password is wrong" : "wrong name or password";
  // a name that nobody has may be a password in the wrong field: it is not written down
  accounts_.note_refusal({.user = now != nullptr ? tried.name : "",
                          .address = peer,
                          .what = has_session ? "password" : "login",
                          .outcome = why});
  call.answer(error_answer(has_session ? 403 : 401, why));
  return false;
}

void AccountsApi::check_password(const Call& call, const User& tried, std::string password,
                                 const std::function<void()>& then) {
  if (!may_try(call, tried.name)) return;
  const bool is_taken = accounts_.worker().check(source_of(call.request.credentials), std::move(password),
                                                 tried.password_hash, [=, this](const Result<bool>& checked) {
                                                   if (is_right(call, tried, checked)) then();
                                                 });
  if (is_taken) return;
  accounts_.lockout().take_back(tried.name, source_of(call.request.credentials).address);
  call.answer(busy_answer());
}

void AccountsApi::hash_password(const Call& call, std::string password,
                                const std::function<void(std::string)>& then) {
  if (Status fit = check_new_password(password); !fit)
    return call.answer(error_answer(422, fit.error().message));
  const bool is_taken = accounts_.worker().hash(source_of(call.request.credentials), std::move(password),
                                                [=](const Result<std::string>& hash) {
                                                  if (hash) return then(*hash);
                                                  call.answer(error_answer(503, hash.error().message));
                                                });
  if (!is_taken) call.answer(busy_answer());
}

void AccountsApi::change_users(const Call& call, const std::string& what,
                               const std::function<Status(Users&)>& edit, SessionNumber keeper) {
  const Status changed = accounts_.change_users(edit, keeper);
  note(call, what, changed ? "done" : changed.error().message);
  if (!changed) return call.answer(error_answer(status_of(changed.error()), changed.error().message));
  call.answer(json_answer(200, {{"done", what}}));
}

void AccountsApi::make_first(Call& call) {
  const auto fields = fields_of(call.request.body, {"code", "name", "password"});
  wipe(call.request.body);
  if (!fields) return call.answer(error_answer(422, fields.error().message));
  if (!accounts_.needs_first())
    return refuse(call, 422, "first",
                  accounts_.problem().empty() ? "there are users already, or none are needed: log in"
                                              : "the accounts of this robot cannot be read");
  const auto name = user_name_from((*fields)["name"].get<std::string>());
  if (!name) return call.answer(error_answer(422, name.error().message));
  FirstCode& code = accounts_.first_code();
  const bool was_used_up = code.is_used_up();
  if (!code.accepts((*fields)["code"].get<std::string>())) {
    accounts_.keep_first_code();
    return refuse(
        call, 403, "first",
        was_used_up ? "the code is used up: 'sinew web code' makes a new one" : "this is not the code");
  }
  hash_password(call, (*fields)["password"], [this, call, name = *name](const std::string& hash) {
    const Status made = accounts_.change_users([&](Users& users) -> Status {
      if (!users.is_empty()) return Error{ErrorCode::Denied, "somebody else was first: log in"};
      return users.add({.name = name, .role = Role::Expert, .password_hash = hash});
    });
    if (!made) return refuse(call, status_of(made.error()), "first", made.error().message);
    open_session(call, name, "first account");
  });
}

void AccountsApi::log_in(Call& call) {
  auto fields = fields_of(call.request.body, {"name", "password"});
  wipe(call.request.body);
  if (!fields) return call.answer(error_answer(422, fields.error().message));
  if (!accounts_.gate().options().has_accounts)
    return call.answer(error_answer(422, "accounts are off: there is nobody to log in as"));
  if (!accounts_.problem().empty() && accounts_.users().is_empty())
    return call.answer(error_answer(503, "the accounts of this robot cannot be read; its log says why"));
  const std::string typed = (*fields)["name"];
  const auto name = user_name_from(typed);
  const User* user = name ? accounts_.users().find(*name) : nullptr;
  const User tried = user != nullptr ? *user : User{.name = name.value_or(shown_text(typed))};
  check_password(call, tried, (*fields)["password"],
                 [this, call, name = tried.name] { open_session(call, name, "login"); });
}

void AccountsApi::log_out(Call& call) {
  if (call.who.session != 0) {
    accounts_.close_session(call.who.session);
    note(call, "logout", "done");
  }
  ApiAnswer answer = json_answer(200, {{"done", "logout"}});
  answer.set_cookie = cookie_text(accounts_.gate().options(), "", call.request.credentials.is_secure);
  call.answer(answer);
}

void AccountsApi::list_users(Call& call) {
  Json list = Json::array();
  for (const User& user : accounts_.users().all())
    list.push_back({{"name", user.name},
                    {"role", role_text(user.role)},
                    {"sessions", accounts_.sessions().count_of(user.name, accounts_.now().now_ns)}});
  call.answer(json_answer(200, {{"users", list}}));
}

void AccountsApi::add_user(Call& call) {
  auto fields = fields_of(call.request.body, {"name", "password", "role"});
  wipe(call.request.body);
  if (!fields) return call.answer(error_answer(422, fields.error().message));
  const auto name = user_name_from((*fields)["name"].get<std::string>());
  if (!name) return call.answer(error_answer(422, name.error().message));
  const auto role = role_from((*fields)["role"].get<std::string>());
  if (!role) return call.answer(error_answer(422, role.error().message));
  hash_password(
      call, (*fields)["password"], [this, call, name = *name, role = *role](const std::string& hash) {
        change_users(call, fmt::format("users/{}: added as {}", name, role_text(role)), [&](Users& users) {
          return users.add({.name = name, .role = role, .password_hash = hash});
        });
      });
}

void AccountsApi::change_user(Call& call) {
  auto fields = fields_of(call.request.body, {}, {"role", "password"});
  wipe(call.request.body);
  if (!fields) return call.answer(error_answer(422, fields.error().message));
  if (fields->empty()) return call.answer(error_answer(422, "the body needs 'role' or 'password'"));
  if (accounts_.users().find(call.name) == nullptr)
    return call.answer(error_answer(404, fmt::format("there is no user '{}'", shown_text(call.name))));
  std::optional<Role> role;
  if (fields->contains("role")) {
    const auto wanted = role_from((*fields)["role"].get<std::string>());
    if (!wanted) return call.answer(error_answer(422, wanted.error().message));
    role = *wanted;
  }
  std::string what = "users/" + call.name + ":";
  if (role) what += fmt::format(" role {}", role_text(*role));
  if (fields->contains("password")) what += " new password";
  const auto change = [this, call, role, what](const std::string& hash) {
    change_users(call, what, [&](Users& users) {
      Status done = Done{};
      if (role) done = users.set_role(call.name, *role);
      if (done && !hash.empty()) done = users.set_password_hash(call.name, hash);
      return done;
    });
  };
  if (!fields->contains("password")) return change("");
  hash_password(call, (*fields)["password"], change);
}

void AccountsApi::remove_user(Call& call) {
  change_users(call, fmt::format("users/{}: removed", shown_text(call.name)),
               [&](Users& users) { return users.remove(call.name); });
}

void AccountsApi::change_password(Call& call) {
  auto fields = fields_of(call.request.body, {"old", "password"});
  wipe(call.request.body);
  if (!fields) return call.answer(error_answer(422, fields.error().message));
  const User* user = accounts_.users().find(call.who.user);
  if (user == nullptr) return call.answer(error_answer(422, "accounts are off: there is no password"));
  if (Status fit = check_new_password((*fields)["password"].get<std::string>()); !fit)
    return call.answer(error_answer(422, fit.error().message));
  check_password(
      call, *user, (*fields)["old"], [this, call, password = (*fields)["password"].get<std::string>()] {
        hash_password(call, password, [this, call](const std::string& hash) {
          change_users(
              call, "password: changed",
              [&](Users& users) { return users.set_password_hash(call.who.user, hash); }, call.who.session);
        });
      });
}

void AccountsApi::tell_audit(Call& call) {
  const auto lines = accounts_.audit_log().last(kMostEvents);
  if (!lines) return call.answer(error_answer(503, lines.error().message));
  Json events = Json::array();
  for (const std::string& line : *lines)
    if (auto event = strict_json(line, 1)) events.push_back(*std::move(event));
  const std::string& trouble = accounts_.audit_log().trouble();
  call.answer(
      json_answer(200, {{"events", events}, {"trouble", trouble.empty() ? Json(nullptr) : Json(trouble)}}));
}

void AccountsApi::take_control(Call& call) {
  auto wish = strict_json(call.request.body.empty() ? "{}" : call.request.body, 1);
  if (wish)
    if (Status known = check_keys(*wish, "the body", {"force", "client"}); !known) wish = known.error();
  if (!wish) return call.answer(error_answer(422, wish.error().message));
  const Json force = wish->value("force", Json(false));
  const Json client = wish->value("client", Json(""));
  if (!force.is_boolean() || !client.is_string())
    return call.answer(error_answer(422, "'force' must be true or false, and 'client' text"));
  const std::string client_name = client.get<std::string>();
  if (!client_name.empty() && !(has_client_ && has_client_(client_name, call.who)))
    return call.answer(
        error_answer(422, fmt::format("'{}' is no live connection of yours", shown_text(client_name))));
  const ControlTaken taken = accounts_.take_control(
      {.user = call.who.user, .client = client_name, .session = call.who.session}, force.get<bool>());
  if (taken.token.empty()) {
    const std::string& holder = taken.holder->user;
    return call.answer(
        held_answer(fmt::format("'{}' controls the robot; take it over with force", holder), holder));
  }
  note(call, taken.holder ? fmt::format("control: taken over from {}", taken.holder->user) : "control: taken",
       "done");
  call.answer(json_answer(200, {{"token", taken.token}}));
}

void AccountsApi::leave_control(Call& call) {
  // first whether it is theirs: a token that was overheard takes nobody's control away
  const std::string token = call.request.credentials.control.value_or("");
  const ControlCheck check = accounts_.desk().check(token, call.who.user);
  if (check != ControlCheck::Yours)
    return call.answer(held_answer("you do not control the robot",
                                   check == ControlCheck::Another ? accounts_.desk().who()->user : ""));
  accounts_.leave_control(token);
  note(call, "control: left", "done");
  call.answer(json_answer(200, {{"done", "left"}}));
}

}  // namespace sinew::accounts

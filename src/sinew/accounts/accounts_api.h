// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/accounts/accounts.h"

namespace sinew::accounts {

/// A request about accounts or control.
struct ApiRequest {
  std::string method;
  std::string target;  ///< "/api/users/ada"
  std::string body;
  std::optional<std::string> content_type;
  Credentials credentials;
};

/// What is sent back.
struct ApiAnswer {
  unsigned status = 200;
  std::string body;          ///< JSON.
  std::string set_cookie;    ///< Value of Set-Cookie; empty: none.
  unsigned retry_after = 0;  ///< [s] When to come again; zero: nothing is said about that.
};

/// The accounts' part of the REST interface (docs/reference/web_api.md). Passwords take their time on another
/// thread, so answers may come later, out of Accounts::look(). One thread.
class AccountsApi {
 public:
  using Answer = std::function<void(const ApiAnswer&)>;
  /// Whether a live connection, such as "c12", is there and is of this user.
  using HasClient = std::function<bool(std::string_view client, const Identity& who)>;

  /// `accounts` must outlive this object, and be looked at no more when it is gone.
  AccountsApi(Accounts& accounts, HasClient has_client)
      : accounts_(accounts), has_client_(std::move(has_client)) {}

  /// Whether a target is one of these.
  static bool is_target(std::string_view target);

  /// All of them: "GET", "/api/users/{name}".
  static std::vector<std::pair<std::string, std::string>> targets();

  /// Answers once, now or later.
  void answer(const ApiRequest& request, const Answer& answer);

 private:
  /// A request on its way.
  struct Call {
    ApiRequest request;
    std::string name;  ///< NAME of /api/users/NAME.
    Identity who;
    Answer answer;
  };
  struct Row;
  static std::span<const Row> rows();

  void tell_session(Call& call);
  void make_first(Call& call);
  void log_in(Call& call);
  void log_out(Call& call);
  void list_users(Call& call);
  void add_user(Call& call);
  void change_user(Call& call);
  void remove_user(Call& call);
  void change_password(Call& call);
  void tell_audit(Call& call);
  void take_control(Call& call);
  void leave_control(Call& call);

  void open_session(const Call& call, const std::string& user, std::string_view what);
  static PasswordSource source_of(const Credentials& credentials);
  bool may_try(const Call& call, const std::string& name);
  bool is_right(const Call& call, const User& tried, const Result<bool>& checked);
  void check_password(const Call& call, const User& tried, std::string password,
                      const std::function<void()>& then);
  void hash_password(const Call& call, std::string password, const std::function<void(std::string)>& then);
  void change_users(const Call& call, const std::string& what, const std::function<Status(Users&)>& edit,
                    SessionNumber keeper = 0);
  void note(const Call& call, std::string what, std::string outcome);
  void refuse(const Call& call, unsigned status, std::string what, const std::string& why);

  Accounts& accounts_;
  HasClient has_client_;
};

}  // namespace sinew::accounts

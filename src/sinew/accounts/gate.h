// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/accounts/control_desk.h"
#include "sinew/accounts/role.h"
#include "sinew/accounts/sessions.h"
#include "sinew/accounts/users.h"

namespace sinew::accounts {

/// What a request shows of who sends it, as it came.
struct Credentials {
  std::optional<std::string> cookie;         ///< "a=b; sinew_session=TOKEN"
  std::optional<std::string> authorization;  ///< "Bearer TOKEN"
  std::optional<std::string> control;        ///< X-Sinew-Control: the token that shows who controls.
  std::string peer;                          ///< Address in digits.
  bool is_loopback = false;                  ///< Whether that is an address of this machine only.
  std::optional<std::uint32_t> system_user;  ///< Whose program it is, when it runs on this machine.
  bool is_secure = false;                    ///< It came by TLS.
  bool is_own_page = true;                   ///< No other site's page made it (web/visitor.h).
};

/// What a request needs.
struct Need {
  Right right = Right::Watch;
  bool needs_control = false;        ///< It moves: X-Sinew-Control must be the token of who controls.
  bool is_open_on_loopback = false;  ///< Anybody on this machine may, without a session.
  bool is_open_to_all = false;       ///< Anybody may, from anywhere.
  bool changes = false;              ///< It changes something, which no strange page may cause.
};

/// Who is at the other end.
struct Identity {
  std::string user;  ///< Empty: nobody who has said so.
  Role role = Role::Viewer;
  SessionNumber session = 0;
};

/// Whether a request is let through.
struct GateVerdict {
  unsigned status =
      200;             ///< 200, or 401 no session, 403 not with this role or from this page, 409 no control.
  std::string error;   ///< Why not, for people.
  std::string holder;  ///< Who controls, when that is the reason.
  Identity who;

  bool is_ok() const { return status == 200; }
};

/// The value of a cookie in a Cookie header; nothing when it is not there or, which only an attacker does,
/// twice.
std::optional<std::string_view> cookie_value(std::string_view header, std::string_view name);

/// The token of "Bearer TOKEN".
std::optional<std::string_view> bearer_token(std::string_view header);

/// Decides who may pass. One thread.
class Gate {
 public:
  struct Options {
    bool has_accounts = true;  ///< False: whoever comes from this machine as the owner is "local", an expert.
    std::uint32_t owner = 0;   ///< The user of this machine who started the robot.
    std::string cookie_name = "sinew_session";
  };

  /// All three must outlive this object.
  Gate(const Users& users, Sessions& sessions, const ControlDesk& desk, Options options)
      : users_(users), sessions_(sessions), desk_(desk), options_(std::move(options)) {}

  /// Who it is; nobody, when they have no session. Counts as a use of the session.
  std::optional<Identity> identify(const Credentials& credentials, std::int64_t now_ns);
  GateVerdict check(const Credentials& credentials, const Need& need, std::int64_t now_ns);

  const Options& options() const { return options_; }

 private:
  GateVerdict unknown(const Credentials& credentials) const;

  const Users& users_;
  Sessions& sessions_;
  const ControlDesk& desk_;
  Options options_;
};

/// The token of a session that a request shows. A program that sends one means it, whatever cookie its
/// library added.
std::optional<std::string_view> session_token(const Credentials& credentials, std::string_view cookie_name);

/// Without accounts: whether it comes from this machine, from the user who started the robot.
bool is_owner(const Credentials& credentials, const Gate::Options& options);

}  // namespace sinew::accounts

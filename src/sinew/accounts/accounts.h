// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sinew/accounts/audit_log.h"
#include "sinew/accounts/control_desk.h"
#include "sinew/accounts/first_code.h"
#include "sinew/accounts/gate.h"
#include "sinew/accounts/lockout.h"
#include "sinew/accounts/password_worker.h"
#include "sinew/accounts/sessions.h"
#include "sinew/accounts/user_file.h"

namespace sinew::accounts {

/// Now, on both clocks.
struct Moment {
  std::int64_t now_ns = 0;   ///< Monotonic: what expires.
  std::int64_t wall_ns = 0;  ///< Since 1970: what is written down.
};

/// Somebody else controls the robot than before, or nobody.
struct ControlChange {
  std::optional<Controller> before;
  std::optional<Controller> now;
};

/// Reads the code for the first account from its file, and makes one where there is none.
Result<FirstCode> first_code_in(const std::string& folder, const Randomness& randomness);

/// All that a robot's server knows of its users, and what follows when something about them changes: who
/// loses his account loses his sessions, and who loses his session loses control. The files may be changed by
/// others meanwhile (`sinew web users`). One thread.
class Accounts {
 public:
  struct Options {
    std::string folder;  ///< Of users.json, audit.log and first_code; must be there.
    Gate::Options gate;
    PasswordCost cost;
    Randomness randomness = fill_random;
    std::function<void(const ControlChange&)> on_control;  ///< Told of every change.
  };

  /// Reads the files. What is wrong with them is told by problem().
  Accounts(Options options, const Moment& now);

  const Users& users() const { return users_; }
  Sessions& sessions() { return sessions_; }
  Lockout& lockout() { return lockout_; }
  Gate& gate() { return gate_; }
  PasswordWorker& worker() { return worker_; }
  const AuditLog& audit_log() const { return audit_log_; }
  const Options& options() const { return options_; }

  /// Whether somebody with the code may make the first account.
  bool needs_first() const;
  FirstCode& first_code() { return first_code_; }
  const std::string& code_text() const { return first_code_.text(); }
  /// Takes the code's file away when it is used up.
  void keep_first_code();
  /// Why nobody can log in: the users cannot be read. Empty: they can.
  const std::string& problem() const { return problem_; }

  /// Changes the users, in the file and here. `keeper`: whose session stays although his password changes.
  Status change_users(const std::function<Status(Users&)>& edit, SessionNumber keeper = 0);

  // Control, so that on_control() hears of it.
  const ControlDesk& desk() const { return desk_; }
  ControlTaken take_control(const Controller& taker, bool is_forced);
  bool leave_control(std::string_view token);
  /// Somebody outside of all accounts has it now.
  void take_control_away();
  /// A live connection has ended, and control with it when it had that.
  void client_gone(std::string_view client);
  void close_session(SessionNumber number);

  /// Writes down what was done; what was refused.
  void note(AuditEvent event);
  void note_refusal(AuditEvent event);

  /// Lets sessions expire, reads files that have changed, and delivers what the worker has done. To be called
  /// again and again; answers when [ns].
  std::int64_t look(const Moment& now);
  /// As of the last look().
  const Moment& now() const { return now_; }

 private:
  void read_users();
  void read_code();
  void put_users(Users users, SessionNumber keeper);
  void end_control_of_the_gone();
  template <class Change>
  bool change_control(Change change);

  Options options_;
  Moment now_;
  std::int64_t next_read_ns_ = 0;
  UserFile file_;
  std::string file_stamp_;
  Users users_;
  std::string problem_;
  FirstCode first_code_;
  std::string code_stamp_;
  Sessions sessions_;
  Lockout lockout_;
  AuditLog audit_log_;
  ControlDesk desk_;
  Gate gate_;
  PasswordWorker worker_;
};

}  // namespace sinew::accounts

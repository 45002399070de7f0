// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sinew/accounts/gate.h"
#include "sinew/accounts/secrets.h"
#include "sinew/accounts/sessions.h"
#include "sinew/accounts/users.h"

namespace sinew::accounts {

/// Who may stop the robot, as of a moment: a value that can be asked while the gate is busy with somebody
/// else. It lets through nobody whom the gate would not have let through then; whom it does not know has to
/// ask the gate.
class StopRights {
 public:
  StopRights() = default;
  StopRights(Gate::Options options, const Users& users, const Sessions& sessions, std::int64_t now_ns);

  /// Whom the gate lets stop the robot: the user, empty for who has not said so and is on this machine.
  /// Nothing: ask the gate.
  std::optional<std::string> who(const Credentials& credentials) const;

 private:
  std::optional<Gate::Options> options_;    // nothing: nobody is known yet
  std::map<Digest, std::string> sessions_;  // with their users, of those who may
};

}  // namespace sinew::accounts

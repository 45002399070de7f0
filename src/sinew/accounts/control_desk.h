// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/accounts/secrets.h"
#include "sinew/accounts/sessions.h"

namespace sinew::accounts {

/// Who controls the robot, or wants to.
struct Controller {
  std::string user;
  std::string client;         ///< The live connection that control ends with, such as "c12"; empty: none.
  SessionNumber session = 0;  ///< That control ends with; zero: none.

  bool operator==(const Controller&) const = default;
};

/// What came of a wish to control.
struct ControlTaken {
  std::string token;  ///< Shows that one controls; empty: somebody else does.
  std::optional<Controller>
      holder;  ///< Who does, when that is somebody else; who did, when it was taken over.
};

/// Whether a token is the one that controls.
enum class ControlCheck {
  Yours,
  Lost,     ///< It is none, or no longer the one, and nobody controls.
  Another,  ///< Somebody else controls.
};

/// The one place from which a robot is moved: one has it, the rest watch. The token is random and new at each
/// take, so an old one never works again, and only a digest of it is kept. One thread.
class ControlDesk {
 public:
  explicit ControlDesk(Randomness randomness = fill_random) : randomness_(std::move(randomness)) {}

  /// Takes control. Held by another, it is had only by force; the same user at the same client and in the
  /// same session is no other.
  ControlTaken take(const Controller& taker, bool is_forced);
  /// Gives control up; whether it was this token's to give.
  bool leave(std::string_view token);
  /// `user`: whose request it is; a token that was seen by somebody else is none.
  ControlCheck check(std::string_view token, std::string_view user) const;

  /// Who controls; nobody: nothing.
  const std::optional<Controller>& who() const { return holder_; }

  // Control ends with what it hung on. Whether it did.
  bool client_gone(std::string_view client);
  bool session_gone(SessionNumber session);
  bool user_gone(std::string_view user);

  /// Changes whenever somebody else controls; to see that without asking for all.
  std::uint64_t changes() const { return changes_; }

 private:
  bool clear();

  Randomness randomness_;
  std::optional<Controller> holder_;
  Digest digest_{};
  std::uint64_t changes_ = 0;
};

}  // namespace sinew::accounts

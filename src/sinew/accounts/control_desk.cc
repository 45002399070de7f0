// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/control_desk.h"

namespace sinew::accounts {

ControlTaken ControlDesk::take(const Controller& taker, bool is_forced) {
  const std::optional<Controller> before = holder_ == taker ? std::nullopt : holder_;
  if (before && !is_forced) return {.holder = before};
  ControlTaken taken{.token = random_token(randomness_), .holder = before};
  digest_ = digest_of(taken.token);
  holder_ = taker;
  ++changes_;
  return taken;
}

bool ControlDesk::leave(std::string_view token) {
  return holder_ && digest_of(token) == digest_ && clear();
}

ControlCheck ControlDesk::check(std::string_view token, std::string_view user) const {
  if (!holder_) return ControlCheck::Lost;
  return holder_->user == user && digest_of(token) == digest_ ? ControlCheck::Yours : ControlCheck::Another;
}

bool ControlDesk::client_gone(std::string_view client) {
  return holder_ && !client.empty() && holder_->client == client && clear();
}

bool ControlDesk::session_gone(SessionNumber session) {
  return holder_ && session != 0 && holder_->session == session && clear();
}

bool ControlDesk::user_gone(std::string_view user) {
  return holder_ && holder_->user == user && clear();
}

bool ControlDesk::clear() {
  holder_.reset();
  digest_ = {};
  ++changes_;
  return true;
}

}  // namespace sinew::accounts

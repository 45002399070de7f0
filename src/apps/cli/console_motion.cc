// SPDX-License-Identifier: BSD-3-Clause
// The console's commands for planned motions: who has control, pause, speed.
#include <ostream>

#include <fmt/format.h>

#include "apps/cli/command.h"
#include "apps/cli/console_session.h"
#include "apps/cli/motion_words.h"

namespace sinew::cli {

Status ConsoleSession::ask_at_once(const Request& request) {
  const Patience always = [] { return true; };
  std::string answer;
  const Status done = follow(
      [&](const Patience* patience) {
        return ask_and_wait(robot_, request, patience != nullptr ? patience : &always, &answer);
      },
      false);
  if (done) out_ << answer << "\n";
  return done;
}

Status ConsoleSession::take_control(ConsoleWords) {
  return ask_at_once({.verb = RequestVerb::TakeControl});
}

Status ConsoleSession::leave_control(ConsoleWords) {
  return ask_at_once({.verb = RequestVerb::LeaveControl});
}

Status ConsoleSession::pause(ConsoleWords) {
  return ask_at_once({.verb = RequestVerb::Pause});
}

Status ConsoleSession::resume(ConsoleWords) {
  return ask_at_once({.verb = RequestVerb::Resume});
}

Status ConsoleSession::set_speed(ConsoleWords words) {
  if (words.size() != 2) return usage_error("'speed PERCENT', 1 to 100");
  std::string_view percent = words[1];
  if (percent.ends_with('%')) percent.remove_suffix(1);
  const auto number = number_from(std::string(percent));
  if (!number) return number.error();
  return ask_at_once({.verb = RequestVerb::SetOverride, .speed = *number / 100.0});
}

Status ConsoleSession::show_motion(ConsoleWords) {
  const auto state = robot_.motion_state();
  if (!robot_.has_motion_service() || !state)
    return Error{ErrorCode::NotFound, "no motion service runs; 'sinew start' starts it"};
  out_ << motion_words(*state) << "\n";
  return Done{};
}

}  // namespace sinew::cli

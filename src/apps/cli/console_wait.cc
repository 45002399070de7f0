// SPDX-License-Identifier: BSD-3-Clause
// How the console waits for motions, hears a stop meanwhile, and asks before it ends those of others.
#include <signal.h>

#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/motion/ownership.h"

#include "apps/cli/console_input.h"
#include "apps/cli/console_session.h"
#include "apps/cli/terminal.h"
#include "apps/cli/who_moves.h"

namespace sinew::cli {
namespace {

constexpr std::int64_t kBetweenDots_ns = 250 * kMillisecond_ns;

/// What is shown while something is awaited.
class Dots {
 public:
  Dots(std::ostream& out, bool shows) : out_(out), shows_(shows), due_ns_(monotonic_now_ns()) {}

  void look() {
    if (!shows_ || monotonic_now_ns() < due_ns_) return;
    out_ << "." << std::flush;
    due_ns_ = monotonic_now_ns() + kBetweenDots_ns;
  }
  void end(bool is_done) {
    if (shows_) out_ << (is_done ? "done\n" : "\n") << std::flush;
  }

 private:
  std::ostream& out_;
  bool shows_;
  std::int64_t due_ns_;
};

}  // namespace

Status ConsoleSession::follow(const Awaited& what, bool shows_dots) {
  if (!options_.waits) return what(nullptr);
  ConsoleInput nobody(ConsoleInput::From::Nowhere);
  ConsoleInput& input = options_.input != nullptr ? *options_.input : nobody;
  const SignalWatch signals;
  const ConsoleInput::Listening listening(input);
  Dots dots(out_, shows_dots);
  Status asked_to_stop = Error{ErrorCode::NothingNew, ""};
  const auto has_stopped = [&] {
    return asked_to_stop || asked_to_stop.error().code != ErrorCode::NothingNew;
  };
  const Patience patience = [&] {
    // before anything else
    if (input.asks_to_stop() || signals.which() == SIGINT) {
      asked_to_stop = robot_.ask_controller(ControlVerb::Stop);
      return false;
    }
    dots.look();
    return !signals.has_come();
  };
  const Status ended = what(&patience);
  dots.end(ended && !has_stopped());
  if (!has_stopped()) return ended;
  if (!asked_to_stop) return asked_to_stop;
  if (const Status stopped = wait_for_stop(); !stopped) return stopped;
  const std::size_t dropped = input.dropped();
  return Error{
      ErrorCode::Interrupted,
      fmt::format("stopped, as asked; 'reset' lets it run{}",
                  dropped == 0 ? "" : fmt::format("; {} lines before the stop are dropped", dropped))};
}

Status ConsoleSession::move_with_dots(std::uint64_t joint_mask, const Awaited& motion) {
  std::vector<std::string> ended;
  if (const Status may = may_move(joint_mask, ended); !may) return may;
  if (!ended.empty()) out_ << fmt::format("ends the motion of {}\n", quoted(ended)) << std::flush;
  say_how_to_stop();
  return follow(motion, true);
}

void ConsoleSession::say_how_to_stop() {
  const bool has_keys = options_.waits && options_.input != nullptr && options_.input->can_ask();
  if (!has_keys || std::exchange(knows_how_to_stop_, true)) return;
  out_ << "space, Ctrl-C or 'stop' stops it\n" << std::flush;
}

// `ended`: those whose motion ends with it, and nobody objects.
Status ConsoleSession::may_move(std::uint64_t joint_mask, std::vector<std::string>& ended) {
  if (const auto motion = robot_.motion_state(); motion && robot_.has_motion_service()) {
    Ownership ownership;
    ownership.take(text_of(motion->owner));
    if (const Status allowed = ownership.allows(robot_.who()); !allowed) return allowed;
  }
  ended = who_moves(robot_, joint_mask);
  if (ended.empty() || options_.is_forced) return Done{};
  const std::string words = fmt::format("this ends the motion of {}", quoted(ended));
  if (options_.input == nullptr || !options_.input->can_ask())
    return Error{ErrorCode::Denied, words + "; wait until it has ended, or say --force"};
  out_ << words << "; go on? [y/N] " << std::flush;
  if (options_.input->answers_yes()) return Done{};
  return Error{ErrorCode::Interrupted, "nothing was asked of the robot"};
}

}  // namespace sinew::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/motion_words.h"

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"

namespace sinew::cli {

std::string_view phase_word(MotionPhase phase) {
  switch (phase) {
    case MotionPhase::Idle:
      return "idle";
    case MotionPhase::Planning:
      return "planning";
    case MotionPhase::Moving:
      return "moving";
    case MotionPhase::Pausing:
      return "pausing";
    case MotionPhase::Paused:
      return "paused";
    case MotionPhase::Braking:
      return "braking";
    case MotionPhase::Jogging:
      return "jogging";
    case MotionPhase::Following:
      return "following";
  }
  return "doing what nobody knows";
}

std::string motion_words(const MotionState& state) {
  std::string words(phase_word(state.phase));
  if (state.request != 0)
    words += fmt::format(": request {}, {:.0f} % done, {:.1f} s left", state.request, 100.0 * state.progress,
                         state.remaining);
  if (state.override_share != 1.0) words += fmt::format("; speed {:g} %", 100.0 * state.override_share);
  if (state.owner[0] != '\0') words += fmt::format("; '{}' has control", text_of(state.owner));
  if (state.queue_length > 0)
    words += fmt::format("; {} request{}", state.queue_length, state.queue_length == 1 ? " waits" : "s wait");
  return words;
}

}  // namespace sinew::cli

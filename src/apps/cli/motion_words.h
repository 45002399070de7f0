// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "sinew/messages/motion.h"

namespace sinew::cli {

/// "moving"
std::string_view phase_word(MotionPhase phase);

/// What the motion service is doing, in one line, such as "moving: request 12, 40 % done, 1.3 s left; speed
/// 50 %; 'ann' has control; 2 requests wait".
std::string motion_words(const MotionState& state);

}  // namespace sinew::cli

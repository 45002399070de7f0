// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::language {

/// How a move is asked for, by the first part of its word.
enum class MotionKind {
  Joint,       ///< MOVEJ
  Line,        ///< MOVEL
  Circle,      ///< MOVEC
  JointDelta,  ///< DMOVEJ
  ToolDelta,   ///< DMOVE
};

/// How numbers of a goal are read.
enum class GoalForm {
  Plain,       ///< As the kind says: joints for MOVEJ, x y z roll pitch yaw for MOVEL and MOVEC.
  Rpy,         ///< x y z roll pitch yaw.
  Quaternion,  ///< x y z and a quaternion w x y z.
};

/// The way through several points.
enum class Through { None, Spline, Monotone };

/// The law of the speed along the way.
enum class SpeedLaw { Default, Lspb, Quintic, JerkLimited };

/// What a word such as MOVEJ_RPY_LSPB says.
struct MotionWord {
  MotionKind kind = MotionKind::Joint;
  GoalForm form = GoalForm::Plain;
  Through through = Through::None;
  SpeedLaw law = SpeedLaw::Default;
  friend bool operator==(const MotionWord&, const MotionWord&) = default;
};

/// The motion that a word names, in either spelling (MOVEJ, MOVJ), in capitals or not; nothing when it is no
/// motion word. Suffixes stand in the order form, way, law, each at most once.
std::optional<MotionWord> motion_from_word(std::string_view word);

/// As the formatter writes it: "MOVEJ_RPY_LSPB".
std::string motion_text(const MotionWord& motion);

/// True when every goal of the motion is joint positions where it is given as numbers.
bool takes_joint_numbers(const MotionWord& motion);

/// Every word that is a motion, in the formatter's spelling.
const std::vector<std::string>& all_motion_words();

}  // namespace sinew::language

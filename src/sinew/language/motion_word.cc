// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/motion_word.h"

#include <array>
#include <map>

#include "sinew/language/keywords.h"

namespace sinew::language {
namespace {

struct Stem {
  MotionKind kind;
  std::string_view text;
  std::string_view old_text;  ///< As the coordinator of YARC spells it.
};
constexpr std::array kStems{Stem{MotionKind::Joint, "MOVEJ", "MOVJ"}, Stem{MotionKind::Line, "MOVEL", "MOVL"},
                            Stem{MotionKind::Circle, "MOVEC", "MOVC"},
                            Stem{MotionKind::JointDelta, "DMOVEJ", "DMOVJ"},
                            Stem{MotionKind::ToolDelta, "DMOVE", "DMOV"}};
constexpr std::array<std::string_view, 3> kForms{"", "_RPY", "_QUAT"};
constexpr std::array<std::string_view, 3> kThroughs{"", "_SPLINE", "_MCHP"};
constexpr std::array<std::string_view, 4> kLaws{"", "_LSPB", "_QUINTIC", "_JERK"};

bool exists(const MotionWord& motion) {
  const bool is_delta = motion.kind == MotionKind::JointDelta || motion.kind == MotionKind::ToolDelta;
  if (is_delta) return motion.form == GoalForm::Plain && motion.through == Through::None;
  if (motion.kind == MotionKind::Circle) return motion.through == Through::None;
  if (motion.kind == MotionKind::Line) return motion.through != Through::Monotone;
  return true;
}

// MOVEJ_RPY_LSPB and MOVJ_RPY_LSPB, and so on: some hundred words
const std::map<std::string, MotionWord, std::less<>>& words() {
  static const std::map<std::string, MotionWord, std::less<>> kAll = [] {
    std::map<std::string, MotionWord, std::less<>> all;
    for (const Stem& stem : kStems) {
      for (std::size_t form = 0; form < kForms.size(); ++form) {
        for (std::size_t through = 0; through < kThroughs.size(); ++through) {
          for (std::size_t law = 0; law < kLaws.size(); ++law) {
            const MotionWord motion{stem.kind, static_cast<GoalForm>(form), static_cast<Through>(through),
                                    static_cast<SpeedLaw>(law)};
            if (!exists(motion)) continue;
            const std::string suffixes =
                std::string(kForms[form]).append(kThroughs[through]).append(kLaws[law]);
            all.emplace(std::string(stem.text) + suffixes, motion);
            all.emplace(std::string(stem.old_text) + suffixes, motion);
          }
        }
      }
    }
    return all;
  }();
  return kAll;
}

}  // namespace

std::optional<MotionWord> motion_from_word(std::string_view word) {
  const auto found = words().find(upper(word));
  return found == words().end() ? std::nullopt : std::optional(found->second);
}

std::string motion_text(const MotionWord& motion) {
  std::string text;
  for (const Stem& stem : kStems) {
    if (stem.kind == motion.kind) text = stem.text;
  }
  text += kForms[static_cast<std::size_t>(motion.form)];
  text += kThroughs[static_cast<std::size_t>(motion.through)];
  text += kLaws[static_cast<std::size_t>(motion.law)];
  return text;
}

bool takes_joint_numbers(const MotionWord& motion) {
  const bool is_joint = motion.kind == MotionKind::Joint && motion.form == GoalForm::Plain;
  return is_joint || motion.kind == MotionKind::JointDelta;
}

const std::vector<std::string>& all_motion_words() {
  static const std::vector<std::string> kAll = [] {
    std::vector<std::string> all;
    for (const auto& [word, motion] : words()) {
      if (word == motion_text(motion)) all.push_back(word);
    }
    return all;
  }();
  return kAll;
}

}  // namespace sinew::language

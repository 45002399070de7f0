// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/keywords.h"

#include <algorithm>
#include <array>
#include <map>

namespace sinew::language {
namespace {

using Kind = WordKind;

constexpr std::array kWords{
    Word{"MOVEJ", Kind::Motion, "joint move to joint positions or, with a pose, to a pose"},
    Word{"MOVEL", Kind::Motion, "straight line of the tool to a pose"},
    Word{"MOVEC", Kind::Motion, "circle of the tool through a point to a pose"},
    Word{"DMOVEJ", Kind::Motion, "joint move by differences"},
    Word{"DMOVE", Kind::Motion, "tool move by a displacement"},
    Word{"MOVJ", Kind::Motion, "MOVEJ as the YARC coordinator spells it"},
    Word{"MOVL", Kind::Motion, "MOVEL as the YARC coordinator spells it"},
    Word{"MOVC", Kind::Motion, "MOVEC in the same spelling"},
    Word{"DMOVJ", Kind::Motion, "DMOVEJ as the YARC coordinator spells it"},
    Word{"DMOV", Kind::Motion, "DMOVE as the YARC coordinator spells it"},
    Word{"_RPY", Kind::Suffix, "the goal is a pose: x y z roll pitch yaw"},
    Word{"_QUAT", Kind::Suffix, "the goal is a pose: x y z and a quaternion w x y z"},
    Word{"_SPLINE", Kind::Suffix, "cubic spline through all points"},
    Word{"_MCHP", Kind::Suffix, "monotone cubic through all points: no overshoot"},
    Word{"_LSPB", Kind::Suffix, "speed law: constant speed with parabolic ends"},
    Word{"_QUINTIC", Kind::Suffix, "speed law: polynomial of fifth order"},
    Word{"_JERK", Kind::Suffix, "speed law: limited jerk"},
    Word{"STOP", Kind::Command, "stops the motion and ends the program"},
    Word{"FAIL", Kind::Command, "stops the motion and ends the program as failed, with a reason"},
    Word{"PAUSE", Kind::Command, "holds the program until somebody lets it go on"},
    Word{"WAIT", Kind::Command, "waits for a time or until a condition holds"},
    Word{"SET", Kind::Command, "switches an output on, or gives it a value"},
    Word{"RESET", Kind::Command, "switches an output off"},
    Word{"PULSE", Kind::Command, "switches an output on for a time"},
    Word{"GRIPPER", Kind::Command, "opens or closes a gripper, or moves it to a width"},
    Word{"PRINT", Kind::Command, "sends a message to whoever watches"},
    Word{"TOOL", Kind::Command, "chooses or defines a tool"},
    Word{"FRAME", Kind::Command, "chooses or defines the frame in which poses are given"},
    Word{"UNITS", Kind::Command, "units of the numbers that follow"},
    Word{"SPEED", Kind::Command, "speed of the moves that follow"},
    Word{"ACC", Kind::Command, "acceleration of the moves that follow"},
    Word{"BLEND", Kind::Command, "blend radius of the moves that follow"},
    Word{"PAYLOAD", Kind::Command, "mass that the tool carries, and its centre"},
    Word{"ON", Kind::Command, "what to do as soon as a condition holds"},
    Word{"OFF", Kind::Command, "forgets all ON conditions"},
    Word{"CALL", Kind::Command, "runs a SUB"},
    Word{"RETURN", Kind::Command, "leaves a SUB, perhaps with a value"},
    Word{"BREAK", Kind::Command, "leaves the innermost loop"},
    Word{"CONTINUE", Kind::Command, "goes on with the next turn of the innermost loop"},
    Word{"INCLUDE", Kind::Command, "takes in another file, once"},
    Word{"IF", Kind::Structure, "runs its block when a condition holds"},
    Word{"ELSIF", Kind::Structure, "another condition of an IF"},
    Word{"ELSE", Kind::Structure, "what an IF does otherwise, or a WAIT that timed out"},
    Word{"WHILE", Kind::Structure, "repeats its block as long as a condition holds"},
    Word{"FOR", Kind::Structure, "repeats its block for each number of a range"},
    Word{"SUB", Kind::Structure, "a program part with a name and arguments"},
    Word{"END", Kind::Structure, "closes IF, WHILE, FOR, SUB, and WAIT … ELSE"},
    Word{"TO", Kind::Part, "the last number of a FOR"},
    Word{"STEP", Kind::Part, "the stride of a FOR"},
    Word{"UNTIL", Kind::Part, "a condition that ends a WAIT or a move"},
    Word{"DO", Kind::Part, "what an ON does"},
    Word{"OPEN", Kind::Part, "opens a GRIPPER"},
    Word{"CLOSE", Kind::Part, "closes a GRIPPER"},
    Word{"JOINT", Kind::Part, "SPEED and ACC of joint moves"},
    Word{"LINE", Kind::Part, "SPEED and ACC of the tool"},
    Word{"AND", Kind::Operator, "both hold"},
    Word{"OR", Kind::Operator, "one of two holds"},
    Word{"NOT", Kind::Operator, "does not hold"},
    Word{"MOD", Kind::Operator, "rest of a division"},
    Word{"TRUE", Kind::Constant, "holds"},
    Word{"FALSE", Kind::Constant, "does not hold"},
    Word{"PI", Kind::Constant, "3.14159…"},
    Word{"POSE", Kind::Function, "a pose from x, y, z, roll, pitch, yaw"},
    Word{"QUAT", Kind::Function, "a pose from x, y, z and a quaternion w, x, y, z"},
    Word{"JOINTS", Kind::Function, "joint positions"},
    Word{"PALLET", Kind::Function,
         "places in rows: corner, end of row, end of column, counts, perhaps layers and height"},
    Word{"AT", Kind::Function, "place of a pallet, by its number or by column, row, layer, from 1"},
    Word{"COUNT", Kind::Function, "how many places a pallet has"},
    Word{"OFFSET", Kind::Function, "a pose moved along the axes of its frame"},
    Word{"TOOLOFFSET", Kind::Function, "a pose moved along its own axes"},
    Word{"INVERSE", Kind::Function, "the pose that undoes a pose"},
    Word{"HERE", Kind::Function, "where the tool is now, in the frame"},
    Word{"HEREJ", Kind::Function, "where the joints are now"},
    Word{"HOLDS", Kind::Function, "whether a gripper has stopped at something between its fingers"},
    Word{"WHERE", Kind::Function, "where a thing is now, in the frame, by its name, perhaps with a number"},
    Word{"ANGLE", Kind::Function, "one of the joint positions, from 1"},
    Word{"DISTANCE", Kind::Function, "how far apart two poses are"},
    Word{"ABS", Kind::Function, "size without sign"},
    Word{"SQRT", Kind::Function, "square root"},
    Word{"SIN", Kind::Function, "sine of an angle"},
    Word{"COS", Kind::Function, "cosine of an angle"},
    Word{"TAN", Kind::Function, "tangent of an angle"},
    Word{"ASIN", Kind::Function, "angle of a sine"},
    Word{"ACOS", Kind::Function, "angle of a cosine"},
    Word{"ATAN2", Kind::Function, "angle of a direction, from y and x"},
    Word{"MIN", Kind::Function, "the smaller of two"},
    Word{"MAX", Kind::Function, "the larger of two"},
    Word{"ROUND", Kind::Function, "to the nearest whole number"},
    Word{"FLOOR", Kind::Function, "down to a whole number"},
    Word{"CEIL", Kind::Function, "up to a whole number"},
    Word{"IN", Kind::Source, "whether an input is on"},
    Word{"AIN", Kind::Source, "value of an analog input"},
    Word{"POINT", Kind::Source, "a point that the robot knows by name"},
    Word{"mm", Kind::Unit, "millimetres"},
    Word{"cm", Kind::Unit, "centimetres"},
    Word{"m", Kind::Unit, "metres"},
    Word{"inch", Kind::Unit, "inches"},
    Word{"deg", Kind::Unit, "degrees"},
    Word{"rad", Kind::Unit, "radians"},
    Word{"s", Kind::Unit, "seconds"},
    Word{"ms", Kind::Unit, "milliseconds"},
    Word{"t", Kind::Option, "duration"},
    Word{"v", Kind::Option, "speed, or a share of the limits in %"},
    Word{"a", Kind::Option, "acceleration, or a share of the limits in %"},
    Word{"j", Kind::Option, "jerk"},
    Word{"r", Kind::Option, "blend radius"},
    Word{"arc", Kind::Option, "angle of a circle"},
    Word{"f", Kind::Option, "force of a gripper [N]"},
};

}  // namespace

std::span<const Word> all_words() {
  return kWords;
}

const Word* find_word(std::string_view text) {
  static const std::map<std::string, const Word*, std::less<>> kByText = [] {
    std::map<std::string, const Word*, std::less<>> words;
    for (const Word& word : kWords) {
      if (word.kind != Kind::Suffix && word.kind != Kind::Option) words.emplace(word.text, &word);
    }
    return words;
  }();
  // units are written as physicists write them; m is not M
  if (const auto unit = kByText.find(text); unit != kByText.end()) return unit->second;
  const auto found = kByText.find(upper(text));
  return found == kByText.end() ? nullptr : found->second;
}

bool is_reserved(std::string_view text) {
  const Word* word = find_word(text);
  return word != nullptr && word->kind != Kind::Function;
}

std::vector<std::string> words_of(WordKind kind) {
  std::vector<std::string> words;
  for (const Word& word : kWords) {
    if (word.kind == kind) words.emplace_back(word.text);
  }
  return words;
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return result;
}

}  // namespace sinew::language

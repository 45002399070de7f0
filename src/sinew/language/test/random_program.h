// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Programs drawn at random, correct by grammar if not by sense.

#include <random>
#include <string>
#include <vector>

#include "sinew/language/motion_word.h"

namespace sinew::language {

class RandomProgram {
 public:
  explicit RandomProgram(std::uint32_t seed) : random_(seed) {}

  std::string text() {
    text_.clear();
    sub();
    block(0, 12);
    return text_;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string one_of(const std::vector<std::string>& words) {
    return words[static_cast<std::size_t>(below(static_cast<int>(words.size())))];
  }
  // blanks where the formatter would write one
  std::string gap() { return one_of({" ", " ", "  ", "\t"}); }
  std::string word(const std::string& w) {
    std::string result = w;
    if (below(4) == 0) {
      for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return result;
  }

  std::string number() {
    return one_of({"0", "1", "2.5", "0.00", "1174.40", "3e2", ".5", "45.", "1E-3", "7"});
  }
  std::string variable() { return one_of({"n", "count", "speed_1", "i"}); }

  std::string numeric(int depth) {
    if (depth <= 0) return below(2) == 0 ? number() : variable();
    switch (below(8)) {
      case 0:
        return numeric(depth - 1) + gap() + one_of({"+", "-", "*", "/", "MOD", "^"}) + gap() +
               numeric(depth - 1);
      case 1:
        return "(" + numeric(depth - 1) + ")";
      case 2:
        return "-" + numeric(depth - 1);
      case 3:
        return one_of({"ABS", "SIN", "floor"}) + "(" + numeric(depth - 1) + ")";
      case 4:
        return one_of({"MIN", "Max"}) + "(" + numeric(depth - 1) + "," + numeric(depth - 1) + ")";
      case 5:
        return pose(depth - 1) + "." + one_of({"x", "yaw"});
      case 6:
        return "AIN" + gap() + "{pressure}";
      default:
        return number();
    }
  }

  std::string pose(int depth) {
    if (depth <= 0) return "p";
    if (below(3) == 0) return "(" + pose(depth - 1) + " * " + pose(depth - 1) + ")";
    if (below(3) == 0) return "OFFSET(" + pose(depth - 1) + ", " + numeric(0) + ", 0, 5)";
    return "POSE(" + numeric(depth - 1) + ",0,100,0,0," + numeric(0) + ")";
  }

  std::string truth(int depth) {
    if (depth <= 0) return one_of({"TRUE", "false", "IN {part}", "IN 3"});
    switch (below(5)) {
      case 0:
        return truth(depth - 1) + gap() + one_of({"AND", "or"}) + gap() + truth(depth - 1);
      case 1:
        return word("NOT") + " " + truth(depth - 1);
      case 2:
        return numeric(depth - 1) + one_of({"==", " != ", "<>", "<", " >= "}) + numeric(depth - 1);
      case 3:
        return "(" + truth(depth - 1) + ")";
      default:
        return truth(0);
    }
  }

  std::string value() {
    return below(3) == 0 ? "(" + numeric(2) + ")" : (below(3) == 0 ? "-" : "") + number();
  }

  std::string goal(bool is_pose_only) {
    if (below(3) == 0) return is_pose_only ? "p" : "JOINTS(1, 2, 3, 4, 5, 6)";
    std::string text;
    for (int i = 0; i < 6; ++i) text += (i > 0 ? gap() : "") + value();
    return text;
  }

  std::string move() {
    const std::string name = one_of(all_motion_words());
    const MotionWord motion = *motion_from_word(name);
    int goals = motion.through != Through::None ? 1 + below(5) : 1;
    if (motion.kind == MotionKind::Circle) goals = 2;
    std::string text = below(5) == 0 ? (below(2) == 0 ? "P0001 " : "<12> ") : "";
    text += word(name) + gap();
    if (below(3) == 0) text += "{TCP} ";
    for (int i = 0; i < goals; ++i)
      text += (i > 0 ? (below(4) == 0 ? ";\n" : "; ") : "") + goal(!takes_joint_numbers(motion));
    if (below(2) == 0) text += one_of({" [20]", "[v=250, a=1000,r=5]", " [t=2]", " [v=50%]"});
    if (below(3) == 0) text += one_of({" (mm,deg,s)", "\n (m, rad)"});
    if (below(3) == 0) text += " {B}";
    if (below(6) == 0) text += " UNTIL " + truth(1);
    return text;
  }

  std::string simple() {
    switch (below(17)) {
      case 0:
        return variable() + one_of({"=", " = "}) + numeric(3);
      case 1:
        return "p = " + pose(2);
      case 2:
        return word("WAIT") + " " + numeric(1);
      case 3:
        return word("WAIT") + " UNTIL " + truth(2) + one_of({"", " [10]", "[3]"});
      case 4:
        return one_of({"SET {lamp}", "RESET 3", "PULSE {horn} [0.5]", "SET {valve} = " + numeric(1)});
      case 5:
        return one_of({"GRIPPER OPEN", "gripper {left} close [f=20]", "GRIPPER 40 [v=10, f=5]"});
      case 6:
        return "PRINT \"a \\\"b\\\" \\\\ \", " + numeric(2);
      case 7:
        return one_of({"TOOL {TCP}", "FRAME {table} = " + pose(1), "FRAME {B}", "TOOL {new} = " + pose(1)});
      case 8:
        return one_of({"UNITS (mm,deg,s)", "units (m, rad)", "UNITS (ms)"});
      case 9:
        return one_of({"SPEED JOINT 60", "SPEED 50%", "acc line 1000", "BLEND 5", "PAYLOAD 1.5 0 0 (20+3)"});
      case 10:
        return one_of({"ON ", "on "}) + truth(1) + " DO " +
               one_of({"STOP", "FAIL \"x\"", "CALL part(1)", "PAUSE"});
      case 11:
        return one_of({"OFF", "PAUSE", "CALL part(" + numeric(1) + ")", "n = CALL part(2)"});
      default:
        return move();
    }
  }

  void line(const std::string& code, int depth) {
    text_ += std::string(static_cast<std::size_t>(below(4) + depth), ' ') + code;
    if (below(6) == 0) text_ += one_of({" # note", "# x", "   #  two  words "});
    text_ += "\n";
    if (below(6) == 0) text_ += one_of({"\n", "\n\n\n", "# alone\n"});
  }

  void block(int depth, int most) {
    for (int i = below(most) + 1; i > 0; --i) {
      const int what = depth < 3 ? below(12) : 9;
      if (what == 0) {
        line(word("IF") + " " + truth(2), depth);
        block(depth + 1, 3);
        if (below(2) == 0) {
          line("ELSIF " + truth(1), depth);
          block(depth + 1, 3);
        }
        if (below(2) == 0) {
          line("ELSE", depth);
          block(depth + 1, 3);
        }
        line("END", depth);
      } else if (what == 1) {
        line("WHILE " + truth(2), depth);
        block(depth + 1, 3);
        if (below(2) == 0) line(one_of({"BREAK", "CONTINUE"}), depth + 1);
        line(word("END"), depth);
      } else if (what == 2) {
        line("FOR i = " + numeric(1) + " TO " + numeric(1) + one_of({"", " STEP 2"}), depth);
        block(depth + 1, 3);
        line("END", depth);
      } else if (what == 3) {
        line("WAIT UNTIL " + truth(1) + " [1] ELSE", depth);
        block(depth + 1, 2);
        line("END", depth);
      } else {
        line(simple(), depth);
      }
    }
  }

  void sub() {
    text_ += "n = 1\ncount = 2\nspeed_1 = 3\ni = 0\np = POSE(400, 0, 300, 180, 0, 0)\n";
    line("SUB part(a)", 0);
    block(1, 3);
    line(one_of({"RETURN", "RETURN a + 1"}), 1);
    line("END", 0);
  }

  std::mt19937 random_;
  std::string text_;
};

}  // namespace sinew::language

// SPDX-License-Identifier: BSD-3-Clause
// Moves: the seven fields of YARC's commands, and what they have learnt since.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/language/parser_state.h"

namespace sinew::language {

void FileParser::parse_move(Statement& statement, const MotionWord& motion) {
  MoveStatement move;
  move.motion = motion;
  move.tool_place = peek().place;
  if (peek().kind == TokenKind::Brace) move.tool = take().text;
  parse_goals(move);
  move.options = motion.kind == MotionKind::Circle ? parse_options({"t", "v", "a", "j", "r", "arc"})
                                                   : parse_options({"t", "v", "a", "j", "r"});
  if (is_symbol("(")) move.units = parse_units_field();
  move.frame_place = peek().place;
  if (peek().kind == TokenKind::Brace) move.frame = take().text;
  if (take_word("UNTIL")) move.until = parse_expression();
  if (is_symbol(",")) error_here("the values of a move are separated by blanks; take the comma out");
  statement.body = std::move(move);
}

void FileParser::parse_goals(MoveStatement& move) {
  do {
    GoalValues goal = parse_values();
    if (goal.empty() && !is_recovering_) {
      error_here(
          fmt::format("{} has no goal; write its numbers, or the name of a point", motion_text(move.motion)));
    }
    move.goals.push_back(std::move(goal));
    if (move.goals.size() > kMostGoals)
      return error_here(fmt::format("a move has at most {} points; divide it", kMostGoals));
  } while (take_symbol(";"));
  const bool takes_several = move.motion.through != Through::None;
  const bool is_circle = move.motion.kind == MotionKind::Circle;
  if (is_circle && move.goals.size() != 2) {
    error_here(
        fmt::format("MOVEC needs two points, one on the way and the goal, with ';' between; here are {}",
                    move.goals.size()));
  } else if (!is_circle && !takes_several && move.goals.size() > 1) {
    error_at(
        move.goals[1].empty() ? peek().place : move.goals[1][0].place,
        fmt::format("{0} has one goal, and here are {1}; {0}_SPLINE goes through several",
                    motion_text({.kind = move.motion.kind, .form = move.motion.form}), move.goals.size()));
  }
}

// values without operators, blanks between them
GoalValues FileParser::parse_values() {
  GoalValues values;
  while (is_value_start() && !is_recovering_) {
    if (values.size() >= kMostValues) {
      error_here(fmt::format("a point has at most {} values; separate points by ';'", kMostValues));
      break;
    }
    if (!values.empty() && !peek().has_blank_before) {
      error_here("two values touch each other; put a blank between them, or brackets around a sum");
      break;
    }
    values.push_back(parse_value());
  }
  const bool is_operator = is_symbol("*") || is_symbol("/") || is_symbol("^") || is_word("MOD");
  if (is_operator) error_here("a sum among the values of a move needs brackets around it, as in (a * 2)");
  return values;
}

bool FileParser::is_units_field() const {
  if (!is_symbol("(") || peek(1).kind != TokenKind::Name) return false;
  const Word* word = find_word(peek(1).text);
  return word != nullptr && word->kind == WordKind::Unit;
}

bool FileParser::is_value_start() const {
  const Token& token = peek();
  if (token.kind == TokenKind::Number) return true;
  if (token.kind == TokenKind::Symbol)
    return token.text == "-" || token.text == "+" || (token.text == "(" && !is_units_field());
  if (token.kind != TokenKind::Name) return false;
  const Word* word = find_word(token.text);
  return word == nullptr || word->kind == WordKind::Function || word->kind == WordKind::Source ||
         word->kind == WordKind::Constant;
}

Expression FileParser::parse_value() {
  const Token token = peek();
  const bool has_sign = token.kind == TokenKind::Symbol && (token.text == "-" || token.text == "+");
  if (!has_sign) return parse_primary();
  take();
  // "30 - 15" could be one value or two
  if (peek().has_blank_before) {
    error_here(fmt::format(
        "a blank behind '{0}' leaves open whether this is a sum; write {0}5 for a value, (7 {0} 5) "
        "for a sum",
        token.text));
  }
  Expression value{ExpressionKind::Unary, token.place, token.text, 0.0, {}};
  value.operands.push_back(parse_primary());
  return value;
}

// [20], [v=250, r=5], [v=50%]
std::vector<MoveOption> FileParser::parse_options(std::initializer_list<std::string_view> keys) {
  std::vector<MoveOption> options;
  if (!take_symbol("[")) return options;
  do {
    MoveOption option;
    const Place place = peek().place;
    if (peek().kind == TokenKind::Name && is_symbol("=", 1)) {
      option.key = take().text;
      take();
    }
    const std::vector<std::string> known(keys.begin(), keys.end());
    const std::string key = option.key.empty() ? "t" : option.key;
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      error_at(place, fmt::format("there is no option '{}' here{}; there are {}", key,
                                  did_you_mean(key, known), fmt::join(known, ", ")));
    }
    const bool is_double = std::any_of(options.begin(), options.end(), [&](const MoveOption& o) {
      return key == (o.key.empty() ? "t" : o.key);
    });
    if (is_double) error_at(place, fmt::format("the option '{}' is given twice; take one out", key));
    option.value = parse_expression();
    option.is_percent = take_symbol("%");
    if (option.is_percent && key != "v" && key != "a")
      error_at(place, fmt::format("the option '{}' cannot be given in %; only v and a can", key));
    options.push_back(std::move(option));
  } while (!is_recovering_ && take_symbol(","));
  expect_symbol("]", "at the end of the options");
  return options;
}

// [10]
std::optional<Expression> FileParser::parse_time_option() {
  std::vector<MoveOption> options = parse_options({"t"});
  if (options.empty()) return {};
  return std::move(options[0].value);
}

UnitsField FileParser::parse_units_field() {
  UnitsField field;
  field.place = peek().place;
  take();
  do {
    const Token token = peek();
    const Word* word = token.kind == TokenKind::Name ? find_word(token.text) : nullptr;
    if (word == nullptr || word->kind != WordKind::Unit) {
      error_here(fmt::format("'{}' is no unit; there are {}", shown(token.text),
                             fmt::join(words_of(WordKind::Unit), ", ")));
      return field;
    }
    field.units.push_back(take().text);
  } while (field.units.size() < 4 && take_symbol(","));
  expect_symbol(")", "at the end of the units");
  return field;
}

}  // namespace sinew::language

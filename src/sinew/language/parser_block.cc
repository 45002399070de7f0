// SPDX-License-Identifier: BSD-3-Clause
// The statements that have a block: IF, WHILE, FOR, SUB.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/language/parser_state.h"

namespace sinew::language {

// END, and the comment behind it; `place` is where the block was opened
std::string FileParser::close_block(std::string_view word, const Place& place) {
  is_recovering_ = false;
  is_line_ended_ = true;
  if (take_word("END")) return take_line_comment();
  if (is_word("ELSE") || is_word("ELSIF")) {
    error_here(fmt::format("{} belongs to an IF, not to a {}; close the IF inside with END only once",
                           upper(peek().text), word));
    skip_line();
    end_statement();
  } else {
    error_at(place, fmt::format("this {} is never closed; write END behind its last statement", word));
  }
  return {};
}

void FileParser::parse_if(Statement& statement) {
  IfStatement branch;
  const Place place = peek().place;
  bool has_else = false;
  do {
    IfClause clause;
    clause.place = peek().place;
    const std::string word = upper(take().text);
    if (has_else)
      error_at(clause.place, fmt::format("{} stands behind ELSE; ELSE is the last part of an IF", word));
    has_else = has_else || word == "ELSE";
    if (word != "ELSE") clause.condition = parse_expression();
    if (is_word("THEN")) error_here("IF needs no THEN; end the line behind the condition");
    clause.comment = take_line_comment();
    clause.body = parse_block(&statement);
    branch.clauses.push_back(std::move(clause));
  } while (is_word("ELSIF") || is_word("ELSE"));
  // the comment behind IF belongs to the statement
  statement.comment = std::exchange(branch.clauses[0].comment, {});
  branch.end_comment = close_block("IF", place);
  statement.body = std::move(branch);
}

void FileParser::parse_while(Statement& statement) {
  WhileStatement loop;
  const Place place = take().place;
  loop.condition = parse_expression();
  statement.comment = take_line_comment();
  ++loop_depth_;
  loop.body = parse_block(&statement);
  --loop_depth_;
  loop.end_comment = close_block("WHILE", place);
  statement.body = std::move(loop);
}

void FileParser::parse_for(Statement& statement) {
  ForStatement loop;
  const Place place = take().place;
  loop.variable = parse_new_name("the variable of FOR");
  if (expect_symbol("=", "behind the variable of FOR")) loop.from = parse_expression();
  if (!take_word("TO")) error_here("TO is missing in FOR, as in FOR i = 1 TO 10");
  loop.to = is_recovering_ ? Expression{} : parse_expression();
  if (take_word("STEP")) loop.step = parse_expression();
  statement.comment = take_line_comment();
  ++loop_depth_;
  loop.body = parse_block(&statement);
  --loop_depth_;
  loop.end_comment = close_block("FOR", place);
  statement.body = std::move(loop);
}

void FileParser::parse_sub(Statement& statement) {
  SubStatement sub;
  const Place place = take().place;
  if (block_depth_ > 1) error_at(place, "a SUB stands outside of all blocks; move it to the end of the file");
  sub.name = parse_new_name("the SUB");
  if (expect_symbol("(", "behind the name of the SUB") && !take_symbol(")")) {
    do {
      sub.parameters.push_back(parse_new_name("an argument"));
      const auto same = std::count(sub.parameters.begin(), sub.parameters.end(), sub.parameters.back());
      if (same > 1)
        error_here(fmt::format("two arguments are called '{}'; rename one", sub.parameters.back()));
    } while (sub.parameters.size() < kMostValues && take_symbol(","));
    expect_symbol(")", "at the end of the arguments of SUB");
  }
  statement.comment = take_line_comment();
  const bool was_in_sub = std::exchange(is_in_sub_, true);
  const int loops = std::exchange(loop_depth_, 0);
  sub.body = parse_block(&statement);
  is_in_sub_ = was_in_sub;
  loop_depth_ = loops;
  sub.end_comment = close_block("SUB", place);
  statement.body = std::move(sub);
}

}  // namespace sinew::language

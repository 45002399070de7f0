// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inside of the parser: recursive descent over the tokens of one file.

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/language/keywords.h"
#include "sinew/language/lexer.h"
#include "sinew/language/parser.h"

namespace sinew::language {

/// What the files of a program share while they are parsed.
struct ParserShared {
  Program program;
  FindingList findings;
  const IncludeReader* reader = nullptr;
  std::size_t statement_count = 0;
  bool is_given_up = false;             ///< Something is too large: no more errors are told.
  std::vector<std::string> open_files;  ///< Those being parsed, the outermost first.
};

class FileParser {
 public:
  FileParser(std::vector<Token> tokens, std::uint32_t file, ParserShared& shared);

  Block parse_file();

 private:
  // tokens
  const Token& peek(std::size_t ahead = 0) const;
  const Token& take();
  bool is_symbol(std::string_view text, std::size_t ahead = 0) const;
  bool is_word(std::string_view word, std::size_t ahead = 0) const;
  bool take_symbol(std::string_view text);
  bool take_word(std::string_view word);
  bool is_at_end_of_statement() const;
  void skip_line();
  void collect_comments();
  void error_here(std::string text);
  void error_at(const Place& place, std::string text);
  void give_up(const Place& place, std::string text);
  /// The first error of a statement is told; what follows from it is not.
  bool expect_symbol(std::string_view text, std::string_view where);

  // blocks and statements
  Block parse_block(const Statement* opener);
  bool is_block_end() const;
  std::optional<Statement> parse_statement();
  void parse_id(Statement& statement);
  void parse_body(Statement& statement);
  void parse_unknown(const Token& token);
  void end_statement();
  std::string take_line_comment();
  std::string close_block(std::string_view word, const Place& place);
  std::string parse_new_name(std::string_view what);
  std::string parse_brace(std::string_view what);

  void parse_assignment(Statement& statement);
  void parse_ending(Statement& statement);
  void parse_wait(Statement& statement);
  void parse_output(Statement& statement);
  void parse_gripper(Statement& statement);
  void parse_print(Statement& statement);
  void parse_frame(Statement& statement);
  void parse_units_statement(Statement& statement);
  void parse_speed(Statement& statement);
  void parse_blend(Statement& statement);
  void parse_payload(Statement& statement);
  void parse_if(Statement& statement);
  void parse_while(Statement& statement);
  void parse_for(Statement& statement);
  void parse_sub(Statement& statement);
  void parse_return(Statement& statement);
  void parse_loop_jump(Statement& statement);
  void parse_on(Statement& statement);
  void parse_call_statement(Statement& statement);
  void parse_include(Statement& statement);
  void take_in(IncludeStatement& include, const Place& place);
  CallStatement parse_call();
  EndingStatement parse_ending_body();
  std::vector<Expression> parse_arguments(std::string_view name);

  // moves
  void parse_move(Statement& statement, const MotionWord& motion);
  void parse_goals(MoveStatement& move);
  GoalValues parse_values();
  bool is_value_start() const;
  bool is_units_field() const;
  Expression parse_value();
  std::vector<MoveOption> parse_options(std::initializer_list<std::string_view> keys);
  std::optional<Expression> parse_time_option();
  UnitsField parse_units_field();

  // expressions
  Expression parse_expression();
  Expression parse_and();
  Expression parse_not();
  Expression parse_comparison();
  Expression parse_sum();
  Expression parse_product();
  Expression parse_sign();
  Expression parse_power();
  Expression parse_primary();
  Expression parse_word_primary(const Token& token, const Word& word);
  Expression parse_source(const Token& token);
  Expression parse_part(Expression whole);
  Expression parse_outside_name(std::string_view what);
  Expression too_deep();
  Expression too_long();

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t file_ = 0;
  ParserShared& shared_;
  bool is_recovering_ = false;  ///< An error of this statement was told.
  bool is_line_ended_ = false;  ///< A block statement has taken the line of its END.
  int block_depth_ = 0;
  int loop_depth_ = 0;
  int expression_depth_ = 0;
  int chain_ = 0;  ///< Operators of the outermost expression.
  bool is_in_sub_ = false;
  std::string comments_;  ///< Of the statement being parsed.
};

}  // namespace sinew::language

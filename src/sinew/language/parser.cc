// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/parser.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/language/parser_state.h"

namespace sinew::language {
namespace {

std::string token_text(const Token& token) {
  switch (token.kind) {
    case TokenKind::Newline:
    case TokenKind::Comment:
      return "the end of the line";
    case TokenKind::End:
      return "the end of the file";
    case TokenKind::Brace:
      return fmt::format("{{{}}}", shown(token.text));
    case TokenKind::Text:
      return fmt::format("\"{}\"", shown(token.text));
    case TokenKind::Name:
    case TokenKind::Number:
    case TokenKind::Symbol:
      break;
  }
  return fmt::format("'{}'", shown(token.text));
}

// P0001, the coordinator's number of a command
bool is_all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}
bool is_command_id(std::string_view word) {
  return (word.starts_with('P') || word.starts_with('p')) && is_all_digits(word.substr(1));
}

}  // namespace

FileParser::FileParser(std::vector<Token> tokens, std::uint32_t file, ParserShared& shared)
    : tokens_(std::move(tokens)), file_(file), shared_(shared) {}

const Token& FileParser::peek(std::size_t ahead) const {
  std::size_t i = at_;
  // comments inside a statement are collected apart
  for (;; ++i) {
    if (tokens_[i].kind == TokenKind::Comment) continue;
    if (ahead == 0 || tokens_[i].kind == TokenKind::End) return tokens_[i];
    --ahead;
  }
}

const Token& FileParser::take() {
  collect_comments();
  const Token& token = tokens_[at_];
  if (token.kind != TokenKind::End) ++at_;
  return token;
}

void FileParser::collect_comments() {
  constexpr std::string_view kEmpty = " ";  // an empty comment is kept as well
  for (; tokens_[at_].kind == TokenKind::Comment; ++at_) {
    const std::string& text = tokens_[at_].text;
    if (comments_.empty() || comments_ == kEmpty)
      comments_ = text.empty() ? kEmpty : text;
    else if (!text.empty())
      comments_ += ' ' + text;
  }
}

bool FileParser::is_symbol(std::string_view text, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == TokenKind::Symbol && token.text == text;
}

bool FileParser::is_word(std::string_view word, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == TokenKind::Name && upper(token.text) == word;
}

bool FileParser::take_symbol(std::string_view text) {
  if (!is_symbol(text)) return false;
  take();
  return true;
}

bool FileParser::take_word(std::string_view word) {
  if (!is_word(word)) return false;
  take();
  return true;
}

bool FileParser::is_at_end_of_statement() const {
  return peek().kind == TokenKind::Newline || peek().kind == TokenKind::End;
}

void FileParser::skip_line() {
  while (!is_at_end_of_statement()) take();
}

void FileParser::error_at(const Place& place, std::string text) {
  if (!is_recovering_ && !shared_.is_given_up) shared_.findings.error(place, std::move(text));
  is_recovering_ = true;
}

// too much of something: nothing behind this place is looked at
void FileParser::give_up(const Place& place, std::string text) {
  is_recovering_ = false;
  error_at(place, std::move(text));
  shared_.is_given_up = true;
  at_ = tokens_.size() - 1;
}

void FileParser::error_here(std::string text) {
  error_at(peek().place, std::move(text));
}

bool FileParser::expect_symbol(std::string_view text, std::string_view where) {
  if (take_symbol(text)) return true;
  error_here(fmt::format("'{}' is missing {}; {} stands there", text, where, token_text(peek())));
  return false;
}

Block FileParser::parse_file() {
  return parse_block(nullptr);
}

bool FileParser::is_block_end() const {
  return is_word("END") || is_word("ELSE") || is_word("ELSIF");
}

Block FileParser::parse_block(const Statement* opener) {
  Block block;
  bool has_blank_line = false;
  ++block_depth_;
  // the file's own block does not count
  if (block_depth_ > kMostBlockDepth + 1) {
    give_up(opener->place,
            fmt::format("blocks may lie {} deep in each other, and this is one more; move the inner "
                        "ones into a SUB",
                        kMostBlockDepth));
  }
  while (peek().kind != TokenKind::End && !shared_.findings.is_full()) {
    if (tokens_[at_].kind == TokenKind::Newline) {
      has_blank_line = true;
      ++at_;
      continue;
    }
    if (is_block_end() && tokens_[at_].kind != TokenKind::Comment) {
      if (opener != nullptr) break;
      error_here(
          fmt::format("{} has no block to belong to; take it out, or open one with IF, WHILE, FOR or SUB",
                      upper(peek().text)));
      skip_line();
      end_statement();
      continue;
    }
    auto statement = parse_statement();
    if (!statement) break;
    statement->has_blank_line_before = has_blank_line && !block.empty();
    has_blank_line = false;
    block.push_back(std::move(*statement));
  }
  --block_depth_;
  return block;
}

std::optional<Statement> FileParser::parse_statement() {
  if (++shared_.statement_count > kMostStatements) {
    give_up(peek().place,
            fmt::format("a program may have {} statements, and here begins one more", kMostStatements));
    return {};
  }
  is_recovering_ = false;
  Statement statement;
  statement.place = tokens_[at_].place;
  if (tokens_[at_].kind == TokenKind::Comment) {
    statement.comment = tokens_[at_].text;
    if (++at_ < tokens_.size() && tokens_[at_].kind == TokenKind::Newline) ++at_;
    return statement;
  }
  comments_.clear();
  expression_depth_ = 0;
  parse_id(statement);
  statement.place = peek().place;
  parse_body(statement);
  if (!std::exchange(is_line_ended_, false)) end_statement();
  if (statement.comment.empty()) statement.comment = std::exchange(comments_, {});
  return statement;
}

// what is left on the line, and the comment behind it
void FileParser::end_statement() {
  if (!is_at_end_of_statement())
    error_here(fmt::format("{} is one too many here; a statement ends with its line", token_text(peek())));
  skip_line();
  collect_comments();
  if (tokens_[at_].kind == TokenKind::Newline) ++at_;
}

// the comment of a line inside a block statement, such as that behind IF or ELSE
std::string FileParser::take_line_comment() {
  end_statement();
  is_recovering_ = false;
  return std::exchange(comments_, {});
}

void FileParser::parse_id(Statement& statement) {
  const bool is_angle =
      is_symbol("<") && peek(1).kind == TokenKind::Number && is_all_digits(peek(1).text) && is_symbol(">", 2);
  if (is_angle) {
    take();
    statement.id = fmt::format("<{}>", take().text);
    take();
  } else if (peek().kind == TokenKind::Name && is_command_id(peek().text) &&
             peek(1).kind == TokenKind::Name) {
    statement.id = upper(take().text);
  }
}

void FileParser::parse_body(Statement& statement) {
  using Parse = void (FileParser::*)(Statement&);
  static const std::map<std::string, Parse, std::less<>> kParsers{
      {"STOP", &FileParser::parse_ending},
      {"FAIL", &FileParser::parse_ending},
      {"PAUSE", &FileParser::parse_ending},
      {"WAIT", &FileParser::parse_wait},
      {"SET", &FileParser::parse_output},
      {"RESET", &FileParser::parse_output},
      {"PULSE", &FileParser::parse_output},
      {"GRIPPER", &FileParser::parse_gripper},
      {"PRINT", &FileParser::parse_print},
      {"TOOL", &FileParser::parse_frame},
      {"FRAME", &FileParser::parse_frame},
      {"UNITS", &FileParser::parse_units_statement},
      {"SPEED", &FileParser::parse_speed},
      {"ACC", &FileParser::parse_speed},
      {"BLEND", &FileParser::parse_blend},
      {"PAYLOAD", &FileParser::parse_payload},
      {"ON", &FileParser::parse_on},
      {"CALL", &FileParser::parse_call_statement},
      {"RETURN", &FileParser::parse_return},
      {"BREAK", &FileParser::parse_loop_jump},
      {"CONTINUE", &FileParser::parse_loop_jump},
      {"INCLUDE", &FileParser::parse_include},
      {"IF", &FileParser::parse_if},
      {"WHILE", &FileParser::parse_while},
      {"FOR", &FileParser::parse_for},
      {"SUB", &FileParser::parse_sub}};
  const Token token = peek();
  if (token.kind != TokenKind::Name) {
    error_here(fmt::format("{} cannot begin a statement; a command such as MOVEL or a name is wanted",
                           token_text(token)));
    return;
  }
  if (is_symbol("=", 1)) return is_reserved(token.text) ? parse_unknown(token) : parse_assignment(statement);
  if (const auto motion = motion_from_word(token.text)) {
    take();
    return parse_move(statement, *motion);
  }
  if (const auto found = kParsers.find(upper(token.text)); found != kParsers.end())
    return (this->*found->second)(statement);
  if (take_word("OFF")) {
    statement.body = OffStatement{};
    return;
  }
  parse_unknown(token);
}

void FileParser::parse_unknown(const Token& token) {
  const std::string word = upper(token.text);
  if (is_symbol("=", 1)) {
    error_here(fmt::format("'{}' is a word of the language and cannot be a variable; choose another name",
                           token.text));
    return;
  }
  if (is_symbol("(", 1) && find_word(token.text) == nullptr) {
    error_here(fmt::format("to run the SUB '{0}', write CALL {0}(…)", token.text));
    return;
  }
  std::vector<std::string> candidates = all_motion_words();
  for (const WordKind kind : {WordKind::Command, WordKind::Structure}) {
    for (std::string& text : words_of(kind)) candidates.push_back(std::move(text));
  }
  error_here(fmt::format("there is no command '{}'{}; the reference page of the language lists all",
                         shown(token.text), did_you_mean(word, candidates)));
}

std::string FileParser::parse_new_name(std::string_view what) {
  const Token& token = peek();
  if (token.kind != TokenKind::Name) {
    error_here(fmt::format("the name of {} is missing; {} stands there", what, token_text(token)));
    return {};
  }
  if (is_reserved(token.text) || motion_from_word(token.text)) {
    error_here(fmt::format("'{}' is a word of the language and cannot name {}; choose another name",
                           token.text, what));
    return {};
  }
  return take().text;
}

std::string FileParser::parse_brace(std::string_view what) {
  if (peek().kind == TokenKind::Brace) return take().text;
  error_here(fmt::format("the name of {0} is missing; write it between braces, as in {1} {{name}}", what,
                         upper(what.substr(what.rfind(' ') + 1))));
  return {};
}

ParsedProgram parse_program(std::string_view text, std::string name, const IncludeReader& reader) {
  ParserShared shared;
  shared.reader = &reader;
  // Windows editors begin a file with this
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  shared.program.files.push_back({std::move(name), {}});
  shared.open_files.push_back(shared.program.files[0].name);
  FileParser parser(split_into_tokens(text, 0, shared.findings), 0, shared);
  Block statements = parser.parse_file();
  shared.program.files[0].statements = std::move(statements);
  shared.findings.sort();
  return {std::move(shared.program), std::move(shared.findings)};
}

std::vector<std::string> Program::file_names() const {
  std::vector<std::string> names;
  for (const SourceFile& file : files) names.push_back(file.name);
  return names;
}

}  // namespace sinew::language

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/lexer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace sinew::language {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}
bool is_inside_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// the words of one line
class LineLexer {
 public:
  LineLexer(std::string_view line, Place place, FindingList& findings, std::vector<Token>& tokens)
      : line_(line), place_(place), findings_(findings), tokens_(tokens) {}

  void run() {
    while (at_ < line_.size()) {
      const char c = line_[at_];
      if (is_blank(c)) {
        ++at_;
        has_blank_ = true;
        continue;
      }
      take(c);
      has_blank_ = false;
    }
  }

 private:
  void take(char c) {
    const bool is_fraction =
        c == '.' && at_ + 1 < line_.size() && is_digit(line_[at_ + 1]) && !follows_name();
    if (is_digit(c) || is_fraction) return take_number();
    if (is_letter(c)) return take_name();
    if (c == '"') return take_text();
    if (c == '{') return take_brace();
    if (c == '#') {
      push(TokenKind::Comment, std::string(trimmed(line_.substr(at_ + 1))));
      at_ = line_.size();
      return;
    }
    take_symbol(c);
  }

  bool follows_name() const {
    return !has_blank_ && !tokens_.empty() && tokens_.back().kind == TokenKind::Name &&
           tokens_.back().place.line == place_.line;
  }

  Place here() const {
    std::uint32_t column = 1;
    for (std::size_t i = 0; i < at_; ++i) column += is_inside_character(line_[i]) ? 0 : 1;
    return {place_.file, place_.line, column};
  }

  void push(TokenKind kind, std::string text, double number = 0.0) {
    tokens_.push_back({kind, here(), std::move(text), number, has_blank_});
  }

  void take_number() {
    std::size_t end = at_;
    while (end < line_.size() && is_digit(line_[end])) ++end;
    if (end < line_.size() && line_[end] == '.') ++end;
    while (end < line_.size() && is_digit(line_[end])) ++end;
    if (const auto exponent = end_of_exponent(end)) end = *exponent;
    const std::string_view text = line_.substr(at_, end - at_);
    double number = 0.0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || rest != text.data() + text.size() || !std::isfinite(number)) {
      findings_.error(here(), fmt::format("the number {} is too large or too small; the largest is 1.8e308",
                                          shown(text)));
      number = 0.0;
    }
    push(TokenKind::Number, std::string(text), number);
    at_ = end;
    refuse_letter_after_number(text);
  }

  // "20mm" is a number and a unit that belong elsewhere
  void refuse_letter_after_number(std::string_view number) {
    if (at_ >= line_.size() || !is_letter(line_[at_])) return;
    findings_.error(here(),
                    fmt::format("a letter follows the number {} directly; put a blank between them, and "
                                "units into the units field, as in (mm,deg,s)",
                                shown(number)));
    while (at_ < line_.size() && (is_letter(line_[at_]) || is_digit(line_[at_]))) ++at_;
  }

  std::optional<std::size_t> end_of_exponent(std::size_t at) const {
    if (at >= line_.size() || (line_[at] != 'e' && line_[at] != 'E')) return {};
    std::size_t digits = at + 1;
    if (digits < line_.size() && (line_[digits] == '+' || line_[digits] == '-')) ++digits;
    std::size_t end = digits;
    while (end < line_.size() && is_digit(line_[end])) ++end;
    return end > digits ? std::optional(end) : std::nullopt;
  }

  void take_name() {
    std::size_t end = at_;
    while (end < line_.size() && (is_letter(line_[end]) || is_digit(line_[end]))) ++end;
    std::string_view name = line_.substr(at_, end - at_);
    if (name.size() > kMostNameBytes) {
      findings_.error(here(), fmt::format("the name '{}' has {} characters; {} are the most", shown(name),
                                          name.size(), kMostNameBytes));
      name = name.substr(0, kMostNameBytes);
    }
    push(TokenKind::Name, std::string(name));
    at_ = end;
  }

  void take_text() {
    std::string text;
    std::size_t end = at_ + 1;
    for (; end < line_.size() && line_[end] != '"'; ++end) {
      const bool is_escape = line_[end] == '\\' && end + 1 < line_.size();
      if (is_escape) ++end;
      text += is_escape && line_[end] == 'n' ? '\n' : line_[end];
    }
    if (end >= line_.size())
      findings_.error(here(), "the text has no end; close it with \" on the same line");
    push(TokenKind::Text, std::move(text));
    at_ = std::min(end + 1, line_.size());
  }

  void take_brace() {
    const std::size_t end = line_.find('}', at_);
    const std::string_view inside =
        end == std::string_view::npos ? line_.substr(at_ + 1) : line_.substr(at_ + 1, end - at_ - 1);
    std::string_view name = trimmed(inside);
    if (end == std::string_view::npos) {
      findings_.error(here(), "the name has no end; close it with } on the same line");
    } else if (name.empty()) {
      findings_.error(here(), "there is no name between { and }; write one, as in {TCP}");
    }
    if (name.size() > kMostNameBytes) {
      findings_.error(here(), fmt::format("the name '{}' has {} characters; {} are the most", shown(name),
                                          name.size(), kMostNameBytes));
      name = name.substr(0, kMostNameBytes);
    }
    push(TokenKind::Brace, std::string(name));
    at_ = end == std::string_view::npos ? line_.size() : end + 1;
  }

  void take_symbol(char c) {
    constexpr std::array<std::string_view, 5> kPairs{"==", "!=", "<>", "<=", ">="};
    for (const std::string_view pair : kPairs) {
      if (!line_.substr(at_).starts_with(pair)) continue;
      push(TokenKind::Symbol, pair == "<>" ? "!=" : std::string(pair));
      at_ += 2;
      return;
    }
    if (std::string_view("=<>+-*/^%()[],;.").find(c) != std::string_view::npos) {
      push(TokenKind::Symbol, std::string(1, c));
      ++at_;
      return;
    }
    refuse_character(c);
  }

  void refuse_character(char c) {
    std::size_t end = at_ + 1;
    while (end < line_.size() && is_inside_character(line_[end])) ++end;
    const std::string seen = is_control(c) ? fmt::format("character number {}", static_cast<int>(c))
                                           : fmt::format("'{}'", line_.substr(at_, end - at_));
    findings_.error(here(), fmt::format("{} means nothing here; comments begin with #", seen));
    at_ = end;
  }

  std::string_view line_;
  Place place_;
  FindingList& findings_;
  std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  bool has_blank_ = true;
};

bool is_symbol(const Token& token, std::string_view among) {
  return token.kind == TokenKind::Symbol && among.find(token.text) != std::string_view::npos;
}

// no statement begins with these, so a line that does belongs to the one before
bool continues(const Token& first) {
  return first.kind == TokenKind::Number || first.kind == TokenKind::Brace || is_symbol(first, "+-;,[]()");
}

// the last word of the line before, or null after an empty line
const Token* last_word(const std::vector<Token>& tokens) {
  std::size_t i = tokens.size();
  while (i > 0 && tokens[i - 1].kind == TokenKind::Comment) --i;
  return i > 0 && tokens[i - 1].kind != TokenKind::Newline ? &tokens[i - 1] : nullptr;
}

// behind the last word, where something that is missing would stand
Place end_of(std::string_view line, Place place) {
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  for (const char c : line) place.column += is_inside_character(c) ? 0 : 1;
  return place;
}

void end_line(std::vector<Token>& tokens, const Place& end) {
  if (const Token* last = last_word(tokens); last != nullptr && is_symbol(*last, ";,")) return;
  tokens.push_back({TokenKind::Newline, end, "", 0.0, false});
}

// a newline before a line that continues: taken out again
void join_lines(std::vector<Token>& tokens, std::size_t line_begin) {
  if (line_begin == 0 || line_begin >= tokens.size() || !continues(tokens[line_begin])) return;
  if (tokens[line_begin - 1].kind != TokenKind::Newline) return;
  const bool has_line_before = line_begin >= 2 && tokens[line_begin - 2].kind != TokenKind::Newline;
  if (!has_line_before) return;
  tokens[line_begin].has_blank_before = true;
  tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(line_begin) - 1);
}

}  // namespace

std::vector<Token> split_into_tokens(std::string_view text, std::uint32_t file, FindingList& findings) {
  std::vector<Token> tokens;
  Place place{file, 1, 1};
  if (text.size() > kMostFileBytes) {
    findings.error({file, 0, 0},
                   fmt::format("the file has {} bytes; {} are the most: split it and INCLUDE the parts",
                               text.size(), kMostFileBytes));
    text = {};
  }
  while (!text.empty() && !findings.is_full()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.size() > kMostLineBytes) {
      findings.error(place,
                     fmt::format("the line has {} bytes; {} are the most: a move may go on in the next line "
                                 "after a ';'",
                                 line.size(), kMostLineBytes));
      line = {};
    }
    const std::size_t begin = tokens.size();
    LineLexer(line, place, findings, tokens).run();
    join_lines(tokens, begin);
    end_line(tokens, end_of(line, place));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++place.line;
  }
  tokens.push_back({TokenKind::Newline, place, "", 0.0, false});
  tokens.push_back({TokenKind::End, place, "", 0.0, false});
  return tokens;
}

}  // namespace sinew::language

// SPDX-License-Identifier: BSD-3-Clause
// Expressions, from the weakest operator to the strongest.
#include <algorithm>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/language/parser_state.h"

namespace sinew::language {
namespace {

Expression binary(std::string_view op, const Place& place, Expression left, Expression right) {
  Expression result{ExpressionKind::Binary, place, std::string(op), 0.0, {}};
  result.operands.push_back(std::move(left));
  result.operands.push_back(std::move(right));
  return result;
}

Expression unary(std::string_view op, const Place& place, Expression operand) {
  Expression result{ExpressionKind::Unary, place, std::string(op), 0.0, {}};
  result.operands.push_back(std::move(operand));
  return result;
}

// a chain such as a + b + c is a tree as deep as it is long, so it is bounded like brackets
constexpr int kMostChain = 200;

}  // namespace

Expression FileParser::too_deep() {
  error_here(fmt::format("the expression is more than {} brackets deep; give parts of it a name",
                         kMostExpressionDepth));
  return {};
}

Expression FileParser::too_long() {
  error_here(fmt::format("the expression has more than {} operators; give parts of it a name", kMostChain));
  return {};
}

Expression FileParser::parse_expression() {
  if (expression_depth_ >= kMostExpressionDepth) return too_deep();
  if (expression_depth_ == 0) chain_ = 0;
  ++expression_depth_;
  Expression left = parse_and();
  while (is_word("OR") && !is_recovering_) {
    if (++chain_ > kMostChain) return too_long();
    const Place place = take().place;
    left = binary("OR", place, std::move(left), parse_and());
  }
  --expression_depth_;
  if (is_symbol("=")) error_here("'=' gives a variable its value; to compare, write '=='");
  return left;
}

Expression FileParser::parse_and() {
  Expression left = parse_not();
  while (is_word("AND") && !is_recovering_) {
    if (++chain_ > kMostChain) return too_long();
    const Place place = take().place;
    left = binary("AND", place, std::move(left), parse_not());
  }
  return left;
}

Expression FileParser::parse_not() {
  if (!is_word("NOT")) return parse_comparison();
  if (expression_depth_ >= kMostExpressionDepth) return too_deep();
  const Place place = take().place;
  ++expression_depth_;
  Expression result = unary("NOT", place, parse_not());
  --expression_depth_;
  return result;
}

Expression FileParser::parse_comparison() {
  Expression left = parse_sum();
  for (const std::string_view op : {"==", "!=", "<=", ">=", "<", ">"}) {
    if (!is_symbol(op)) continue;
    const Place place = take().place;
    Expression result = binary(op, place, std::move(left), parse_sum());
    for (const std::string_view next : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (is_symbol(next)) error_here("comparisons cannot be chained; write a < b AND b < c");
    }
    return result;
  }
  return left;
}

Expression FileParser::parse_sum() {
  Expression left = parse_product();
  while ((is_symbol("+") || is_symbol("-")) && !is_recovering_) {
    if (++chain_ > kMostChain) return too_long();
    const Token token = take();
    left = binary(token.text, token.place, std::move(left), parse_product());
  }
  return left;
}

Expression FileParser::parse_product() {
  Expression left = parse_sign();
  while ((is_symbol("*") || is_symbol("/") || is_word("MOD")) && !is_recovering_) {
    if (++chain_ > kMostChain) return too_long();
    const Token token = take();
    left = binary(upper(token.text), token.place, std::move(left), parse_sign());
  }
  return left;
}

Expression FileParser::parse_sign() {
  if (!is_symbol("-") && !is_symbol("+")) return parse_power();
  if (expression_depth_ >= kMostExpressionDepth) return too_deep();
  const Token token = take();
  ++expression_depth_;
  Expression result = unary(token.text, token.place, parse_sign());
  --expression_depth_;
  return result;
}

// binds stronger than a sign before it, weaker than one behind it: -2^-2 is -(2^(-2))
Expression FileParser::parse_power() {
  Expression base = parse_primary();
  if (!is_symbol("^") || is_recovering_) return base;
  if (expression_depth_ >= kMostExpressionDepth) return too_deep();
  const Place place = take().place;
  ++expression_depth_;
  Expression result = binary("^", place, std::move(base), parse_sign());
  --expression_depth_;
  return result;
}

Expression FileParser::parse_primary() {
  const Token token = peek();
  if (token.kind == TokenKind::Number) {
    take();
    return {ExpressionKind::Number, token.place, token.text, token.number, {}};
  }
  if (token.kind == TokenKind::Text) {
    take();
    return {ExpressionKind::Text, token.place, token.text, 0.0, {}};
  }
  if (take_symbol("(")) {
    Expression group{ExpressionKind::Group, token.place, "", 0.0, {}};
    group.operands.push_back(parse_expression());
    expect_symbol(")", "at the end of the expression");
    return parse_part(std::move(group));
  }
  if (token.kind == TokenKind::Name) {
    const Word* word = find_word(token.text);
    // a function's name without a bracket is a variable
    const bool is_plain = word == nullptr || (word->kind == WordKind::Function && !is_symbol("(", 1));
    if (!is_plain) return parse_word_primary(token, *word);
    take();
    return parse_part({ExpressionKind::Variable, token.place, token.text, 0.0, {}});
  }
  if (token.kind == TokenKind::Brace) {
    error_here(fmt::format("{{{}}} needs a word that says what it is: IN, AIN or POINT", shown(token.text)));
  } else {
    error_here("a value is missing here; write a number, a name or a function");
  }
  return {};
}

Expression FileParser::parse_word_primary(const Token& token, const Word& word) {
  if (word.kind == WordKind::Constant) {
    take();
    return {ExpressionKind::Constant, token.place, std::string(word.text), 0.0, {}};
  }
  if (word.kind == WordKind::Source) return parse_source(token);
  if (word.kind == WordKind::Function) {
    take();
    Expression call{ExpressionKind::Call, token.place, std::string(word.text), 0.0, {}};
    call.operands = parse_arguments(word.text);
    return parse_part(std::move(call));
  }
  if (word.text == "CALL") {
    error_here("a CALL stands alone, as in x = CALL part(1); its result may then be used");
  } else {
    error_here(
        fmt::format("'{}' is a word of the language and cannot be a value here; write a number, a name or a "
                    "function",
                    token.text));
  }
  return {};
}

// IN {part}, IN 3, AIN {pressure}, POINT {home}
Expression FileParser::parse_source(const Token& token) {
  const std::string word = upper(take().text);
  Expression source{ExpressionKind::Source, token.place, word, 0.0, {}};
  if (word == "POINT") {
    Expression name{ExpressionKind::Name, peek().place, "", 0.0, {}};
    name.text = parse_brace("the point");
    source.operands.push_back(std::move(name));
    return parse_part(std::move(source));
  }
  source.operands.push_back(parse_outside_name("an input"));
  return source;
}

// {name}, or its number
Expression FileParser::parse_outside_name(std::string_view what) {
  const Token token = peek();
  if (token.kind == TokenKind::Brace) {
    take();
    return {ExpressionKind::Name, token.place, token.text, 0.0, {}};
  }
  if (token.kind == TokenKind::Number || is_symbol("(")) return parse_primary();
  error_here(fmt::format("the name or number of {} is missing, as in {{door}} or 3", what));
  return {};
}

// p.x
Expression FileParser::parse_part(Expression whole) {
  if (!is_symbol(".")) return whole;
  take();
  static const std::vector<std::string> kParts{"x", "y", "z", "roll", "pitch", "yaw"};
  const Token token = peek();
  const bool is_known =
      token.kind == TokenKind::Name && std::find(kParts.begin(), kParts.end(), token.text) != kParts.end();
  if (!is_known) {
    error_here(fmt::format("a pose has no part '{}'{}; there are {}", shown(token.text),
                           did_you_mean(token.text, kParts), "x, y, z, roll, pitch, yaw"));
    return whole;
  }
  take();
  Expression part{ExpressionKind::Part, token.place, token.text, 0.0, {}};
  part.operands.push_back(std::move(whole));
  return part;
}

}  // namespace sinew::language

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "sinew/model/text_input.h"

namespace sinew {
namespace {

constexpr std::size_t kMostCharacters = 10'000;
constexpr int kMostNesting = 50;
constexpr std::size_t kMostTextLength = 1'000;
constexpr std::size_t kMostPrinted = 10'000;

struct Function {
  std::string_view name;
  std::size_t least;
  std::size_t most;
  double (*call)(const std::vector<double>&);
};

double least_of(const std::vector<double>& a) {
  return *std::min_element(a.begin(), a.end());
}
double greatest_of(const std::vector<double>& a) {
  return *std::max_element(a.begin(), a.end());
}

constexpr Function kFunctions[] = {
    {"sin", 1, 1, [](const std::vector<double>& a) { return std::sin(a[0]); }},
    {"cos", 1, 1, [](const std::vector<double>& a) { return std::cos(a[0]); }},
    {"tan", 1, 1, [](const std::vector<double>& a) { return std::tan(a[0]); }},
    {"asin", 1, 1, [](const std::vector<double>& a) { return std::asin(a[0]); }},
    {"acos", 1, 1, [](const std::vector<double>& a) { return std::acos(a[0]); }},
    {"atan", 1, 1, [](const std::vector<double>& a) { return std::atan(a[0]); }},
    {"atan2", 2, 2, [](const std::vector<double>& a) { return std::atan2(a[0], a[1]); }},
    {"sqrt", 1, 1, [](const std::vector<double>& a) { return std::sqrt(a[0]); }},
    {"abs", 1, 1, [](const std::vector<double>& a) { return std::abs(a[0]); }},
    {"radians", 1, 1, [](const std::vector<double>& a) { return a[0] * std::numbers::pi / 180.0; }},
    {"degrees", 1, 1, [](const std::vector<double>& a) { return a[0] * 180.0 / std::numbers::pi; }},
    {"min", 1, 16, least_of},
    {"max", 1, 16, greatest_of},
    {"pow", 2, 2, [](const std::vector<double>& a) { return std::pow(a[0], a[1]); }},
    {"floor", 1, 1, [](const std::vector<double>& a) { return std::floor(a[0]); }},
    {"ceil", 1, 1, [](const std::vector<double>& a) { return std::ceil(a[0]); }},
    {"round", 1, 1, [](const std::vector<double>& a) { return std::nearbyint(a[0]); }},
    {"int", 1, 1, [](const std::vector<double>& a) { return std::trunc(a[0]); }},
    {"float", 1, 1, [](const std::vector<double>& a) { return a[0]; }},
};

bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_name_part(char c) {
  return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}

// Recursive descent, one function per level of binding, loosest first. After the first error everything
// returns at once.
class Evaluation {
 public:
  Evaluation(std::string_view text, const NameLookup& lookup, const YamlLoader& loader)
      : text_(text), lookup_(lookup), loader_(loader) {}

  Result<ExpressionValue> run() {
    if (text_.size() > kMostCharacters) return Error{ErrorCode::OutOfLimits, "the expression is too long"};
    ExpressionValue value = conditional();
    skip_blanks();
    if (!error_ && at_ != text_.size()) fail(fmt::format("'{}' is not understood", shown(text_.substr(at_))));
    if (error_) return *error_;
    return value;
  }

 private:
  void fail(std::string message) {
    if (!error_) error_ = Error{ErrorCode::InvalidInput, std::move(message)};
    at_ = text_.size();
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool accept(std::string_view token) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(token)) return false;
    const std::size_t end = at_ + token.size();
    // a word must end where the name does
    if (is_name_start(token[0]) && end < text_.size() && is_name_part(text_[end])) return false;
    at_ = end;
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) fail(fmt::format("'{}' is missing", token));
  }

  double number(const ExpressionValue& value) {
    if (const bool* truth = std::get_if<bool>(&value)) return *truth ? 1.0 : 0.0;
    if (const double* number = std::get_if<double>(&value)) return *number;
    const bool is_text = std::holds_alternative<std::string>(value);
    fail(fmt::format("the {} '{}' is not a number", is_text ? "text" : "list or map",
                     shown(value_text(value))));
    return 0.0;
  }

  ExpressionValue finite(double value) {
    if (!std::isfinite(value)) fail("the result is not a finite number");
    return value;
  }

  ExpressionValue conditional() {
    if (++depth_ > kMostNesting) fail(fmt::format("it is nested more than {} deep", kMostNesting));
    ExpressionValue value = error_ ? ExpressionValue(0.0) : disjunction();
    if (accept("if")) {
      const bool is_chosen = is_true(disjunction());
      expect("else");
      ExpressionValue other = conditional();
      if (!is_chosen) value = std::move(other);
    }
    --depth_;
    return value;
  }

  ExpressionValue disjunction() {
    ExpressionValue value = conjunction();
    while (accept("or")) {
      ExpressionValue right = conjunction();
      if (!is_true(value)) value = std::move(right);
    }
    return value;
  }

  ExpressionValue conjunction() {
    ExpressionValue value = negation();
    while (accept("and")) {
      ExpressionValue right = negation();
      if (is_true(value)) value = std::move(right);
    }
    return value;
  }

  ExpressionValue negation() {
    bool is_negated = false;
    bool has_not = false;
    while (accept("not")) {
      is_negated = !is_negated;
      has_not = true;
    }
    ExpressionValue value = comparison();
    return has_not ? ExpressionValue(is_true(value) != is_negated) : value;
  }

  bool compare(const ExpressionValue& left, std::string_view op, const ExpressionValue& right) {
    const auto* a = std::get_if<std::string>(&left);
    const auto* b = std::get_if<std::string>(&right);
    if (value_depth(left) > 0 || value_depth(right) > 0) {
      fail("lists and maps are not compared");
      return false;
    }
    if ((a == nullptr) != (b == nullptr)) {
      if (op != "==" && op != "!=") fail("a text and a number have no order");
      return op == "!=";
    }
    const auto holds = [&](const auto& x, const auto& y) {
      if (op == "==") return x == y;
      if (op == "!=") return x != y;
      if (op == "<=") return x <= y;
      if (op == ">=") return x >= y;
      return op == "<" ? x < y : x > y;
    };
    return a != nullptr ? holds(*a, *b) : holds(number(left), number(right));
  }

  bool contains(const ExpressionValue& whole, const ExpressionValue& part) {
    const auto* text = std::get_if<std::string>(&part);
    if (const auto* in = std::get_if<std::string>(&whole)) {
      if (text == nullptr) fail("only a text is in a text");
      return text != nullptr && in->find(*text) != std::string::npos;
    }
    if (const auto* list = std::get_if<std::shared_ptr<const ExpressionList>>(&whole)) {
      return std::any_of((*list)->items.begin(), (*list)->items.end(),
                         [&](const ExpressionValue& item) { return compare(item, "==", part); });
    }
    if (!std::holds_alternative<std::shared_ptr<const ExpressionMap>>(whole))
      fail("'in' wants a list, a map or a text");
    return text != nullptr && entry_of(whole, *text) != nullptr;
  }

  ExpressionValue comparison() {
    ExpressionValue value = sum();
    if (accept("in")) return contains(sum(), value);
    constexpr std::array<std::string_view, 6> kOperators{"==", "!=", "<=", ">=", "<", ">"};
    for (bool goes_on = true; goes_on && !error_;) {
      goes_on = false;
      for (const std::string_view op : kOperators) {
        if (!accept(op)) continue;
        value = compare(value, op, sum());
        goes_on = true;
        break;
      }
    }
    return value;
  }

  ExpressionValue added(const ExpressionValue& left, const ExpressionValue& right) {
    const auto* a = std::get_if<std::string>(&left);
    const auto* b = std::get_if<std::string>(&right);
    if (a == nullptr || b == nullptr) return finite(number(left) + number(right));
    if (a->size() + b->size() > kMostTextLength) fail("the text is too long");
    return error_ ? ExpressionValue(0.0) : *a + *b;
  }

  ExpressionValue sum() {
    ExpressionValue value = product();
    while (!error_) {
      if (accept("+")) {
        value = added(value, product());
      } else if (accept("-")) {
        value = finite(number(value) - number(product()));
      } else {
        break;
      }
    }
    return value;
  }

  double divisor(const ExpressionValue& value) {
    const double result = number(value);
    if (result == 0.0) fail("it divides by zero");
    return result;
  }

  ExpressionValue product() {
    ExpressionValue value = sign();
    while (!error_) {
      skip_blanks();
      if (accept("*")) {
        value = finite(number(value) * number(sign()));
      } else if (accept("//")) {
        value = finite(std::floor(number(value) / divisor(sign())));
      } else if (accept("/")) {
        value = finite(number(value) / divisor(sign()));
      } else if (accept("%")) {
        const double right = divisor(sign());
        const double left = number(value);
        // as in Python, the sign is the divisor's
        value = finite(left - right * std::floor(left / right));
      } else {
        break;
      }
    }
    return value;
  }

  ExpressionValue sign() {
    double factor = 1.0;
    bool has_sign = false;
    for (;; has_sign = true) {
      if (accept("-")) {
        factor = -factor;
      } else if (!accept("+")) {
        break;
      }
    }
    ExpressionValue value = power();
    return has_sign ? finite(factor * number(value)) : value;
  }

  // binds tighter than a sign on its left, and to the right
  ExpressionValue power() {
    ExpressionValue base = postfix();
    if (!accept("**")) return base;
    if (++depth_ > kMostNesting) fail(fmt::format("it is nested more than {} deep", kMostNesting));
    const double exponent = error_ ? 0.0 : number(sign());
    --depth_;
    return finite(std::pow(number(base), exponent));
  }

  // `[…]` and `.name` after a value
  ExpressionValue postfix() {
    ExpressionValue value = primary();
    while (!error_) {
      skip_blanks();
      if (accept("[")) {
        const ExpressionValue index = conditional();
        expect("]");
        value = item(value, index);
      } else if (at_ + 1 < text_.size() && text_[at_] == '.' && is_name_start(text_[at_ + 1])) {
        std::size_t end = ++at_;
        while (end < text_.size() && is_name_part(text_[end]) && text_[end] != '.') ++end;
        value = item(value, std::string(text_.substr(at_, end - at_)));
        at_ = error_ ? text_.size() : end;
      } else {
        break;
      }
    }
    return value;
  }

  ExpressionValue item(const ExpressionValue& whole, const ExpressionValue& index) {
    if (error_) return 0.0;
    if (const auto* list = std::get_if<std::shared_ptr<const ExpressionList>>(&whole)) {
      const auto size = static_cast<double>((*list)->items.size());
      double at = number(index);
      if (at < 0.0) at += size;
      if (!error_ && at >= 0.0 && at < size && at == std::floor(at))
        return (*list)->items[static_cast<std::size_t>(at)];
      fail(fmt::format("the list has no item {}: it has {}", shown(value_text(index)), size));
      return 0.0;
    }
    const auto* key = std::get_if<std::string>(&index);
    if (!std::holds_alternative<std::shared_ptr<const ExpressionMap>>(whole)) {
      fail(fmt::format("'{}' is neither a list nor a map", shown(value_text(whole))));
      return 0.0;
    }
    const ExpressionValue* found = key != nullptr ? entry_of(whole, *key) : nullptr;
    if (found != nullptr) return *found;
    fail(fmt::format("the map has no '{}'", shown(value_text(index))));
    return 0.0;
  }

  ExpressionValue shallow(ExpressionValue value) {
    if (value_depth(value) <= kMostValueDepth) return value;
    fail(fmt::format("lists and maps lie more than {} deep in each other", kMostValueDepth));
    return 0.0;
  }

  ExpressionValue list_literal() {
    std::vector<ExpressionValue> items;
    while (!error_ && !accept("]")) {
      if (!items.empty()) expect(",");
      if (accept("]")) break;
      items.push_back(conditional());
    }
    return error_ ? ExpressionValue(0.0) : shallow(list_value(std::move(items)));
  }

  ExpressionValue map_literal() {
    std::vector<std::pair<std::string, ExpressionValue>> entries;
    while (!error_ && !accept("}")) {
      if (!entries.empty()) expect(",");
      if (accept("}")) break;
      const ExpressionValue key = conditional();
      expect(":");
      entries.emplace_back(value_text(key), conditional());
    }
    return error_ ? ExpressionValue(0.0) : shallow(map_value(std::move(entries)));
  }

  ExpressionValue primary() {
    skip_blanks();
    if (at_ >= text_.size()) {
      fail("a value is missing");
      return 0.0;
    }
    const char c = text_[at_];
    if (accept("(")) {
      ExpressionValue value = conditional();
      expect(")");
      return value;
    }
    if (accept("[")) return list_literal();
    if (accept("{")) return map_literal();
    if (c == '\'' || c == '"') return quoted_text(c);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return literal();
    if (is_name_start(c)) return named();
    fail(fmt::format("'{}' is not understood", shown(text_.substr(at_))));
    return 0.0;
  }

  ExpressionValue quoted_text(char quote) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) {
      fail("a quote is not closed");
      return 0.0;
    }
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  ExpressionValue literal() {
    std::size_t end = at_;
    while (end < text_.size() &&
           (std::isdigit(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '.'))
      ++end;
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
      while (exponent < text_.size() && std::isdigit(static_cast<unsigned char>(text_[exponent])) != 0)
        end = ++exponent;
    }
    const auto value = parse_number(text_.substr(at_, end - at_));
    if (!value) fail(fmt::format("'{}' is not a finite number", shown(text_.substr(at_, end - at_))));
    at_ = error_ ? text_.size() : end;
    return value.value_or(0.0);
  }

  ExpressionValue named() {
    std::size_t end = at_;
    while (end < text_.size() && is_name_part(text_[end])) ++end;
    std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    while (end < text_.size() && std::isspace(static_cast<unsigned char>(text_[end])) != 0) ++end;
    if (end < text_.size() && text_[end] == '(') return call(name);
    if (name == "True" || name == "true") return true;
    if (name == "False" || name == "false") return false;
    // the longest part that is a name; the rest are entries of its map
    for (std::string_view part = name; !part.empty();) {
      auto found = lookup_(part);
      if (!found) {
        fail(found.error().message);
        return 0.0;
      }
      if (*found) {
        at_ -= name.size() - part.size();
        return **found;
      }
      const std::size_t dot = part.rfind('.');
      part = dot == std::string_view::npos ? std::string_view() : part.substr(0, dot);
    }
    if (name == "pi") return std::numbers::pi;
    fail(fmt::format("'{}' is not defined", shown(name)));
    return 0.0;
  }

  ExpressionValue call(std::string_view name) {
    std::vector<ExpressionValue> arguments;
    expect("(");
    while (!error_ && !accept(")")) {
      if (!arguments.empty()) expect(",");
      arguments.push_back(conditional());
    }
    if (error_) return 0.0;
    if (name.starts_with("math.")) name.remove_prefix(5);
    if (name == "str" && arguments.size() == 1) return value_text(arguments[0]);
    if ((name == "load_yaml" || name == "xacro.load_yaml") && arguments.size() == 1)
      return loaded(arguments[0]);
    if (name == "len" && arguments.size() == 1 && value_depth(arguments[0]) > 0) return size_of(arguments[0]);
    if (name == "len" && arguments.size() == 1 && std::holds_alternative<std::string>(arguments[0])) {
      return static_cast<double>(std::get<std::string>(arguments[0]).size());
    }
    std::vector<double> numbers;
    for (const ExpressionValue& argument : arguments) {
      const auto* text = std::get_if<std::string>(&argument);
      const auto parsed =
          text != nullptr && (name == "float" || name == "int") ? parse_number(*text) : std::nullopt;
      numbers.push_back(parsed ? *parsed : number(argument));
    }
    for (const Function& function : kFunctions) {
      if (function.name != name || error_) continue;
      if (numbers.size() >= function.least && numbers.size() <= function.most)
        return finite(function.call(numbers));
      fail(fmt::format("'{}' takes {} values, not {}", name, function.least, numbers.size()));
    }
    fail(fmt::format("there is no function '{}'", shown(name)));
    return 0.0;
  }

  ExpressionValue loaded(const ExpressionValue& file) {
    const auto* name = std::get_if<std::string>(&file);
    if (name == nullptr || !loader_) {
      fail("load_yaml() wants the name of a file");
      return 0.0;
    }
    auto value = loader_(*name);
    if (value) return shallow(std::move(*value));
    fail(value.error().message);
    return 0.0;
  }

  static double size_of(const ExpressionValue& value) {
    if (const auto* list = std::get_if<std::shared_ptr<const ExpressionList>>(&value))
      return static_cast<double>((*list)->items.size());
    return static_cast<double>(std::get<std::shared_ptr<const ExpressionMap>>(value)->entries.size());
  }

  std::string_view text_;
  const NameLookup& lookup_;
  const YamlLoader& loader_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<Error> error_;
};

// As Python prints it, cut where it gets too long: a small file can say a very long list.
void append_value(const ExpressionValue& value, bool is_inside, std::string& text) {
  if (text.size() > kMostPrinted) return;
  auto separate = [&text, is_first = true]() mutable {
    if (!is_first) text += ", ";
    is_first = false;
  };
  if (const auto* list = std::get_if<std::shared_ptr<const ExpressionList>>(&value)) {
    text += '[';
    for (const ExpressionValue& item : (*list)->items) {
      separate();
      append_value(item, true, text);
      if (text.size() > kMostPrinted) return;
    }
    text += ']';
  } else if (const auto* map = std::get_if<std::shared_ptr<const ExpressionMap>>(&value)) {
    text += '{';
    for (const auto& [key, entry] : (*map)->entries) {
      separate();
      text += "'" + key + "': ";
      append_value(entry, true, text);
      if (text.size() > kMostPrinted) return;
    }
    text += '}';
  } else if (const auto* word = std::get_if<std::string>(&value)) {
    text += is_inside ? "'" + *word + "'" : *word;
  } else if (const bool* truth = std::get_if<bool>(&value)) {
    text += *truth ? "True" : "False";
  } else {
    text += fmt::format("{}", std::get<double>(value));
  }
}

}  // namespace

Result<ExpressionValue> evaluate(std::string_view expression, const NameLookup& lookup,
                                 const YamlLoader& loader) {
  return Evaluation(expression, lookup, loader).run();
}

ExpressionValue list_value(std::vector<ExpressionValue> items) {
  auto list = std::make_shared<ExpressionList>();
  for (const ExpressionValue& item : items) list->depth = std::max(list->depth, 1 + value_depth(item));
  list->items = std::move(items);
  return std::shared_ptr<const ExpressionList>(std::move(list));
}

ExpressionValue map_value(std::vector<std::pair<std::string, ExpressionValue>> entries) {
  auto map = std::make_shared<ExpressionMap>();
  for (const auto& [key, value] : entries) map->depth = std::max(map->depth, 1 + value_depth(value));
  map->entries = std::move(entries);
  return std::shared_ptr<const ExpressionMap>(std::move(map));
}

int value_depth(const ExpressionValue& value) {
  if (const auto* list = std::get_if<std::shared_ptr<const ExpressionList>>(&value)) return (*list)->depth;
  if (const auto* map = std::get_if<std::shared_ptr<const ExpressionMap>>(&value)) return (*map)->depth;
  return 0;
}

const ExpressionValue* entry_of(const ExpressionValue& map, std::string_view key) {
  const auto* entries = std::get_if<std::shared_ptr<const ExpressionMap>>(&map);
  if (entries == nullptr) return nullptr;
  for (const auto& [name, value] : (*entries)->entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string value_text(const ExpressionValue& value) {
  std::string text;
  append_value(value, false, text);
  return text;
}

bool is_true(const ExpressionValue& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth;
  if (const double* number = std::get_if<double>(&value)) return *number != 0.0;
  if (const auto* text = std::get_if<std::string>(&value)) return !text->empty();
  if (const auto* list = std::get_if<std::shared_ptr<const ExpressionList>>(&value))
    return !(*list)->items.empty();
  return !std::get<std::shared_ptr<const ExpressionMap>>(value)->entries.empty();
}

ExpressionValue value_of_text(std::string_view text) {
  const std::string_view word = trimmed(text);
  if (word == "true" || word == "True") return true;
  if (word == "false" || word == "False") return false;
  if (const auto number = parse_number(text)) return *number;
  return std::string(text);
}

}  // namespace sinew

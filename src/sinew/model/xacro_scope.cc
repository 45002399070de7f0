// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/xacro_scope.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/text_input.h"
#include "sinew/model/yaml.h"

namespace sinew::xacro {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEvaluatedBytes = std::size_t{4} << 20U;
constexpr int kMostTextDepth = 100;

// Where the bracket that opens at `open` closes; npos when it does not. Quotes hide brackets.
std::size_t closing(std::string_view text, std::size_t open, char opening, char close) {
  int depth = 0;
  char quote = '\0';
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (opening == '{' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == opening) {
      ++depth;
    } else if (c == close && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

// No deeper than parse_yaml() allows.
ExpressionValue value_of_yaml(const YamlNode& node) {
  if (node.kind == YamlKind::List) {
    std::vector<ExpressionValue> items;
    for (const YamlNode& child : node.children) items.push_back(value_of_yaml(child));
    return list_value(std::move(items));
  }
  if (node.kind == YamlKind::Map) {
    std::vector<std::pair<std::string, ExpressionValue>> entries;
    for (const YamlNode& child : node.children) entries.emplace_back(child.key, value_of_yaml(child));
    return map_value(std::move(entries));
  }
  return value_of_text(node.text);
}

}  // namespace

Scope& outermost(Scope& scope) {
  Scope* found = &scope;
  while (found->outer != nullptr) found = found->outer;
  return *found;
}

FoundProperty find_property(Scope& scope, std::string_view name) {
  for (Scope* s = &scope; s != nullptr; s = s->outer) {
    const auto found = s->properties.find(name);
    if (found != s->properties.end()) return {.property = &found->second, .scope = s};
    const std::size_t dot = name.find('.');
    const auto inside =
        dot == std::string_view::npos ? s->namespaces.end() : s->namespaces.find(name.substr(0, dot));
    if (inside == s->namespaces.end()) continue;
    const auto own = inside->second->properties.find(name.substr(dot + 1));
    if (own != inside->second->properties.end()) return {.property = &own->second, .scope = inside->second};
    // a file within a file
    Scope* const outer = std::exchange(inside->second->outer, nullptr);
    const FoundProperty deeper = find_property(*inside->second, name.substr(dot + 1));
    inside->second->outer = outer;
    if (deeper.property != nullptr) return deeper;
  }
  return {};
}

bool TextEvaluator::spend(std::size_t bytes, const Place& place) {
  spent_ += bytes;
  if (spent_ <= kMostEvaluatedBytes) return true;
  findings_.refuse(place, fmt::format("more than {} of text come out", bytes_text(kMostEvaluatedBytes)),
                   "a robot has less");
  return false;
}

ExpressionValue TextEvaluator::resolve(const FoundProperty& found) {
  Property& property = *found.property;
  if (property.value) return *property.value;
  if (property.is_resolving || depth_ >= kMostTextDepth) {
    findings_.refuse(
        property.place,
        fmt::format("the property '{}' is defined by itself, or too deeply", shown(property.text)),
        "untie it");
    return 0.0;
  }
  property.is_resolving = true;
  ++depth_;
  ExpressionValue result = value(property.text, property.place, *found.scope);
  --depth_;
  property.is_resolving = false;
  property.value = result;
  return result;
}

ExpressionValue TextEvaluator::expression(std::string_view text, const Place& place, Scope& scope) {
  const NameLookup lookup = [&](std::string_view name) -> Result<std::optional<ExpressionValue>> {
    const FoundProperty found = find_property(scope, name);
    if (found.property == nullptr) return std::optional<ExpressionValue>{};
    ExpressionValue result = resolve(found);
    if (const auto* word = std::get_if<std::string>(&result)) spend(word->size(), place);
    if (findings_.has_error()) return findings_.error();
    return std::optional<ExpressionValue>(std::move(result));
  };
  if (!spend(text.size() + 1, place)) return 0.0;
  // what is written within is put in first, as in '$(arg side)' == 'left'
  std::string filled;
  if (text.find('$') != std::string_view::npos) {
    filled = this->text(text, place, scope);
    text = filled;
  }
  if (findings_.has_error()) return 0.0;
  const YamlLoader loader = [&](std::string_view file) { return load_yaml(file, place); };
  auto result = evaluate(text, lookup, loader);
  if (result) return *result;
  findings_.refuse(place, fmt::format("${{{}}}: {}", shown(text), result.error().message),
                   "mend the expression");
  return 0.0;
}

Result<ExpressionValue> TextEvaluator::load_yaml(std::string_view name, const Place& place) {
  const fs::path file(name);
  const fs::path path = file.is_absolute() ? file : fs::path(place.file).parent_path() / file;
  const auto text = read_text_file(path, *options_.files);
  if (!text) return text.error();
  if (!spend(text->size(), place)) return findings_.error();
  const auto root = parse_yaml(*text, path.string());
  if (!root) return root.error();
  return value_of_yaml(*root);
}

std::string TextEvaluator::package_folder(const std::string& name, const Place& place) {
  for (const fs::path& packages : options_.package_paths) {
    if (options_.files->is_folder(packages / name)) return (packages / name).string();
  }
  std::error_code error;
  fs::path above = fs::absolute(fs::path(place.file), error).parent_path().lexically_normal();
  for (int steps = 0; steps < 64; ++steps) {
    if (above.filename() == name && options_.files->is_folder(above)) return above.string();
    if (options_.files->is_folder(above / name)) return (above / name).string();
    if (above == above.parent_path()) break;
    above = above.parent_path();
  }
  findings_.refuse(place, fmt::format("$(find {}): there is no such package", shown(name)),
                   "name the folder that holds it");
  return {};
}

std::string TextEvaluator::command(std::string_view text, const Place& place, Scope& scope) {
  text = trimmed(text);
  const std::size_t blank = std::min(text.find_first_of(" \t\n"), text.size());
  const std::string_view word = text.substr(0, blank);
  const std::string rest = this->text(trimmed(text.substr(blank)), place, scope);
  if (word == "find" && !rest.empty()) return package_folder(rest, place);
  if (word == "dirname") return fs::path(place.file).parent_path().string();
  if (word == "eval") return value_text(expression(rest, place, scope));
  if (word == "arg") {
    const auto found = arguments_.find(rest);
    if (found != arguments_.end()) return found->second;
    findings_.refuse(place, fmt::format("$(arg {}) has no value", shown(rest)),
                     "give it, or a default by <xacro:arg>");
    return {};
  }
  findings_.refuse(place, fmt::format("$({}) is not known", shown(text)), "use find, arg, eval or dirname");
  return {};
}

std::string TextEvaluator::text(std::string_view text, const Place& place, Scope& scope) {
  if (depth_ >= kMostTextDepth) {
    findings_.refuse(place,
                     fmt::format("brackets and properties are nested more than {} deep", kMostTextDepth),
                     "untie them");
    return {};
  }
  ++depth_;
  std::string result = plain_text(text, place, scope);
  --depth_;
  return findings_.has_error() ? std::string() : result;
}

std::string TextEvaluator::plain_text(std::string_view text, const Place& place, Scope& scope) {
  std::string result;
  while (!findings_.has_error()) {
    const std::size_t dollar = text.find('$');
    result += text.substr(0, dollar);
    if (dollar == std::string_view::npos || !spend(dollar + 1, place)) break;
    text.remove_prefix(dollar);
    // "$${" is how "${" is written
    if (text.starts_with("$${") || text.starts_with("$$(")) {
      result += text.substr(1, 2);
      text.remove_prefix(3);
      continue;
    }
    const char opening = text.size() > 1 ? text[1] : '\0';
    if (opening != '{' && opening != '(') {
      result += '$';
      text.remove_prefix(1);
      continue;
    }
    const std::size_t end = closing(text, 1, opening, opening == '{' ? '}' : ')');
    if (end == std::string_view::npos) {
      findings_.refuse(place, fmt::format("'{}' is not closed", shown(text)),
                       opening == '{' ? "add '}'" : "add ')'");
      break;
    }
    const std::string_view inside = text.substr(2, end - 2);
    result += opening == '{' ? value_text(expression(inside, place, scope)) : command(inside, place, scope);
    spend(result.size(), place);
    text.remove_prefix(end + 1);
  }
  return result;
}

ExpressionValue TextEvaluator::value(std::string_view text, const Place& place, Scope& scope) {
  const std::string_view word = trimmed(text);
  if (word.starts_with("${") && closing(word, 1, '{', '}') == word.size() - 1) {
    return expression(word.substr(2, word.size() - 3), place, scope);
  }
  return value_of_text(this->text(text, place, scope));
}

}  // namespace sinew::xacro

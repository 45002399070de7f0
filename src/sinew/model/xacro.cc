// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/xacro.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/text_input.h"
#include "sinew/model/xacro_scope.h"

namespace sinew {
namespace xacro {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "xacro:";
constexpr std::string_view kAttribute = "xacro:attribute";
constexpr std::string_view kElementName = "xacro:name";
constexpr std::size_t kMostSteps = 200'000;
constexpr int kMostExpansionDepth = 150;
constexpr int kMostIncludes = 256;

enum class ParameterKind { Text, Block, Content };

struct Parameter {
  std::string name;
  ParameterKind kind = ParameterKind::Text;
  std::optional<std::string> fallback;
  bool is_forwarded = false;  // `:=^`: what the caller calls the same
};

struct Macro {
  XmlElement definition;
  std::vector<Parameter> parameters;
  Scope* home = nullptr;  // of a file included with `ns`: its body sees that file's names, not the caller's
  std::string prefix;     // of that file, as in "arm."
};

bool is_xml_name(std::string_view name) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == ':' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
  };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 && name[0] != '-' &&
         name[0] != '.' && std::all_of(name.begin(), name.end(), is_part);
}

// Splits at blanks; quotes and braces keep a default together.
std::vector<std::string> split_parameters(std::string_view text) {
  std::vector<std::string> words(1);
  char quote = '\0';
  int braces = 0;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (quote == '\0' && braces <= 0 && is_blank) {
      if (!words.back().empty()) words.emplace_back();
      continue;
    }
    if (c == '\'' || c == '"') quote = quote == '\0' ? c : (quote == c ? '\0' : quote);
    if (quote == '\0' && (c == '{' || c == '}')) braces += c == '{' ? 1 : -1;
    words.back() += c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

Parameter parse_parameter(std::string_view word) {
  Parameter parameter;
  std::size_t equals = word.find(":=");
  std::size_t skip = 2;
  if (equals == std::string_view::npos) {
    equals = word.find('=');
    skip = 1;
  }
  std::string_view name = word.substr(0, equals);
  if (equals != std::string_view::npos) {
    std::string_view fallback = word.substr(equals + skip);
    if (fallback.starts_with('^')) {
      parameter.is_forwarded = true;
      fallback.remove_prefix(fallback.starts_with("^|") ? 2 : 1);
      if (word.ends_with('^')) fallback = {};
    }
    const bool is_quoted =
        fallback.size() > 1 && (fallback[0] == '\'' || fallback[0] == '"') && fallback.back() == fallback[0];
    if (is_quoted) fallback = fallback.substr(1, fallback.size() - 2);
    if (!word.ends_with('^')) parameter.fallback = std::string(fallback);
  }
  if (name.starts_with("**")) {
    parameter.kind = ParameterKind::Content;
    name.remove_prefix(2);
  } else if (name.starts_with('*')) {
    parameter.kind = ParameterKind::Block;
    name.remove_prefix(1);
  }
  parameter.name = std::string(name);
  return parameter;
}

class Expander {
 public:
  Expander(const XacroOptions& options, Findings& findings)
      : findings_(findings), files_(*options.files), texts_(options, findings) {
    for (const auto& [name, value] : options.arguments) texts_.arguments()[name] = value;
  }

  XmlElement expand(const XmlElement& root) {
    XmlElement result{.name = root.name, .attributes = {}, .children = {}, .text = {}, .place = root.place};
    Scope scope;
    expand_children(root, scope, result.children);
    // the root's attributes may use arguments whose defaults stand inside it
    copy_attributes(root, scope, result);
    take_attributes(result);
    return result;
  }

 private:
  void copy_attributes(const XmlElement& from, Scope& scope, XmlElement& to) {
    for (const XmlAttribute& attribute : from.attributes) {
      if (attribute.name == "xmlns:xacro" || attribute.name == kElementName) continue;
      to.attributes.push_back(
          {.name = attribute.name, .value = texts_.text(attribute.value, from.place, scope)});
    }
    to.text = texts_.text(from.text, from.place, scope);
  }

  void expand_children(const XmlElement& from, Scope& scope, std::vector<XmlElement>& out) {
    if (++depth_ > kMostExpansionDepth) {
      findings_.refuse(
          from.place,
          fmt::format("macros, files and elements are nested more than {} deep", kMostExpansionDepth),
          "does a macro call itself?");
    }
    for (const XmlElement& child : from.children) {
      if (findings_.has_error()) break;
      expand_element(child, scope, out);
    }
    --depth_;
  }

  void expand_element(const XmlElement& element, Scope& scope, std::vector<XmlElement>& out) {
    if (++steps_ > kMostSteps) {
      findings_.refuse(element.place, fmt::format("more than {} elements come out", kMostSteps),
                       "a robot has fewer");
      return;
    }
    if (std::string_view(element.name).starts_with(kPrefix)) {
      expand_instruction(element, std::string_view(element.name).substr(kPrefix.size()), scope, out);
      return;
    }
    XmlElement copy{
        .name = element.name, .attributes = {}, .children = {}, .text = {}, .place = element.place};
    copy_attributes(element, scope, copy);
    expand_children(element, scope, copy.children);
    take_attributes(copy);
    out.push_back(std::move(copy));
  }

  // <xacro:attribute> stays among the children until the element around it is known.
  static void take_attributes(XmlElement& element) {
    for (const XmlElement& child : element.children) {
      if (child.name != kAttribute) continue;
      const XmlAttribute& made = child.attributes.front();
      const auto known = std::find_if(element.attributes.begin(), element.attributes.end(),
                                      [&](const XmlAttribute& a) { return a.name == made.name; });
      if (known == element.attributes.end()) {
        element.attributes.push_back(made);
      } else {
        known->value = made.value;
      }
    }
    std::erase_if(element.children, [](const XmlElement& child) { return child.name == kAttribute; });
  }

  std::string evaluated_name(const XmlElement& element, std::string_view attribute, Scope& scope) {
    std::string name = texts_.text(required_text(element, attribute, findings_), element.place, scope);
    if (!is_xml_name(name) && !findings_.has_error())
      findings_.refuse(element.place, fmt::format("'{}' is no name for XML", shown(name)),
                       "use letters and digits");
    return name;
  }

  void make_element(const XmlElement& element, Scope& scope, std::vector<XmlElement>& out) {
    XmlElement renamed = element;
    renamed.name = evaluated_name(element, kElementName, scope);
    if (renamed.name.starts_with(kPrefix))
      findings_.refuse(element.place, fmt::format("<{}> makes an instruction", element.name),
                       "write it as it is");
    if (!findings_.has_error()) expand_element(renamed, scope, out);
  }

  void make_attribute(const XmlElement& element, Scope& scope, std::vector<XmlElement>& out) {
    const std::string* value = attribute_of(element, "value");
    if (value == nullptr)
      findings_.refuse(element.place, "<xacro:attribute> has no 'value'", "write value=\"…\"");
    const std::string name = evaluated_name(element, "name", scope);
    // what comes out must not be taken for xacro again
    if (name.starts_with("xmlns"))
      findings_.refuse(element.place, fmt::format("<xacro:attribute> makes '{}'", shown(name)),
                       "write it as it is");
    if (findings_.has_error()) return;
    out.push_back({.name = std::string(kAttribute),
                   .attributes = {{.name = name, .value = texts_.text(*value, element.place, scope)}},
                   .children = {},
                   .text = {},
                   .place = element.place});
  }

  void expand_instruction(const XmlElement& element, std::string_view what, Scope& scope,
                          std::vector<XmlElement>& out) {
    if (what == "property") return define_property(element, scope);
    if (what == "arg") return define_argument(element, scope);
    if (what == "macro") return define_macro(element);
    if (what == "include") return include(element, scope, out);
    if (what == "if" || what == "unless") return choose(element, what == "if", scope, out);
    if (what == "insert_block") return insert_block(element, scope, out);
    if (what == "element") return make_element(element, scope, out);
    if (what == "attribute") return make_attribute(element, scope, out);
    if (what == "call")
      return call(element, texts_.text(required_text(element, "macro", findings_), element.place, scope),
                  scope, out);
    call(element, std::string(what), scope, out);
  }

  void define_property(const XmlElement& element, Scope& scope) {
    const std::string name = texts_.text(required_text(element, "name", findings_), element.place, scope);
    const std::string* value = attribute_of(element, "value");
    const std::string* fallback = attribute_of(element, "default");
    const std::string* where = attribute_of(element, "scope");
    if (value == nullptr && fallback == nullptr) {
      scope.blocks[name] = {.elements = element.children, .is_expanded = false};
      return;
    }
    if (value == nullptr && find_property(scope, name).property != nullptr) return;
    Property property{.text = value != nullptr ? *value : *fallback, .place = element.place, .value = {}};
    if (where == nullptr) {
      // a value that uses the name's old value must see it now
      if (find_property(scope, name).property != nullptr)
        property.value = texts_.value(property.text, element.place, scope);
      scope.properties.insert_or_assign(name, std::move(property));
      return;
    }
    property.value = texts_.value(property.text, element.place, scope);
    Scope& target = *where == "global" ? outermost(scope) : (scope.outer != nullptr ? *scope.outer : scope);
    target.properties.insert_or_assign(name, std::move(property));
  }

  void define_argument(const XmlElement& element, Scope& scope) {
    const std::string name = required_text(element, "name", findings_);
    const std::string* fallback = attribute_of(element, "default");
    if (fallback == nullptr || texts_.arguments().contains(name)) return;
    std::string value = texts_.text(*fallback, element.place, scope);
    texts_.arguments()[name] = std::move(value);
  }

  void define_macro(const XmlElement& element) {
    std::string name = required_text(element, "name", findings_);
    if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
    auto macro = std::make_shared<Macro>();
    if (const std::string* parameters = attribute_of(element, "params")) {
      for (const std::string& word : split_parameters(*parameters))
        macro->parameters.push_back(parse_parameter(word));
    }
    macro->definition = element;
    macro->home = home_;
    macro->prefix = prefix_;
    macros_[prefix_ + name] = std::move(macro);
  }

  void include(const XmlElement& element, Scope& scope, std::vector<XmlElement>& out) {
    const fs::path name = texts_.text(required_text(element, "filename", findings_), element.place, scope);
    const std::string* may_miss = attribute_of(element, "optional");
    if (++includes_ > kMostIncludes) {
      findings_.refuse(element.place, fmt::format("more than {} files are included", kMostIncludes),
                       "does a file include itself?");
    }
    if (findings_.has_error()) return;
    const fs::path path = name.is_absolute() ? name : fs::path(element.place.file).parent_path() / name;
    const auto text = read_text_file(path, files_);
    if (!text && may_miss != nullptr && is_true(value_of_text(*may_miss))) return;
    const auto root = text ? parse_xml(*text, path.string()) : Result<XmlElement>(text.error());
    if (!root) {
      findings_.refuse(element.place, fmt::format("cannot include: {}", root.error().message),
                       "mend the file or its name");
      return;
    }
    if (attribute_of(element, "ns") == nullptr) return expand_children(*root, scope, out);
    const std::string ns = evaluated_name(element, "ns", scope);
    if (!findings_.has_error()) include_as(ns, *root, scope, out);
  }

  // The file's properties and macros get names of their own: NS.name.
  void include_as(const std::string& ns, const XmlElement& root, Scope& scope, std::vector<XmlElement>& out) {
    namespaces_.push_back(std::make_unique<Scope>());
    Scope& own = *namespaces_.back();
    // not the scope that includes it: that of a macro's call ends before this one
    own.outer = &outermost(scope);
    scope.namespaces[ns] = &own;
    const std::string prefix = prefix_;
    Scope* const home = home_;
    prefix_ += ns + ".";
    home_ = &own;
    expand_children(root, own, out);
    prefix_ = prefix;
    home_ = home;
  }

  // A macro by its name within the file that is being expanded, then in those that include it.
  std::shared_ptr<const Macro> macro_named(const std::string& name) const {
    for (std::string prefix = prefix_;; prefix.resize(prefix.rfind('.', prefix.size() - 2) + 1)) {
      const auto found = macros_.find(prefix + name);
      if (found != macros_.end()) return found->second;
      if (prefix.empty()) return nullptr;
    }
  }

  void choose(const XmlElement& element, bool wanted, Scope& scope, std::vector<XmlElement>& out) {
    const ExpressionValue value =
        texts_.value(required_text(element, "value", findings_), element.place, scope);
    if (findings_.has_error()) return;
    if (!std::holds_alternative<bool>(value) && !std::holds_alternative<double>(value)) {
      findings_.refuse(element.place, fmt::format("'{}' is neither true nor false", shown(value_text(value))),
                       "write true, false, 1, 0 or a comparison");
      return;
    }
    if (is_true(value) == wanted) expand_children(element, scope, out);
  }

  void insert_block(const XmlElement& element, Scope& scope, std::vector<XmlElement>& out) {
    const std::string name = texts_.text(required_text(element, "name", findings_), element.place, scope);
    for (Scope* s = &scope; s != nullptr && !findings_.has_error(); s = s->outer) {
      const auto found = s->blocks.find(name);
      if (found == s->blocks.end()) continue;
      // a copy: what is inserted may define blocks itself
      const Block block = found->second;
      if (block.is_expanded) {
        steps_ += block.elements.size();
        out.insert(out.end(), block.elements.begin(), block.elements.end());
        return;
      }
      expand_children(
          {.name = "block", .attributes = {}, .children = block.elements, .text = {}, .place = element.place},
          scope, out);
      return;
    }
    findings_.refuse(element.place, fmt::format("there is no block '{}'", shown(name)),
                     "pass it to the macro as '*name'");
  }

  void call(const XmlElement& element, const std::string& name, Scope& scope, std::vector<XmlElement>& out) {
    // kept alive: its own body may define it anew
    const std::shared_ptr<const Macro> macro = macro_named(name);
    if (macro == nullptr) {
      std::vector<std::string> names;
      for (const auto& [known, unused] : macros_) names.push_back(known);
      findings_.refuse(element.place,
                       fmt::format("there is no macro '{}'{}", shown(name), did_you_mean(name, names)),
                       "define it before its call, or include its file");
      return;
    }
    Scope inner{.outer = &scope, .properties = {}, .blocks = {}};
    pass_texts(element, *macro, scope, inner);
    pass_blocks(element, *macro, scope, inner);
    if (findings_.has_error()) return;
    if (macro->home != nullptr) inner.outer = macro->home;
    const std::string prefix = std::exchange(prefix_, macro->prefix);
    Scope* const home = std::exchange(home_, macro->home);
    expand_children(macro->definition, inner, out);
    prefix_ = prefix;
    home_ = home;
  }

  void pass_texts(const XmlElement& element, const Macro& macro, Scope& scope, Scope& inner) {
    const auto is_text = [](const Parameter& p, std::string_view name) {
      return p.kind == ParameterKind::Text && p.name == name;
    };
    for (const XmlAttribute& attribute : element.attributes) {
      if (element.name == "xacro:call" && attribute.name == "macro") continue;
      bool is_known = false;
      for (const Parameter& parameter : macro.parameters) is_known |= is_text(parameter, attribute.name);
      if (is_known) {
        inner.properties[attribute.name] = {.text = attribute.value,
                                            .place = element.place,
                                            .value = texts_.value(attribute.value, element.place, scope)};
        continue;
      }
      std::vector<std::string> names;
      for (const Parameter& parameter : macro.parameters) names.push_back(parameter.name);
      findings_.refuse(element.place,
                       fmt::format("<{}> takes no '{}'{}", element.name, shown(attribute.name),
                                   did_you_mean(attribute.name, names)),
                       "see the macro's params");
    }
    for (const Parameter& parameter : macro.parameters) {
      if (parameter.kind != ParameterKind::Text || inner.properties.contains(parameter.name)) continue;
      const FoundProperty outer = find_property(scope, parameter.name);
      if (parameter.is_forwarded && outer.property != nullptr) {
        inner.properties[parameter.name] = {
            .text = outer.property->text, .place = element.place, .value = texts_.resolve(outer)};
      } else if (parameter.fallback) {
        inner.properties[parameter.name] = {
            .text = *parameter.fallback, .place = macro.definition.place, .value = {}};
      } else {
        findings_.refuse(element.place, fmt::format("<{}> lacks '{}'", element.name, shown(parameter.name)),
                         "the macro has no default for it");
      }
    }
  }

  // Blocks are expanded where they are written, in the order of the macro's parameters.
  void pass_blocks(const XmlElement& element, const Macro& macro, Scope& scope, Scope& inner) {
    std::vector<XmlElement> given;
    expand_children(element, scope, given);
    std::size_t next = 0;
    for (const Parameter& parameter : macro.parameters) {
      if (parameter.kind == ParameterKind::Text || findings_.has_error()) continue;
      if (next == given.size()) {
        findings_.refuse(element.place,
                         fmt::format("<{}> lacks the block '{}'", element.name, shown(parameter.name)),
                         "put it inside");
        return;
      }
      XmlElement& block = given[next++];
      const bool is_content = parameter.kind == ParameterKind::Content;
      std::vector<XmlElement> elements;
      if (is_content) elements = std::move(block.children);
      if (!is_content) elements.push_back(std::move(block));
      inner.blocks[parameter.name] = {.elements = std::move(elements), .is_expanded = true};
    }
  }

  Findings& findings_;
  const RobotFiles& files_;
  TextEvaluator texts_;
  std::map<std::string, std::shared_ptr<const Macro>> macros_;
  std::vector<std::unique_ptr<Scope>> namespaces_;
  Scope* home_ = nullptr;  // of the file that is being expanded, when it has a namespace
  std::string prefix_;
  std::size_t steps_ = 0;
  int depth_ = 0;
  int includes_ = 0;
};

}  // namespace
}  // namespace xacro

Result<XmlElement> expand_xacro(const XmlElement& root, const XacroOptions& options) {
  Findings findings;
  XmlElement expanded = xacro::Expander(options, findings).expand(root);
  if (findings.has_error()) return findings.error();
  return expanded;
}

Result<XmlElement> expand_xacro_text(std::string_view text, const std::filesystem::path& file,
                                     const XacroOptions& options) {
  const auto root = parse_xml(text, file.string());
  if (!root) return root.error();
  return expand_xacro(*root, options);
}

bool has_xacro(const XmlElement& root) {
  for (const XmlAttribute& attribute : root.attributes) {
    if (attribute.name == "xmlns:xacro") return true;
  }
  for (const XmlElement& child : root.children) {
    if (child.name.starts_with("xacro:")) return true;
  }
  return false;
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inside the room: names of xacro, and texts with `${…}` and `$(…)` in them.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/expression.h"
#include "sinew/model/findings.h"
#include "sinew/model/xacro.h"

namespace sinew::xacro {

/// A property: its text until somebody asks, then its value.
struct Property {
  std::string text;
  Place place;
  std::optional<ExpressionValue> value;
  bool is_resolving = false;
};

/// Elements under a name: a macro's block, expanded where it was passed, or a property's, still to be
/// expanded.
struct Block {
  std::vector<XmlElement> elements;
  bool is_expanded = false;
};

/// Properties and blocks of a file or of a macro's call. Looked up from the inside out.
struct Scope {
  Scope* outer = nullptr;  ///< Must outlive this one.
  std::map<std::string, Property, std::less<>> properties;
  std::map<std::string, Block, std::less<>> blocks;
  std::map<std::string, Scope*, std::less<>> namespaces =
      {};  ///< Of files included with `ns`; they outlive this one.
};

/// The outermost scope.
Scope& outermost(Scope& scope);

/// A property and the scope that holds it; nulls when there is none. "a.b" is b of the file included as a.
struct FoundProperty {
  Property* property = nullptr;
  Scope* scope = nullptr;
};
FoundProperty find_property(Scope& scope, std::string_view name);

/// Evaluates texts within one expansion, and counts what that costs.
class TextEvaluator {
 public:
  TextEvaluator(const XacroOptions& options, Findings& findings) : options_(options), findings_(findings) {}

  /// The arguments known so far: those given, and defaults of <xacro:arg>.
  std::map<std::string, std::string, std::less<>>& arguments() { return arguments_; }

  /// The text with everything in it evaluated; refused at `place` when that cannot be.
  std::string text(std::string_view text, const Place& place, Scope& scope);

  /// The same, but a text that is one expression keeps its value's type.
  ExpressionValue value(std::string_view text, const Place& place, Scope& scope);

  /// The value of a property.
  ExpressionValue resolve(const FoundProperty& found);

 private:
  ExpressionValue expression(std::string_view text, const Place& place, Scope& scope);
  std::string plain_text(std::string_view text, const Place& place, Scope& scope);
  std::string command(std::string_view text, const Place& place, Scope& scope);
  Result<ExpressionValue> load_yaml(std::string_view name, const Place& place);
  std::string package_folder(const std::string& name, const Place& place);
  bool spend(std::size_t bytes, const Place& place);

  const XacroOptions& options_;
  Findings& findings_;
  std::map<std::string, std::string, std::less<>> arguments_;
  std::size_t spent_ = 0;
  int depth_ = 0;
};

}  // namespace sinew::xacro

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/highlighting.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/language/keywords.h"

namespace sinew::language {
namespace {

struct KindRow {
  WordKind kind;
  std::string_view name;   ///< In the word table.
  std::string_view scope;  ///< In a TextMate grammar; empty: coloured where it stands, by another rule.
  std::string_view title;  ///< In the reference page.
};
constexpr std::array kKinds{
    KindRow{WordKind::Motion, "motion", "keyword.other.motion.sinew", "moves"},
    KindRow{WordKind::Suffix, "suffix", "", "endings of moves"},
    KindRow{WordKind::Command, "command", "keyword.other.command.sinew", "commands"},
    KindRow{WordKind::Structure, "structure", "keyword.control.sinew", "blocks"},
    KindRow{WordKind::Part, "part", "keyword.other.part.sinew", "parts of commands"},
    KindRow{WordKind::Operator, "operator", "keyword.operator.word.sinew", "operators"},
    KindRow{WordKind::Constant, "constant", "constant.language.sinew", "constants"},
    KindRow{WordKind::Function, "function", "support.function.sinew", "functions"},
    KindRow{WordKind::Source, "source", "support.function.source.sinew", "from outside"},
    KindRow{WordKind::Unit, "unit", "", "units"},
    KindRow{WordKind::Option, "option", "", "options, between [ and ]"}};

// longer words first, so that none hides another
std::string alternatives(WordKind kind) {
  std::vector<std::string> words = words_of(kind);
  std::stable_sort(words.begin(), words.end(),
                   [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  return fmt::format("{}", fmt::join(words, "|"));
}

std::string rule(std::string_view scope, const std::string& pattern) {
  return fmt::format("    {{\"name\": \"{}\", \"match\": \"{}\"}}", scope, pattern);
}

}  // namespace

std::string textmate_grammar() {
  std::vector<std::string> rules{
      rule("comment.line.number-sign.sinew", "#.*$"),
      "    {\"name\": \"string.quoted.double.sinew\", \"begin\": \"\\\"\", \"end\": \"\\\"|$\", "
      "\"patterns\": "
      "[{\"name\": \"constant.character.escape.sinew\", \"match\": \"\\\\\\\\.\"}]}",
      rule("entity.name.tag.outside.sinew", "\\\\{[^}]*\\\\}"),
      rule("entity.name.label.sinew", "^\\\\s*([Pp][0-9]+(?=\\\\s+[A-Za-z])|<[0-9]+>)"),
      rule("keyword.other.motion.sinew",
           fmt::format("(?i)\\\\b({})({})*\\\\b", alternatives(WordKind::Motion),
                       alternatives(WordKind::Suffix))),
      rule("storage.type.unit.sinew",
           fmt::format("(?<=[(,])\\\\s*({})\\\\s*(?=[,)])", alternatives(WordKind::Unit))),
      rule("variable.parameter.option.sinew",
           fmt::format("(?<=[\\\\[,])\\\\s*({})(?=\\\\s*=[^=])", alternatives(WordKind::Option))),
      rule("constant.numeric.sinew", "(?<![A-Za-z_])[0-9]*\\\\.?[0-9]+\\\\.?([eE][+-]?[0-9]+)?")};
  for (const KindRow& row : kKinds) {
    if (row.scope.empty() || row.kind == WordKind::Motion) continue;
    const std::string end = row.kind == WordKind::Function ? "(?=\\\\s*\\\\()" : "\\\\b";
    rules.push_back(rule(row.scope, fmt::format("(?i)\\\\b({}){}", alternatives(row.kind), end)));
  }
  return fmt::format(
      "{{\n  \"name\": \"Sinew robot program\",\n  \"scopeName\": \"source.sinew\",\n  \"fileTypes\": "
      "[\"prog\"],\n"
      "  \"patterns\": [\n{}\n  ]\n}}\n",
      fmt::join(rules, ",\n"));
}

std::string word_table_json() {
  std::vector<std::string> kinds;
  for (const KindRow& row : kKinds)
    kinds.push_back(fmt::format("  \"{}\": [\"{}\"]", row.name, fmt::join(words_of(row.kind), "\", \"")));
  return fmt::format("{{\n  \"comment\": \"#\",\n{}\n}}\n", fmt::join(kinds, ",\n"));
}

std::string word_table_markdown() {
  std::string text = "| word | means |\n|---|---|\n";
  for (const KindRow& row : kKinds) {
    text += fmt::format("| **{}** | |\n", row.title);
    for (const Word& word : all_words()) {
      if (word.kind == row.kind) text += fmt::format("| `{}` | {} |\n", word.text, word.help);
    }
  }
  return text;
}

}  // namespace sinew::language

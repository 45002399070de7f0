// SPDX-License-Identifier: BSD-3-Clause
// Files of the project that must agree with the table of words.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "sinew/language/formatter.h"
#include "sinew/language/highlighting.h"
#include "sinew/language/keywords.h"
#include "sinew/language/parser.h"

namespace sinew::language {
namespace {

const std::filesystem::path kProject = SINEW_PROJECT_FOLDER;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// the quoted words of the grammar that begin with a letter, or with _ as the endings of moves do
std::set<std::string> words_of_grammar() {
  const std::string page = text_of(kProject / "docs/reference/language.md");
  const std::size_t begin = page.find("```ebnf");
  const std::string grammar = page.substr(begin, page.find("```", begin + 3) - begin);
  std::set<std::string> words;
  const std::regex quoted("\"([A-Za-z_][A-Za-z0-9_]*)\"");
  for (std::sregex_iterator i(grammar.begin(), grammar.end(), quoted), end; i != end; ++i) words.insert((*i)[1]);
  // the letter of an id, and the parts of a pose, are no words of the table
  for (const char* other : {"P", "x", "y", "z", "roll", "pitch", "yaw"}) EXPECT_EQ(words.erase(other), 1U) << other;
  return words;
}

TEST(ProjectFiles, GrammarHasTheWordsOfTheTable) {
  std::set<std::string> table;
  for (const Word& word : all_words()) table.emplace(word.text);
  EXPECT_EQ(words_of_grammar(), table);
}

TEST(ProjectFiles, ReferencePageListsTheWords) {
  const std::string page = text_of(kProject / "docs/reference/language.md");
  EXPECT_TRUE(page.ends_with(word_table_markdown())) << "'sinew language table' prints the table";
}

TEST(ProjectFiles, EditorFilesAreCurrent) {
  EXPECT_EQ(text_of(kProject / "editor/sinew.tmLanguage.json"), textmate_grammar()) << "'sinew language textmate'";
  EXPECT_EQ(text_of(kProject / "editor/words.json"), word_table_json()) << "'sinew language words'";
}

TEST(ProjectFiles, ProgramsAreFormatted) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kProject / "programs")) {
    if (entry.path().extension() != ".prog") continue;
    ++count;
    const std::string text = text_of(entry.path());
    const ParsedProgram parsed = parse_program(text, entry.path().string());
    EXPECT_FALSE(parsed.findings.has_errors()) << entry.path();
    EXPECT_EQ(format_file(parsed.program.files[0].statements), text) << "'sinew format --write'";
  }
  EXPECT_GE(count, 5);
}

}  // namespace
}  // namespace sinew::language

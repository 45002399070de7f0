// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/formatter.h"

#include <gtest/gtest.h>

#include "sinew/language/keywords.h"
#include "sinew/language/lexer.h"
#include "sinew/language/parser.h"
#include "sinew/language/test/random_program.h"

namespace sinew::language {
namespace {

std::string formatted(const std::string& text) {
  const ParsedProgram parsed = parse_program(text, "x.prog");
  EXPECT_FALSE(parsed.findings.has_errors())
      << text << finding_text(parsed.findings.all()[0], parsed.program.file_names());
  return format_file(parsed.program.files[0].statements);
}

// what a program says, word by word: the formatter may change capitals, spelling of motions and blanks
std::vector<std::string> sense_of(const std::string& text) {
  FindingList findings;
  std::vector<std::string> words;
  for (const Token& token : split_into_tokens(text, 0, findings)) {
    if (token.kind == TokenKind::Newline || token.kind == TokenKind::End) continue;
    std::string word = token.text;
    if (token.kind == TokenKind::Name && motion_from_word(word)) word = motion_text(*motion_from_word(word));
    if (token.kind == TokenKind::Name && find_word(word) != nullptr) word = upper(word);
    words.push_back(std::to_string(static_cast<int>(token.kind)) + word);
  }
  return words;
}

TEST(Formatter, WritesEveryStatementInOneWay) {
  EXPECT_EQ(formatted("if a>1\nmovl p[v=250,r=5]{table} # go\n\n\n\nelse # or\n  n=-1+(2*3)^2\nend\n"),
            "IF a > 1\n  MOVEL p [v=250, r=5] {table}  # go\nELSE  # or\n  n = -1 + (2 * 3)^2\nEND\n");
  EXPECT_EQ(formatted("<1> MOVJ_LSPB {TCP} 0.00 -15.00 [20] (mm, deg, s) {B}\n"),
            "<1> MOVEJ_LSPB {TCP} 0.00 -15.00 [20] (mm,deg,s) {B}\n");
  EXPECT_EQ(formatted("a=1\n\n\n# note\nwait until in {part}[10]else\n fail \"none\"\nend # done\n"),
            "a = 1\n\n# note\nWAIT UNTIL IN {part} [10] ELSE\n  FAIL \"none\"\nEND  # done\n");
}

TEST(Formatter, JoinsTheCommentsOfAStatement) {
  EXPECT_EQ(formatted("MOVEJ #\n1 #two\n2 #\n"), "MOVEJ 1 2  # two\n");
  EXPECT_EQ(formatted("MOVEJ #one\n1 #\n2 #two\n"), "MOVEJ 1 2  # one two\n");
  EXPECT_EQ(formatted("MOVEJ #\n1 #\n2\n"), "MOVEJ 1 2  #\n");
}

TEST(Formatter, PutsLongSplinesOnLinesOfTheirOwn) {
  std::string points = "0 0 0 0 0 0";
  for (int i = 0; i < 9; ++i) points += "; 10.00 20.00 30.00 40.00 50.00 60.00";
  const std::string text = formatted("MOVEJ_SPLINE " + points + " [20]\n");
  EXPECT_NE(text.find("0 0 0 0 0 0;\n  10.00 20.00"), std::string::npos);
  EXPECT_EQ(formatted(text), text);
}

// over random programs: formatting says the same and is done once
TEST(Formatter, KeepsTheProgramAndIsIdempotent) {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    const std::string text = RandomProgram(seed).text();
    const std::string once = formatted(text);
    ASSERT_EQ(sense_of(once), sense_of(text)) << "seed " << seed << "\n" << text << "\n---\n" << once;
    ASSERT_EQ(formatted(once), once) << "seed " << seed << "\n" << text;
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace sinew::language

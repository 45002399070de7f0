// SPDX-License-Identifier: BSD-3-Clause
// Programs that are wrong, each with all that is said about it: bad_programs.txt.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/language/check.h"
#include "sinew/language/parser.h"
#include "sinew/language/test/test_world.h"

namespace sinew::language {
namespace {

struct BadProgram {
  std::string name;
  std::string text;
  std::string expected;
};

// "=== name", the program, "---", what is said about it
std::vector<BadProgram> read_bad_programs() {
  std::ifstream file(SINEW_PROJECT_FOLDER "/src/sinew/language/test/bad_programs.txt");
  std::vector<BadProgram> all;
  bool is_expected = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("=== ")) {
      all.push_back({line.substr(4), "", ""});
      is_expected = false;
    } else if (line == "---") {
      is_expected = true;
    } else if (!all.empty()) {
      (is_expected ? all.back().expected : all.back().text) += line + "\n";
    }
  }
  return all;
}

std::string said_about(const std::string& text) {
  const IncludeReader reader = [](std::string_view, std::string_view) -> Result<IncludedText> {
    return Error{ErrorCode::NotFound, "there is no such file"};
  };
  const ParsedProgram parsed = parse_program(text, "bad.prog", reader);
  const TestWorld world;
  std::vector<Finding> findings = parsed.findings.all();
  if (!parsed.findings.has_errors()) findings = check_program(parsed.program, world).findings.all();
  std::string said;
  for (const Finding& finding : findings) said += finding_text(finding, parsed.program.file_names()) + "\n";
  return said;
}

TEST(BadPrograms, AreToldApartAndExplained) {
  const auto all = read_bad_programs();
  EXPECT_GE(all.size(), 60U);
  for (const BadProgram& program : all) {
    EXPECT_FALSE(program.expected.empty()) << program.name;
    EXPECT_EQ(said_about(program.text), program.expected) << program.name;
  }
}

}  // namespace
}  // namespace sinew::language

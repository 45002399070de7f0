// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/parser.h"

#include <gtest/gtest.h>

namespace sinew::language {
namespace {

ParsedProgram parsed_whole(const std::string& text) {
  ParsedProgram parsed = parse_program(text, "x.prog");
  EXPECT_FALSE(parsed.findings.has_errors())
      << text << finding_text(parsed.findings.all()[0], parsed.program.file_names());
  return parsed;
}

MoveStatement move_of(const std::string& line) {
  const ParsedProgram parsed = parsed_whole(line);
  return std::get<MoveStatement>(parsed.program.files[0].statements.at(0).body);
}

std::string errors_of(const std::string& text, const IncludeReader& reader = {}) {
  const ParsedProgram parsed = parse_program(text, "x.prog", reader);
  std::string all;
  for (const Finding& finding : parsed.findings.all())
    all += finding_text(finding, parsed.program.file_names()) + "\n";
  return all;
}

TEST(Parser, ReadsAllSevenFieldsOfTheSeedsLine) {
  const std::string line =
      "P0001 MOVEL_RPY_LSPB {TCP} 0.00 1174.40 1176.00 0.00 0.00 0.00 [20] (mm,deg,s) {B}";
  const ParsedProgram parsed = parsed_whole(line);
  const Statement& statement = parsed.program.files[0].statements.at(0);
  const auto& move = std::get<MoveStatement>(statement.body);
  EXPECT_EQ(statement.id, "P0001");
  EXPECT_EQ(move.motion, (MotionWord{MotionKind::Line, GoalForm::Rpy, Through::None, SpeedLaw::Lspb}));
  EXPECT_EQ(move.tool, "TCP");
  ASSERT_EQ(move.goals.size(), 1U);
  ASSERT_EQ(move.goals[0].size(), 6U);
  EXPECT_EQ(move.goals[0][1].number, 1174.40);
  EXPECT_EQ(move.options.at(0).value.number, 20.0);
  EXPECT_EQ(move.units->units, (std::vector<std::string>{"mm", "deg", "s"}));
  EXPECT_EQ(move.frame, "B");
}

// as the paper's columns break it
TEST(Parser, ReadsListing4WithItsLinesBroken) {
  const ParsedProgram parsed = parsed_whole(
      "P0001 MOVEJ_RPY_LSPB {TCP} 0.00 1174.40 1176.00 0.00\n0.00 0.00 [20] (mm,deg,s) {B}\n"
      "P0002 MOVEJ_SPLINE_LSPB {TCP} 0.00 0.00 0.00 0.00 0.00\n0.00; 30.00 15.00 30.00 -15.00 20.00 15.00; "
      "0.00\n"
      "0.00 0.00 0.00 0.00 0.00 [20] (mm,deg,s) {B}\nP0003 STOP\n");
  const Block& statements = parsed.program.files[0].statements;
  ASSERT_EQ(statements.size(), 3U);
  const auto& first = std::get<MoveStatement>(statements[0].body);
  EXPECT_EQ(first.motion, (MotionWord{MotionKind::Joint, GoalForm::Rpy, Through::None, SpeedLaw::Lspb}));
  EXPECT_EQ(first.goals[0].size(), 6U);
  const auto& second = std::get<MoveStatement>(statements[1].body);
  ASSERT_EQ(second.goals.size(), 3U);
  for (const GoalValues& goal : second.goals) EXPECT_EQ(goal.size(), 6U);
  EXPECT_EQ(statements[2].id, "P0003");
  EXPECT_TRUE(std::holds_alternative<EndingStatement>(statements[2].body));
}

TEST(Parser, ReadsBothSpellingsAndBothIds) {
  EXPECT_EQ(move_of("<1> MOVJ_LSPB {TCP} 0 0 0 0 0 0 [2]").motion,
            move_of("P1 MOVEJ_LSPB 0 0 0 0 0 0 [2]").motion);
  EXPECT_EQ(move_of("DMOVJ 1 0 0 0 0 0").motion.kind, MotionKind::JointDelta);
  EXPECT_EQ(move_of("DMOV {t} 1 0 0 0 0 0").motion.kind, MotionKind::ToolDelta);
  EXPECT_EQ(move_of("movj_mchp_lspb 1 2; 3 4").motion.through, Through::Monotone);
  EXPECT_EQ(parsed_whole("<7> STOP").program.files[0].statements[0].id, "<7>");
  EXPECT_EQ(parsed_whole("<1> SET 3\n<2> RESET 3\n<3> WAIT 2").program.files[0].statements.size(), 3U);
}

TEST(Parser, TellsValuesFromSums) {
  const MoveStatement move = move_of("MOVEJ 30 -15 (a - 1) -b SIN(30) p.x");
  ASSERT_EQ(move.goals[0].size(), 6U);
  EXPECT_EQ(move.goals[0][1].kind, ExpressionKind::Unary);
  EXPECT_EQ(move.goals[0][2].kind, ExpressionKind::Group);
  EXPECT_EQ(move.goals[0][5].kind, ExpressionKind::Part);
}

TEST(Parser, BindsOperatorsAsMathematicsDoes) {
  const ParsedProgram parsed = parsed_whole("x = 1 + 2 * 3 ^ 2 == 19 AND NOT FALSE OR TRUE");
  const auto& value = std::get<AssignStatement>(parsed.program.files[0].statements[0].body).value;
  EXPECT_EQ(value.text, "OR");
  EXPECT_EQ(value.operands[0].text, "AND");
  EXPECT_EQ(value.operands[0].operands[0].text, "==");
  EXPECT_EQ(value.operands[0].operands[0].operands[0].text, "+");
}

TEST(Parser, FindsAllErrorsOfAFileInOneGo) {
  EXPECT_EQ(
      errors_of("MOVEQ 1 2 3\nx = (1 + \nWHILE x < 3\n  MOVEL\nEND\nEND\n"),
      "x.prog:1:1: error: there is no command 'MOVEQ' (did you mean 'MOVEC'?); the reference page of the "
      "language lists all\n"
      "x.prog:2:9: error: a value is missing here; write a number, a name or a function\n"
      "x.prog:4:8: error: MOVEL has no goal; write its numbers, or the name of a point\n"
      "x.prog:6:1: error: END has no block to belong to; take it out, or open one with IF, WHILE, FOR or "
      "SUB\n");
}

TEST(Parser, BoundsTheNumberOfErrors) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "MOVEQ " + std::to_string(i) + "\n";
  const ParsedProgram parsed = parse_program(text, "x.prog");
  EXPECT_EQ(parsed.findings.all().size(), FindingList::kMostFindings);
}

TEST(Parser, BoundsNestingLengthAndCount) {
  std::string deep;
  for (int i = 0; i < 10000; ++i) deep += "IF TRUE\n";
  EXPECT_EQ(errors_of(deep),
            "x.prog:33:1: error: blocks may lie 32 deep in each other, and this is one more; move "
            "the inner ones into a SUB\n");
  EXPECT_NE(errors_of("x = " + std::string(4000, '(')).find("more than 48 brackets deep"), std::string::npos);
  EXPECT_NE(errors_of("x = " + std::string(4000, '-') + "1").find("more than 48 brackets deep"),
            std::string::npos);
  std::string sum = "x = 1";
  for (int i = 0; i < 100000; ++i) sum += "\n+1";
  EXPECT_NE(errors_of(sum).find("more than 200 operators"), std::string::npos);
  EXPECT_NE(errors_of("x = \"" + std::string(5000, 'a') + "\"").find("the line has 5006 bytes"),
            std::string::npos);
  EXPECT_NE(errors_of(std::string(2 << 20, ' ')).find("the file has 2097152 bytes"), std::string::npos);
  std::string many;
  for (int i = 0; i < 60000; ++i) many += "STOP\n";
  EXPECT_NE(errors_of(many).find("x.prog:50001:1: error: a program may have 50000 statements"),
            std::string::npos);
}

TEST(Parser, TakesFilesInOnceAndNamesTheirLines) {
  const IncludeReader reader = [](std::string_view path, std::string_view) -> Result<IncludedText> {
    if (path == "a.prog") return IncludedText{"a.prog", "INCLUDE \"b.prog\"\nx = 1\n"};
    if (path == "b.prog") return IncludedText{"b.prog", "y = \n"};
    if (path == "self.prog") return IncludedText{"x.prog", ""};
    return Error{ErrorCode::NotFound, "there is no such file"};
  };
  EXPECT_EQ(errors_of("INCLUDE \"b.prog\"\nINCLUDE \"a.prog\"\nINCLUDE \"c.prog\"\nINCLUDE \"self.prog\"\n",
                      reader),
            "x.prog:3:1: error: cannot include 'c.prog': there is no such file\n"
            "x.prog:4:1: error: 'self.prog' includes itself; take this line out\n"
            "b.prog:1:4: error: a value is missing here; write a number, a name or a function\n");
}

TEST(Parser, TakesWhatWindowsEditorsWrite) {
  EXPECT_EQ(parsed_whole("\xEF\xBB\xBFx = 1\r\nMOVEJ 1 2\r\n").program.files[0].statements.size(), 2U);
}

}  // namespace
}  // namespace sinew::language

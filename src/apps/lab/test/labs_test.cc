// SPDX-License-Identifier: BSD-3-Clause
// Every lab: its reference solution passes, and every way to be wrong in tests/labs fails for the right
// reason.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apps/lab/lab_list.h"

namespace sinew::lab {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Exchange {
  std::string found;
  std::string put;
};

/// An entry of wrong.txt.
struct WrongWay {
  std::string name;
  std::vector<Exchange> exchanges;
  std::string reason;
};

// Lines "- TEXT" and "+ TEXT" make an exchange, "= TEXT" ends the entry.
std::vector<WrongWay> wrong_ways(const fs::path& path) {
  std::istringstream lines(text_of(path));
  std::vector<WrongWay> ways;
  WrongWay way;
  char before = ' ';
  for (std::string line; std::getline(lines, line);) {
    const char sign = line.empty() || line[0] == '#' ? ' ' : line[0];
    const std::string rest = line.size() > 2 ? line.substr(2) : "";
    if (sign == '-' && before != '-') way.exchanges.push_back({});
    if (sign == '-') way.exchanges.back().found += (before == '-' ? "\n" : "") + rest;
    if (sign == '+') way.exchanges.back().put += (before == '+' ? "\n" : "") + rest;
    if (sign == '=') {
      way.reason = rest;
      ways.push_back(std::exchange(way, {}));
    }
    if (sign != ' ' && sign != '-' && sign != '+' && sign != '=') way.name = line;
    before = sign;
  }
  return ways;
}

// What has not played at all gets no points; by the names in wrong.txt.
constexpr std::string_view kHang = "an endless loop";
constexpr std::string_view kCrash = "a crash";
constexpr std::string_view kNotANumber = "not a number";
constexpr std::array kNoPoints{kHang,
                               kCrash,
                               kNotANumber,
                               std::string_view("a syntax error"),
                               std::string_view("no such function"),
                               std::string_view("a fork bomb"),
                               std::string_view("a flood"),
                               std::string_view("without an end"),
                               std::string_view("memory without end"),
                               std::string_view("waits for ever"),
                               std::string_view("not XML"),
                               std::string_view("a crowd of threads"),
                               std::string_view("deletes files")};

std::string spoilt(std::string text, const WrongWay& way) {
  for (const Exchange& exchange : way.exchanges) {
    const std::size_t at = text.find(exchange.found);
    EXPECT_NE(at, std::string::npos) << way.name << ": the reference has no\n" << exchange.found;
    if (at == std::string::npos) continue;
    EXPECT_EQ(text.find(exchange.found, at + 1), std::string::npos) << way.name << ": more than once\n"
                                                                    << exchange.found;
    text.replace(at, exchange.found.size(), exchange.put);
  }
  return text;
}

class LabTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  const Lab& lab() const { return **find_lab(GetParam()); }
  fs::path hidden() const { return fs::path("tests/labs") / GetParam(); }
  fs::path reference() const { return hidden() / ("reference" + std::string(lab().endings.front())); }
  fs::path file_of(const std::string& text) const {
    const fs::path path = folder_ / reference().filename();
    std::ofstream(path) << text;
    return path;
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("sinew-labs-{}", getpid());
};

std::string words_of(const Grade& grade) {
  std::string text = grade.reason;
  for (const Measure& measure : grade.measures) text += fmt::format("\n  {} {}", measure.name, measure.value);
  return text;
}

TEST_P(LabTest, TheReferencePasses) {
  // a tower takes minutes of simulated time: one seed is enough for each
  const std::vector<std::uint64_t> seeds =
      lab().number() == "08" ? std::vector<std::uint64_t>{1} : std::vector<std::uint64_t>{1, 2, 77};
  std::optional<Grade> first;
  for (const std::uint64_t seed : seeds) {
    const auto grade = grade_solution(lab(), reference(), {.seed = seed});
    ASSERT_TRUE(grade) << grade.error().message;
    EXPECT_TRUE(grade->passed) << "seed " << seed << ": " << words_of(*grade);
    EXPECT_EQ(grade->score, 100.0);
    EXPECT_FALSE(grade->picture.is_empty());
    if (!first) first = *grade;
  }
  // the same seed gives the same result, to the last bit of a measure and the last line of a picture
  const auto again = grade_solution(lab(), reference(), {.seed = seeds.front()});
  ASSERT_TRUE(again);
  EXPECT_EQ(words_of(*again), words_of(*first));
  EXPECT_EQ(again->picture.svg(), first->picture.svg());
}

TEST_P(LabTest, EveryWrongSolutionFailsForTheRightReason) {
  const std::string right = text_of(reference());
  const std::vector<WrongWay> ways = wrong_ways(hidden() / "wrong.txt");
  EXPECT_GE(ways.size(), 10U);
  for (const WrongWay& way : ways) {
    SCOPED_TRACE(way.name);
    const auto grade = grade_solution(lab(), file_of(spoilt(right, way)),
                                      {.seed = 1, .limits = {.seconds_per_answer = 0.5, .patience = 3.0}});
    ASSERT_TRUE(grade) << grade.error().message;
    EXPECT_FALSE(grade->passed);
    EXPECT_LT(grade->score, 100.0);
    const bool has_played = std::ranges::find(kNoPoints, way.name) == kNoPoints.end();
    EXPECT_TRUE(has_played || grade->score == 0.0) << grade->score;
    EXPECT_NE(grade->reason.find(way.reason), std::string::npos)
        << "wanted: " << way.reason << "\ngot: " << words_of(*grade);
  }
}

TEST_P(LabTest, HangCrashAndNotANumberAreAmongTheWrongOnes) {
  if (lab().endings.front() != ".py") GTEST_SKIP() << "nothing runs";
  const std::vector<WrongWay> ways = wrong_ways(hidden() / "wrong.txt");
  for (const std::string_view name : {kHang, kCrash, kNotANumber})
    EXPECT_NE(std::ranges::find(ways, name, &WrongWay::name), ways.end()) << name;
}

TEST_P(LabTest, WhatItStartsFromRunsAndIsNotASolution) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path("labs") / lab().name)) {
    if (entry.path().filename() == "README.md") continue;
    const auto grade = grade_solution(lab(), entry.path(), {});
    ASSERT_TRUE(grade) << grade.error().message;
    EXPECT_FALSE(grade->passed) << entry.path();
    EXPECT_EQ(grade->reason.find("raised"), std::string::npos) << grade->reason;
    ++count;
  }
  EXPECT_GE(count, 1);
  EXPECT_TRUE(fs::exists(fs::path("labs") / lab().name / "README.md"));
}

INSTANTIATE_TEST_SUITE_P(All, LabTest, testing::Values("01", "02", "03", "04", "05", "06", "07", "08", "09"),
                         [](const auto& of) { return std::string(of.param); });

TEST(LabList, EveryLabIsTested) {
  EXPECT_EQ(all_labs().size(), 9U);
}

TEST(LabList, ALabIsFoundByItsNumberItsFolderAndTheBeginOfItsName) {
  for (const char* words :
       {"3", "03", "labs/03", "labs/03/", "labs/03_inverse_kinematics", "/some/where/labs/03_inv"}) {
    const auto lab = find_lab(words);
    ASSERT_TRUE(lab) << words;
    EXPECT_EQ((*lab)->name, "03_inverse_kinematics") << words;
  }
}

TEST(LabList, WhatIsNoLabIsRefused) {
  for (const char* words : {"", "/", "10", "labs/", "0x"}) EXPECT_FALSE(find_lab(words)) << words;
}

TEST(LabList, WhatCannotBeASolutionIsRefused) {
  const Lab& lab = **find_lab("03");
  EXPECT_EQ(grade_solution(lab, "no/such/file.py", {}).error().code, ErrorCode::NotFound);
  const auto other = grade_solution(lab, "README.md", {});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "a solution of lab 03 ends in .py, not 'README.md'");
}

TEST(PickAndPlace, ARobotProgramIsASolutionToo) {
  const auto grade = grade_solution(**find_lab("07"), "tests/labs/07/reference.prog", {.seed = 3});
  ASSERT_TRUE(grade) << grade.error().message;
  EXPECT_TRUE(grade->passed) << words_of(*grade);
}

}  // namespace
}  // namespace sinew::lab

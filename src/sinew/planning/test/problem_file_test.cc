// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/problem_file.h"

#include <random>

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr std::string_view kGood =
    "# two problems\n"
    "problem shelf 1\n"
    "start 0 0.5 1\n"
    "goal 1 -0.5 0\n"
    "box 1 0 0.5 0 0 0 1 0.1 0.2 0.3\n"
    "cyl 0 1 0.5 0 0 0 1 0.05 0.4\n"
    "sph 0 0 2 0.25\n"
    "end\n"
    "\n"
    "problem shelf 2\r\n"
    "start 0\n"
    "goal 1\n"
    "end";

std::string refusal_of(std::string_view text) {
  const auto read = parse_problems(text, "p.txt");
  return read ? "" : read.error().message;
}

TEST(ProblemFileTest, ReadsWhatIsWritten) {
  const auto problems = parse_problems(kGood, "p.txt");
  ASSERT_TRUE(problems) << problems.error().message;
  ASSERT_EQ(problems->size(), 2U);
  const PlanningProblem& first = problems->front();
  EXPECT_EQ(first.name, "shelf");
  EXPECT_EQ(first.index, 1U);
  EXPECT_EQ(first.start, (std::vector<double>{0.0, 0.5, 1.0}));
  ASSERT_EQ(first.objects.size(), 3U);
  EXPECT_EQ(first.objects[0].solid.half, Vector3(0.1, 0.2, 0.3));
  EXPECT_EQ(first.objects[1].solid.half.z(), 0.2);
  EXPECT_EQ(first.objects[2].solid.rounding, 0.25);
  ASSERT_TRUE(world_of(first));
  const auto again = parse_problems(problem_text(first), "again");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(problem_text(again->front()), problem_text(first));
}

TEST(ProblemFileTest, RefusalsNameLineAndRemedy) {
  EXPECT_EQ(refusal_of("start 1\n"),
            "p.txt:1: 'start' stands outside a problem: begin with 'problem NAME INDEX'");
  EXPECT_EQ(refusal_of("problem a\n"), "p.txt:1: a problem has a name and an index: 'problem shelf 1'");
  EXPECT_EQ(refusal_of("problem a 1\nstart 1\ngoal 2\n"), "p.txt:3: problem 'a' has no 'end'");
  EXPECT_EQ(refusal_of("problem a 1\nproblem b 2\n"), "p.txt:2: problem 'a' has no 'end'");
  EXPECT_EQ(refusal_of("problem a 1\nend\n"), "p.txt:2: problem 'a' has no 'start'");
  EXPECT_EQ(refusal_of("problem a 1\nstart 1 2\ngoal 1\nend\n"),
            "p.txt:4: problem 'a': the start has 2 joint positions, the goal 1");
  EXPECT_EQ(refusal_of("problem a 1\nstart 1 nan\n"),
            "p.txt:2: 'start' takes 1 to 64 finite numbers, not '1 nan'");
  EXPECT_EQ(refusal_of("problem a 1\nstart 1\nstart 1\n"),
            "p.txt:3: 'start' stands here for the second time");
  EXPECT_EQ(refusal_of("problem a 1\nbox 1 2 3\n"),
            "p.txt:2: 'box x y z qx qy qz qw hx hy hz': 10 finite numbers are wanted, not '1 2 3'");
  EXPECT_EQ(refusal_of("problem a 1\ncyl 0 0 0 0 0 0 2 0.1 0.1\n"),
            "p.txt:2: the quaternion (qx qy qz qw) has length 2.000000, not 1");
  EXPECT_EQ(refusal_of("problem a 1\ncone 1\n"),
            "p.txt:2: there is no 'cone'; known: problem, start, goal, box, cyl, sph, end");
  EXPECT_NE(refusal_of("problem a 1\nsph 0 0 0 -1\n").find("p.txt:2: "), std::string::npos);
}

TEST(ProblemFileTest, RefusesMoreObjectsThanAreChecked) {
  std::string text = "problem a 1\n";
  for (std::size_t i = 0; i <= kMaxObstacles; ++i) text += "sph 0 0 0 1\n";
  EXPECT_EQ(refusal_of(text), "p.txt:130: more than 128 objects in problem 'a'");
}

// whatever stands in the file: an answer, and nothing that is not finite
TEST(ProblemFileTest, SurvivesDamage) {
  std::mt19937 random(1);
  std::size_t read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text(kGood);
    const int changes = 1 + static_cast<int>(random() % 4);
    for (int k = 0; k < changes; ++k) text[random() % text.size()] = static_cast<char>(random() % 256);
    if (random() % 4 == 0) text.resize(random() % text.size());
    const auto problems = parse_problems(text, "p.txt");
    if (!problems) continue;
    ++read;
    for (const PlanningProblem& problem : *problems) {
      ASSERT_EQ(problem.start.size(), problem.goal.size());
      ASSERT_TRUE(world_of(problem));
      for (const double q : problem.start) ASSERT_TRUE(std::isfinite(q));
    }
  }
  EXPECT_GT(read, 100U);
}

}  // namespace
}  // namespace sinew

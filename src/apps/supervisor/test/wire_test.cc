// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/wire.h"

#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/processes/test/temporary_folder.h"

namespace sinew::supervisor {
namespace {

using processes::RobotPlan;

RobotPlan some_plan() {
  return {.name = "mds",
          .robot = "/robots/mds",
          .folder = "/robots/m \"d\"",
          .is_simulated = true,
          .processes = {{.role = "controller", .words = {"a b", "'"}, .when_restarted = {"--restarted"}},
                        {.role = "lights", .words = {"x"}, .says_ready = false}},
          .rules = {.first_delay_ns = 20'000'000, .most_quick_deaths = 9}};
}

TEST(Wire, APlanComesBackAsItWas) {
  const RobotPlan plan = some_plan();
  const auto line = parse_line(line_of(json_of(plan)));
  ASSERT_TRUE(line) << line.error().message;
  const auto back = plan_from(*line);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->processes, plan.processes);
  EXPECT_EQ(back->folder, plan.folder);
  EXPECT_EQ(back->rules.first_delay_ns, plan.rules.first_delay_ns);
  EXPECT_EQ(back->rules.most_quick_deaths, 9U);
  EXPECT_EQ(back->ready_within_ns, plan.ready_within_ns);
}

TEST(Wire, ASavedPlanIsWholeOrRefused) {
  const processes::TemporaryFolder folder;
  const std::string path = folder.file("plan.json");
  ASSERT_TRUE(save_plan(path, some_plan(), true));
  const auto saved = load_plan(path);
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_TRUE(saved->is_stopping);
  EXPECT_EQ(saved->plan.processes, some_plan().processes);
  const std::string text = processes::read_text(path);
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    processes::write_text(path, text.substr(0, size));
    ASSERT_FALSE(load_plan(path)) << size;
  }
  EXPECT_NE(save_plan(folder.file("no/plan.json"), some_plan(), false).error().message.find("cannot write"),
            std::string::npos);
}

TEST(Wire, LinesAreBounded) {
  EXPECT_EQ(parse_line(std::string(kLongestLine + 1, ' ')).error().code, ErrorCode::OutOfLimits);
  EXPECT_EQ(parse_line("{\"a\":" + std::string(9, '[')).error().message, "brackets are nested deeper than 8");
  EXPECT_TRUE(parse_line("{\"a\": \"" + std::string(100, '[') + "\\\"[\"}"));
  EXPECT_EQ(parse_line("[1]").error().message, "'[1]' is no JSON object on one line");
}

// a plan with one byte changed is the same, another, or refused; never a crash
TEST(Wire, ChangedBytesDoNoHarm) {
  std::mt19937 random(3);
  const std::string good = line_of(json_of(some_plan()));
  int taken = 0;
  for (int round = 0; round < 5'000; ++round) {
    std::string text = good;
    for (std::size_t i = 0; i < 1 + random() % 3; ++i)
      text[random() % text.size()] = static_cast<char>(random() % 256);
    const auto json = parse_line(text);
    if (!json) continue;
    if (const auto plan = plan_from(*json)) {
      ++taken;
      ASSERT_GT(plan->rules.first_delay_ns, 0);
      ASSERT_GE(plan->rules.most_quick_deaths, 1U);
      for (const auto& process : plan->processes) ASSERT_FALSE(process.words.empty());
      ASSERT_FALSE(line_of(json_of(*plan)).empty());
    }
  }
  EXPECT_GT(taken, 25);
}

}  // namespace
}  // namespace sinew::supervisor

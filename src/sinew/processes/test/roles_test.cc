// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/processes/roles.h"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "sinew/processes/test/temporary_folder.h"

namespace sinew::processes {
namespace {

class RolesTest : public ::testing::Test {
 protected:
  void make_program(const std::string& name) {
    write_text(programs_.file(name), "#!/bin/sh\n");
    chmod(programs_.file(name).c_str(), 0755);
  }

  void make_programs() {
    for (const Role& role : all_roles())
      if (!role.program.empty()) make_program(std::string(role.program));
  }

  std::vector<std::string> roles_of(const RobotPlan& plan) {
    std::vector<std::string> roles;
    for (const ProcessPlan& process : plan.processes) roles.push_back(process.role);
    return roles;
  }

  TemporaryFolder programs_;
  RobotWish wish_{.robot = "/robots/mds",
                  .folder = "/robots/mds",
                  .name = "m1",
                  .space = "lab",
                  .program_folder = programs_.path(),
                  .settings = {}};
};

TEST_F(RolesTest, OursRunInOrderWithTheirCommandLines) {
  make_programs();
  const auto plan = plan_robot(wish_);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(roles_of(*plan), (std::vector<std::string>{"simulator", "controller", "motion"}));
  EXPECT_EQ(plan->processes[1].words,
            (std::vector<std::string>{programs_.file("sinew-controller"), "--robot", "/robots/mds", "--name",
                                      "m1", "--space", "lab", "--driver", "simulator", "--ready-fd", "3"}));
  EXPECT_EQ(plan->processes[1].when_restarted, std::vector<std::string>{"--restarted"});
  EXPECT_TRUE(plan->processes[1].says_ready);
}

TEST_F(RolesTest, ARealDeviceHasNoSimulator) {
  make_programs();
  wish_.is_simulated = false;
  wish_.device = "/dev/ttyUSB0";
  wish_.settings["simulator"] = "my_simulator";
  const auto plan = plan_robot(wish_);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(roles_of(*plan), (std::vector<std::string>{"controller", "motion"}));
  EXPECT_EQ(plan->processes[0].words[8], "/dev/ttyUSB0");
}

TEST_F(RolesTest, WhereTheDeviceIsMayBeLeftToRobotYaml) {
  make_programs();
  wish_.is_simulated = false;
  wish_.device = "-";
  const auto plan = plan_robot(wish_);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->processes[0].words,
            (std::vector<std::string>{programs_.file("sinew-controller"), "--robot", "/robots/mds", "--name",
                                      "m1", "--space", "lab", "--device", "-", "--ready-fd", "3"}));
}

// the controller is ready when it hears of its device
TEST_F(RolesTest, ADeviceThatIsAProgramIsStartedFirstAndNotBesideASimulator) {
  make_programs();
  wish_.settings["device"] = "./my_device --name {name}";
  EXPECT_EQ(roles_of(*plan_robot(wish_)), (std::vector<std::string>{"simulator", "controller", "motion"}));
  wish_.is_simulated = false;
  wish_.device = "-";
  const auto plan = plan_robot(wish_);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(roles_of(*plan), (std::vector<std::string>{"device", "controller", "motion"}));
  EXPECT_EQ(plan->processes[0].words, (std::vector<std::string>{"./my_device", "--name", "m1"}));
}

TEST_F(RolesTest, ARobotMayAskForAnotherOfOurPrograms) {
  make_programs();
  wish_.settings["xach"] = "{programs}/sinew-xach --space {space}";
  const auto plan = plan_robot(wish_);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->processes.back().words,
            (std::vector<std::string>{programs_.file("sinew-xach"), "--space", "lab"}));
}

TEST_F(RolesTest, TheWebIsServedWhereAskedAndOpenedOnlyWithAWord) {
  make_programs();
  wish_.web = "127.0.0.1:8080";
  auto plan = plan_robot(wish_);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(roles_of(*plan), (std::vector<std::string>{"simulator", "controller", "motion", "web"}));
  EXPECT_EQ(plan->processes[3].words,
            (std::vector<std::string>{programs_.file("sinew-web"), "--robot", "/robots/mds", "--name", "m1",
                                      "--space", "lab", "--listen", "127.0.0.1:8080", "--driver", "simulator",
                                      "--ready-fd", "3"}));
  wish_.is_simulated = false;
  wish_.has_url_api = true;
  plan = plan_robot(wish_);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->processes[2].words,
            (std::vector<std::string>{programs_.file("sinew-web"), "--robot", "/robots/mds", "--name", "m1",
                                      "--space", "lab", "--listen", "127.0.0.1:8080", "--url-api", "on",
                                      "--ready-fd", "3"}));
  wish_.settings["web"] = "my_web {web}";
  plan = plan_robot(wish_);
  EXPECT_EQ(plan->processes[2].words, (std::vector<std::string>{"my_web", "127.0.0.1:8080"}));
  wish_.web.clear();
  EXPECT_EQ(roles_of(*plan_robot(wish_)), (std::vector<std::string>{"controller", "motion"}));
}

TEST_F(RolesTest, AProgramThatIsMissingIsLeftOutOrRefused) {
  make_program("sinew-simulator");
  make_program("sinew-controller");
  const auto plan = plan_robot(wish_);
  ASSERT_TRUE(plan);
  EXPECT_EQ(roles_of(*plan), (std::vector<std::string>{"simulator", "controller"}));
  ASSERT_EQ(plan->remarks.size(), 1U);
  EXPECT_EQ(plan->remarks[0], "motion is left out: there is no " + programs_.file("sinew-motion"));
  wish_.program_folder = "/nowhere";
  EXPECT_NE(plan_robot(wish_).error().message.find("the simulator cannot be started: there is no /nowhere/"),
            std::string::npos);
}

TEST_F(RolesTest, TheRobotsOwnCommandsStandIn) {
  wish_.settings = {{"simulator", "none"},
                    {"controller", "python3 'my c.py' {name} {ready_fd}"},
                    {"motion", "none"},
                    {"lights", "./lights.sh"},
                    {"make", "make -j2"},
                    {"restart.most_quick_deaths", "3"},
                    {"restart.first_delay", "0.5"}};
  const auto plan = plan_robot(wish_);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(roles_of(*plan), (std::vector<std::string>{"controller", "lights"}));
  EXPECT_EQ(plan->processes[0].words, (std::vector<std::string>{"python3", "my c.py", "m1", "3"}));
  EXPECT_TRUE(plan->processes[0].says_ready);
  EXPECT_FALSE(plan->processes[1].says_ready);
  EXPECT_EQ(plan->rules.most_quick_deaths, 3U);
  EXPECT_EQ(plan->rules.first_delay_ns, 500 * kMillisecond_ns);
  EXPECT_EQ(*make_command(wish_), (std::vector<std::string>{"make", "-j2"}));
}

TEST_F(RolesTest, RefusalsSayWhichKey) {
  const std::map<std::string, std::string> bad{
      {"controller", "x 'y"},     {"a.b", "x"},           {"a/b", "x"},
      {"lights", "{nobody}"},     {"restart.often", "1"}, {"restart.first_delay", "nan"},
      {"restart.first_delay", ""}};
  for (const auto& [key, text] : bad) {
    wish_.settings = {{"simulator", "x"}, {"controller", "x"}, {"motion", "x"}};
    wish_.settings[key] = text;
    const auto plan = plan_robot(wish_);
    ASSERT_FALSE(plan) << key;
    EXPECT_TRUE(plan.error().message.starts_with("robot.yaml, processes: " + key)) << plan.error().message;
  }
  wish_.settings = {{"simulator", "none"}, {"controller", "none"}, {"motion", "none"}};
  EXPECT_NE(plan_robot(wish_).error().message.find("0 processes are to run"), std::string::npos);
}

TEST(RestartCounter, DelaysDoubleToTheLongestAndQuickDeathsEnd) {
  const RestartRules rules{
      .first_delay_ns = 10, .longest_delay_ns = 35, .healthy_after_ns = 100, .most_quick_deaths = 5};
  RestartCounter counter(rules);
  EXPECT_EQ(counter.delay_after_death_ns(1), 10);
  EXPECT_EQ(counter.delay_after_death_ns(99), 20);
  EXPECT_EQ(counter.delay_after_death_ns(1), 35);
  EXPECT_EQ(counter.delay_after_death_ns(1), 35);
  EXPECT_EQ(counter.delay_after_death_ns(1), std::nullopt);
  counter.forget();
  EXPECT_EQ(counter.delay_after_death_ns(1), 10);
}

TEST(RestartCounter, ALongLifeIsForgiven) {
  RestartCounter counter(
      {.first_delay_ns = 10, .longest_delay_ns = 35, .healthy_after_ns = 100, .most_quick_deaths = 2});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(counter.delay_after_death_ns(100), 10);
  EXPECT_EQ(counter.delay_after_death_ns(99), std::nullopt);
}

}  // namespace
}  // namespace sinew::processes

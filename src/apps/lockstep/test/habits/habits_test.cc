// SPDX-License-Identifier: BSD-3-Clause
// Descriptions with the habits of public ones: 'sinew new' takes each, the robot starts in simulation, and
// every joint that is commanded moves, or it is written down why not.
#include "apps/lockstep/test/habits/habits.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <ostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"
#include "sinew/simulation/world_yaml.h"

#include "apps/cli/collision_pairs.h"
#include "apps/lockstep/lockstep.h"

namespace sinew {

void PrintTo(const Habit& habit, std::ostream* out) {  // NOLINT: the name is GoogleTest's
  *out << habit.name;
}

namespace {

namespace fs = std::filesystem;

class HabitsTest : public testing::TestWithParam<Habit> {
 protected:
  HabitsTest()
      : folder_(fs::temp_directory_path() / fmt::format("sinew-habit-{}-{}", GetParam().name, getpid())) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / GetParam().file, std::ios::binary) << GetParam().text;
  }
  ~HabitsTest() override { fs::remove_all(folder_); }

  Result<NewRobot> make() { return make_robot_folder(folder_ / GetParam().file, folder_ / "robot"); }

  void start() {
    auto loaded = load_robot((folder_ / "robot").string());
    ASSERT_TRUE(loaded) << loaded.error().message;
    const auto control = read_control(loaded->settings.control);
    ASSERT_TRUE(control) << control.error().message;
    // in the air: whether its home is clear of the floor is not a matter of its description
    Scene scene{.name = "habit", .has_floor = false};
    scene.robots.push_back({.name = "robot", .model = std::move(loaded->model)});
    auto made = Lockstep::make(std::move(scene), "robot", *control);
    ASSERT_TRUE(made) << made.error().message;
    lockstep_ = *std::move(made);
    const Status added = lockstep_->add_motion();
    ASSERT_TRUE(added) << added.error().message;
    for (int i = 0; i < 200; ++i) lockstep_->step();
    ASSERT_EQ(lockstep_->controller().state(), ControlState::Running);
  }

  /// Five degrees or a centimetre on, or half of its range, to where there is more of it.
  double goal_of(std::size_t position) const {
    const Joint& joint = lockstep_->model().joints[lockstep_->model().positions[position]];
    const double usual = joint.kind == JointKind::Prismatic ? 0.01 : 0.0873;
    const double here = lockstep_->state().position[position];
    const double step = std::min(usual, 0.5 * (joint.limits.upper - joint.limits.lower));
    return joint.limits.upper - here >= here - joint.limits.lower ? here + step : here - step;
  }

  /// Empty, or what kept the joint from its goal.
  std::string move(std::size_t position) {
    const double goal = goal_of(position);
    const double from = lockstep_->state().position[position];
    Request request{.verb = RequestVerb::MoveJoints, .joint_mask = std::uint64_t{1} << position};
    request.joints[position] = goal;
    set_text(request.who, "test");
    const auto reply = lockstep_->wait_for(lockstep_->ask(request), 60 * kSecond_ns);
    if (!reply) return "no answer within a minute";
    if (reply->status != ReplyStatus::Done) return std::string(text_of(reply->reason));
    const double off = std::abs(lockstep_->state().position[position] - goal);
    if (off > 0.2 * std::abs(goal - from))
      return fmt::format("it is {:.4f} from its goal, as far as {:.4f}", off, goal);
    return {};
  }

  fs::path folder_;
  std::unique_ptr<Lockstep> lockstep_;
};

TEST_P(HabitsTest, NewTakesItAndFindsItsArm) {
  const Habit& habit = GetParam();
  const auto robot = make();
  ASSERT_TRUE(robot) << robot.error().message;
  const RobotModel& model = robot->model;
  EXPECT_EQ(model.positions.size(), habit.commanded);
  EXPECT_EQ(model.arms.empty(), habit.base.empty());
  if (!model.arms.empty()) {
    EXPECT_EQ(model.links[model.arms[0].base_link].name, habit.base);
    EXPECT_EQ(model.links[model.arms[0].tip_link].name, habit.tip);
  }
  std::string said;
  for (const Remark& remark : robot->remarks) said += remark_text(remark) + "\n";
  for (const std::string& part : habit.says)
    EXPECT_NE(said.find(part), std::string::npos) << part << "\n in\n" << said;
}

TEST_P(HabitsTest, EveryJointThatIsCommandedMoves) {
  const Habit& habit = GetParam();
  auto robot = make();
  ASSERT_TRUE(robot) << robot.error().message;
  const Status added = cli::add_ignored_pairs(*robot, RobotFiles::all(), 300);
  ASSERT_TRUE(added) << added.error().message;
  ASSERT_NO_FATAL_FAILURE(start());
  for (std::size_t i = 0; i < lockstep_->model().positions.size(); ++i) {
    const std::string& joint = lockstep_->model().joints[lockstep_->model().positions[i]].name;
    const std::string why = move(i);
    EXPECT_EQ(why.empty(), !habit.still.contains(joint)) << joint << ": " << why;
    ASSERT_EQ(lockstep_->controller().state(), ControlState::Running) << "after " << joint << ", " << why;
  }
}

std::string name_of(const testing::TestParamInfo<Habit>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, HabitsTest, testing::ValuesIn(all_habits()), name_of);

}  // namespace
}  // namespace sinew

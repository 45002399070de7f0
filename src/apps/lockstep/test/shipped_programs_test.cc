// SPDX-License-Identifier: BSD-3-Clause
// The programs in programs/ and in the tutorial, run in simulation and judged by what they do.
#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include "sinew/simulation/world_yaml.h"

#include "apps/lockstep/test/program_bench.h"

namespace sinew {
namespace {

constexpr double kMillimetre = 1e-3;

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class ShippedProgram : public ProgramTest {
 protected:
  std::uint64_t run_file(const std::string& name) { return ask(RequestVerb::RunProgram, "programs/" + name); }
  void expect_done(std::uint64_t number) {
    const Reply reply = wait(number);
    EXPECT_EQ(reply.status, ReplyStatus::Done) << text_of(reply.reason);
  }
  Pose tool(const std::string& name) const {
    const RobotModel& model = robot_->model();
    for (const ToolFrame& tool : model.arms[0].tools)
      if (tool.name == name) return tool.X_LT;
    ADD_FAILURE() << "no tool " << name;
    return {};
  }
};

// both ways: as printed, and with the height at which its spline begins
TEST_F(ShippedProgram, ListingFourGoesByItsLineAndItsSpline) {
  struct Way {
    const char* name;
    double height;
    std::uint32_t spline_line;
    double seconds;  ///< Two moves of 20 s; where the robot is at the first one's goal already, one.
  };
  for (const auto& [name, height, spline_line, seconds] :
       {Way{"listing_4.prog", 1.176, 5, 40.0}, {"listing_4_corrected.prog", 1.764, 4, 20.0}}) {
    use("yarc-industrial");
    chain_.reset();
    const std::uint64_t number = run_file(name);
    const std::int64_t began_ns = robot_->now_ns();
    ASSERT_TRUE(step_until([&] { return robot_->motion_state().program_line == spline_line; }, 60.0))
        << robot_->motion_state().program_message.data();
    EXPECT_NEAR((tool_pose(tool("TCP")).position - Vector3(0, 1.1744, height)).norm(), 0.0, 1e-4) << name;
    std::array<double, 6> furthest{};
    ASSERT_TRUE(step_until(
        [&] {
          for (std::size_t i = 0; i < 6; ++i) furthest[i] = std::max(furthest[i], std::abs(joint_deg(i)));
          return robot_->final_reply(number).has_value();
        },
        60.0));
    expect_done(number);
    EXPECT_NEAR(furthest[0], 30.0, 1.0) << "the spline goes through its middle point";
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(joint_deg(i), 0.0, 0.1) << i;
    EXPECT_NEAR(seconds_from_nanoseconds(robot_->now_ns() - began_ns), seconds, 2.0);
  }
}

TEST_F(ShippedProgram, TheBlockEndsWhereItIsPut) {
  SceneObject block{.name = "block",
                    .X_WO = {.position = {0.35, 0.0, 0.02}},
                    .size = {0.03, 0.03, 0.04},
                    .is_free = true,
                    .mass = 0.05};
  use("scorbot-er3", {block});
  const std::uint64_t number = run_file("scorbot_pick_and_place.prog");
  double highest = 0.0;
  ASSERT_TRUE(step_until(
      [&] {
        highest = std::max(highest, robot_->simulation().object_pose("block")->position.z());
        return robot_->final_reply(number).has_value();
      },
      300.0));
  expect_done(number);
  EXPECT_GT(highest, 0.1) << "it was lifted";
  const Pose end = *robot_->simulation().object_pose("block");
  EXPECT_NEAR(end.position.x(), 0.3, 5 * kMillimetre);
  EXPECT_NEAR(end.position.y(), 0.15, 5 * kMillimetre);
  EXPECT_NEAR(end.position.z(), 0.02, 2 * kMillimetre) << "it stands on the floor";
  EXPECT_GT((end.rotation * Vector3::UnitZ()).z(), 0.99) << "upright";
}

TEST_F(ShippedProgram, TheSeamIsWeldedAtConstantSpeed) {
  use("kr60");
  const Pose torch{.rotation = quaternion_from({.pitch = std::numbers::pi / 4}), .position = {0, 0, 0.35}};
  const std::uint64_t number = run_file("weld_line.prog");
  ASSERT_TRUE(step_until([&] { return is_on("arc"); }, 120.0))
      << robot_->motion_state().program_message.data();
  EXPECT_TRUE(is_on("gas"));
  std::vector<double> line_speeds;
  std::vector<double> circle_speeds;
  Vector3 before = tool_pose(torch).position;
  ASSERT_TRUE(step_until(
      [&] {
        const Vector3 now = tool_pose(torch).position;
        const double speed = (now - before).norm() * 1000.0;
        before = now;
        (robot_->motion_state().program_line < 20 ? line_speeds : circle_speeds).push_back(speed);
        return !is_on("arc");
      },
      300.0));
  expect_done(number);
  ASSERT_GT(line_speeds.size(), 90'000U) << "900 mm at 8 mm/s";
  const auto share_near = [](const std::vector<double>& speeds, double wanted, double off) {
    const auto near =
        std::ranges::count_if(speeds, [&](double speed) { return std::abs(speed - wanted) < off * wanted; });
    return static_cast<double>(near) / static_cast<double>(speeds.size());
  };
  ASSERT_GT(circle_speeds.size(), 20'000U) << "half a circle of 100 mm at 6 mm/s";
  EXPECT_GT(share_near(line_speeds, 0.008, 0.03), 0.97);
  EXPECT_LT(*std::ranges::max_element(line_speeds), 1.01 * 0.008);
  EXPECT_GT(share_near(circle_speeds, 0.006, 0.03), 0.97);
  EXPECT_LT(*std::ranges::max_element(circle_speeds), 1.01 * 0.006);
  // once begun, the torch does not stand before the seam is over
  const auto middle = std::span(line_speeds).subspan(1000, line_speeds.size() - 2000);
  EXPECT_GT(*std::ranges::min_element(middle), 0.002);
}

class HanoiProgram : public ShippedProgram {
 protected:
  static constexpr std::array kPegs{-0.095, 0.0, 0.095};  // [m] their y
  static constexpr double kFoot = 0.022;                  // [m] z that the lowest disc lies on
  static constexpr double kHeight = 0.015;                // [m] of a disc

  void use_board(int discs) {
    WorldPlaces places = usual_world_places();
    places.discs = discs;
    auto world = load_world("hanoi", places);
    ASSERT_TRUE(world) << world.error().message;
    use("scorbot-er3", world->objects);
    discs_ = discs;
  }
  /// The program with other numbers at its head.
  std::uint64_t run_hanoi(int discs, int goal) {
    std::string text = text_of_file("programs/hanoi.prog");
    for (const auto& [line, number] : {std::pair{"discs = 3\n", discs}, {"goal = 3\n", goal}}) {
      const std::size_t at = text.find(line);
      EXPECT_NE(at, std::string::npos) << line;
      if (at != std::string::npos)
        text[at + std::string_view(line).size() - 2] = static_cast<char>('0' + number);
    }
    return run(text);
  }
  void lay(int disc, const Vector3& place, double yaw = 0.0) {
    ASSERT_TRUE(robot_->simulation().move_object(
        fmt::format("disc_{}", disc), {.rotation = quaternion_from({.yaw = yaw}), .position = place}));
  }
  Vector3 on_peg(int peg, int level) const {
    return {0.35, kPegs.at(static_cast<std::size_t>(peg) - 1), kFoot + kHeight * (level + 0.5)};
  }
  /// On the board, clear of the plates of the pegs.
  static Vector3 beside() { return {0.295, 0.0475, 0.02 + 0.5 * kHeight}; }
  Vector3 place_of(int disc) {
    return robot_->simulation().object_pose(fmt::format("disc_{}", disc))->position;
  }
  void expect_tower(int peg) {
    for (int disc = 1; disc <= discs_; ++disc) {
      const Vector3 off = place_of(disc) - on_peg(peg, discs_ - disc);
      EXPECT_LT(off.head<2>().norm(), 2 * kMillimetre) << "disc " << disc;
      EXPECT_NEAR(off.z(), 0.0, 0.5 * kMillimetre) << "disc " << disc;
    }
  }
  bool carry(int disc) {
    return step_until([&] { return place_of(disc).z() > kFoot + (discs_ + 1.2) * kHeight; }, 60.0);
  }

  int discs_ = 0;
};

TEST_F(HanoiProgram, TheTowerEndsOnTheThirdPeg) {
  use_board(3);
  const std::uint64_t number = run_file("hanoi.prog");
  expect_done(number);
  EXPECT_EQ(said(number), (std::vector<std::string>{"the tower stands on peg 3"}));
  expect_tower(3);
}

TEST_F(HanoiProgram, ItGoesBetweenAnyPegs) {
  use_board(2);
  for (const int disc : {2, 1}) lay(disc, on_peg(2, 2 - disc));
  pass(0.3);
  expect_done(run_hanoi(2, 1));
  expect_tower(1);
}

// one beside the pegs and turned, one on another peg and not in its middle, one on a smaller one
TEST_F(HanoiProgram, ItBeginsWhereverTheDiscsAre) {
  use_board(3);
  lay(1, on_peg(2, 0) + Vector3(0.003, -0.004, 0), 0.3);
  lay(2, on_peg(2, 1) + Vector3(0.002, -0.004, 0), 1.0);
  lay(3, beside(), -0.7);
  pass(0.3);
  expect_done(run_hanoi(3, 3));
  expect_tower(3);
}

TEST_F(HanoiProgram, ADiscThatIsTornOutOfTheHandIsPickedUpAgain) {
  use_board(2);
  const std::uint64_t number = run_hanoi(2, 3);
  ASSERT_TRUE(carry(1));
  lay(1, beside());
  expect_done(number);
  expect_tower(3);
}

TEST_F(HanoiProgram, AfterAStopItGoesOnWithTheDiscInItsHand) {
  use_board(2);
  const std::uint64_t number = run_hanoi(2, 3);
  ASSERT_TRUE(carry(1));
  ask(RequestVerb::Stop);
  EXPECT_EQ(wait(number).status, ReplyStatus::Aborted);
  pass(1.0);
  EXPECT_GT(place_of(1).z(), kFoot + 3 * kHeight) << "it still hangs in the hand";
  expect_done(run_hanoi(2, 3));
  expect_tower(3);
}

TEST_F(HanoiProgram, WithoutABoardItFailsInWords) {
  use("scorbot-er3");
  const Reply reply = wait(run_file("hanoi.prog"));
  EXPECT_EQ(reply.status, ReplyStatus::Aborted);
  EXPECT_NE(text_of(reply.reason).find("there is no object 'peg_1' in the world"), std::string::npos)
      << text_of(reply.reason);
}

TEST_F(HanoiProgram, MoreDiscsThanThereAreFailInWords) {
  use_board(2);
  const Reply reply = wait(run_hanoi(3, 3));
  EXPECT_EQ(reply.status, ReplyStatus::Aborted);
  EXPECT_NE(text_of(reply.reason).find("there is no object 'disc_3' in the world"), std::string::npos)
      << text_of(reply.reason);
}

TEST_F(ShippedProgram, ThePalletiserPutsEachBoxAtItsPlace) {
  use("kr60");
  const Pose vacuum{.position = {0, 0, 0.2}};
  press("box", true);
  const std::uint64_t number = run_file("palletise.prog");
  std::vector<Vector3> places;
  bool was_on = false;
  ASSERT_TRUE(step_until(
      [&] {
        const bool is_now = is_on("vacuum");
        if (was_on && !is_now) places.push_back(tool_pose(vacuum).position);
        if (is_now != was_on) robot_->simulation().device(0).io().set_analog_input(0, is_now ? 0.3 : 1.0);
        was_on = is_now;
        return robot_->final_reply(number).has_value();
      },
      600.0));
  expect_done(number);
  ASSERT_EQ(places.size(), 12U);
  std::size_t next = 0;
  for (int layer = 0; layer < 2; ++layer)
    for (int row = 0; row < 2; ++row)
      for (int column = 0; column < 3; ++column) {
        const Vector3 wanted(1.0 + 0.3 * column, -0.9 + 0.25 * row, 0.4 + 0.2 * layer);
        EXPECT_LT((places[next] - wanted).norm(), kMillimetre) << "box " << next + 1;
        ++next;
      }
  EXPECT_EQ(said(number).back(), "layer 2 of 2 is full");
}

TEST_F(ShippedProgram, PickAndPlaceEndsWhenTheFeederIsEmpty) {
  use("ur5e");
  press("part_ready", true);
  const std::uint64_t number = run_file("pick_and_place.prog");
  int closed = 0;
  bool was_on = false;
  ASSERT_TRUE(step_until(
      [&] {
        closed += is_on("gripper") && !was_on ? 1 : 0;
        was_on = is_on("gripper");
        if (closed == 2) press("part_ready", false);
        return robot_->final_reply(number).has_value();
      },
      300.0));
  expect_done(number);
  EXPECT_EQ(said(number), (std::vector<std::string>{"2 parts placed"}));
  EXPECT_FALSE(is_on("gripper"));
}

TEST_F(ShippedProgram, EveryRightProgramOfTheTutorialRunsToItsEnd) {
  const std::string lesson = text_of_file("docs/tutorials/language.md");
  const std::regex block("```prog\\n([^`]*)```\\n(\\s*```text)?");
  int count = 0;
  for (std::sregex_iterator at(lesson.begin(), lesson.end(), block), end; at != end; ++at) {
    if ((*at)[2].matched) continue;
    use("ur5e");
    press("part", true);
    const std::uint64_t number = run((*at)[1]);
    const Reply reply = wait(number);
    EXPECT_EQ(reply.status, ReplyStatus::Done) << (*at)[1] << text_of(reply.reason);
    ++count;
  }
  EXPECT_GE(count, 6);
}

}  // namespace
}  // namespace sinew

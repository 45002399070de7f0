// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/output_gate.h"

#include <limits>

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr std::uint64_t kLamp = 1;
constexpr std::uint64_t kArc = 2;

RobotModel robot_with_outputs() {
  RobotModel model;
  model.outputs = {{.name = "lamp", .number = 0},
                   {.name = "arc", .number = 1, .is_off_at_stop = true},
                   {.name = "wire", .number = 2, .is_analog = true, .is_off_at_stop = true}};
  return model;
}

IoCommand all_on() {
  IoCommand command{.output_mask = 0xff, .outputs = 0xff, .analog_output_mask = 0xff};
  command.analog_outputs.fill(3.0);
  return command;
}

TEST(OutputGate, TellsTheDeviceFirstWhatFallsAndThenOnlyWhatIsNew) {
  OutputGate gate(robot_with_outputs());
  const IoCommand* told = gate.step(ControlState::Running, 1);
  ASSERT_NE(told, nullptr);
  EXPECT_EQ(told->output_mask, 0U);
  EXPECT_EQ(told->fall_mask, kArc);
  EXPECT_EQ(told->analog_fall_mask, 4U);
  EXPECT_EQ(gate.step(ControlState::Running, 2), nullptr);
  ASSERT_TRUE(gate.take(all_on()));
  told = gate.step(ControlState::Running, 3);
  ASSERT_NE(told, nullptr);
  EXPECT_EQ(told->output_mask, kLamp | kArc) << "those that robot.yaml does not name are not touched";
  EXPECT_EQ(told->outputs, kLamp | kArc);
  EXPECT_EQ(told->analog_output_mask, 4U);
  EXPECT_EQ(told->analog_outputs[2], 3.0);
  EXPECT_EQ(told->stamp_ns, 3);
  EXPECT_EQ(gate.step(ControlState::Running, 4), nullptr);
}

TEST(OutputGate, AStopSwitchesOffWhatRobotYamlWantsOffAndKeepsItOff) {
  for (const ControlState stopped : {ControlState::Stopped, ControlState::Faulted, ControlState::Held}) {
    OutputGate gate(robot_with_outputs());
    ASSERT_TRUE(gate.take(all_on()));
    ASSERT_NE(gate.step(ControlState::Running, 1), nullptr);
    const IoCommand* told = gate.step(stopped, 2);
    ASSERT_NE(told, nullptr);
    EXPECT_EQ(told->output_mask, kArc) << "the lamp is left as it is";
    EXPECT_EQ(told->outputs, 0U);
    EXPECT_EQ(told->analog_output_mask, 4U);
    EXPECT_EQ(told->analog_outputs[2], 0.0);
    EXPECT_EQ(gate.step(stopped, 3), nullptr);
    ASSERT_TRUE(gate.take(all_on()));
    told = gate.step(stopped, 4);
    ASSERT_NE(told, nullptr);
    EXPECT_EQ(told->outputs, kLamp);
    EXPECT_EQ(told->analog_outputs[2], 0.0);
  }
}

TEST(OutputGate, OfTwoCommandsInACycleTheNewerCountsOutputByOutput) {
  OutputGate gate(robot_with_outputs());
  ASSERT_TRUE(gate.take({.output_mask = kLamp | kArc, .outputs = kLamp | kArc}));
  ASSERT_TRUE(gate.take({.output_mask = kArc, .outputs = 0}));
  const IoCommand* told = gate.step(ControlState::Running, 1);
  ASSERT_NE(told, nullptr);
  EXPECT_EQ(told->output_mask, kLamp | kArc);
  EXPECT_EQ(told->outputs, kLamp);
}

TEST(OutputGate, RefusesNotANumberWhole) {
  OutputGate gate(robot_with_outputs());
  static_cast<void>(gate.step(ControlState::Running, 1));
  IoCommand command = all_on();
  command.analog_outputs[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(gate.take(command));
  EXPECT_EQ(gate.step(ControlState::Running, 2), nullptr);
}

}  // namespace
}  // namespace sinew

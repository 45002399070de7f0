// SPDX-License-Identifier: BSD-3-Clause
// Arms with a closed form whose descriptions were written with few digits, or come from a drawing or a
// calibration: the closed form is found, and its answers are exact for the arm as it is described.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "sinew/kinematics/closed_form_ik.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/kinematics/sample_arms.h"

namespace sinew {
namespace {

/// Every joint's place and turn through `change`, as if the file had been written so.
RobotModel rewritten(RobotModel model, const std::function<double(double)>& change) {
  for (Joint& joint : model.joints) {
    const RollPitchYaw rpy = roll_pitch_yaw(joint.X_PJ.rotation);
    joint.X_PJ.rotation =
        quaternion_from({.roll = change(rpy.roll), .pitch = change(rpy.pitch), .yaw = change(rpy.yaw)});
  }
  return model;
}

double rounded_to(double value, double step) {
  return std::round(value / step) * step;
}

/// An iiwa as one public file has it: axes along y, one of them reversed, and the shoulder 0.44 mm aside.
RobotModel shifted_iiwa() {
  using arms::kDegree;
  const auto row = [](Vector3 xyz, Vector3 axis, double range) {
    return arms::Row{.xyz = std::move(xyz), .axis = std::move(axis), .lower = -range, .upper = range};
  };
  const Vector3 y = Vector3::UnitY();
  const Vector3 z = Vector3::UnitZ();
  return arms::arm_of("shifted iiwa",
                      {row({0, 0, 0}, z, 2.9668), row({-0.00044, 0, 0.36}, y, 2.0942),
                       row({0, 0, 0}, z, 2.9668), row({0.00044, 0, 0.42}, -y, 2.0942),
                       row({0, 0, 0}, z, 2.9668), row({0, 0, 0.4}, y, 2.0942), row({0, 0, 0}, z, 3.0541)},
                      {.position = {0, 0, 0.126}});
}

struct Count {
  int closed = 0;
  int solved = 0;
  int of = 0;
};

/// Poses made within limits, solved from seeds that have nothing to do with them.
Count solve_drawn(const RobotModel& model, int count) {
  const SerialChain chain = arms::chain_of(model);
  const InverseKinematics ik(chain);
  arms::Random random{7};
  Count result{.of = count};
  for (int trial = 0; trial < count; ++trial) {
    const Pose X_BT = chain.tool_pose(arms::draw_joints(random, chain));
    const IkResult found = ik.solve(X_BT, arms::draw_joints(random, chain));
    result.closed += found.status == IkStatus::Solved && found.method == IkMethod::ClosedForm ? 1 : 0;
    result.solved += found.status == IkStatus::Solved ? 1 : 0;
    for (const IkSolution& solution : found.solutions) {
      EXPECT_TRUE(chain.is_within_limits(arms::numbers(solution.q)));
      const PoseDistance off = distance(chain.tool_pose(arms::numbers(solution.q)), X_BT);
      EXPECT_LE(off.position, 1e-6) << model.name << ", trial " << trial;
      EXPECT_LE(off.rotation, 1e-6) << model.name << ", trial " << trial;
    }
  }
  return result;
}

void expect_closed(const RobotModel& model, std::string_view name) {
  SCOPED_TRACE(model.name);
  const SerialChain chain = arms::chain_of(model);
  const auto ik = ClosedFormIk::find(chain);
  ASSERT_TRUE(ik);
  EXPECT_EQ(ik->name(), name);
  const Count count = solve_drawn(model, 1000);
  EXPECT_GE(count.closed, count.of * 99 / 100);
  EXPECT_EQ(count.solved, count.of);
}

TEST(RoundedArmTest, AnArmWhoseShoulderIsHalfAMillimetreAsideHasAClosedForm) {
  expect_closed(shifted_iiwa(), "arm angle");
}

TEST(RoundedArmTest, AnglesOfTwoToFiveDigitsKeepTheClosedForm) {
  for (const double step : {1e-2, 1e-3, 1e-4, 1e-5}) {
    SCOPED_TRACE(step);
    const auto change = [&](double value) { return rounded_to(value, step); };
    expect_closed(rewritten(arms::iiwa(), change), "arm angle");
    expect_closed(rewritten(arms::kr6(), change), "spherical wrist");
    expect_closed(rewritten(arms::ur5e(), change), "parallel axes");
  }
}

// as a calibration at the factory makes each arm its own
TEST(RoundedArmTest, ACalibratedArmKeepsTheClosedForm) {
  arms::Random random{3};
  for (const RobotModel& nominal : {arms::ur5e(), arms::kr6()}) {
    RobotModel model =
        rewritten(nominal, [&](double value) { return value + arms::draw(random, -3e-4, 3e-4); });
    for (Joint& joint : model.joints) joint.X_PJ.position += 2e-4 * arms::draw_direction(random);
    expect_closed(model, nominal.name == "kr6" ? "spherical wrist" : "parallel axes");
  }
}

TEST(RoundedArmTest, AnOffsetThatWasMeantIsNone) {
  RobotModel model = shifted_iiwa();
  model.joints[1].X_PJ.position.x() = 0.01;
  const SerialChain chain = arms::chain_of(model);
  EXPECT_FALSE(ClosedFormIk::find(chain));
}

}  // namespace
}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/model/robot_model.h"

#include "apps/cli/robot_link.h"

namespace sinew::cli {

/// What a joint is doing.
enum class JointActivity {
  Off,        ///< Its motor is not in use.
  Resting,    ///< It is where it is wanted.
  Moving,     ///< It is on its way.
  Held,       ///< The guard holds it back.
  Stopped,    ///< The robot does not run.
  Unmeasured  ///< The device does not say where it is.
};

/// A row of the reader: one joint. Positions in rad or m.
struct JointRow {
  std::string name;
  std::string alias;    ///< Its short name; empty: none.
  std::string address;  ///< Of its motor on the bus; empty: it has none, or shares several.
  bool is_enabled = true;
  bool is_revolute = true;
  double wanted = 0.0;
  double processed = 0.0;
  double actual = 0.0;
  JointActivity activity = JointActivity::Resting;
};

/// "moving" and the like.
std::string_view activity_text(JointActivity activity);

/// One row per position of the model, in order.
std::vector<JointRow> joint_rows(const RobotModel& model, const RobotSnapshot& now);

/// The actuator that moves position `i` and nothing else; empty when there is none.
std::string address_of(const RobotModel& model, std::size_t i);

}  // namespace sinew::cli

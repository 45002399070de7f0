// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/language/action.h"
#include "sinew/model/robot_model.h"
#include "sinew/spatial/pose.h"

namespace sinew {

/// A thing of the cell, as somebody says that it is before a program begins.
struct WalkedObject {
  std::string name;
  Pose X_RO;             ///< R: the root link of the robot.
  double reach = 0.0;    ///< [m] Of a ball about its origin that holds all of it.
  bool is_free = false;  ///< It can be carried.
};

/// Where things are while a program is only checked and nothing moves: where they were at first. What a
/// gripper closes on goes along with the flange until it opens; then it stays where it was let go, and
/// nothing falls. A value.
class WalkedObjects {
 public:
  explicit WalkedObjects(std::vector<WalkedObject> objects) : objects_(std::move(objects)) {}

  /// X_RO of a thing, with the flange at X_RF; refused in words when there is none of that name.
  Result<Pose> find(std::string_view name, const Pose& X_RF) const;

  /// A gripper closes or opens: held is then the free thing nearest to the tool's tip, among those that the
  /// tip is in.
  void grip(const language::GripperAction& action, const Pose& X_RF, const Pose& X_FT);

  /// What is held; empty: nothing.
  std::string_view held() const { return held_ == kNone ? std::string_view() : objects_[held_].name; }

 private:
  std::vector<WalkedObject> objects_;
  std::size_t held_ = kNone;
  Pose X_FO_;                                               // of what is held
  double width_ = std::numeric_limits<double>::infinity();  // [m] of the last order
};

}  // namespace sinew

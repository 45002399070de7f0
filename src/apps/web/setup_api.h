// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/accounts/accounts.h"
#include "sinew/base/result.h"
#include "sinew/model/load_robot.h"

#include "apps/web/api_call.h"
#include "apps/web/background.h"
#include "apps/web/robot_desk.h"

namespace sinew {

/// The calls about what is set up where the robot stands: limits, and bounds of the workspace. They are kept
/// in a file that its processes read when they start; so it takes effect when these are started anew, which
/// the robot survives held. One thread; work that takes longer goes to the background.
class SetupApi {
 public:
  struct Parts {
    RobotDesk& desk;
    Background& background;
    accounts::Accounts& accounts;
    std::string model;           ///< Name or path of the robot.
    std::filesystem::path file;  ///< Where it is kept; what was before is kept beside it.
  };

  /// All parts must outlive this object.
  explicit SetupApi(Parts parts) : parts_(std::move(parts)) {}

  std::vector<ApiRow> rows();

  /// Another number when there is something else to be fetched: it was saved, or came into force.
  std::uint64_t changes() const { return changes_ + parts_.desk.openings(); }
  /// The file is another one now.
  void note_change() { ++changes_; }

 private:
  void tell(const ApiCall& call);
  void keep(const ApiCall& call);
  void restart(const ApiCall& call);
  void note(const ApiCall& call, const std::string& what, const std::string& outcome);
  Result<std::shared_ptr<const LoadedRobot>> made();
  std::vector<double> positions_now();
  std::optional<Background::Delivery> refuse_conflicts(const ApiCall& call, const LoadedRobot& made,
                                                       const RobotModel& wanted,
                                                       const std::vector<double>& q);
  void in_turn(const ApiCall& call, std::function<Background::Delivery()> work);

  Parts parts_;
  std::shared_ptr<const LoadedRobot> made_;  // as its folder says; read once
  std::uint64_t changes_ = 1;
};

}  // namespace sinew

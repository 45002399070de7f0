// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sinew/accounts/accounts.h"

#include "apps/web/robot_desk.h"

namespace sinew {

/// Keeps two places in step that say who is obeyed: the desk here, among people at pages, and the motion
/// service, among all programs. Who takes control here takes it there; who loses it there, because a program
/// took it, has lost it here. One thread.
class ControlBridge {
 public:
  /// Both must outlive it. `tell`: somebody else controls now, and why.
  ControlBridge(accounts::Accounts& accounts, RobotDesk& robot, std::function<void(const std::string&)> tell)
      : accounts_(accounts), robot_(robot), tell_(std::move(tell)) {}

  /// Brings the motion service up to date. Before every call that moves, and a few times a second.
  void look(std::int64_t now_ns);

  /// What the motion service knows a user of the page by.
  static std::string name_of(std::string_view user);
  /// A program that has control and is no page; empty: none.
  std::string other_owner();

 private:
  void take(std::int64_t now_ns);
  void leave(std::int64_t now_ns);
  void compare(std::int64_t now_ns);
  void leave_for_the_dead(std::int64_t now_ns);

  const accounts::ControlDesk& desk() const { return accounts_.desk(); }

  accounts::Accounts& accounts_;
  RobotDesk& robot_;
  std::function<void(const std::string&)> tell_;
  bool has_looked_ = false;  // at who had control when this process began
  std::uint64_t seen_changes_ = 0;
  std::string name_;             // that we took it by; empty: we have not
  std::uint64_t asked_ = 0;      // the request that took it; zero: answered
  std::int64_t settled_ns_ = 0;  // since when it should be ours
};

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/base/result.h"

#include "apps/cli/demo_process.h"
#include "apps/cli/robot_link.h"
#include "apps/cli/terminal.h"

namespace sinew::cli {

/// A simulated robot with its world, its controller and perhaps its motion service, as children of this
/// process; what they leave is taken away.
class DemoRobot {
 public:
  struct Options {
    std::string robot;
    std::string space;
    std::vector<std::string> world;  ///< The simulator's words: "--world", "mds", …
    bool has_motion = false;
    std::string web{};  ///< ADDRESS:PORT of its page, which needs no account; empty: none.
  };

  explicit DemoRobot(const Options& options);
  ~DemoRobot();
  DemoRobot(const DemoRobot&) = delete;
  DemoRobot& operator=(const DemoRobot&) = delete;

  /// Waits until it runs.
  Result<RobotLink> link(const SignalWatch& signals);

 private:
  Status check_processes();

  Options options_;
  std::unique_ptr<DemoProcess> simulator_;
  std::unique_ptr<DemoProcess> controller_;
  std::unique_ptr<DemoProcess> motion_;
  std::unique_ptr<DemoProcess> web_;
};

}  // namespace sinew::cli

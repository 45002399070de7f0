// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/processes/roles.h"
#include "sinew/processes/run_folder.h"

#include "apps/supervisor/child.h"
#include "apps/supervisor/wire.h"

namespace sinew::supervisor {

enum class RobotPhase {
  Starting,  ///< Its processes are started one after the other.
  Up,        ///< All have been started; each is kept alive by itself.
  Stopping,  ///< They end one after the other, in the reverse order.
  Gone,
};
std::string_view phase_text(RobotPhase phase);

/// The processes of one robot. Driven by turn(); never waits.
class Robot {
 public:
  enum class Origin { Asked, Found };

  /// Asked: all start anew, and if one fails all are stopped. Found: what an earlier supervisor left is taken
  /// up.
  Robot(const processes::RunFolder& folder, const processes::RobotPlan& plan, Origin origin);

  void turn(std::int64_t now_ns);

  /// Ends all processes. `grace_ns` is what each is given before it is killed.
  void stop(std::int64_t grace_ns);

  /// Starts what is dead.
  void try_again(std::int64_t now_ns);

  const processes::RobotPlan& plan() const { return plan_; }
  const std::string& name() const { return plan_.name; }
  RobotPhase phase() const { return phase_; }
  /// Up, and every process is ready.
  bool is_ready() const;
  /// Why the start failed, or why it cannot become ready; empty: nothing is wrong.
  std::string failure() const;
  std::vector<std::string> roles() const;
  const std::vector<std::unique_ptr<Child>>& children() const { return children_; }
  /// When turn() has something to do at the latest, as Child::next_look_ns().
  std::int64_t next_look_ns() const;

  /// What has happened since the last call, for those who wait.
  std::vector<std::string> take_news();

 private:
  void go_on_starting(std::int64_t now_ns);
  void go_on_stopping(std::int64_t now_ns);
  void note_ready(const Child& child);
  bool has_to_act() const;

  processes::RunFolder folder_;
  processes::RobotPlan plan_;
  std::vector<std::unique_ptr<Child>> children_;  // refer to plan_
  Origin origin_;
  RobotPhase phase_ = RobotPhase::Starting;
  std::int64_t grace_ns_ = 0;
  std::string failure_;
  std::vector<std::string> news_;
  std::vector<const Child*> announced_;
};

/// What `status` tells of a robot; also of one that nobody supervises, from its files.
Json json_of(const Robot& robot);

}  // namespace sinew::supervisor

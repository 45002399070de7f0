// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <poll.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/processes/pid_file.h"
#include "sinew/processes/run_folder.h"

#include "apps/supervisor/connection.h"
#include "apps/supervisor/guardian.h"
#include "apps/supervisor/presence.h"
#include "apps/supervisor/robot.h"

namespace sinew::supervisor {

/// What a supervisor works with.
struct SupervisorParts {
  processes::RunFolder folder;
  processes::LockFile lock;  ///< Of the folder.
  Listener listener;
  int signals = -1;           ///< A signalfd; must outlive the supervisor.
  unsigned quick_deaths = 0;  ///< Of supervisors before this one, in a row.
};

/// Keeps the processes of all robots of one space alive and does what callers ask. One thread, one loop.
class Supervisor {
 public:
  explicit Supervisor(SupervisorParts parts);

  /// Takes up the robots that an earlier supervisor left.
  void adopt();

  /// Runs until the last robot is stopped and told so (true), or a signal asks the supervisor alone to leave
  /// (false): the robots then go on without it.
  bool run();

 private:
  void turn(std::int64_t now_ns);
  void wait(std::int64_t now_ns);
  void take_callers(std::int64_t now_ns);
  void answer(Connection& connection, const std::string& line, std::int64_t now_ns);
  void start(Connection& connection, const Json& request, std::int64_t now_ns);
  void stop(Connection& connection, const Json& request);
  Status check_free(const processes::RobotPlan& plan) const;
  void tell_status(Connection& connection) const;
  void begin_to_stop(Robot& robot, std::int64_t grace_ns);
  void tell_news(Robot& robot);
  void answer_starts(const Robot& robot);
  void forget_gone();
  void look_after_logs(std::int64_t now_ns);
  void look_after_folder(std::int64_t now_ns);
  Status make_folder_again();
  void tell_presence(std::int64_t now_ns);
  Robot* find(const std::string& name);
  bool is_done(std::int64_t now_ns) const;

  processes::RunFolder folder_;
  processes::LockFile lock_;
  Listener listener_;
  int signals_;
  Presence presence_;
  Guardian guardian_;
  std::int64_t started_ns_;
  std::int64_t next_logs_ns_ = 0;
  std::int64_t next_folder_ns_ = 0;
  bool was_used_ = false;
  bool misses_folder_ = false;
  std::vector<std::unique_ptr<Robot>> robots_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<pollfd> watched_;
};

}  // namespace sinew::supervisor

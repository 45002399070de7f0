// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <poll.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/processes/run_folder.h"

#include "apps/supervisor/connection.h"
#include "apps/supervisor/robot.h"

namespace sinew::supervisor {

/// Keeps the processes of all robots of one space alive and does what callers ask. One thread, one loop.
class Supervisor {
 public:
  /// The caller holds the space's lock. `listener` and `signals` (a signalfd) must outlive this object.
  Supervisor(const processes::RunFolder& folder, int listener, int signals);

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
  void tell_status(Connection& connection) const;
  void begin_to_stop(Robot& robot, std::int64_t grace_ns);
  void tell_news(Robot& robot);
  void answer_starts(const Robot& robot);
  void forget_gone();
  void look_after_logs(std::int64_t now_ns);
  Robot* find(const std::string& name);
  bool is_done(std::int64_t now_ns) const;

  processes::RunFolder folder_;
  int listener_;
  int signals_;
  std::int64_t started_ns_;
  std::int64_t next_logs_ns_ = 0;
  bool was_used_ = false;
  std::vector<std::unique_ptr<Robot>> robots_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<pollfd> watched_;
};

}  // namespace sinew::supervisor

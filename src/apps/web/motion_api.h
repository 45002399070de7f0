// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/web/api_call.h"
#include "apps/web/live_desk.h"

namespace sinew {

/// The calls that move the robot, or keep it from moving. All parts must outlive the rows.
class MotionApi {
 public:
  struct Parts {
    RobotDesk& robot;
    ControlBridge& bridge;
    LiveDesk& live;
    HeldKeys& keys;
  };
  explicit MotionApi(const Parts& parts) : parts_(parts) {}

  std::vector<ApiRow> rows();

  /// Asks the motion service for a call: 202 with the request's number at once, or, when the body says
  /// "wait", what came of it. With "hold", the number of a press, it runs only while that is held.
  /// `before`: something that is done first; what is asked then begins when that is done, and fails with it.
  void ask(const ApiCall& call, Request request, const std::optional<Request>& before = {});

 private:
  void move(const ApiCall& call);
  void gripper(const ApiCall& call);
  void output(const ApiCall& call);
  void resume(const ApiCall& call);
  void add_object(const ApiCall& call);
  void remove_object(const ApiCall& call);
  void stop(const ApiCall& call);
  ApiRow plain(std::string_view path, RequestVerb verb);
  ApiRow of_controller(std::string_view path, ControlVerb verb, const accounts::Need& need);

  Parts parts_;
};

/// The request that the body of POST /api/move holds.
Result<Request> move_request_from(const nlohmann::ordered_json& body, const RobotModel& model);

/// {"request", "status", "reached", "reason", "seconds", …}: what became of a request.
nlohmann::ordered_json outcome_json(const Reply& reply, double seconds);

}  // namespace sinew

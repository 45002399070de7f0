// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/motion_api.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/spatial/pose.h"
#include "sinew/web/routes.h"

#include "apps/web/api_needs.h"
#include "apps/web/json_values.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kFarthest = 1000.0;  // [m, rad]

Status take_joints(const Json& body, const RobotModel& model, Request& request) {
  const auto joints = joints_at(body, "joints", model, kFarthest);
  if (!joints) return joints.error();
  for (const auto& [position, value] : *joints) {
    request.joint_mask |= std::uint64_t{1} << position;
    request.joints[position] = value;
  }
  return Done{};
}

Status take_turn(const Json& body, Request& request) {
  if (!body.contains("quaternion")) {
    const auto rpy = numbers_at(body, "rpy", 3);
    if (!rpy) return rpy.error();
    std::ranges::copy(*rpy, request.rpy.begin());
    return Done{};
  }
  const auto wxyz = numbers_at(body, "quaternion", 4);
  if (!wxyz) return wxyz.error();
  const Quaternion turn((*wxyz)[0], (*wxyz)[1], (*wxyz)[2], (*wxyz)[3]);
  if (std::abs(turn.norm() - 1.0) > 1e-3)
    return Error{ErrorCode::InvalidInput, "'quaternion' must be [w, x, y, z] of length 1"};
  const RollPitchYaw rpy = roll_pitch_yaw(turn.normalized());
  request.rpy = {rpy.roll, rpy.pitch, rpy.yaw};
  return Done{};
}

Status take_pose(const Json& body, Request& request) {
  constexpr std::array<std::string_view, 3> kFrames{"base", "tool", "user"};
  const auto position = numbers_at(body, "position", 3);
  if (!position) return position.error();
  std::ranges::copy(*position, request.position.begin());
  const auto mask = number_at(body, "components", 1, 63, 63.0);
  if (!mask) return mask.error();
  request.component_mask = static_cast<std::uint32_t>(*mask);
  const bool wants_turn = (request.component_mask & 56U) != 0;
  if (wants_turn || body.contains("rpy") || body.contains("quaternion")) {
    if (Status taken = take_turn(body, request); !taken) return taken;
  }
  const auto exact = truth_at(body, "exact", false);
  if (!exact) return exact.error();
  request.is_exact = *exact ? 1 : 0;
  const auto frame = text_at(body, "frame", "base");
  if (!frame) return frame.error();
  const auto found = std::ranges::find(kFrames, *frame);
  if (found == kFrames.end())
    return Error{ErrorCode::InvalidInput, fmt::format("there is no frame '{}': base, tool or user", *frame)};
  request.frame = static_cast<RequestFrame>(found - kFrames.begin());
  if (request.frame != RequestFrame::User) return Done{};
  const auto place = numbers_at(body, "frame_position", 3);
  if (!place) return place.error();
  const auto turn = numbers_at(body, "frame_rpy", 3);
  if (!turn) return turn.error();
  std::ranges::copy(*place, request.frame_position.begin());
  std::ranges::copy(*turn, request.frame_rpy.begin());
  return Done{};
}

}  // namespace

Result<Request> move_request_from(const Json& body, const RobotModel& model) {
  Request request;
  const auto kind = text_at(body, "kind");
  if (!kind) return kind.error();
  const auto speed = number_at(body, "speed", 0.001, 1.0, 1.0);
  if (!speed) return speed.error();
  const auto duration = number_at(body, "duration", 0.0, 3600.0, 0.0);
  if (!duration) return duration.error();
  request.speed = *speed;
  request.duration = *duration;
  for (const Status& taken : {take_name(body, "arm", request.arm), take_name(body, "tool", request.tool)})
    if (!taken) return taken.error();
  if (*kind != "joints" && *kind != "pose" && *kind != "line")
    return Error{ErrorCode::InvalidInput, fmt::format("there is no kind '{}': joints, pose or line", *kind)};
  request.verb = *kind == "joints" ? RequestVerb::MoveJoints
                 : *kind == "pose" ? RequestVerb::MoveTool
                                   : RequestVerb::MoveLine;
  const Status taken = *kind == "joints" ? take_joints(body, model, request) : take_pose(body, request);
  if (!taken) return taken.error();
  return request;
}

Json outcome_json(const Reply& reply, double seconds) {
  return {{"request", reply.request},
          {"status", web::outcome_of(reply.status).word},
          {"reached", reply.status == ReplyStatus::Done},
          {"reason", text_of(reply.reason)},
          {"seconds", rounded(seconds)},
          {"position_error", rounded(reply.position_error)},
          {"rotation_error", rounded(reply.rotation_error)}};
}

void MotionApi::ask(const ApiCall& call, Request request, const std::optional<Request>& before) {
  const auto wants_wait = truth_at(call.body, "wait", false);
  if (!wants_wait) return call.refuse(wants_wait.error());
  const auto press = press_at(call.body, "hold", true);
  if (!press) return call.refuse(press.error());
  if (*press != 0 && !parts_.keys.is_held(*press, call.now_ns))
    return call.refuse(409, "this runs only while its key is held, and that is not");
  request.hold = *press;
  parts_.bridge.look(call.now_ns);
  if (before) {
    Request first_request = *before;
    first_request.hold = *press;
    const auto first = parts_.robot.ask(first_request, ControlBridge::name_of(call.who.user), call.now_ns,
                                        [](const Reply&, double) {});
    if (!first) return call.refuse(503, first.error().message);
    request.order = RequestOrder::After;
  }
  const auto number =
      parts_.robot.ask(request, ControlBridge::name_of(call.who.user), call.now_ns,
                       [parts = parts_, call, waits = *wants_wait](const Reply& reply, double seconds) {
                         const Json outcome = outcome_json(reply, seconds);
                         Json event{{"op", "event"}, {"kind", "reply"}, {"text", outcome["reason"]}};
                         event.update(outcome);
                         parts.live.tell(event);
                         if (waits) call.reply(web::outcome_of(reply.status).status, outcome);
                       });
  if (!number) return call.refuse(503, number.error().message);
  if (!*wants_wait) call.reply(202, {{"request", *number}});
}

void MotionApi::move(const ApiCall& call) {
  const auto robot = parts_.robot.robot();
  if (!robot) return call.refuse(503, robot.error().message);
  const auto request = move_request_from(call.body, (*robot)->link.model());
  request ? ask(call, *request) : call.refuse(request.error());
}

void MotionApi::gripper(const ApiCall& call) {
  const auto name = text_at(call.body, "name", "");
  if (!name) return call.refuse(name.error());
  const auto width = number_at(call.body, "width", 0.0, 1.0);
  if (!width) return call.refuse(width.error());
  Request request{.verb = RequestVerb::MoveGripper, .position = {*width, 0.0, 0.0}};
  set_text(request.text, *name);
  ask(call, request);
}

void MotionApi::output(const ApiCall& call) {
  const auto robot = parts_.robot.robot();
  if (!robot) return call.refuse(503, robot.error().message);
  const std::string& name = call.names[0];
  const RobotModel& model = (*robot)->link.model();
  const bool is_number = call.body.contains("value") && call.body["value"].is_number();
  const IoPort* port = find_port(model.outputs, name, is_number);
  if (port == nullptr) return call.refuse(404, fmt::format("there is no such output '{}'", name));
  IoCommand command;
  if (port->is_analog) {
    command.analog_output_mask = 1U << port->number;
    command.analog_outputs[port->number] = call.body["value"].get<double>();
  } else {
    const auto value = truth_at(call.body, "value", false);
    if (!value) return call.refuse(value.error());
    command.output_mask = std::uint64_t{1} << port->number;
    command.outputs = *value ? command.output_mask : 0;
  }
  call.finish(parts_.robot.set_outputs(command, ControlBridge::name_of(call.who.user)));
}

void MotionApi::add_object(const ApiCall& call) {
  const auto line = text_at(call.body, "yaml");
  if (!line) return call.refuse(line.error());
  Request request{.verb = RequestVerb::AddObject};
  if (line->size() >= request.text.size()) return call.refuse(422, "the object's text is too long");
  set_text(request.text, *line);
  ask(call, request);
}

void MotionApi::remove_object(const ApiCall& call) {
  Request request{.verb = RequestVerb::RemoveObject};
  set_text(request.text, call.names[0]);
  ask(call, request);
}

// All that is paused goes on; with "hold", the "request" that goes on while that press is held.
void MotionApi::resume(const ApiCall& call) {
  const bool is_held = call.body.contains("hold");
  const auto number = number_at(call.body, "request", 1, 1e15, is_held ? std::nullopt : std::optional(0.0));
  number ? ask(call, {.verb = RequestVerb::Resume, .number = static_cast<std::uint64_t>(*number)})
         : call.refuse(number.error());
}

// A page that asks by its socket as well says the number of the press. One that makes no sense stops, too.
void MotionApi::stop(const ApiCall& call) {
  const std::string& user = call.who.user;
  call.finish(parts_.robot.stop(user.empty() ? "web" : ControlBridge::name_of(user),
                                press_at(call.body, "press", true).value_or(0)));
}

ApiRow MotionApi::plain(std::string_view path, RequestVerb verb) {
  return {"POST", path, needs::kMove, [this, verb](const ApiCall& call) { ask(call, {.verb = verb}); }};
}

ApiRow MotionApi::of_controller(std::string_view path, ControlVerb verb, const accounts::Need& need) {
  return {
      "POST", path, need, [this, verb](const ApiCall& call) {
        const std::string& user = call.who.user;
        call.finish(parts_.robot.ask_controller(verb, user.empty() ? "web" : ControlBridge::name_of(user)));
      }};
}

std::vector<ApiRow> MotionApi::rows() {
  return {{"POST", "/api/move", needs::kMove, [this](const ApiCall& call) { move(call); }},
          {"POST", "/api/gripper", needs::kMove, [this](const ApiCall& call) { gripper(call); }},
          {"POST", "/api/override", needs::kMove,
           [this](const ApiCall& call) {
             const auto share = number_at(call.body, "share", 0.01, 1.0);
             share ? ask(call, {.verb = RequestVerb::SetOverride, .speed = *share})
                   : call.refuse(share.error());
           }},
          {"PUT", "/api/outputs/{name}", needs::kMove, [this](const ApiCall& call) { output(call); }},
          {"POST", "/api/world", needs::kTeachWorld, [this](const ApiCall& call) { add_object(call); }},
          {"DELETE", "/api/world/{name}", needs::kTeachWorld,
           [this](const ApiCall& call) { remove_object(call); }},
          {"POST", "/api/stop", needs::kStop, [this](const ApiCall& call) { stop(call); }},
          of_controller("/api/reset", ControlVerb::Reset, needs::kMove),
          of_controller("/api/home", ControlVerb::Home, needs::kMove),
          plain("/api/pause", RequestVerb::Pause),
          {"POST", "/api/resume", needs::kMove, [this](const ApiCall& call) { resume(call); }},
          plain("/api/halt", RequestVerb::Stop)};
}

}  // namespace sinew

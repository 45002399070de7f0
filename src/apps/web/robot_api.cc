// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/robot_api.h"

#include <fmt/format.h>

#include "sinew/accounts/whole_file.h"
#include "sinew/base/fixed_string.h"

#include "apps/cli/motion_words.h"
#include "apps/cli/read_view.h"
#include "apps/web/api_needs.h"
#include "apps/web/json_values.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostMeshBytes = 64U << 20U;

/// A row that needs the robot.
ApiRow row(RobotDesk& desk, std::string_view method, std::string_view path, const accounts::Need& need,
           std::function<void(const ApiCall&, OpenRobot&)> serve) {
  return {method, path, need, [&desk, serve = std::move(serve)](const ApiCall& call) {
            const auto robot = desk.robot();
            robot ? serve(call, **robot) : call.refuse(503, robot.error().message);
          }};
}

Json state_json(const cli::RobotLink& link, const accounts::ControlDesk& control) {
  const auto view = cli::view_json(link);
  Json safety;
  for (const char* key : {"state", "reason", "text", "who", "is_overridden", "device_faults"})
    safety[key] = view[key];
  Json json{{"robot", view["robot"]}, {"stamp_ns", view["stamp_ns"]}, {"safety", safety}};
  json["controlled_by"] = nullptr;
  json["motion"] = nullptr;
  if (const auto motion = link.motion_state()) {
    const std::string_view owner = text_of(motion->owner);
    if (!owner.empty()) json["controlled_by"] = owner;
    json["motion"] = {{"phase", cli::phase_word(motion->phase)},
                      {"request", motion->request},
                      {"progress", motion->progress},
                      {"remaining", motion->remaining},
                      {"queue_length", motion->queue_length},
                      {"override", motion->override_share}};
  }
  if (control.who()) json["controlled_by"] = control.who()->user;
  json["joints"] = view["joints"];
  return json;
}

void send_mesh(const ApiCall& call, const OpenRobot& robot) {
  const auto mesh = robot.facts.mesh(call.names[0]);
  if (!mesh) return call.refuse(404, "the robot has no such mesh");
  auto bytes = accounts::read_whole_file(mesh->file.string(), kMostMeshBytes);
  if (!bytes) return call.refuse(404, "the mesh cannot be read");
  call.answer({.type = std::string(mesh->type), .body = *std::move(bytes)});
}

Result<Pose> pose_from(const Json& body) {
  Pose X;
  const auto position = numbers_at(body, "position", 3);
  if (!position) return position.error();
  X.position = Vector3((*position)[0], (*position)[1], (*position)[2]);
  if (body.contains("quaternion")) {
    const auto wxyz = numbers_at(body, "quaternion", 4);
    if (!wxyz) return wxyz.error();
    X.rotation = Quaternion((*wxyz)[0], (*wxyz)[1], (*wxyz)[2], (*wxyz)[3]).normalized();
  } else {
    const auto rpy = numbers_at(body, "rpy", 3);
    if (!rpy) return rpy.error();
    X.rotation = quaternion_from({(*rpy)[0], (*rpy)[1], (*rpy)[2]});
  }
  if (is_valid(X)) return X;
  return Error{ErrorCode::InvalidInput, "the pose must be finite numbers, its quaternion not zero"};
}

std::vector<double> positions_now(const OpenRobot& robot) {
  const auto& now = robot.link.now().state.position;
  const auto count = static_cast<std::ptrdiff_t>(robot.link.model().positions.size());
  return {now.begin(), now.begin() + count};
}

void reply_with(const ApiCall& call, const RobotModel& model, const RobotSight::Answer& answer) {
  Json joints = Json::object();
  for (std::size_t i = 0; i < answer.q.size(); ++i)
    joints[model.joints[model.positions[i]].name] = rounded(answer.q[i]);
  call.reply(200, {{"reachable", answer.is_reachable},
                   {"clear", answer.is_clear},
                   {"joints", std::move(joints)},
                   {"why", answer.why},
                   {"position_error", rounded(answer.position_error)},
                   {"rotation_error", rounded(answer.rotation_error)}});
}

// Joints instead of a pose: whether the robot may stand so.
void look_at_posture(const ApiCall& call, OpenRobot& robot) {
  constexpr double kFarthest = 1000.0;  // [m, rad]
  const RobotModel& model = robot.link.model();
  const auto joints = joints_at(call.body, "joints", model, kFarthest);
  if (!joints) return call.refuse(joints.error());
  std::vector<double> q = positions_now(robot);
  std::vector<std::size_t> asked;
  for (const auto& [position, value] : *joints) {
    q[position] = value;
    asked.push_back(position);
  }
  reply_with(call, model, robot.sight->look_at_posture(q, asked));
}

void solve(const ApiCall& call, OpenRobot& robot) {
  if (call.body.contains("joints")) return look_at_posture(call, robot);
  RobotSight::Wish wish;
  for (const auto& [key, text] : {std::pair{"arm", &wish.arm}, {"tool", &wish.tool}}) {
    const auto found = text_at(call.body, key, "");
    if (!found) return call.refuse(found.error());
    *text = *found;
  }
  const auto pose = pose_from(call.body);
  if (!pose) return call.refuse(pose.error());
  wish.X_BT = *pose;
  const auto exact = truth_at(call.body, "exact", false);
  if (!exact) return call.refuse(exact.error());
  wish.is_exact = *exact;
  const RobotModel& model = robot.link.model();
  std::vector<double> from = positions_now(robot);
  if (call.body.contains("start")) {
    const auto start = numbers_at(call.body, "start", from.size());
    if (!start) return call.refuse(start.error());
    from = *start;
  }
  const auto answer = robot.sight->solve(wish, from);
  answer ? reply_with(call, model, *answer) : call.refuse(answer.error());
}

}  // namespace

std::vector<ApiRow> robot_rows(RobotDesk& desk, const accounts::ControlDesk& control) {
  const auto watch = [&](std::string_view path, std::function<void(const ApiCall&, OpenRobot&)> serve) {
    return row(desk, "GET", path, needs::kWatch, std::move(serve));
  };
  return {watch("/api/state", [&](const ApiCall& call,
                                  OpenRobot& robot) { call.reply(200, state_json(robot.link, control)); }),
          watch("/api/robot",
                [](const ApiCall& call, OpenRobot& robot) { call.answer({.body = robot.facts.json()}); }),
          watch("/api/robot.urdf",
                [](const ApiCall& call, OpenRobot& robot) {
                  call.answer({.type = "application/xml", .body = robot.facts.urdf()});
                }),
          watch("/api/mesh/{rest}", send_mesh),
          watch("/api/world",
                [](const ApiCall& call, OpenRobot& robot) {
                  robot.live.look_at_world();
                  call.reply(200, {{"objects", robot.live.world_json()}});
                }),
          row(desk, "POST", "/api/solve", needs::kThink, solve)};
}

}  // namespace sinew

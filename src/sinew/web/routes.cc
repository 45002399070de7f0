// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/routes.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/fixed_string.h"
#include "sinew/web/shown_text.h"
#include "sinew/web/visitor.h"

namespace sinew::web {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kAllSix = 63;
constexpr std::uint32_t kRoot = 0;
constexpr std::string_view kStopTarget = "/api/stop";

HttpAnswer json_answer(unsigned status, const Json& json) {
  return {.status = status, .body = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"};
}

unsigned status_of(const Error& error) {
  return error.code == ErrorCode::Denied ? 403 : 400;
}

Json json_of(const ArmTarget& target) {
  return {{"x", target.x},       {"y", target.y},         {"z", target.z},
          {"roll", target.roll}, {"pitch", target.pitch}, {"handWidth", target.hand_width},
          {"time", target.time}};
}

}  // namespace

Outcome outcome_of(ReplyStatus status) {
  switch (status) {
    case ReplyStatus::Done:
      return {"reached", 200};
    case ReplyStatus::Unreachable:
      return {"unreachable", 422};
    case ReplyStatus::Blocked:
      return {"blocked", 422};
    case ReplyStatus::Refused:
      return {"refused", 409};
    case ReplyStatus::Accepted:
      return {"moving", 504};
    case ReplyStatus::Aborted:
    case ReplyStatus::Strayed:
      break;
  }
  return {"aborted", 409};
}

HttpAnswer error_answer(unsigned status, const std::string& why) {
  return json_answer(status, {{"error", why}});
}

HttpAnswer arm_refusal(unsigned status, const std::string& why, const std::optional<ArmTarget>& target) {
  Json json{{"reached", false}, {"status", "refused"}, {"reason", why}};
  if (target) json["target"] = json_of(*target);
  HttpAnswer answer = json_answer(status, json);
  if (status == 429 || status == 503) answer.retry_after = 1;
  return answer;
}

HttpAnswer arm_answer(const ArmTarget& target, const Reply& reply, double seconds) {
  const Outcome outcome = outcome_of(reply.status);
  return json_answer(outcome.status, {{"reached", reply.status == ReplyStatus::Done},
                                      {"status", outcome.word},
                                      {"reason", text_of(reply.reason)},
                                      {"request", reply.request},
                                      {"seconds", std::round(seconds * 1000.0) / 1000.0},
                                      {"position_error", reply.position_error},
                                      {"rotation_error", reply.rotation_error},
                                      {"target", json_of(target)}});
}

Request motion_request(const ArmTarget& target) {
  Request request{.verb = RequestVerb::MoveTarget,
                  .component_mask = kAllSix,
                  .position = {target.x, target.y, target.z},
                  .rpy = {target.roll, target.pitch, 0.0},
                  .duration = target.time,
                  .value = target.hand_width};
  return request;
}

Route Routes::route(const HttpRequest& request, std::int64_t now_ns) {
  if (const Status known = check_host(request.headers, rules_.host_names); !known)
    return error_answer(status_of(known.error()), known.error().message);
  const bool is_arm = is_arm_url(request.target);
  const bool is_api = request.target.starts_with("/api/") || request.target == "/metrics";
  // a stop always counts, and files of the page cost nothing
  const bool is_stop = request.method == "POST" && request.target == kStopTarget;
  if ((is_arm || is_api) && !is_stop && !requests_.allows(request.peer, now_ns)) {
    HttpAnswer answer = error_answer(429, "more than 100 requests a second: ask more slowly");
    answer.retry_after = 1;
    return answer;
  }
  if (is_arm) return arm_route(request, now_ns);
  if (is_api) return ApiPath{};
  if (request.method != "GET" && request.method != "HEAD")
    return error_answer(405, fmt::format("'{}' takes GET only", shown_text(request.target)));
  return PageFile{};
}

// In this order: what is asked of a stranger tells nothing of the robot.
Route Routes::arm_route(const HttpRequest& request, std::int64_t now_ns) {
  if (request.method != "GET") return arm_refusal(405, "the arm is moved by GET only");
  if (const Status own = check_mover(request.headers); !own) return arm_refusal(403, own.error().message);
  const bool is_owner = !rules_.owner || request.user == rules_.owner || request.user == kRoot;
  if (!is_owner) return arm_refusal(403, "only programs of the user who started this robot may move it");
  if (!rules_.has_arm_url) return arm_refusal(403, rules_.why_no_arm_url);
  const auto target = arm_target_from(request.target);
  if (!target) return arm_refusal(400, target.error().message);
  if (!moves_.allows(now_ns))
    return arm_refusal(429, "more than 10 moves a second: ask more slowly", *target);
  return *target;
}

}  // namespace sinew::web

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/immediate_stop.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/accounts/strict_json.h"
#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/channels/inspect.h"
#include "sinew/messages/requests.h"
#include "sinew/messages/schemas.h"
#include "sinew/web/visitor.h"

#include "apps/web/api_call.h"
#include "apps/web/control_bridge.h"
#include "apps/web/json_values.h"
#include "apps/web/live_desk.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kStopTarget = "/api/stop";
constexpr std::size_t kMostBody = 512;  // of what is no more than a press

/// An object that is no larger than a stop ever is.
std::optional<Json> small_object(std::string_view text) {
  if (text.empty()) return Json::object();
  if (text.size() > kMostBody) return std::nullopt;
  auto json = accounts::strict_json(text);
  return json && json->is_object() ? std::optional(*std::move(json)) : std::nullopt;
}

}  // namespace

ImmediateStop::ImmediateStop(Options options)
    : options_(std::move(options)), clock_(options_.robot, options_.space) {}

void ImmediateStop::set_rights(accounts::StopRights rights) {
  const std::lock_guard lock(mutex_);
  rights_ = std::move(rights);
}

web::Server::Options::AtOnce ImmediateStop::at_once() {
  return {.request = [this](const web::HttpRequest& request) { return answer(request); },
          .message = [this](const web::HttpRequest& opened_by,
                            const web::SocketMessage& message) { return take(opened_by, message); }};
}

std::optional<web::HttpAnswer> ImmediateStop::answer(const web::HttpRequest& request) {
  if (request.method != "POST" || request.target != kStopTarget) return std::nullopt;
  if (!web::check_host(request.headers, options_.host_names)) return std::nullopt;
  const auto body = small_object(request.body);
  if (!body || !stop(request, press_at(*body, "press", true).value_or(0))) return std::nullopt;
  return web::HttpAnswer{.body = json_text({{"ok", true}})};
}

bool ImmediateStop::take(const web::HttpRequest& opened_by, const web::SocketMessage& message) {
  if (opened_by.target != LiveDesk::kTarget || message.bytes.find("\"stop\"") == std::string::npos)
    return false;
  const auto words = small_object(message.bytes);
  if (!words || text_at(*words, "op", "").value_or("") != "stop") return false;
  return stop(opened_by, press_at(*words, "press", true).value_or(0));
}

bool ImmediateStop::stop(const web::HttpRequest& from, std::uint64_t press) {
  const auto user = [&] {
    const std::lock_guard lock(mutex_);
    return rights_.who(credentials_of(from));
  }();
  if (!user) return false;
  const std::string who = user->empty() ? "web" : ControlBridge::name_of(*user);
  if (presses_.was_told(who, press)) return true;
  if (!tell_controller(who)) return false;
  presses_.note_told(who, press);
  return true;
}

bool ImmediateStop::tell_controller(const std::string& who) {
  // one that is dead is told of by the ordinary way
  if (!channels::is_written(options_.space, options_.robot + "/processed")) return false;
  auto writer = Writer<ControlRequest>::open(
      {.name = options_.robot + "/stop", .space = options_.space, .sender = "web", .may_create = false});
  if (!writer) return false;
  clock_.look();
  const std::int64_t now_ns = monotonic_now_ns();
  ControlRequest request{.stamp_ns = clock_.now_ns(now_ns).value_or(now_ns), .verb = ControlVerb::Stop};
  set_text(request.who, who);
  return writer->put(request) == SINEW_OK;
}

}  // namespace sinew

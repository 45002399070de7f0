// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/messages/requests.h"
#include "sinew/web/arm_url.h"
#include "sinew/web/http.h"
#include "sinew/web/rate_limit.h"

namespace sinew::web {

/// What is let in.
struct RouteRules {
  std::vector<std::string> host_names;  ///< Names of this machine besides its addresses and localhost.
  bool has_arm_url = false;             ///< Whether URLs may move the arm.
  std::string why_no_arm_url;           ///< What to do about it, when they may not.
  std::optional<std::uint32_t> owner;   ///< Set: only programs of this user, or of root, move the arm.
};

// Who asks for what.
struct PageFile {};  ///< A file of the page, perhaps.
struct ApiPath {};   ///< Something under /api, or /metrics.
/// What a request is about, or the answer that it gets without more ado.
using Route = std::variant<HttpAnswer, PageFile, ApiPath, ArmTarget>;

/// Decides what becomes of each request. Takes values and gives values; one thread.
class Routes {
 public:
  explicit Routes(RouteRules rules) : rules_(std::move(rules)) {}

  Route route(const HttpRequest& request, std::int64_t now_ns);

 private:
  Route arm_route(const HttpRequest& request, std::int64_t now_ns);

  RouteRules rules_;
  AddressLimits requests_{200, 100};
  RateLimit moves_{20, 10};
};

/// A motion's last word as one word and as a status of HTTP.
struct Outcome {
  std::string_view word;
  unsigned status;
};
Outcome outcome_of(ReplyStatus status);

/// What motion is asked for.
Request motion_request(const ArmTarget& target);

/// A refusal that is about no motion: {"error": …}.
HttpAnswer error_answer(unsigned status, const std::string& why);
/// How a motion fared: {"reached": false, "status": "refused", "reason": …, "target": …}.
HttpAnswer arm_refusal(unsigned status, const std::string& why, const std::optional<ArmTarget>& target = {});
/// The same from the motion service's last word on it, after `seconds`.
HttpAnswer arm_answer(const ArmTarget& target, const Reply& reply, double seconds);

}  // namespace sinew::web

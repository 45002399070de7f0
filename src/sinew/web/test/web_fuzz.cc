// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as an HTTP request: through the parser, the checks of the visitor and the routes. Whatever is let
// through to the arm is finite and within its bounds, and every answer is JSON in one line.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/base/assert.h"
#include "sinew/web/routes.h"
#include "sinew/web/server.h"

namespace {

void check_target(const sinew::web::ArmTarget& target) {
  for (const double number : {target.x, target.y, target.z, target.roll, target.pitch})
    SINEW_ASSERT(std::isfinite(number) && std::abs(number) <= 26.0);
  SINEW_ASSERT(target.hand_width >= 0.0 && target.hand_width <= 1.0);
  SINEW_ASSERT(target.time >= 0.0 && target.time <= 600.0);
}

void check_answer(const sinew::web::HttpAnswer& answer) {
  SINEW_ASSERT(answer.status >= 400 && answer.status < 500);
  SINEW_ASSERT(answer.body.starts_with('{') && answer.body.ends_with("}\n"));
  for (const char letter : answer.body) SINEW_ASSERT(letter == '\n' || (letter >= ' ' && letter <= '~'));
}

void check_route(const sinew::web::HttpRequest& request) {
  // a new one each time: what came before must not make a finding go away
  sinew::web::Routes routes({.host_names = {"robot"}, .has_arm_url = true});
  const sinew::web::Route route = routes.route(request, 1);
  if (const auto* target = std::get_if<sinew::web::ArmTarget>(&route)) {
    SINEW_ASSERT(request.method == "GET" && request.headers.host);
    check_target(*target);
  }
  if (const auto* answer = std::get_if<sinew::web::HttpAnswer>(&route)) check_answer(*answer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto request = sinew::web::http_request_from(bytes)) check_route(*request);
  // past the parser: every path
  check_route({.method = "GET", .target = std::string(bytes), .headers = {.host = "127.0.0.1"}});
  check_route({.method = "GET",
               .target = "/0/0/0/0/0/0/0",
               .headers = {.host = "127.0.0.1:80", .origin = std::string(bytes)}});
  check_route({.method = "GET", .target = "/", .headers = {.host = std::string(bytes)}});
  return 0;
}

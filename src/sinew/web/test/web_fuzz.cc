// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as an HTTP request: through the parser, the checks of the visitor and the routes. Whatever is let
// through to the arm is finite and within its bounds, and every answer is JSON in one line. And any bytes as
// what a client of a WebSocket sends: only whole messages within bounds are told, and only well-formed frames
// are sent back.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sinew/base/assert.h"
#include "sinew/web/answer_text.h"
#include "sinew/web/header_value.h"
#include "sinew/web/open_socket.h"
#include "sinew/web/request_parser.h"
#include "sinew/web/routes.h"
#include "sinew/web/static_files.h"
#include "sinew/web/test/memory_wire.h"
#include "sinew/web/upgrade.h"
#include "sinew/web/utf8.h"

namespace {

constexpr std::size_t kMostMessage = 300;

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

// Values that are taken apart.
void check_values(std::string_view bytes) {
  sinew::web::accepts(bytes, "gzip");
  const sinew::web::UpgradeHeaders upgrade{"Upgrade", "websocket", "13", std::string(bytes)};
  if (!sinew::web::upgrade_refusal(upgrade)) SINEW_ASSERT(bytes.size() == 24);
  const sinew::web::StaticFile file{"/index.html", "text/html", "\"x\"", {}};
  const auto page =
      sinew::web::StaticFiles({&file, 1}).answer({.method = "GET", .target = std::string(bytes)});
  SINEW_ASSERT(!page || bytes.starts_with("/index.html") || bytes.starts_with("/?") || bytes == "/");
}

// A header out of any bytes is one header or none: no answer ends before it should.
void check_header(std::string_view bytes) {
  const std::string text = sinew::web::answer_text(
      {.body = "body", .headers = {{"X-Any", std::string(bytes)}, {std::string(bytes), "x"}}}, {});
  SINEW_ASSERT(text.find("\r\n\r\n") == text.size() - 8 && text.ends_with("body"));
}

// What the server has sent: whole frames, none masked, nothing after the one that closes.
void check_frames(std::string_view bytes) {
  bool is_closed = false;
  while (!bytes.empty()) {
    SINEW_ASSERT(!is_closed && bytes.size() >= 2);
    const unsigned kind = static_cast<unsigned char>(bytes[0]);
    std::size_t size = static_cast<unsigned char>(bytes[1]);
    std::size_t head = 2;
    if (size == 126) {
      size = static_cast<unsigned char>(bytes[2]) * 256U + static_cast<unsigned char>(bytes[3]);
      head = 4;
    }
    SINEW_ASSERT(kind == 0x81 || kind == 0x82 || kind == 0x88 || kind == 0x8A);
    SINEW_ASSERT(size <= kMostMessage && bytes.size() >= head + size);
    is_closed = kind == 0x88;
    bytes.remove_prefix(head + size);
  }
}

// A socket that echoes, given the bytes in pieces; tells what it was told.
std::string echoed(std::string_view bytes, std::size_t piece) {
  const auto wire = std::make_shared<sinew::web::MemoryWire>();
  std::string told;
  int over = 0;
  std::weak_ptr<sinew::web::OpenSocket> socket;
  const sinew::web::OpenSocket::Events events{
      .message =
          [&](const sinew::web::SocketMessage& message) {
            SINEW_ASSERT(over == 0 && message.bytes.size() <= kMostMessage);
            SINEW_ASSERT(!message.is_text || sinew::web::is_utf8(message.bytes));
            told += (message.is_text ? "T" : "B") + message.bytes;
            socket.lock()->send(message, message.bytes.size() % 3);
          },
      .over = [&](sinew::web::CloseCode, std::string_view) { ++over; },
      .gone = [&] { SINEW_ASSERT(over == 1); }};
  {
    const auto begun = std::make_shared<sinew::web::OpenSocket>(
        wire, "", sinew::web::SocketBounds{.most_message_bytes = kMostMessage, .frames_per_second = 1e6},
        events);
    socket = begun;
    begun->begin("");
  }
  wire->client_sends(bytes, piece);
  while (wire->client_takes()) continue;
  check_frames(wire->taken());
  wire->lose();
  SINEW_ASSERT(socket.expired() && over == 1);
  return told;
}

void check_socket(std::string_view bytes) {
  // however the network cuts them, the same bytes say the same
  const std::string told = echoed(bytes, bytes.size());
  SINEW_ASSERT(echoed(bytes, 1) == told);
  SINEW_ASSERT(bytes.empty() || echoed(bytes, 1 + static_cast<unsigned char>(bytes[0]) % 13) == told);
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
  check_values(bytes);
  check_header(bytes);
  check_socket(bytes);
  return 0;
}

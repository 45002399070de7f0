// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/answer_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "sinew/web/header_value.h"

namespace sinew::web {
namespace {

using Header = std::pair<std::string_view, std::string_view>;

constexpr auto kSafety = std::to_array<Header>({
    {"Cache-Control", "no-store"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
});

std::string_view reason_of(unsigned status) {
  constexpr auto kReasons = std::to_array<std::pair<unsigned, std::string_view>>({
      {101, "Switching Protocols"},
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {302, "Found"},
      {303, "See Other"},
      {304, "Not Modified"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {409, "Conflict"},
      {413, "Payload Too Large"},
      {415, "Unsupported Media Type"},
      {422, "Unprocessable Entity"},
      {426, "Upgrade Required"},
      {429, "Too Many Requests"},
      {500, "Internal Server Error"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
  });
  const auto* const row = std::ranges::find(kReasons, status, &std::pair<unsigned, std::string_view>::first);
  return row == kReasons.end() ? "Unknown" : row->second;
}

bool is_token(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

bool is_one_line(std::string_view value) {
  return std::ranges::none_of(value, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
}

void append(std::string& text, std::string_view name, std::string_view value) {
  if (is_token(name) && is_one_line(value)) text.append(name).append(": ").append(value).append("\r\n");
}

bool has_body(unsigned status) {
  return status >= 200 && status != 204 && status != 304;
}

}  // namespace

std::string answer_text(const HttpAnswer& answer, const AnswerTo& request) {
  std::string text = fmt::format("HTTP/1.{} {} {}\r\n", request.is_version_1_0 ? 0 : 1, answer.status,
                                 reason_of(answer.status));
  text.reserve(text.size() + 1024 + (request.is_head ? 0 : answer.body.size()));
  const auto is_told = [&](std::string_view name) {
    return std::ranges::any_of(answer.headers, [&](const auto& own) { return is_same(own.first, name); });
  };
  if (has_body(answer.status)) append(text, "Content-Type", answer.type);
  if (answer.status != 101)
    for (const auto& [name, value] : kSafety)
      if (!is_told(name)) append(text, name, value);
  if (answer.retry_after > 0) append(text, "Retry-After", fmt::format("{}", answer.retry_after));
  if (answer.status == 405 && !is_told("Allow")) append(text, "Allow", "GET");
  for (const auto& [name, value] : answer.headers) append(text, name, value);
  if (!request.keeps_alive) append(text, "Connection", "close");
  if (request.keeps_alive && request.is_version_1_0) append(text, "Connection", "keep-alive");
  if (has_body(answer.status)) append(text, "Content-Length", fmt::format("{}", answer.body.size()));
  text += "\r\n";
  if (has_body(answer.status) && !request.is_head) text += answer.body;
  return text;
}

}  // namespace sinew::web

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/api_call.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/accounts/strict_json.h"
#include "sinew/web/shown_text.h"

#include "apps/web/json_values.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

unsigned status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::NotFound:
    case ErrorCode::Gone:
      return 404;
    case ErrorCode::Denied:
      return 403;
    case ErrorCode::AlreadyExists:
    case ErrorCode::NothingNew:
      return 409;
    case ErrorCode::OutOfLimits:
    case ErrorCode::Damaged:
    case ErrorCode::Mismatch:
      return 422;
    case ErrorCode::Full:
    case ErrorCode::TimedOut:
    case ErrorCode::Interrupted:
      return 503;
    case ErrorCode::SystemFailure:
      return 500;
    case ErrorCode::InvalidInput:
      break;
  }
  return 400;
}

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = path.find('/');
    parts.push_back(path.substr(0, end));
    if (end == std::string_view::npos) return parts;
    path.remove_prefix(end + 1);
  }
}

constexpr std::size_t kMostShown = 120;

/// What changes more than where the robot is, or takes a copy of everything. Limits are written down with
/// what is wrong with them, by those who check them.
bool is_recorded(const ApiRow& row) {
  using accounts::Right;
  const auto unrecorded = {Right::Watch, Right::Stop, Right::Move, Right::ChangeLimits};
  return std::ranges::find(unrecorded, row.need.right) == unrecorded.end();
}

Result<Json> body_of(const web::HttpRequest& request) {
  if (request.method == "GET" || request.method == "HEAD" || request.body.empty()) return Json::object();
  return body_from(request.body);
}

}  // namespace

Result<Json> body_from(std::string_view text) {
  auto body = accounts::strict_json(text, 32);
  if (!body) return body.error();
  if (!body->is_object()) return Error{ErrorCode::InvalidInput, "the body must be a JSON object"};
  return body;
}

Result<double> ApiCall::query_number(std::string_view key, double lowest, double highest,
                                     double fallback) const {
  for (std::string_view left = query; !left.empty();) {
    const std::size_t end = std::min(left.find('&'), left.size());
    const std::string_view part = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    if (!part.starts_with(key) || part.substr(key.size(), 1) != "=") continue;
    const std::string_view digits = part.substr(key.size() + 1);
    std::uint64_t number = 0;
    const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_number = error == std::errc() && last == digits.data() + digits.size();
    const auto value = static_cast<double>(number);
    if (is_number && value >= lowest && value <= highest) return value;
    return Error{ErrorCode::InvalidInput,
                 fmt::format("'{}' must be a whole number from {} to {}", key, lowest, highest)};
  }
  return fallback;
}

void ApiCall::reply(unsigned status, const Json& json) const {
  answer({.status = status, .body = json_text(json)});
}

void ApiCall::refuse(unsigned status, const std::string& why) const {
  reply(status, {{"error", why}});
}

void ApiCall::refuse(const Error& error) const {
  refuse(status_of(error.code), error.message);
}

void ApiCall::finish(const Status& status) const {
  status ? done() : refuse(status.error());
}

Result<double> number_at(const Json& body, const std::string& key, double lowest, double highest,
                         std::optional<double> fallback) {
  const auto found = body.find(key);
  if (found == body.end()) {
    if (fallback) return *fallback;
    return Error{ErrorCode::InvalidInput, fmt::format("'{}' is missing: a number", key)};
  }
  const double value = found->is_number() ? found->get<double>() : NAN;
  if (value >= lowest && value <= highest) return value;
  return Error{ErrorCode::InvalidInput, fmt::format("'{}' must be a number from {} to {}, not {}", key,
                                                    lowest, highest, found->dump())};
}

Result<std::string> text_at(const Json& body, const std::string& key, std::optional<std::string> fallback) {
  const auto found = body.find(key);
  if (found != body.end() && found->is_string()) return found->get<std::string>();
  if (found == body.end() && fallback) return *std::move(fallback);
  return Error{ErrorCode::InvalidInput, fmt::format("'{}' must be a text", key)};
}

Result<bool> truth_at(const Json& body, const std::string& key, bool fallback) {
  const auto found = body.find(key);
  if (found == body.end()) return fallback;
  if (found->is_boolean()) return found->get<bool>();
  return Error{ErrorCode::InvalidInput, fmt::format("'{}' must be true or false", key)};
}

Result<std::uint64_t> press_at(const Json& body, const std::string& key, bool may_lack) {
  constexpr std::uint64_t kHighest = (std::uint64_t{1} << 53U) - 1;
  const auto found = body.find(key);
  if (found == body.end() && may_lack) return std::uint64_t{0};
  const bool is_whole = found != body.end() && found->is_number_unsigned();
  const std::uint64_t press = is_whole ? found->get<std::uint64_t>() : 0;
  if (press >= 1 && press <= kHighest) return press;
  return Error{ErrorCode::InvalidInput,
               fmt::format("'{}' must be the number of the press of a key, 1 to {}", key, kHighest)};
}

Result<std::vector<double>> numbers_at(const Json& body, const std::string& key, std::size_t count) {
  const auto found = body.find(key);
  const Error refusal{ErrorCode::InvalidInput, fmt::format("'{}' must be a list of {} numbers", key, count)};
  if (found == body.end() || !found->is_array() || found->size() != count) return refusal;
  std::vector<double> numbers;
  for (const Json& entry : *found) {
    if (!entry.is_number() || !std::isfinite(entry.get<double>())) return refusal;
    numbers.push_back(entry.get<double>());
  }
  return numbers;
}

Result<std::vector<std::pair<std::size_t, double>>> joints_at(const Json& body, const std::string& key,
                                                              const RobotModel& model, double highest) {
  const auto found = body.find(key);
  if (found == body.end() || !found->is_object() || found->empty())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("'{}' must name joints with their values [rad, m]", key)};
  std::vector<std::pair<std::size_t, double>> joints;
  for (const auto& [name, value] : found->items()) {
    const std::size_t joint = find_joint(model, name);
    if (joint == kNone || model.joints[joint].position == kNone)
      return Error{ErrorCode::NotFound, fmt::format("there is no joint '{}'", name)};
    const auto number = number_at(*found, name, -highest, highest);
    if (!number) return number.error();
    joints.emplace_back(model.joints[joint].position, *number);
  }
  return joints;
}

std::optional<std::vector<std::string>> match_path(std::string_view pattern, std::string_view path) {
  const auto wanted = parts_of(pattern);
  const auto given = parts_of(path);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i >= given.size()) return std::nullopt;
    const bool is_name = wanted[i].starts_with('{');
    if (is_name ? given[i].empty() : wanted[i] != given[i]) return std::nullopt;
    if (wanted[i] == "{rest}") {
      names.emplace_back(given[i].begin(), path.end());
      return names;
    }
    if (is_name) names.emplace_back(given[i]);
  }
  if (given.size() != wanted.size()) return std::nullopt;
  return names;
}

void ApiTable::add(std::vector<ApiRow> rows) {
  std::ranges::move(rows, std::back_inserter(rows_));
}

void ApiTable::serve(const ApiRow& row, const web::HttpRequest& request, const accounts::GateVerdict& verdict,
                     ApiCall call) {
  if (!verdict.is_ok()) {
    if (records_.refused) records_.refused(request, verdict);
    Json refusal{{"error", verdict.error}};
    if (!verdict.holder.empty()) refusal["holder"] = verdict.holder;
    return call.reply(verdict.status, refusal);
  }
  call.who = verdict.who;
  if (row.has_large_body) {
    call.large_body = std::make_shared<const std::string>(request.body);
  } else {
    auto body = body_of(request);
    if (!body) return call.refuse(400, body.error().message);
    call.body = *std::move(body);
  }
  if (!records_.changed || !is_recorded(row)) return row.serve(call);
  // the call as it came, without its body: what is told when it is answered
  ApiCall told = call;
  told.body = nullptr;
  told.large_body.reset();
  call.answer = [told, records = records_,
                 what = fmt::format("{} {}", request.method, request.target.substr(0, kMostShown))](
                    const web::HttpAnswer& answer) {
    records.changed(told, what, answer.status);
    told.answer(answer);
  };
  row.serve(call);
}

void ApiTable::serve(const web::HttpRequest& request, const accounts::Credentials& credentials,
                     std::int64_t now_ns, const web::Server::Answer& answer) {
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  ApiCall call{.peer = request.peer, .now_ns = now_ns, .answer = answer};
  if (path.size() < request.target.size()) call.query = request.target.substr(path.size() + 1);
  std::vector<std::string_view> methods;
  for (const ApiRow& row : rows_) {
    auto names = match_path(row.path, path);
    if (!names) continue;
    const bool is_asked = row.method == request.method || (row.method == "GET" && request.method == "HEAD");
    if (!is_asked) {
      methods.push_back(row.method);
      continue;
    }
    const accounts::GateVerdict verdict = gate_.check(credentials, row.need, now_ns);
    call.names = *std::move(names);
    return serve(row, request, verdict, std::move(call));
  }
  if (records_.unknown) records_.unknown(request, methods.empty() ? 404 : 405);
  if (methods.empty())
    return call.refuse(404, fmt::format("there is no '{}' here; /api/openapi.json tells what there is",
                                        web::shown_text(path)));
  web::HttpAnswer refusal{.status = 405,
                          .body = json_text({{"error", fmt::format("'{}' takes {}", web::shown_text(path),
                                                                   fmt::join(methods, ", "))}})};
  refusal.headers.emplace_back("Allow", fmt::format("{}", fmt::join(methods, ", ")));
  answer(refusal);
}

}  // namespace sinew

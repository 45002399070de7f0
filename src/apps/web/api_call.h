// SPDX-License-Identifier: BSD-3-Clause
// For .cc files of this app only: it brings nlohmann's header along.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/accounts/gate.h"
#include "sinew/base/fixed_string.h"
#include "sinew/base/result.h"
#include "sinew/model/robot_model.h"
#include "sinew/web/http.h"
#include "sinew/web/server.h"

namespace sinew {

/// One call of the REST interface that was let through: who calls, and with what.
struct ApiCall {
  std::string peer;                                 ///< Address in digits.
  std::vector<std::string> names;                   ///< What stands for {…} in the row's path.
  std::string query{};                              ///< What stands behind the '?'.
  nlohmann::ordered_json body;                      ///< An object; empty where none is sent.
  std::shared_ptr<const std::string> large_body{};  ///< In its place, of a row that has_large_body.
  accounts::Identity who;
  std::int64_t now_ns = 0;
  web::Server::Answer answer;

  /// A whole number of the query, as in ?limit=20. Refused: what is none, or not within.
  Result<double> query_number(std::string_view key, double lowest, double highest, double fallback) const;
  void reply(unsigned status, const nlohmann::ordered_json& json) const;
  void done() const { reply(200, {{"ok", true}}); }
  /// {"error": why}
  void refuse(unsigned status, const std::string& why) const;
  void refuse(const Error& error) const;
  /// done(), or why not.
  void finish(const Status& status) const;
};

/// A row of the table of calls.
struct ApiRow {
  std::string_view method;  ///< "GET"
  std::string_view path;    ///< "/api/programs/{name}"; a last part "{rest}" takes all that follows.
  accounts::Need need;
  std::function<void(const ApiCall&)> serve;
  /// Its body may be large (16 MiB) and is handed over as it came, to be read where nobody waits for it.
  bool has_large_body = false;
};

/// A body that makes sense: an object. Refused: what is none, with the place.
Result<nlohmann::ordered_json> body_from(std::string_view text);

/// Numbers, texts and truths out of a call's body; each refusal names the key.
Result<double> number_at(const nlohmann::ordered_json& body, const std::string& key, double lowest,
                         double highest, std::optional<double> fallback = {});
Result<std::string> text_at(const nlohmann::ordered_json& body, const std::string& key,
                            std::optional<std::string> fallback = {});
/// The number of a press of a key: whole, from 1 to 2^53 - 1. Without the key: 0, where that may be.
Result<std::uint64_t> press_at(const nlohmann::ordered_json& body, const std::string& key,
                               bool may_lack = false);
Result<bool> truth_at(const nlohmann::ordered_json& body, const std::string& key, bool fallback);
Result<std::vector<double>> numbers_at(const nlohmann::ordered_json& body, const std::string& key,
                                       std::size_t count);

/// A name into a message; empty when it is not given. Refused: too long.
template <std::size_t N>
Status take_name(const nlohmann::ordered_json& body, const std::string& key, std::array<char, N>& name) {
  const auto text = text_at(body, key, "");
  if (!text) return text.error();
  if (text->size() >= N)
    return Error{ErrorCode::OutOfLimits,
                 "'" + key + "' is too long: " + std::to_string(N - 1) + " letters at most"};
  set_text(name, *text);
  return Done{};
}
/// {"elbow": 0.2, …} at a key, as places among the robot's positions with their values. Refused: none, or
/// joints that the robot does not have.
Result<std::vector<std::pair<std::size_t, double>>> joints_at(const nlohmann::ordered_json& body,
                                                              const std::string& key, const RobotModel& model,
                                                              double highest);

/// Who is told of calls, for the records; each may be empty.
struct ApiRecords {
  /// The gate did not let it through, and why.
  std::function<void(const web::HttpRequest&, const accounts::GateVerdict&)> refused;
  /// Something was changed that outlasts the call, by whom, and the status of the answer.
  std::function<void(const ApiCall&, std::string_view what, unsigned status)> changed;
  /// There is no such call: the request, and the status of the answer.
  std::function<void(const web::HttpRequest&, unsigned status)> unknown;
};

/// All calls there are. One thread.
class ApiTable {
 public:
  explicit ApiTable(accounts::Gate& gate, ApiRecords records = {})
      : gate_(gate), records_(std::move(records)) {}

  void add(std::vector<ApiRow> rows);

  /// Serves a request, or refuses it: no such path 404, other method 405, and what the gate says.
  void serve(const web::HttpRequest& request, const accounts::Credentials& credentials, std::int64_t now_ns,
             const web::Server::Answer& answer);

  const std::vector<ApiRow>& rows() const { return rows_; }

 private:
  void serve(const ApiRow& row, const web::HttpRequest& request, const accounts::GateVerdict& verdict,
             ApiCall call);

  accounts::Gate& gate_;
  ApiRecords records_;
  std::vector<ApiRow> rows_;
};

/// The names in `path` where `pattern` has {…}; nothing when they do not fit.
std::optional<std::vector<std::string>> match_path(std::string_view pattern, std::string_view path);

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/wire.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/time.h"
#include "sinew/channels/place_name.h"

namespace sinew::supervisor {
namespace {

using processes::ProcessPlan;
using processes::RobotPlan;

constexpr int kDeepest = 8;
constexpr std::size_t kMostProcesses = 32;

Json strings_of(const std::vector<std::string>& texts) {
  Json array = Json::array();
  for (const std::string& text : texts) array.push_back(text);
  return array;
}

std::vector<std::string> texts_in(const Json& json, const char* key) {
  std::vector<std::string> texts;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return texts;
  for (const Json& item : *found) {
    // a zero byte would cut a word of a command short
    if (item.is_string() && item.get_ref<const std::string&>().find('\0') == std::string::npos)
      texts.push_back(item.get<std::string>());
  }
  return texts;
}

bool flag_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

// Depth of brackets outside strings.
int depth_of(std::string_view line) {
  int depth = 0;
  int deepest = 0;
  bool is_in_text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') is_in_text = !is_in_text;
    if (is_in_text && line[i] == '\\') ++i;
    if (is_in_text) continue;
    if (line[i] == '{' || line[i] == '[') deepest = std::max(deepest, ++depth);
    if (line[i] == '}' || line[i] == ']') --depth;
  }
  return deepest;
}

Result<ProcessPlan> process_from(const Json& json) {
  if (!json.is_object()) return Error{ErrorCode::InvalidInput, "a process of the plan is no object"};
  ProcessPlan process{.role = text_in(json, "role"),
                      .words = texts_in(json, "words"),
                      .when_restarted = texts_in(json, "when_restarted"),
                      .says_ready = flag_in(json, "says_ready")};
  if (!channels::is_word(process.role) || process.words.empty() || process.words.front().empty()) {
    return Error{ErrorCode::InvalidInput, fmt::format("process '{}' of the plan needs a role and a command",
                                                      process.role.substr(0, 80))};
  }
  return process;
}

std::int64_t time_in(const Json& json, const char* key, std::int64_t fallback_ns) {
  const double seconds = number_in(json, key, seconds_from_nanoseconds(fallback_ns));
  return seconds >= 0.001 && seconds <= 86400 ? nanoseconds_from_seconds(seconds) : fallback_ns;
}

void read_rules(const Json& json, RobotPlan& plan) {
  processes::RestartRules& rules = plan.rules;
  rules.first_delay_ns = time_in(json, "first_delay", rules.first_delay_ns);
  rules.longest_delay_ns = time_in(json, "longest_delay", rules.longest_delay_ns);
  rules.healthy_after_ns = time_in(json, "healthy_after", rules.healthy_after_ns);
  plan.ready_within_ns = time_in(json, "ready_within", plan.ready_within_ns);
  const double deaths = number_in(json, "most_quick_deaths", rules.most_quick_deaths);
  if (deaths >= 1 && deaths <= 1e6) rules.most_quick_deaths = static_cast<std::uint32_t>(deaths);
}

}  // namespace

Result<Json> parse_line(std::string_view line) {
  if (line.size() > kLongestLine) {
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("a line of {} bytes is longer than {}", line.size(), kLongestLine)};
  }
  if (depth_of(line) > kDeepest)
    return Error{ErrorCode::OutOfLimits, fmt::format("brackets are nested deeper than {}", kDeepest)};
  Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded() || !json.is_object()) {
    std::string shown(line.substr(0, 40));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return Error{ErrorCode::InvalidInput, fmt::format("'{}' is no JSON object on one line", shown)};
  }
  return json;
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string text_in(const Json& json, const char* key, const std::string& fallback) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : fallback;
}

double number_in(const Json& json, const char* key, double fallback) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return fallback;
  const double number = found->get<double>();
  return std::isfinite(number) ? number : fallback;
}

Json json_of(const RobotPlan& plan) {
  Json list = Json::array();
  for (const ProcessPlan& process : plan.processes) {
    list.push_back({{"role", process.role},
                    {"words", strings_of(process.words)},
                    {"when_restarted", strings_of(process.when_restarted)},
                    {"says_ready", process.says_ready}});
  }
  return {{"name", plan.name},
          {"robot", plan.robot},
          {"site", plan.site},
          {"folder", plan.folder},
          {"is_simulated", plan.is_simulated},
          {"processes", list},
          {"first_delay", seconds_from_nanoseconds(plan.rules.first_delay_ns)},
          {"longest_delay", seconds_from_nanoseconds(plan.rules.longest_delay_ns)},
          {"healthy_after", seconds_from_nanoseconds(plan.rules.healthy_after_ns)},
          {"most_quick_deaths", plan.rules.most_quick_deaths},
          {"ready_within", seconds_from_nanoseconds(plan.ready_within_ns)}};
}

Result<RobotPlan> plan_from(const Json& json) {
  if (!json.is_object()) return Error{ErrorCode::InvalidInput, "the plan is no object"};
  RobotPlan plan;
  plan.name = text_in(json, "name");
  plan.robot = text_in(json, "robot");
  plan.site = text_in(json, "site");
  plan.folder = text_in(json, "folder", "/");
  plan.is_simulated = flag_in(json, "is_simulated");
  if (!channels::is_word(plan.name)) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("'{}' is no name for a robot: use letters, digits, '.', '-' and '_', at most 64",
                             plan.name.substr(0, 80))};
  }
  read_rules(json, plan);
  const auto found = json.find("processes");
  if (found == json.end() || !found->is_array() || found->empty() || found->size() > kMostProcesses)
    return Error{ErrorCode::InvalidInput, fmt::format("a plan needs 1 to {} processes", kMostProcesses)};
  for (const Json& item : *found) {
    auto process = process_from(item);
    if (!process) return process.error();
    const auto is_same = [&](const ProcessPlan& other) { return other.role == process->role; };
    if (std::any_of(plan.processes.begin(), plan.processes.end(), is_same))
      return Error{ErrorCode::InvalidInput, fmt::format("the plan has role '{}' twice", process->role)};
    plan.processes.push_back(*std::move(process));
  }
  return plan;
}

Status save_plan(const std::string& path, const RobotPlan& plan, bool is_stopping) {
  Json json = json_of(plan);
  json["is_stopping"] = is_stopping;
  const std::string unfinished = path + ".new";
  std::ofstream file(unfinished, std::ios::trunc);
  file << line_of(json);
  file.close();
  if (file && std::rename(unfinished.c_str(), path.c_str()) == 0) return Done{};
  const int reason = errno;
  std::remove(unfinished.c_str());
  return Error{ErrorCode::SystemFailure, fmt::format("cannot write {}: {}", path, std::strerror(reason))};
}

Result<SavedPlan> load_plan(const std::string& path) {
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto json = parse_line(text);
  if (!json) return Error{ErrorCode::Damaged, fmt::format("{}: {}", path, json.error().message)};
  auto plan = plan_from(*json);
  if (!plan) return Error{ErrorCode::Damaged, fmt::format("{}: {}", path, plan.error().message)};
  return SavedPlan{.plan = *std::move(plan), .is_stopping = flag_in(*json, "is_stopping")};
}

}  // namespace sinew::supervisor

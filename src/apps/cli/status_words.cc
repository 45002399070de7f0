// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/status_words.h"

#include <array>
#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/messages/joints.h"

namespace sinew::cli {
namespace {

using supervisor::Json;
using supervisor::number_in;
using supervisor::text_in;

std::string seconds_text(const Json& json, const char* key) {
  return json[key].is_number() ? duration_text(nanoseconds_from_seconds(number_in(json, key))) : "-";
}

void print_process(const Json& process, std::ostream& out) {
  const bool has_health = process["health"].is_object();
  const Json& health = process["health"];
  out << fmt::format(
      "  {:<12} {:<9} {:>8} {:>8} {:>5} {:>6} {:>9} {:>8} {:>7} {:>9}\n", text_in(process, "role"),
      text_in(process, "state"),
      number_in(process, "pid") > 0 ? fmt::format("{:.0f}", number_in(process, "pid")) : "-",
      seconds_text(process, "uptime"), number_in(process, "restarts"),
      process["cpu"].is_number() ? fmt::format("{:.0f} %", number_in(process, "cpu")) : "-",
      process["memory_bytes"].is_number() ? bytes_text(process["memory_bytes"].get<std::uint64_t>()) : "-",
      has_health ? fmt::format("{:.0f} Hz", number_in(health, "rate")) : "-",
      has_health ? fmt::format("{:.0f}", number_in(health, "late_cycles")) : "-",
      has_health ? seconds_text(health, "wake_p99") : "-");
}

// "held (restarted) by supervisor"
std::string safety_line(const Json& safety) {
  std::string line = text_in(safety, "state");
  if (const std::string reason = text_in(safety, "reason"); reason != reason_text(StopReason::None))
    line += fmt::format(" ({})", reason);
  if (const std::string link = text_in(safety, "link_a"); !link.empty())
    line += fmt::format(": {} and {}, {} apart", link, text_in(safety, "link_b"),
                        length_text(number_in(safety, "distance")));
  if (const std::string who = text_in(safety, "who"); !who.empty()) line += fmt::format(", by {}", who);
  if (safety["is_overridden"].get<bool>())
    line += fmt::format(", guard overridden by {}", text_in(safety, "overridden_by"));
  if (const std::string recording = text_in(safety, "recording"); !recording.empty())
    line += fmt::format(", recorded in {}", recording);
  return line;
}

void print_robot(const Json& robot, std::ostream& out) {
  out << fmt::format("{} ({}{})\n", text_in(robot, "name"), text_in(robot, "phase"),
                     robot.value("is_simulated", false) ? ", simulated" : "");
  out << fmt::format("  {:<12} {:<9} {:>8} {:>8} {:>5} {:>6} {:>9} {:>8} {:>7} {:>9}\n", "PROCESS", "STATE",
                     "PID", "UP", "ANEW", "CPU", "MEMORY", "RATE", "LATE", "WAKE P99");
  for (const Json& process : robot["processes"]) print_process(process, out);
  if (robot["safety"].is_object()) out << fmt::format("  safety: {}\n", safety_line(robot["safety"]));
  if (robot["state_age"].is_number()) {
    const std::string faults = text_in(robot, "device_faults");
    out << fmt::format("  state: {} old{}\n", seconds_text(robot, "state_age"),
                       faults.empty() ? "" : "; device says: " + faults);
  }
  for (const Json& process : robot["processes"]) {
    if (const std::string death = text_in(process, "last_death"); !death.empty())
      out << fmt::format("  last end of {}: {}; log: {}\n", text_in(process, "role"), death,
                         text_in(process, "log"));
  }
}

}  // namespace

std::string_view state_text(ControlState state) {
  static constexpr std::array<std::string_view, 6> kTexts{"starting", "homing",  "running",
                                                          "held",     "stopped", "faulted"};
  const auto i = static_cast<std::size_t>(state);
  return i < kTexts.size() ? kTexts[i] : "unknown";
}

std::string_view reason_text(StopReason reason) {
  static constexpr std::array<std::string_view, 12> kTexts{
      "none",         "requested",    "self-collision", "world collision", "joint limit",    "stale state",
      "device fault", "not a number", "lease expired",  "restarted",       "tracking error", "workspace"};
  const auto i = static_cast<std::size_t>(reason);
  return i < kTexts.size() ? kTexts[i] : "unknown";
}

std::string faults_text(std::uint32_t fault_bits) {
  static constexpr std::array<std::pair<std::uint32_t, std::string_view>, 6> kFaults{
      {{kFaultLost, "lost"},
       {kFaultWatchdog, "watchdog"},
       {kFaultDrive, "drive"},
       {kFaultEmergency, "emergency stop"},
       {kFaultNotHomed, "not homed"},
       {kFaultNonsense, "nonsense"}}};
  std::string text;
  for (const auto& [bit, name] : kFaults) {
    if ((fault_bits & bit) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
  }
  return text;
}

void print_status(const Json& status, std::ostream& out) {
  const double pid = number_in(status["supervisor"], "pid");
  const std::string problem = text_in(status["supervisor"], "problem");
  out << fmt::format("space {}: {}\n", text_in(status, "space"),
                     problem.empty() ? fmt::format("supervisor pid {:.0f}", pid) : problem);
  for (const Json& robot : status["robots"]) print_robot(robot, out);
}

}  // namespace sinew::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/status_words.h"

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/text.h"
#include "sinew/base/time.h"

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

void print_robot(const Json& robot, std::ostream& out) {
  out << fmt::format("{} ({}{})\n", text_in(robot, "name"), text_in(robot, "phase"),
                     robot.value("is_simulated", false) ? ", simulated" : "");
  out << fmt::format("  {:<12} {:<9} {:>8} {:>8} {:>5} {:>6} {:>9} {:>8} {:>7} {:>9}\n", "PROCESS", "STATE",
                     "PID", "UP", "ANEW", "CPU", "MEMORY", "RATE", "LATE", "WAKE P99");
  for (const Json& process : robot["processes"]) print_process(process, out);
  const bool is_old = robot.value("is_old", false);
  if (robot["safety"].is_object())
    out << fmt::format(
        "  safety: {}{}\n",
        is_old ? fmt::format("not known; {} ago it was: ", seconds_text(robot["safety"], "age")) : "",
        text_in(robot["safety"], "text"));
  if (robot["state_age"].is_number()) {
    const std::string faults = text_in(robot, "device_faults");
    out << fmt::format("  state: {} old{}{}\n", seconds_text(robot, "state_age"),
                       is_old ? ", not as it is now" : "", faults.empty() ? "" : "; device says: " + faults);
  }
  for (const Json& process : robot["processes"]) {
    if (const std::string note = text_in(process, "note"); !note.empty())
      out << fmt::format("  {}: {}\n", text_in(process, "role"), note);
    if (const std::string death = text_in(process, "last_death"); !death.empty())
      out << fmt::format("  last end of {}: {}; log: {}\n", text_in(process, "role"), death,
                         text_in(process, "log"));
  }
}

}  // namespace

void print_status(const Json& status, std::ostream& out) {
  const double pid = number_in(status["supervisor"], "pid");
  const std::string problem = text_in(status["supervisor"], "problem");
  out << fmt::format("space {}: {}\n", text_in(status, "space"),
                     problem.empty() ? fmt::format("supervisor pid {:.0f}", pid) : problem);
  if (pid > 0 && status["supervisor"].value("is_elsewhere", false))
    out << fmt::format("  started from another environment: its run folder is {}\n",
                       text_in(status["supervisor"], "folder"));
  for (const Json& robot : status["robots"]) print_robot(robot, out);
}

}  // namespace sinew::cli

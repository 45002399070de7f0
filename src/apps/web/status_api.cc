// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/status_api.h"

#include <sys/types.h>

#include <csignal>
#include <fstream>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/control/safety_text.h"
#include "sinew/processes/identity.h"
#include "sinew/processes/run_folder.h"

#include "apps/cli/status_gathering.h"
#include "apps/web/api_needs.h"
#include "apps/web/json_values.h"
#include "apps/web/version.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr accounts::Need kRestart{.right = accounts::Right::RestartProcesses, .changes = true};
constexpr std::streamoff kMostLogBytes = 64 << 10;

/// The process that plays `role`, as status tells it.
const supervisor::Json* process_in(const supervisor::Json& status, const std::string& robot,
                                   const std::string& role) {
  for (const auto& one : status["robots"]) {
    if (supervisor::text_in(one, "name") != robot) continue;
    for (const auto& process : one["processes"])
      if (supervisor::text_in(process, "role") == role) return &process;
  }
  return nullptr;
}

/// Work with the supervisor takes a moment, and nobody else waits for it.
void in_background(Background& background, const ApiCall& call, const std::string& key,
                   std::function<Background::Delivery()> work) {
  const auto dropped = [call] { call.refuse(409, "asked again meanwhile"); };
  if (!background.start(key, std::move(work), dropped)) call.refuse(503, "too much is being done already");
}

void tell_status(Background& background, const ApiCall& call, const std::string& space) {
  in_background(
      background, call, fmt::format("status {}", call.who.user), [call, space]() -> Background::Delivery {
        const auto status = cli::gather_status(space);
        if (!status) return [call, error = status.error()] { call.refuse(503, error.message); };
        return [call, text = status->dump(-1, ' ', false, supervisor::Json::error_handler_t::replace)] {
          Json json = Json::parse(text, nullptr, false);
          json["version"] = kProgramVersion;
          call.reply(200, json);
        };
      });
}

void restart(Background& background, const ApiCall& call, const std::string& space,
             const std::string& robot) {
  const std::string role = call.names[0];
  in_background(background, call, "restart", [call, space, robot, role]() -> Background::Delivery {
    const auto status = cli::gather_status(space);
    if (!status) return [call, error = status.error()] { call.refuse(503, error.message); };
    const supervisor::Json* process = process_in(*status, robot, role);
    if (process == nullptr)
      return [call, role] { call.refuse(404, fmt::format("there is no process '{}'", role)); };
    const processes::ProcessIdentity identity{
        .pid = static_cast<std::int32_t>(supervisor::number_in(*process, "pid")),
        .start_ticks = process->value("start_ticks", std::uint64_t{0})};
    // the supervisor brings it back
    const bool is_sent = processes::is_alive(identity) && kill(identity.pid, SIGTERM) == 0;
    return [call, is_sent] { is_sent ? call.done() : call.refuse(409, "the process does not run"); };
  });
}

void tell_log(const ApiCall& call, const std::string& space, const std::string& robot) {
  const std::string& role = call.names[0];
  const bool is_word = role.find_first_not_of("abcdefghijklmnopqrstuvwxyz_-") == std::string::npos;
  const auto folder = processes::run_folder(space);
  if (!folder || !is_word) return call.refuse(404, "there is no such log");
  std::ifstream file(role == "supervisor" ? folder->supervisor_log() : folder->log_of(robot, role),
                     std::ios::binary);
  if (!file) return call.refuse(404, fmt::format("there is no log of '{}'", role));
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - kMostLogBytes));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  call.reply(200, {{"role", role}, {"bytes", size}, {"text", text}});
}

void add_metric(std::string& text, std::string_view name, std::string_view kind, std::string_view help,
                double value) {
  text += fmt::format("# HELP sinew_{0} {2}\n# TYPE sinew_{0} {1}\nsinew_{0} {3}\n", name, kind, help, value);
}

}  // namespace

std::string metrics_text(const cli::RobotLink& link, const ServerCounts& counts) {
  const cli::RobotSnapshot& now = link.now();
  std::string text;
  text += fmt::format(
      "# HELP sinew_info What runs.\n# TYPE sinew_info gauge\nsinew_info{{version=\"{}\",robot=\"{}\"}} 1\n",
      kProgramVersion, link.name());
  text += "# HELP sinew_state What the controller is doing.\n# TYPE sinew_state gauge\n";
  for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(ControlState::Faulted); ++i)
    text += fmt::format("sinew_state{{state=\"{}\"}} {}\n", state_text(static_cast<ControlState>(i)),
                        now.safety.state == static_cast<ControlState>(i) ? 1 : 0);
  add_metric(text, "refusals_total", "counter", "Inputs that the controller has not taken.",
             static_cast<double>(now.safety.refusals));
  add_metric(text, "guard_overrides_total", "counter", "How often the guard was switched off.",
             static_cast<double>(now.safety.overrides));
  if (now.health) {
    const Health& health = *now.health;
    add_metric(text, "cycles_total", "counter", "Cycles of the controller.",
               static_cast<double>(health.cycles));
    add_metric(text, "late_cycles_total", "counter", "Cycles that were skipped.",
               static_cast<double>(health.late_cycles));
    add_metric(text, "cycle_busy_p99_seconds", "gauge", "Of the last seconds.",
               1e-9 * static_cast<double>(health.busy_p99_ns));
    add_metric(text, "cycle_wake_p99_seconds", "gauge", "Of the last seconds.",
               1e-9 * static_cast<double>(health.wake_p99_ns));
    add_metric(text, "bus_load_ratio", "gauge", "Share of the device bus in use.", health.bus_load);
  }
  text += "# HELP sinew_joint_position Measured, in rad or m.\n# TYPE sinew_joint_position gauge\n";
  const RobotModel& model = link.model();
  for (std::size_t i = 0; i < model.positions.size(); ++i)
    text += fmt::format("sinew_joint_position{{joint=\"{}\"}} {}\n", model.joints[model.positions[i]].name,
                        now.state.position[i]);
  add_metric(text, "web_connections", "gauge", "HTTP connections.", static_cast<double>(counts.connections));
  add_metric(text, "web_sockets", "gauge", "WebSockets.", static_cast<double>(counts.sockets));
  add_metric(text, "web_watchers", "gauge", "Pages that watch.", static_cast<double>(counts.watchers));
  return text;
}

std::vector<ApiRow> status_rows(RobotDesk& desk, Background& background,
                                std::function<ServerCounts()> counts) {
  const auto of_robot = [&desk](std::function<void(const ApiCall&, const cli::RobotLink&)> serve) {
    return [&desk, serve = std::move(serve)](const ApiCall& call) {
      const auto robot = desk.robot();
      robot ? serve(call, (*robot)->link) : call.refuse(503, robot.error().message);
    };
  };
  return {
      {"GET", "/api/status", needs::kWatch,
       [&desk, &background](const ApiCall& call) { tell_status(background, call, desk.space()); }},
      {"POST", "/api/processes/{role}/restart", kRestart,
       [&desk, &background](const ApiCall& call) { restart(background, call, desk.space(), desk.name()); }},
      {"GET", "/api/log/{role}", needs::kWatch,
       [&desk](const ApiCall& call) { tell_log(call, desk.space(), desk.name()); }},
      {"GET", "/metrics", needs::kWatch,
       of_robot([counts = std::move(counts)](const ApiCall& call, const cli::RobotLink& link) {
         call.answer(
             {.type = "text/plain; version=0.0.4; charset=utf-8", .body = metrics_text(link, counts())});
       })}};
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/read_view.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/control/safety_text.h"

namespace sinew::cli {
namespace {

constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kDim = "\033[2m";
constexpr std::string_view kRed = "\033[31m";
constexpr std::string_view kGreen = "\033[32m";
constexpr std::string_view kYellow = "\033[33m";
constexpr std::string_view kPlain = "\033[0m";

/// Lines that are no joints: two of the robot, its safety, the heading, and the keys.
constexpr int kHeaderLines = 4;
constexpr int kFooterLines = 1;

std::string fitted(std::string line, int columns) {
  const auto width = static_cast<std::size_t>(std::max(columns, 1));
  if (line.size() > width) line = line.substr(0, width - 1) + "~";
  return line;
}

std::string painted(const std::string& line, std::string_view colour, const ViewOptions& options) {
  return options.has_colour && !colour.empty() ? fmt::format("{}{}{}", colour, line, kPlain) : line;
}

std::string_view colour_of(ControlState state, std::uint64_t held_mask) {
  if (state == ControlState::Running) return held_mask == 0 ? kGreen : kYellow;
  return state == ControlState::Faulted || state == ControlState::Stopped ? kRed : kYellow;
}

std::string_view colour_of(JointActivity activity) {
  switch (activity) {
    case JointActivity::Moving:
      return kGreen;
    case JointActivity::Held:
      return kYellow;
    case JointActivity::Stopped:
    case JointActivity::Unmeasured:
      return kRed;
    case JointActivity::Off:
      return kDim;
    case JointActivity::Resting:
      break;
  }
  return "";
}

std::string health_line(const RobotSnapshot& now) {
  if (!now.health) return "no health said yet";
  const Health& health = *now.health;
  const auto three = [](std::int64_t p50_ns, std::int64_t p99_ns, std::int64_t max_ns) {
    return fmt::format("{}/{}/{}", duration_text(p50_ns), duration_text(p99_ns), duration_text(max_ns));
  };
  return fmt::format("p50/p99/max: wake-up {}, work {}",
                     three(health.wake_p50_ns, health.wake_p99_ns, health.worst_wake_latency_ns),
                     three(health.busy_p50_ns, health.busy_p99_ns, health.worst_busy_ns));
}

double rate_of(const RobotSnapshot& now) {
  return now.health && now.health->period_ns > 0 ? 1e9 / static_cast<double>(now.health->period_ns) : 0.0;
}

std::string title_line(const RobotLink& robot) {
  const RobotSnapshot& now = robot.now();
  std::string line =
      fmt::format("{}   t {:.3f} s   {:.0f} Hz   cycle {}", robot.name(),
                  seconds_from_nanoseconds(now.state.stamp_ns), rate_of(now), now.processed.cycle);
  if (!now.health) return line;
  line += fmt::format("   late {}   refused {}", now.health->late_cycles, now.health->refusals);
  if (now.health->is_realtime == 0) line += "   not real-time";
  return line;
}

std::string heading(int name_width) {
  return fmt::format("{:<6}{:<{}} {:<2} {:<6} {:>9} {:>9} {:>9} {}", "JOINT", "", name_width, "ON", "ADDR",
                     "WANTED", "PROCESSED", "ACTUAL", "STATE");
}

std::string row_line(const JointRow& row, int name_width) {
  return fmt::format("{:<5} {:<{}.{}} {:<2} {:<6} {:>9.5f} {:>9.5f} {:>9.5f} {}", row.alias, row.name,
                     name_width, name_width, row.is_enabled ? "1" : "0", row.address, row.wanted,
                     row.processed, row.actual, activity_text(row.activity));
}

std::vector<JointRow> shown_rows(const RobotLink& robot, bool shows_all) {
  std::vector<JointRow> rows = joint_rows(robot.model(), robot.now());
  if (!shows_all) std::erase_if(rows, [](const JointRow& row) { return !row.is_enabled; });
  return rows;
}

int rows_that_fit(const ViewOptions& options) {
  return options.rows == 0 ? static_cast<int>(kMaxJoints)
                           : std::max(1, options.rows - kHeaderLines - kFooterLines);
}

int name_width_of(const std::vector<JointRow>& rows, int columns) {
  std::size_t longest = 8;
  for (const JointRow& row : rows) longest = std::max(longest, row.name.size());
  // what the other columns leave at 80
  return std::clamp(static_cast<int>(longest), 8, std::max(8, columns - 59));
}

}  // namespace

int last_first_joint(const RobotLink& robot, const ViewOptions& options) {
  const auto count = static_cast<int>(shown_rows(robot, options.shows_all).size());
  return std::max(0, count - rows_that_fit(options));
}

std::vector<std::string> view_lines(const RobotLink& robot, const ViewOptions& options) {
  const RobotSnapshot& now = robot.now();
  const std::vector<JointRow> rows = shown_rows(robot, options.shows_all);
  const int name_width = name_width_of(rows, options.columns);
  std::vector<std::string> lines;
  const bool is_old = now.old_ns > 0;
  const auto add = [&](const std::string& line, std::string_view colour) {
    lines.push_back(painted(fitted(line, options.columns), colour, options));
  };
  add(title_line(robot), kBold);
  const std::string safety = safety_text(now.safety, &robot.model(), now.state.fault_bits);
  add(is_old ? fmt::format("OLD: said {} ago, nothing since: {}", duration_text(now.old_ns), safety) : safety,
      is_old ? kRed : colour_of(now.safety.state, now.safety.held_mask));
  add(health_line(now), kDim);
  add(heading(name_width), kBold);
  const auto first =
      static_cast<std::size_t>(std::clamp(options.first_joint, 0, last_first_joint(robot, options)));
  const std::size_t end = std::min(rows.size(), first + static_cast<std::size_t>(rows_that_fit(options)));
  for (std::size_t i = first; i < end; ++i) add(row_line(rows[i], name_width), colour_of(rows[i].activity));
  return lines;
}

nlohmann::ordered_json view_json(const RobotLink& robot) {
  const RobotSnapshot& now = robot.now();
  nlohmann::ordered_json joints = nlohmann::ordered_json::array();
  const auto rows = joint_rows(robot.model(), now);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JointRow& row = rows[i];
    joints.push_back({{"name", row.name},
                      {"alias", row.alias},
                      {"enabled", row.is_enabled},
                      {"address", row.address},
                      {"unit", row.is_revolute ? "rad" : "m"},
                      {"wanted", row.wanted},
                      {"processed", row.processed},
                      {"actual", row.actual},
                      {"velocity", now.state.velocity[i]},
                      {"state", activity_text(row.activity)}});
    if ((now.state.load_mask >> i & 1) != 0) joints.back()["load"] = now.state.load[i];
  }
  nlohmann::ordered_json json{{"robot", robot.name()},
                              {"state", state_text(now.safety.state)},
                              {"reason", reason_text(now.safety.reason)},
                              {"text", safety_text(now.safety, &robot.model(), now.state.fault_bits)},
                              {"who", text_of(now.safety.who)},
                              {"is_overridden", now.safety.is_overridden != 0},
                              {"device_faults", faults_text(now.state.fault_bits)},
                              {"is_old", now.old_ns > 0},
                              {"age_of_silence", seconds_from_nanoseconds(now.old_ns)},
                              {"stamp_ns", now.state.stamp_ns},
                              {"cycle", now.processed.cycle},
                              {"rate", rate_of(now)}};
  if (now.health)
    json["cycle_times"] = {
        {"wake_p50_ns", now.health->wake_p50_ns},           {"wake_p99_ns", now.health->wake_p99_ns},
        {"wake_max_ns", now.health->worst_wake_latency_ns}, {"busy_p50_ns", now.health->busy_p50_ns},
        {"busy_p99_ns", now.health->busy_p99_ns},           {"busy_max_ns", now.health->worst_busy_ns},
        {"late_cycles", now.health->late_cycles},           {"refusals", now.health->refusals},
        {"is_realtime", now.health->is_realtime != 0}};
  json["joints"] = std::move(joints);
  return json;
}

}  // namespace sinew::cli

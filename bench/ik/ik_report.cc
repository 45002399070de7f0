// SPDX-License-Identifier: BSD-3-Clause
#include "ik_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/kinematics/kernels.h"

namespace sinew::bench {
namespace {

std::size_t widest_robot(const IkReport& report) {
  std::size_t width = 5;
  for (const IkRow& row : report.rows) width = std::max(width, row.robot.size());
  return width;
}

/// As JSON has it: no letter of a robot's name may end the text.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    out += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
  }
  return out + "\"";
}

/// As CSV has it: a name with a comma stays one cell.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char letter : text) out += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return out + "\"";
}

std::string forward_line(const ForwardRow& row, std::string_view solver, std::string_view method, double ns) {
  return fmt::format("{},{},{},,,{:.5f},,,,,,\n", cell(row.robot), solver, method, ns * 1e-3);
}

}  // namespace

std::string ik_table_text(const IkReport& report) {
  const std::size_t width = widest_robot(report);
  std::string text = fmt::format(
      "inverse kinematics, {} poses each, kernels for {}\n{:{}}  {:6} {:28} {:>9} {:>8} {:>8} {:>8} {:>9} "
      "{:>8} "
      "{:>8} {:>6}\n",
      report.rows.empty() ? 0 : report.rows[0].times.size(), kernel::kernels().name, "robot", width, "solver",
      "method", "success %", "mean us", "median", "p99", "worst", "err m", "err rad", "beyond");
  for (const IkRow& row : report.rows) {
    const TimeSummary times = summary_of(row.times);
    text += fmt::format("{:{}}  {:6} {:28} {:9.2f} {:8.2f} {:8.2f} {:8.2f} {:9.1f} {:8.1e} {:8.1e} {:6}\n",
                        row.robot, width, row.solver, row.method, success_of(row), times.mean, times.median,
                        times.p99, times.worst, row.max_position_error, row.max_rotation_error,
                        row.limit_violations);
  }
  if (report.forward.empty()) return text;
  text += fmt::format("\nforward kinematics with Jacobian, ns per configuration\n{:{}}  {:>8} {:>11} {:>8}\n",
                      "robot", width, "one", "of eight", "KDL");
  for (const ForwardRow& row : report.forward) {
    const std::string kdl = row.kdl_ns > 0 ? fmt::format("{:.0f}", row.kdl_ns) : "-";
    text +=
        fmt::format("{:{}}  {:8.1f} {:11.2f} {:>8}\n", row.robot, width, row.single_ns, row.batch_ns, kdl);
  }
  return text;
}

std::string ik_json_text(const IkReport& report, bool with_robot) {
  std::string text = "{\"rows\": [";
  const char* separator = "\n";
  for (const IkRow& row : report.rows) {
    const TimeSummary times = summary_of(row.times);
    const std::string robot = with_robot ? fmt::format("\"robot\": {}, ", quoted(row.robot)) : "";
    text += fmt::format(
        "{}  {{{}\"solver\": \"{}\", \"method\": \"{}\", \"count\": {}, \"success\": {:.4f}, \"mean_us\": "
        "{:.3f}, "
        "\"median_us\": {:.3f}, \"p99_us\": {:.3f}, \"max_us\": {:.3f}, \"max_position_error\": {:.3e}, "
        "\"max_rotation_error\": {:.3e}, \"limit_violations\": {}}}",
        separator, robot, row.solver, row.method, row.times.size(), success_of(row), times.mean, times.median,
        times.p99, times.worst, row.max_position_error, row.max_rotation_error, row.limit_violations);
    separator = ",\n";
  }
  text += "]";
  separator = ",\n \"forward\": [\n";
  for (const ForwardRow& row : report.forward) {
    text += fmt::format("{}  {{\"robot\": {}, \"single_ns\": {:.1f}, \"batch_ns\": {:.2f}, \"kdl_ns\": {}}}",
                        separator, quoted(row.robot), row.single_ns, row.batch_ns,
                        row.kdl_ns > 0 ? fmt::format("{:.1f}", row.kdl_ns) : "null");
    separator = ",\n";
  }
  return text + (report.forward.empty() ? "}\n" : "]}\n");
}

std::string ik_csv_text(const IkReport& report) {
  std::string text =
      "robot,solver,method,count,success,mean_us,median_us,p99_us,max_us,max_position_error,max_rotation_"
      "error,"
      "limit_violations\n";
  for (const IkRow& row : report.rows) {
    const TimeSummary times = summary_of(row.times);
    text += fmt::format("{},{},{},{},{:.4f},{:.3f},{:.3f},{:.3f},{:.3f},{:.1e},{:.1e},{}\n", cell(row.robot),
                        row.solver, row.method, row.times.size(), success_of(row), times.mean, times.median,
                        times.p99, times.worst, row.max_position_error, row.max_rotation_error,
                        row.limit_violations);
  }
  for (const ForwardRow& row : report.forward) {
    text += forward_line(row, "sinew", "fk and jacobian", row.single_ns);
    text += forward_line(row, "sinew", "fk and jacobian of eight", row.batch_ns);
    if (row.kdl_ns > 0) text += forward_line(row, "kdl", "fk and jacobian", row.kdl_ns);
  }
  return text;
}

}  // namespace sinew::bench

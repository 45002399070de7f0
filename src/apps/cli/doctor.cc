// SPDX-License-Identifier: BSD-3-Clause
// sinew doctor
#include "apps/cli/doctor.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/text.h"
#include "sinew/base/time.h"

#include "apps/cli/machine_facts.h"
#include "apps/controller/realtime_rights.h"

namespace sinew::cli {
namespace {

/// A robot at 1 kHz wants 99 of 100 cycles to begin within half of their time.
constexpr double kLatest_ns = 500'000;

std::string time_text(double duration_ns) {
  return duration_text(static_cast<std::int64_t>(duration_ns));
}

Finding wake_finding(const Histogram& wake) {
  const bool is_fit = wake.quantile_ns(0.99) <= kLatest_ns;
  return {.name = "wake-up at 1 kHz",
          .value = fmt::format("p50 {}, p99 {}, p99.9 {}, max {} of {}", time_text(wake.quantile_ns(0.5)),
                               time_text(wake.quantile_ns(0.99)), time_text(wake.quantile_ns(0.999)),
                               duration_text(wake.max_ns()), wake.count()),
          .is_fit = is_fit,
          .remedy = is_fit
                        ? ""
                        : fmt::format("p99 should be below {}: grant the rights below, or take load off the "
                                      "machine",
                                      time_text(kLatest_ns))};
}

std::vector<Finding> rights_findings(const RealtimeRights& rights) {
  // the remedies come in the order of the rights
  std::size_t next = 0;
  const auto finding = [&](std::string name, bool is_there, bool is_needed) {
    return Finding{.name = std::move(name),
                   .value = is_there ? "yes" : "no",
                   .is_fit = is_there || !is_needed,
                   .remedy = is_there || next >= rights.missing.size() ? "" : rights.missing[next++]};
  };
  std::vector<Finding> findings;
  findings.push_back(finding("real-time priority", rights.has_priority, true));
  findings.push_back(finding("locked memory", rights.has_locked_memory, true));
  findings.push_back(finding("short wake-up held", rights.has_fast_wake, false));
  return findings;
}

void print_text(const std::vector<Finding>& findings, bool is_fit, std::ostream& out) {
  for (const Finding& finding : findings) {
    out << fmt::format("{}  {:<22} {}\n", finding.is_fit ? "ok" : "NO", finding.name, finding.value);
    if (!finding.remedy.empty()) out << fmt::format("      {}\n", finding.remedy);
  }
  out << (is_fit ? "fit to run a robot\n" : "not fit yet: see the lines with NO\n");
}

void print_json(const std::vector<Finding>& findings, const Histogram& wake, bool is_fit, std::ostream& out) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Finding& finding : findings)
    rows.push_back({{"name", finding.name},
                    {"value", finding.value},
                    {"is_fit", finding.is_fit},
                    {"remedy", finding.remedy}});
  const nlohmann::ordered_json json{{"is_fit", is_fit},
                                    {"wake_up",
                                     {{"count", wake.count()},
                                      {"p50_ns", wake.quantile_ns(0.5)},
                                      {"p99_ns", wake.quantile_ns(0.99)},
                                      {"p99_9_ns", wake.quantile_ns(0.999)},
                                      {"max_ns", wake.max_ns()}}},
                                    {"findings", rows}};
  out << json.dump() << "\n";
}

Status run_doctor(const Words& words, std::ostream& out) {
  const auto seconds = words.number("--seconds", 0.1, 3600);
  if (!seconds) return seconds.error();
  std::vector<Finding> findings = look_at_packages();
  for (Finding& finding : look_at_machine()) findings.push_back(std::move(finding));
  const RealtimeRights rights = take_realtime_rights();
  const Histogram wake = measure_wake_ups(*seconds);
  std::vector<Finding> first{wake_finding(wake)};
  for (Finding& finding : rights_findings(rights)) first.push_back(std::move(finding));
  findings.insert(findings.begin(), first.begin(), first.end());

  const bool is_fit = std::ranges::all_of(findings, &Finding::is_fit);
  if (words.has("--json")) {
    print_json(findings, wake, is_fit, out);
  } else {
    print_text(findings, is_fit, out);
  }
  if (is_fit) return Done{};
  return Error{ErrorCode::Denied,
               "this machine is not fit to run a robot in real time; simulations run all the same"};
}

}  // namespace

const Command kDoctorCommand{
    .name = "doctor",
    .summary = "Tell whether this machine is fit to run a robot",
    .details =
        "Measures how late a thread wakes up at 1 kHz, with the rights that the controller would get, and "
        "looks at the kernel, the clock, the room for channels and the packages. Each complaint comes "
        "with its remedy; exits with 0 when there is none.",
    .options = {{.name = "--seconds", .value_name = "S", .help = "How long to measure.", .fallback = "3"},
                {.name = "--json", .value_name = "", .help = "Print JSON."}},
    .examples = {"sinew doctor", "sinew doctor --seconds 60 --json"},
    .run = run_doctor,
};

}  // namespace sinew::cli

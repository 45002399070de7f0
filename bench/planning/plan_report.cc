// SPDX-License-Identifier: BSD-3-Clause
#include "plan_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sinew/messages/decode.h"

namespace sinew::bench {
namespace {

constexpr std::size_t kMostFailuresShown = 20;

double at_share(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0.0;
  return sorted[static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size() - 1)))];
}

// in quotes, as CSV has them
std::string csv_word(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

void add_new(const std::string& name, std::vector<std::string>& names) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

}  // namespace

/// What one planner did on some problems.
struct PlanReport::Row {
  std::string planner;
  std::vector<double> times_ms;  // sorted
  std::size_t solved = 0;
  std::optional<std::size_t> invalid;  // none: nobody looked
  double length = 0.0;

  double mean_length() const { return length / std::max(1.0, static_cast<double>(solved)); }
  double mean_ms() const {
    return std::accumulate(times_ms.begin(), times_ms.end(), 0.0) /
           std::max(1.0, static_cast<double>(times_ms.size()));
  }
  std::string text() const {
    return fmt::format("{:40} {:>6} {:>7} {:>10.4f} {:>10.4f} {:>10.4f} {:>10.3f} {:>8.3f} {:>8}\n", planner,
                       times_ms.size(), solved, at_share(times_ms, 0.5), mean_ms(), at_share(times_ms, 0.95),
                       at_share(times_ms, 1.0), mean_length(), invalid ? std::to_string(*invalid) : "-");
  }
  std::string json(const std::string& set) const {
    return fmt::format(
        "{{{}\"planner\": \"{}\", \"count\": {}, \"solved\": {}, \"median_ms\": {:.6f}, \"mean_ms\": {:.6f}, "
        "\"p95_ms\": {:.6f}, \"max_ms\": {:.6f}, \"mean_length\": {:.6f}, \"invalid\": {}}}",
        set.empty() ? "" : fmt::format("\"set\": {}, ", json_text(set)), planner, times_ms.size(), solved,
        at_share(times_ms, 0.5), mean_ms(), at_share(times_ms, 0.95), at_share(times_ms, 1.0), mean_length(),
        invalid ? std::to_string(*invalid) : "null");
  }
};

std::vector<std::string> PlanReport::planners() const {
  std::vector<std::string> names;
  for (const PlanOutcome& outcome : outcomes_) add_new(outcome.planner, names);
  return names;
}

std::vector<std::string> PlanReport::sets() const {
  std::vector<std::string> names;
  for (const PlanOutcome& outcome : outcomes_) add_new(outcome.set, names);
  return names;
}

PlanReport::Row PlanReport::row_of(const std::string& planner, const std::string* set) const {
  Row row{.planner = planner};
  for (const PlanOutcome& outcome : outcomes_) {
    if (outcome.planner != planner || (set != nullptr && outcome.set != *set)) continue;
    row.times_ms.push_back(outcome.time_ms);
    row.solved += outcome.is_solved ? 1 : 0;
    row.length += outcome.length;
    if (outcome.is_clear) row.invalid = row.invalid.value_or(0) + (*outcome.is_clear ? 0 : 1);
  }
  std::ranges::sort(row.times_ms);
  return row;
}

std::vector<const PlanOutcome*> PlanReport::failures() const {
  std::vector<const PlanOutcome*> found;
  for (const PlanOutcome& outcome : outcomes_)
    if (!outcome.reason.empty()) found.push_back(&outcome);
  return found;
}

std::string PlanReport::text() const {
  std::string text =
      fmt::format("{:40} {:>6} {:>7} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8}\n", "planner", "count", "solved",
                  "median ms", "mean ms", "p95 ms", "max ms", "length", "invalid");
  for (const std::string& planner : planners()) text += row_of(planner, nullptr).text();
  const std::vector<std::string> all = sets();
  for (const std::string& set : all) {
    if (all.size() == 1) break;
    text += fmt::format("\n{}\n", set);
    for (const std::string& planner : planners()) text += row_of(planner, &set).text();
  }
  const auto failed = failures();
  if (!failed.empty()) text += "\nnot solved, or in the way of something\n";
  for (std::size_t i = 0; i < std::min(failed.size(), kMostFailuresShown); ++i) {
    text += fmt::format("{} {}, {}: {}\n", failed[i]->set, failed[i]->index, failed[i]->planner,
                        failed[i]->reason);
  }
  if (failed.size() > kMostFailuresShown)
    text += fmt::format("and {} more; --csv FILE writes all\n", failed.size() - kMostFailuresShown);
  return text;
}

std::string PlanReport::json() const {
  std::string text = "{\"rows\": [";
  const char* comma = "";
  for (const std::string& planner : planners()) {
    text += fmt::format("{}\n  {}", comma, row_of(planner, nullptr).json({}));
    comma = ",";
  }
  text += "],\n \"sets\": [";
  comma = "";
  for (const std::string& set : sets()) {
    for (const std::string& planner : planners()) {
      text += fmt::format("{}\n  {}", comma, row_of(planner, &set).json(set));
      comma = ",";
    }
  }
  text += "],\n \"failures\": [";
  comma = "";
  for (const PlanOutcome* outcome : failures()) {
    text +=
        fmt::format("{}\n  {{\"set\": {}, \"index\": {}, \"planner\": \"{}\", \"reason\": {}}}", comma,
                    json_text(outcome->set), outcome->index, outcome->planner, json_text(outcome->reason));
    comma = ",";
  }
  return text + "]}\n";
}

std::string PlanReport::csv() const {
  std::string text = "set,index,planner,solved,time_ms,length,clear,reason\n";
  for (const PlanOutcome& outcome : outcomes_) {
    text += fmt::format("{},{},{},{},{:.6f},{:.6f},{},{}\n", csv_word(outcome.set), outcome.index,
                        csv_word(outcome.planner), outcome.is_solved ? 1 : 0, outcome.time_ms, outcome.length,
                        outcome.is_clear ? (*outcome.is_clear ? "1" : "0") : "", csv_word(outcome.reason));
  }
  return text;
}

}  // namespace sinew::bench

// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-channels, which `sinew channel bench` runs: the table of channel latencies.
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/time.h"

#include "options.h"
#include "report.h"
#include "runner.h"

namespace sinew::bench {
namespace {

constexpr std::int64_t kQuickBudget_ns = 40 * kSecond_ns;
constexpr std::array kPutReaders = {0, 1, 2, 4, 8};
constexpr int kPutBurst = 20;

// What the rounds of one row found.
struct Samples {
  std::vector<double> p50_us, p99_us, sent_per_s;
  double max_us = 0;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<Cell> cells_of(const Options& options, const Conditions& conditions) {
  std::vector<Cell> cells;
  for (const int rate_hz : {1000, 0}) {
    if (rate_hz == 0 && options.is_quick) continue;
    for (const auto& [readers, mode] :
         {std::pair{1, WaitMode::Block}, {8, WaitMode::Block}, {1, WaitMode::Spin}}) {
      if (!contains(options.modes, mode_text(mode))) continue;
      // a spinner needs a core of its own
      if (mode == WaitMode::Spin && conditions.core_count() < 2) continue;
      for (const std::uint32_t size : options.sizes)
        cells.push_back({.size = size, .readers = readers, .mode = mode, .rate_hz = rate_hz});
    }
  }
  return cells;
}

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options), cells_(cells_of(options, conditions_)) {
    for (const std::string& note : conditions_.notes()) this->note(note);
  }
  ~Bench() {
    for (const auto& transport : transports_) transport->stop();
  }

  Result<Report> measure() {
    start_transports();
    if (Status status = measure_rounds(); !status) return status.error();
    if (Status status = measure_puts(); !status) return status.error();
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      for (std::size_t system = 0; system < transports_.size(); ++system) add_row(cell, system);
    }
    compare_with_limit(report_.rows);
    return report_;
  }

 private:
  void note(const std::string& text) {
    if (contains(report_.notes, text)) return;
    fmt::print(stderr, "{}\n", text);
    report_.notes.push_back(text);
  }

  void start_transports() {
    constexpr std::array kMakers = {make_limit, make_sinew, make_pipe, make_iceoryx, make_cyclonedds};
    for (std::size_t i = 0; i < kSystems.size(); ++i) {
      const std::string& name = kSystems[i];
      if (!contains(options_.systems, name)) continue;
      auto transport = kMakers[i]();
      if (transport == nullptr) {
        note(fmt::format("{} is left out: it was not installed when this was built", name));
      } else if (const Status status = transport->start(); !status) {
        note(fmt::format("{} is left out: {}", name, status.error().message));
      } else {
        transports_.push_back(std::move(transport));
      }
    }
  }

  // The whole table several times over, with the systems side by side, so that the machine's moods meet all.
  Status measure_rounds() {
    const std::int64_t start_ns = monotonic_now_ns();
    for (int round = 0; round < options_.rounds; ++round) {
      for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
        fmt::print(stderr, "round {} of {}: {}\n", round + 1, options_.rounds, cell_text(cells_[cell]));
        for (std::size_t i = 0; i < transports_.size(); ++i) {
          const std::size_t system = (i + static_cast<std::size_t>(round)) % transports_.size();
          if (Status status = measure_cell(cell, system); !status) return status;
        }
      }
      const std::int64_t spent_ns = monotonic_now_ns() - start_ns;
      if (options_.is_quick && spent_ns + spent_ns / (round + 1) > kQuickBudget_ns) break;
    }
    return Done{};
  }

  Status measure_cell(std::size_t cell, std::size_t system) {
    Transport& transport = *transports_[system];
    const auto finding =
        run(transport, {.cell = cells_[cell], .seconds = options_.seconds / options_.rounds}, conditions_);
    if (!finding) return judge(finding.error(), transport, cells_[cell]);
    const RunFinding& found = **finding;
    Samples& samples = samples_[{cell, system}];
    samples.p50_us.push_back(found.latency.quantile_ns(0.5) / 1e3);
    samples.p99_us.push_back(found.latency.quantile_ns(0.99) / 1e3);
    samples.max_us = std::max(samples.max_us, static_cast<double>(found.latency.max_ns()) / 1e3);
    samples.sent_per_s.push_back(found.sent_per_s);
    return Done{};
  }

  // a peer that does not work here is noted, a torn message or a signal ends everything
  Status judge(const Error& error, const Transport& transport, const Cell& cell) {
    const std::string text = fmt::format("{} at {}: {}", transport.name(), cell_text(cell), error.message);
    if (error.code == ErrorCode::Damaged || error.code == ErrorCode::Interrupted)
      return Error{error.code, text};
    note(text);
    return Done{};
  }

  Status measure_puts() {
    if (!contains(options_.systems, "sinew")) return Done{};
    const auto transport = make_sinew();
    for (const int readers : kPutReaders) {
      const Cell cell{.size = 64, .readers = readers, .mode = WaitMode::Spin, .rate_hz = 1000};
      fmt::print(stderr, "time of a put with {} readers polling\n", readers);
      const auto finding =
          run(*transport, {.cell = cell, .seconds = options_.seconds, .burst = kPutBurst}, conditions_);
      if (!finding) {
        if (Status status = judge(finding.error(), *transport, cell); !status) return status;
        continue;
      }
      const Histogram& sends = (*finding)->sends;
      report_.puts.push_back({.readers = readers,
                              .p50_us = sends.quantile_ns(0.5) / 1e3,
                              .p99_us = sends.quantile_ns(0.99) / 1e3});
    }
    return Done{};
  }

  void add_row(std::size_t cell, std::size_t system) {
    const auto found = samples_.find({cell, system});
    if (found == samples_.end()) return;
    const Samples& samples = found->second;
    report_.rows.push_back({.system = std::string(transports_[system]->name()),
                            .cell = cells_[cell],
                            .p50_us = median(samples.p50_us),
                            .p99_us = median(samples.p99_us),
                            .max_us = samples.max_us,
                            .sent_per_s = median(samples.sent_per_s)});
  }

  Options options_;
  Conditions conditions_;
  std::vector<Cell> cells_;
  std::vector<std::unique_ptr<Transport>> transports_;
  std::map<std::pair<std::size_t, std::size_t>, Samples> samples_;  ///< By cell and system.
  Report report_;
};

Status write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) return Error{ErrorCode::SystemFailure, fmt::format("cannot write '{}'", path)};
  return Done{};
}

int complain(const Error& error) {
  fmt::print(stderr, "sinew-bench-channels: {}\n", error.message);
  if (error.code == ErrorCode::InvalidInput) return 2;
  return error.code == ErrorCode::Interrupted ? 130 : 1;
}

int run_bench(std::span<const char* const> arguments) {
  const Result<Options> options = parse_options(arguments);
  if (!options) return complain(options.error());
  if (options->is_help) {
    fmt::print("{}", kHelp);
    return 0;
  }
  // learn now rather than after minutes that the file cannot be written
  if (!options->csv_file.empty()) {
    if (const Status status = write_file(options->csv_file, ""); !status) return complain(status.error());
  }
  const Result<Report> report = Bench(*options).measure();
  if (!report) return complain(report.error());
  fmt::print("{}", options->is_json ? json_text(*report) : table_text(*report));
  if (options->csv_file.empty()) return 0;
  const Status status = write_file(options->csv_file, csv_text(*report));
  return status ? 0 : complain(status.error());
}

}  // namespace
}  // namespace sinew::bench

int main(int argument_count, char** arguments) {
  struct sigaction stop {};
  stop.sa_handler = [](int) { sinew::bench::stop_requested = true; };
  sigaction(SIGINT, &stop, nullptr);
  sigaction(SIGTERM, &stop, nullptr);
  const std::vector<const char*> words(arguments + 1, arguments + argument_count);
  return sinew::bench::run_bench(words);
}

// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-trajectory: what planning, sampling and checking of motions cost, in one process on one core.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/trajectory/jerk_limited.h"
#include "sinew/trajectory/joint_smoother.h"
#include "sinew/trajectory/segment.h"
#include "sinew/trajectory/test/random_motion.h"

#include "generator_rows.h"
#include "rows/exit_code.h"
#include "rows/row_options.h"

namespace sinew::bench {
namespace {

constexpr const char* kHelp =
    "usage: sinew-bench-trajectory [--count N] [--seed S] [--json] [--csv FILE]\n"
    "\n"
    "Times each of N calls for 1, 7 and 43 axes with drawn limits, states and targets: mean, median, 99 %, "
    "worst "
    "[us].\n"
    "Some 0.03 us of each are the clock's. Through 20 points: N/1000 calls.\n"
    "Defaults: --count 20000, --seed 1.\n";

constexpr double kCycle = 1e-3;  // [s]

/// An arm with drawn limits, and what it is asked for.
class Subject {
 public:
  Subject(std::size_t axes, std::uint64_t seed)
      : random_(seed), limits_(axes), states_(axes), targets_(axes) {
    for (AxisLimits& each : limits_) each = random_.usual_limits();
  }

  void draw_states() {
    for (std::size_t i = 0; i < size(); ++i) states_[i] = random_.state_inside(limits_[i]);
  }
  void draw_targets() {
    for (std::size_t i = 0; i < size(); ++i)
      targets_[i] = random_.uniform(limits_[i].lower, limits_[i].upper);
  }
  JointSmoother smoother(bool arrive_together) const {
    return JointSmoother::make(limits_, {.arrive_together = arrive_together}).value();
  }

  std::size_t size() const { return limits_.size(); }
  const AxisLimits& limits(std::size_t i) const { return limits_[i]; }
  std::span<const AxisState> states() const { return states_; }
  std::span<const double> targets() const { return targets_; }

 private:
  RandomMotion random_;
  std::vector<AxisLimits> limits_;
  std::vector<AxisState> states_;
  std::vector<double> targets_;
};

/// Times `call`, each after `prepare`. What `call` returns is used, so that it is computed.
TrajectoryRow measure(const std::string& name, const Subject& subject, std::size_t count,
                      const std::function<void()>& prepare, const std::function<double()>& call) {
  TrajectoryRow row{.name = name, .axes = subject.size()};
  volatile double sink = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    prepare();
    const std::int64_t begin_ns = monotonic_now_ns();
    sink = sink + call();
    row.times.push_back(static_cast<double>(monotonic_now_ns() - begin_ns) * 1e-3);
  }
  return row;
}

TrajectoryRow measure_planning(std::size_t axes, const RowOptions& options, bool arrive_together) {
  Subject subject(axes, options.seed);
  JointSmoother smoother = subject.smoother(arrive_together);
  const auto prepare = [&] {
    subject.draw_states();
    subject.draw_targets();
    if (!smoother.reset(subject.states())) std::abort();
  };
  const auto call = [&] {
    smoother.step(subject.targets(), kCycle);
    return smoother.states()[0].position;
  };
  return measure(arrive_together ? "any state to rest, arriving together" : "any state to rest", subject,
                 options.count, prepare, call);
}

TrajectoryRow measure_cycle(std::size_t axes, const RowOptions& options, bool retarget) {
  Subject subject(axes, options.seed);
  JointSmoother smoother = subject.smoother(false);
  int cycle = 0;
  const auto prepare = [&] {
    // sampling is measured under way, so that few axes rest
    if (retarget || cycle++ % 100 == 0) subject.draw_targets();
    if (!retarget) smoother.step(subject.targets(), kCycle);
  };
  const auto call = [&] {
    smoother.step(subject.targets(), kCycle);
    return smoother.states()[0].position;
  };
  return measure(retarget ? "new target each cycle" : "sample", subject, options.count, prepare, call);
}

TrajectoryRow measure_stop(std::size_t axes, const RowOptions& options) {
  Subject subject(axes, options.seed);
  const auto call = [&] {
    double sum = 0.0;
    for (std::size_t i = 0; i < axes; ++i)
      sum += plan_stop(subject.states()[i], subject.limits(i)).end_position();
    return sum;
  };
  return measure(
      "way to a stop", subject, options.count, [&] { subject.draw_states(); }, call);
}

TrajectoryRow measure_segments(std::size_t axes, const RowOptions& options) {
  Subject subject(axes, options.seed);
  std::vector<PolynomialSegment> segments(axes);
  const SegmentTime time{.start_ns = 0, .duration_ns = 1'500'000'000};
  const auto prepare = [&] {
    subject.draw_states();
    subject.draw_targets();
    for (std::size_t i = 0; i < axes; ++i) {
      segments[i] = quintic_segment(time, subject.states()[i], {.position = subject.targets()[i]});
    }
  };
  const auto call = [&] {
    double sum = 0.0;
    for (std::size_t i = 0; i < axes; ++i) sum += check_segment(segments[i], subject.limits(i)).value;
    return sum;
  };
  return measure("check a quintic", subject, options.count, prepare, call);
}

struct Summary {
  double mean = 0.0;
  double median = 0.0;
  double p99 = 0.0;
  double worst = 0.0;
};

Summary summary_of(const TrajectoryRow& row) {
  std::vector<double> sorted = row.times;
  std::sort(sorted.begin(), sorted.end());
  double sum = 0.0;
  for (const double time : sorted) sum += time;
  return {.mean = sum / static_cast<double>(sorted.size()),
          .median = sorted[sorted.size() / 2],
          .p99 = sorted[sorted.size() * 99 / 100],
          .worst = sorted.back()};
}

void print_table(const std::vector<TrajectoryRow>& rows) {
  fmt::print("{:38} {:>5} {:>9} {:>9} {:>9} {:>9}\n", "case", "axes", "mean us", "median", "p99", "worst");
  for (const TrajectoryRow& row : rows) {
    const Summary s = summary_of(row);
    fmt::print("{:38} {:5} {:9.2f} {:9.2f} {:9.2f} {:9.1f}\n", row.name, row.axes, s.mean, s.median, s.p99,
               s.worst);
  }
}

void print_json(const std::vector<TrajectoryRow>& rows) {
  fmt::print("{{\"rows\": [");
  const char* comma = "";
  for (const TrajectoryRow& row : rows) {
    const Summary s = summary_of(row);
    fmt::print(
        "{}\n  {{\"case\": \"{}\", \"axes\": {}, \"count\": {}, \"mean_us\": {:.3f}, \"median_us\": {:.3f}, "
        "\"p99_us\": {:.3f}, \"max_us\": {:.3f}}}",
        comma, row.name, row.axes, row.times.size(), s.mean, s.median, s.p99, s.worst);
    comma = ",";
  }
  fmt::print("]}}\n");
}

std::string csv_of(const std::vector<TrajectoryRow>& rows) {
  std::string text = "case,axes,count,mean_us,median_us,p99_us,max_us\n";
  for (const TrajectoryRow& row : rows) {
    const Summary s = summary_of(row);
    text += fmt::format("\"{}\",{},{},{:.3f},{:.3f},{:.3f},{:.3f}\n", row.name, row.axes, row.times.size(),
                        s.mean, s.median, s.p99, s.worst);
  }
  return text;
}

Status run(const RowOptions& options) {
  // before a minute is spent
  if (Status may = write_csv(options, ""); !may) return may;
  std::vector<TrajectoryRow> rows;
  for (const std::size_t axes : {1, 7, 43}) {
    rows.push_back(measure_planning(axes, options, false));
    rows.push_back(measure_planning(axes, options, true));
    rows.push_back(measure_cycle(axes, options, true));
    rows.push_back(measure_cycle(axes, options, false));
    rows.push_back(measure_stop(axes, options));
    rows.push_back(measure_segments(axes, options));
  }
  for (TrajectoryRow& row : measure_generators(static_cast<int>(options.count), options.seed))
    rows.push_back(std::move(row));
  options.is_json ? print_json(rows) : print_table(rows);
  return write_csv(options, csv_of(rows));
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
  using namespace sinew::bench;
  const auto options = row_options_from({argv + 1, static_cast<std::size_t>(argc - 1)}, {.count = 20000});
  if (options && options->is_help) {
    fmt::print("{}", kHelp);
    return 0;
  }
  const sinew::Status done = options ? run(*options) : options.error();
  return done ? 0 : complain(done.error());
}

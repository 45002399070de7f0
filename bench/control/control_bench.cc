// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-control: what a cycle of the controller costs with all that its process does in it, and how
// late it begins, beside cyclictest in the same minute.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/fixed_string.h"
#include "sinew/base/histogram.h"
#include "sinew/drivers/ideal_driver.h"
#include "sinew/model/positions.h"
#include "sinew/motion/world_reader.h"

#include "apps/cli/bench_commands.h"
#include "apps/cli/program.h"
#include "apps/controller/control_loop.h"
#include "apps/controller/realtime_rights.h"
#include "cyclictest.h"
#include "scene.h"
#include "yardstick.h"

namespace sinew::bench {
namespace {

constexpr int kRounds = 4;
constexpr int kPriority = 45;            // as the controller's
constexpr int kCyclesATarget = 700;      // then the arms go elsewhere
constexpr double kLongestCycle_us = 50;  // the bars
constexpr double kMostOfCyclictest = 1.5;

struct Row {
  std::string name;
  Histogram times;
};

/// What is found.
struct Findings {
  Row step{"Controller::step alone, moving", {}};
  Row moving{"whole cycle, moving", {}};
  Row held{"whole cycle, the guard holds an arm", {}};
  Row yardstick{"arithmetic as long as its p50", {}};
  Row wake{"wake-up", {}};
  Row cyclictest{"wake-up of cyclictest", {}};
  std::string without_cyclictest;  ///< Why; empty: with.
};

JointReference reference_to(const Scene& scene, int turn, std::int64_t now_ns) {
  JointReference reference{.stamp_ns = now_ns, .joint_mask = enabled_mask(scene.robot.model)};
  reference.position = scene.targets[static_cast<std::size_t>(turn) % scene.targets.size()];
  return reference;
}

bool moves(const JointCommand& command) {
  return std::ranges::any_of(command.velocity, [](double velocity) { return velocity != 0.0; });
}

/// The controller's own pace at 1 kHz; from when it lets a cycle begin to when it is called again is what
/// the cycle took. Meanwhile it plays the program that commands.
class MeasuringPace final : public Pace {
 public:
  MeasuringPace(const Scene& scene, const Controller& controller, Writer<JointReference> program,
                std::int64_t early_ns, Findings& findings)
      : scene_(scene),
        controller_(controller),
        program_(std::move(program)),
        findings_(findings),
        timer_(kMillisecond_ns, early_ns) {}

  /// The posture that the program goes to first.
  void begin_with(int turn) { first_turn_ = turn; }
  void run_for(double seconds, std::atomic<bool>& is_over) {
    cycles_ = static_cast<int>(seconds * 1000.0);
    is_over_ = &is_over;
  }

  Beat wait() noexcept override {
    note(monotonic_now_ns() - began_ns_);
    if (cycle_ % kCyclesATarget == 10)
      static_cast<void>(program_.put(reference_to(scene_, first_turn_ + cycle_ / kCyclesATarget, now_ns_)));
    if (++cycle_ >= cycles_) is_over_->store(true);
    const Beat beat = timer_.wait();
    findings_.wake.times.add(beat.wake_latency_ns);
    now_ns_ = beat.now_ns;
    began_ns_ = monotonic_now_ns();
    return beat;
  }

 private:
  void note(std::int64_t took_ns) {
    const ControlOutput& output = controller_.output();
    if (cycle_ == 0 || !moves(output.command)) return;
    findings_.moving.times.add(took_ns);
    if (output.safety.held_mask != 0) findings_.held.times.add(took_ns);
  }

  const Scene& scene_;
  const Controller& controller_;
  Writer<JointReference> program_;
  Findings& findings_;
  TimerPace timer_;
  int first_turn_ = 0;
  int cycle_ = 0;
  int cycles_ = 0;
  std::atomic<bool>* is_over_ = nullptr;
  std::int64_t began_ns_ = 0;
  std::int64_t now_ns_ = 0;
};

/// A space, and a folder for recordings, that are gone afterwards.
struct Places {
  std::string space = fmt::format("bench-control-{}", getpid());
  std::filesystem::path recordings = std::filesystem::temp_directory_path() / space;
  ~Places() {
    std::error_code ignored;
    std::filesystem::remove_all("/dev/shm/sinew-" + space, ignored);
    std::filesystem::remove_all(recordings, ignored);
  }
};

/// One of several looks at the loop.
struct Round {
  int first_turn = 0;
  double seconds = 0.0;
  std::int64_t early_ns = 0;  ///< It wakes up so much before a cycle is due.
};

// All that sinew-controller does, on a device that does as it is told.
Status measure_loop(const Scene& scene, const Round& round, Findings& findings) {
  const Places places;
  const RobotModel& model = scene.robot.model;
  auto world = Writer<World>::open({.name = "mds/world", .space = places.space});
  if (!world) return world.error();
  if (world->put(scene.world) != SINEW_OK) return Error{ErrorCode::SystemFailure, "the world cannot be put"};
  auto program = Writer<JointReference>::open({.name = "mds/ref/bench", .space = places.space});
  if (!program) return program.error();
  auto channels = open_control_channels("mds", places.space);
  if (!channels) return channels.error();
  const auto controller = Controller::make(model, *scene.shapes, scene.settings.cycle);
  if (!controller) return controller.error();
  const auto log = CycleLog::open("mds", places.space, {}, **controller);
  if (!log) return log.error();
  Attendant attendant(model, {.robot = "mds", .space = places.space, .recordings = places.recordings});
  ChannelWatch watch("mds", places.space);
  IdealDriver driver(model);
  if (Status connected = driver.connect(); !connected) return connected;

  OutputGate outputs(model);
  std::atomic<bool> is_over{false};
  MeasuringPace pace(scene, **controller, *std::move(program), round.early_ns, findings);
  pace.begin_with(round.first_turn);
  pace.run_for(round.seconds, is_over);
  run_control_loop({.channels = *channels,
                    .controller = **controller,
                    .driver = driver,
                    .attendant = attendant,
                    .watch = watch,
                    .pace = pace,
                    .log = **log,
                    .outputs = outputs},
                   is_over);
  return Done{};
}

// The same motion without channels, one cycle upon the other.
Status measure_step(const Scene& scene, double seconds, Histogram& times) {
  const auto controller = Controller::make(scene.robot.model, *scene.shapes, scene.settings.cycle);
  if (!controller) return controller.error();
  const auto world = read_world(scene.world, scene.robot.model);
  if (!world) return world.error();
  (*controller)->set_source(0, "bench", 0);
  (*controller)->take_world((*world)->obstacles);
  IdealDriver driver(scene.robot.model);
  if (Status connected = driver.connect(); !connected) return connected;
  JointState state;
  std::int64_t now_ns = kSecond_ns;
  for (int cycle = 0; cycle < static_cast<int>(seconds * 1000.0); ++cycle) {
    now_ns += kMillisecond_ns;
    driver.read(now_ns, state);
    if (cycle % kCyclesATarget == 10)
      (*controller)->take_reference(0, reference_to(scene, cycle / kCyclesATarget, now_ns), now_ns);
    const std::int64_t began_ns = monotonic_now_ns();
    const ControlOutput& output = (*controller)->step(state, now_ns);
    const std::int64_t took_ns = monotonic_now_ns() - began_ns;
    if (moves(output.command)) times.add(took_ns);
    driver.write(output.command);
  }
  return Done{};
}

double microseconds(double ns) {
  return 1e-3 * ns;
}

nlohmann::ordered_json json_of(const Row& row) {
  const Histogram& times = row.times;
  return {{"name", row.name},
          {"count", times.count()},
          {"p50_us", microseconds(times.quantile_ns(0.5))},
          {"p99_us", microseconds(times.quantile_ns(0.99))},
          {"p99_9_us", microseconds(times.quantile_ns(0.999))},
          {"max_us", microseconds(static_cast<double>(times.max_ns()))}};
}

/// How a figure stands to its bar.
struct Judgement {
  std::string line;
  bool is_within = true;
};

Judgement judge(const std::string& what, double value, double bar, const std::string& unit) {
  const bool is_within = value <= bar;
  return {.line = fmt::format("{}: {:.3g}{}, {} the bar of {:.3g}{}", what, value, unit,
                              is_within ? "within" : "beyond", bar, unit),
          .is_within = is_within};
}

// What arithmetic as long as the cycle's p50 takes beyond its own p50 is the machine's, and no more than that
// is forgiven.
Judgement judge_cycle(const Findings& findings) {
  const auto at = [](const Row& row, double share) { return microseconds(row.times.quantile_ns(share)); };
  Judgement judged = judge("p99 of the whole cycle", at(findings.moving, 0.99), kLongestCycle_us, " us");
  const double machine = at(findings.yardstick, 0.99) - at(findings.yardstick, 0.5);
  const double own = at(findings.moving, 0.99) - machine;
  if (judged.is_within || own > kLongestCycle_us) return judged;
  judged.line += fmt::format(
      "; but {:.3g} us of it are the machine's, as arithmetic of the same length shows: it gives the core to "
      "others",
      machine);
  judged.is_within = true;
  return judged;
}

std::vector<Judgement> judgements(const Findings& findings) {
  std::vector<Judgement> judged{judge_cycle(findings)};
  if (!findings.without_cyclictest.empty()) {
    judged.push_back({.line = "without cyclictest: " + findings.without_cyclictest});
  } else {
    const double share =
        findings.wake.times.quantile_ns(0.999) / findings.cyclictest.times.quantile_ns(0.999);
    judged.push_back(judge("p99.9 of the wake-up", share, kMostOfCyclictest, " times cyclictest's"));
  }
  return judged;
}

std::vector<std::string> lines_of(const std::vector<Judgement>& judged) {
  std::vector<std::string> lines;
  for (const Judgement& judgement : judged) lines.push_back(judgement.line);
  return lines;
}

void print(const Findings& findings, const cli::Words& words, std::ostream& out) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Row* row : {&findings.step, &findings.moving, &findings.held, &findings.yardstick,
                         &findings.wake, &findings.cyclictest})
    if (row->times.count() > 0) rows.push_back(json_of(*row));
  if (words.has("--json")) {
    out << nlohmann::ordered_json{{"rows", rows}, {"judgements", lines_of(judgements(findings))}}.dump()
        << "\n";
    return;
  }
  const bool is_csv = words.has("--csv");
  out << (is_csv ? "name,count,p50_us,p99_us,p99_9_us,max_us\n"
                 : fmt::format("{:<36} {:>8} {:>8} {:>8} {:>8} {:>9}   [us]\n", "", "count", "p50", "p99",
                               "p99.9", "max"));
  for (const auto& row : rows)
    out << fmt::format(fmt::runtime(is_csv ? "\"{}\",{},{:.1f},{:.1f},{:.1f},{:.1f}\n"
                                           : "{:<36} {:>8} {:>8.1f} {:>8.1f} {:>8.1f} {:>9.1f}\n"),
                       row["name"].get<std::string>(), row["count"].get<std::uint64_t>(),
                       row["p50_us"].get<double>(), row["p99_us"].get<double>(),
                       row["p99_9_us"].get<double>(), row["max_us"].get<double>());
  std::ostream& judged = is_csv ? std::cerr : out;
  for (const std::string& line : lines_of(judgements(findings))) judged << line << "\n";
}

Status run_bench(const cli::Words& words, std::ostream& out) {
  const auto seconds = words.number("--seconds", 0.1, 3600);
  if (!seconds) return seconds.error();
  const auto objects = words.whole("--objects", 0, 128);
  if (!objects) return objects.error();
  const auto early = words.number("--early-wake", 0.0, 0.0005);
  if (!early) return early.error();
  bound_locked_memory();
  const auto scene = make_scene(static_cast<std::size_t>(*objects), 1);
  if (!scene) return scene.error();
  for (const std::string& line : take_realtime_rights().missing) fmt::print(stderr, "{}\n", line);

  auto findings = std::make_unique<Findings>();
  if (words.has("--no-cyclictest")) findings->without_cyclictest = "not asked for";
  if (Status measured = measure_step(**scene, *seconds, findings->step.times); !measured) return measured;
  // turn by turn, so that both meet the same weather
  for (int round = 0; round < kRounds; ++round) {
    const double from_seconds = round * *seconds / kRounds;
    const Round loop{.first_turn = static_cast<int>(from_seconds * 1000.0 / kCyclesATarget),
                     .seconds = *seconds / kRounds,
                     .early_ns = std::llround(*early * 1e9)};
    if (Status measured = measure_loop(**scene, loop, *findings); !measured) return measured;
    const auto length_ns = static_cast<std::int64_t>(findings->moving.times.quantile_ns(0.5));
    findings->yardstick.times.merge(measure_yardstick(loop.seconds, length_ns, loop.early_ns));
    if (!findings->without_cyclictest.empty()) continue;
    const auto latencies = run_cyclictest(*seconds / kRounds, kPriority);
    if (!latencies) {
      findings->without_cyclictest = latencies.error().message;
    } else {
      findings->cyclictest.times.merge(*latencies);
    }
  }
  print(*findings, words, out);
  for (const Judgement& judgement : judgements(*findings))
    if (!judgement.is_within)
      return Error{ErrorCode::OutOfLimits,
                   judgement.line + "; on a machine that does nothing else, measure again"};
  return Done{};
}

}  // namespace
}  // namespace sinew::bench

int main(int count, char** words) {
  sinew::cli::Command command = sinew::cli::bench_control_command();
  command.run = sinew::bench::run_bench;
  return sinew::cli::run_program(command, std::vector<std::string>(words + 1, words + count));
}

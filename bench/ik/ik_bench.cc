// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-ik: inverse kinematics of known arms and drawn ones, ours beside KDL's on the same poses, turn
// by turn in one process on one core.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/result.h"
#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/kinematics/closed_form_ik.h"
#include "sinew/kinematics/kernels.h"
#include "sinew/kinematics/numerical_ik.h"
#include "sinew/kinematics/test/arms.h"

#include "rival.h"

namespace sinew::bench {
namespace {

constexpr const char* kHelp =
    "usage: sinew-bench-ik [--robot NAME] [--count N] [--seed S] [--json] [--no-kdl]\n"
    "\n"
    "Solves N poses made by joints within limits, from the middle of all ranges, and prints per solver: "
    "success\n"
    "(1e-6 m and 1e-6 rad, within limits), mean, median, 99 %, worst [us], largest errors.\n"
    "NAME: ur5e kr6 panda iiwa scorbot yarc mds ugly5 ugly6 ugly7, or all\n";

struct IkBenchOptions {
  std::string robot = "all";
  int count = 10000;
  std::uint64_t seed = 1;
  bool is_json = false;
  bool with_kdl = true;
  bool is_help = false;
};

/// One solver on one arm.
struct IkRow {
  std::string robot;
  std::string solver;
  std::string method;
  std::vector<double> times;  ///< [µs]
  int solved = 0;
  int limit_violations = 0;
  double max_position_error = 0.0;
  double max_rotation_error = 0.0;
};

using Solve = std::function<bool(const Pose&, std::span<double>)>;

std::vector<RobotModel> built_in_arms() {
  arms::Random random{5};
  std::vector<RobotModel> all = {arms::ur5e(),    arms::kr6(),  arms::panda(), arms::iiwa(),
                                 arms::scorbot(), arms::yarc(), arms::mds(1)};
  for (const int joints : {5, 6, 7}) {
    all.push_back(arms::ugly(random, joints));
    all.back().name += std::to_string(joints);
  }
  return all;
}

/// Solves one pose, notes the time, and judges the answer by forward kinematics.
void measure(const SerialChain& chain, const Pose& X_BT, const Solve& solve, IkRow& row) {
  std::vector<double> q(chain.size(), 0.0);
  const std::int64_t begin_ns = monotonic_now_ns();
  const bool claims = solve(X_BT, q);
  row.times.push_back(static_cast<double>(monotonic_now_ns() - begin_ns) * 1e-3);
  if (!claims) return;
  const PoseDistance off = distance(chain.tool_pose(q), X_BT);
  const bool is_inside = chain.is_within_limits(q);
  if (!is_inside) ++row.limit_violations;
  row.max_position_error = std::max(row.max_position_error, off.position);
  row.max_rotation_error = std::max(row.max_rotation_error, off.rotation);
  if (is_inside && off.position <= 1e-6 && off.rotation <= 1e-6) ++row.solved;
}

std::vector<IkRow> measure_arm(const RobotModel& model, const IkBenchOptions& options) {
  const SerialChain chain = arms::chain_of(model);
  const NumericalIk numerical(chain);
  const auto closed = ClosedFormIk::find(chain);
  KdlSolver kdl(model, chain);
  const JointVector middle = chain.middle();
  const std::span<const double> seed = arms::numbers(middle);

  std::vector<IkRow> rows;
  std::vector<Solve> solvers;
  if (closed) {
    rows.push_back({.robot = model.name, .solver = "sinew", .method = "closed form, all branches"});
    solvers.emplace_back([&](const Pose& X_BT, std::span<double> q) {
      const IkSolutions all = closed->solve(X_BT, seed);
      if (!all.empty()) std::copy(all[0].q.begin(), all[0].q.end(), q.begin());
      return !all.empty();
    });
  }
  rows.push_back({.robot = model.name, .solver = "sinew", .method = "numerical"});
  solvers.emplace_back([&](const Pose& X_BT, std::span<double> q) {
    const NumericalIkResult result = numerical.solve(X_BT, seed);
    std::copy(result.q.begin(), result.q.end(), q.begin());
    return result.status == IkStatus::Solved;
  });
  if (options.with_kdl && KdlSolver::is_available()) {
    rows.push_back({.robot = model.name, .solver = "kdl", .method = "LMA with restarts"});
    solvers.emplace_back([&](const Pose& X_BT, std::span<double> q) { return kdl.solve(X_BT, seed, q); });
  }

  arms::Random random{options.seed};
  std::vector<Pose> poses;
  for (int i = 0; i < options.count; ++i) poses.push_back(chain.tool_pose(arms::draw_joints(random, chain)));
  // a few dozen of each in turn: rivals meet the same weather, and caches stay as warm as in a program
  constexpr std::size_t kTurnLength = 50;
  for (std::size_t first = 0; first < poses.size(); first += kTurnLength) {
    const std::size_t last = std::min(first + kTurnLength, poses.size());
    for (std::size_t s = 0; s < solvers.size(); ++s) {
      for (std::size_t i = first; i < last; ++i) measure(chain, poses[i], solvers[s], rows[s]);
    }
  }
  return rows;
}

/// Nanoseconds per call, the best of several turns.
double best_ns(int calls, const std::function<double(int)>& call) {
  double best = 1e30;
  volatile double sink = 0.0;
  for (int turn = 0; turn < 20; ++turn) {
    double sum = 0.0;
    const std::int64_t begin_ns = monotonic_now_ns();
    for (int i = 0; i < calls; ++i) sum += call(i);
    best = std::min(best, static_cast<double>(monotonic_now_ns() - begin_ns) / calls);
    sink = sink + sum;
  }
  return best;
}

/// Forward kinematics with Jacobian: single, per configuration of a batch, and KDL's [ns].
struct ForwardRow {
  std::string robot;
  double single_ns = 0.0;
  double batch_ns = 0.0;
  double kdl_ns = 0.0;
};

ForwardRow measure_forward(const RobotModel& model, bool with_kdl) {
  constexpr std::size_t kPostures = 64;
  const SerialChain chain = arms::chain_of(model);
  arms::Random random{1};
  std::vector<std::vector<double>> q;
  for (std::size_t i = 0; i < kPostures; ++i) q.push_back(arms::draw_joints(random, chain));
  ForwardRow row{.robot = model.name};
  Jacobian jacobian;
  const auto posture = [&](int i) -> const std::vector<double>& {
    return q[static_cast<std::size_t>(i) % kPostures];
  };
  row.single_ns = best_ns(
      2000, [&](int i) { return chain.tool_pose(posture(i), jacobian).position.x() + jacobian(0, 0); });
  ChainBatch batch(chain);
  for (int lane = 0; lane < ChainBatch::kLanes; ++lane) {
    for (std::size_t i = 0; i < chain.size(); ++i) batch.q(i, lane) = static_cast<float>(posture(lane)[i]);
  }
  row.batch_ns = best_ns(2000,
                         [&](int /*i*/) {
                           batch.evaluate();
                           return static_cast<double>(batch.position(0, 0));
                         }) /
                 ChainBatch::kLanes;
  if (with_kdl && KdlSolver::is_available()) {
    KdlSolver kdl(model, chain);
    row.kdl_ns = best_ns(500, [&](int i) { return kdl.evaluate(posture(i)); });
  }
  return row;
}

struct Times {
  double mean = 0.0;
  double median = 0.0;
  double p99 = 0.0;
  double worst = 0.0;
};

Times times_of(const IkRow& row) {
  std::vector<double> sorted = row.times;
  std::sort(sorted.begin(), sorted.end());
  double sum = 0.0;
  for (const double time : sorted) sum += time;
  return {.mean = sum / static_cast<double>(sorted.size()),
          .median = sorted[sorted.size() / 2],
          .p99 = sorted[sorted.size() * 99 / 100],
          .worst = sorted.back()};
}

double success_of(const IkRow& row) {
  return 100.0 * row.solved / static_cast<double>(row.times.size());
}

void print_table(const std::vector<IkRow>& rows, const std::vector<ForwardRow>& forward) {
  fmt::print("kernels: {}\n\n{:8} {:6} {:26} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7}\n",
             kernel::kernels().name, "robot", "solver", "method", "success", "mean us", "median", "p99",
             "worst", "pos err", "rot err", "beyond");
  for (const IkRow& row : rows) {
    const Times times = times_of(row);
    fmt::print("{:8} {:6} {:26} {:8.2f} {:9.2f} {:9.2f} {:9.2f} {:9.1f} {:9.1e} {:9.1e} {:7}\n", row.robot,
               row.solver, row.method, success_of(row), times.mean, times.median, times.p99, times.worst,
               row.max_position_error, row.max_rotation_error, row.limit_violations);
  }
  fmt::print("\nforward kinematics with Jacobian, ns per configuration\n{:8} {:>8} {:>8} {:>8}\n", "robot",
             "single", "batch", "KDL");
  for (const ForwardRow& row : forward) {
    fmt::print("{:8} {:8.1f} {:8.2f} {:8.1f}\n", row.robot, row.single_ns, row.batch_ns, row.kdl_ns);
  }
}

void print_json(const std::vector<IkRow>& rows, const std::vector<ForwardRow>& forward) {
  fmt::print("{{\"kernels\": \"{}\", \"rows\": [", kernel::kernels().name);
  const char* comma = "";
  for (const IkRow& row : rows) {
    const Times times = times_of(row);
    fmt::print(
        "{}\n  {{\"robot\": \"{}\", \"solver\": \"{}\", \"method\": \"{}\", \"count\": {}, \"success\": "
        "{:.4f}, "
        "\"mean_us\": {:.3f}, \"median_us\": {:.3f}, \"p99_us\": {:.3f}, \"max_us\": {:.3f}, "
        "\"max_position_error\": {:.3e}, \"max_rotation_error\": {:.3e}, \"limit_violations\": {}}}",
        comma, row.robot, row.solver, row.method, row.times.size(), success_of(row), times.mean, times.median,
        times.p99, times.worst, row.max_position_error, row.max_rotation_error, row.limit_violations);
    comma = ",";
  }
  fmt::print("],\n \"forward\": [");
  comma = "";
  for (const ForwardRow& row : forward) {
    fmt::print("{}\n  {{\"robot\": \"{}\", \"single_ns\": {:.1f}, \"batch_ns\": {:.2f}, \"kdl_ns\": {:.1f}}}",
               comma, row.robot, row.single_ns, row.batch_ns, row.kdl_ns);
    comma = ",";
  }
  fmt::print("]}}\n");
}

Result<IkBenchOptions> parse(std::span<const char* const> words) {
  IkBenchOptions options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const auto number = [&](auto& value) {
      if (++i == words.size()) return false;
      const std::string_view text = words[i];
      const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
      return end.ec == std::errc() && end.ptr == text.data() + text.size() && value > 0;
    };
    if (word == "--json") {
      options.is_json = true;
    } else if (word == "--no-kdl") {
      options.with_kdl = false;
    } else if (word == "--help") {
      options.is_help = true;
    } else if (word == "--robot" && i + 1 < words.size()) {
      options.robot = words[++i];
    } else if (word == "--count" ? !number(options.count) : word != "--seed" || !number(options.seed)) {
      return Error{ErrorCode::InvalidInput,
                   fmt::format("'{}' is no option or lacks its value; see --help", word)};
    }
  }
  return options;
}

int run(const IkBenchOptions& options) {
  std::vector<IkRow> rows;
  std::vector<ForwardRow> forward;
  std::vector<std::string> names = {"all"};
  for (const RobotModel& model : built_in_arms()) {
    names.push_back(model.name);
    if (options.robot != "all" && options.robot != model.name) continue;
    forward.push_back(measure_forward(model, options.with_kdl));
    const std::vector<IkRow> more = measure_arm(model, options);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  if (rows.empty()) {
    fmt::print(stderr, "no robot '{}'{}; see --help\n", options.robot, did_you_mean(options.robot, names));
    return 1;
  }
  options.is_json ? print_json(rows, forward) : print_table(rows, forward);
  return 0;
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
  const auto options = sinew::bench::parse({argv + 1, static_cast<std::size_t>(argc - 1)});
  if (!options) {
    fmt::print(stderr, "{}\n", options.error().message);
    return 1;
  }
  if (options->is_help) {
    fmt::print("{}", sinew::bench::kHelp);
    return 0;
  }
  return sinew::bench::run(*options);
}

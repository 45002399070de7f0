// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-collision: collision checks of panda among 20 boxes and of mds among 100 objects, ours beside
// FCL on the same bodies and configurations, turn by turn in one process on one core.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/collision/kernels.h"
#include "sinew/collision/test/draws.h"

#include "rival.h"
#include "rows/exit_code.h"
#include "rows/row_options.h"

namespace sinew::bench {
namespace {

constexpr const char* kHelp =
    "usage: sinew-bench-collision [--count N] [--seed S] [--json] [--csv FILE] [--no-fcl]\n"
    "\n"
    "Checks N configurations drawn within limits and prints ns per configuration: the best turn of 128, the\n"
    "middle one, the slowest of a hundred. free: only configurations that touch nothing; drawn: as they "
    "come.\n"
    "An edge is 1 rad long and looked at in 32 places; its times are per edge. --csv writes the rows there, "
    "too.\n"
    "Defaults: --count 4096, --seed 1.\n";

/// One question put to one system.
struct CollisionRow {
  std::string question;
  std::string system;
  std::string method;
  double clear_percent = 0.0;
  std::vector<double> turns;  ///< [ns] per configuration
};

/// Answers for configurations `first` to `last`; returns how many are clear.
using Ask = std::function<std::size_t(std::size_t first, std::size_t last)>;

struct Contestant {
  CollisionRow row;
  Ask ask;
};

using Configurations = std::vector<std::vector<double>>;

constexpr std::size_t kTurn = 128;

// Rivals take turns on the same configurations, so that they meet the same weather.
void measure(std::vector<Contestant>& contestants, std::size_t count, std::vector<CollisionRow>& rows) {
  constexpr int kRounds = 5;
  std::vector<std::size_t> clear(contestants.size(), 0);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t first = 0; first + kTurn <= count; first += kTurn) {
      for (std::size_t c = 0; c < contestants.size(); ++c) {
        const std::int64_t begin_ns = monotonic_now_ns();
        clear[c] += contestants[c].ask(first, first + kTurn);
        const auto took_ns = static_cast<double>(monotonic_now_ns() - begin_ns);
        contestants[c].row.turns.push_back(took_ns / static_cast<double>(kTurn));
      }
    }
  }
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    CollisionRow& row = contestants[c].row;
    row.clear_percent = 100.0 * static_cast<double>(clear[c]) / static_cast<double>(kTurn * row.turns.size());
    std::sort(row.turns.begin(), row.turns.end());
    rows.push_back(std::move(row));
  }
}

std::vector<float> in_lanes(const Configurations& all) {
  const std::size_t joints = all.front().size();
  std::vector<float> lanes(all.size() * joints);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < joints; ++j) {
      lanes[(i / 8 * joints + j) * 8 + i % 8] = static_cast<float>(all[i][j]);
    }
  }
  return lanes;
}

Ask each(const Configurations& all, std::function<bool(std::span<const double>)> is_clear) {
  return [&all, is_clear = std::move(is_clear)](std::size_t first, std::size_t last) {
    std::size_t clear = 0;
    for (std::size_t i = first; i < last; ++i) clear += is_clear(all[i]) ? 1 : 0;
    return clear;
  };
}

void measure_checks(const std::string& question, const Configurations& all, CollisionChecker& checker,
                    FclScene* fcl, std::vector<CollisionRow>& rows) {
  const std::vector<float> lanes = in_lanes(all);
  const std::size_t joints = all.front().size();
  std::vector<Contestant> contestants;
  contestants.push_back({{question, "sinew", "check, 8 at once"}, [&](std::size_t first, std::size_t last) {
                           std::size_t clear = 0;
                           for (std::size_t i = first; i < last; i += 8) {
                             const std::span<const float> block(&lanes[i * joints], 8 * joints);
                             clear +=
                                 static_cast<std::size_t>(__builtin_popcount(checker.clear_lanes(block)));
                           }
                           return clear;
                         }});
  contestants.push_back(
      {{question, "sinew", "check"}, each(all, [&](auto q) { return checker.is_clear(q); })});
  if (fcl != nullptr) {
    contestants.push_back({{question, "fcl", "check"}, each(all, [=](auto q) { return fcl->is_clear(q); })});
  }
  contestants.push_back({{question, "sinew", "smallest distance and its pair"},
                         each(all, [&](auto q) { return checker.nearest(q).verdict == Verdict::Clear; })});
  if (fcl != nullptr) {
    contestants.push_back({{question, "fcl", "smallest distance"},
                           each(all, [=](auto q) { return fcl->smallest_distance(q) > 0.0; })});
  }
  measure(contestants, all.size(), rows);
}

Configurations draw(draws::Random& random, const RobotModel& model, std::size_t count,
                    CollisionChecker* must_be_clear) {
  Configurations all;
  while (all.size() < count) {
    all.push_back(draws::configuration(random, model));
    if (must_be_clear != nullptr && !must_be_clear->is_clear(all.back())) all.pop_back();
  }
  return all;
}

/// Ways of 1 rad from each configuration in a drawn direction, as a planner tries them.
void measure_edges(const std::string& question, const Configurations& from, CollisionChecker& checker,
                   draws::Random& random, std::vector<CollisionRow>& rows) {
  constexpr double kResolution = 1.0 / 32.0;
  Configurations to = from;
  for (std::vector<double>& q : to) {
    std::vector<double> way(q.size());
    double square = 0.0;
    for (double& part : way) square += std::pow(part = random.uniform(-1.0, 1.0), 2);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += way[i] / std::sqrt(square);
  }
  const auto edges = [&](std::size_t first, std::size_t last) {
    std::size_t clear = 0;
    for (std::size_t i = first; i < last; ++i)
      clear += checker.is_edge_clear(from[i], to[i], kResolution) ? 1 : 0;
    return clear;
  };
  std::vector<Contestant> contestants;
  contestants.push_back({{question, "sinew", "edge of 1 rad in 32 steps"}, edges});
  measure(contestants, from.size(), rows);
}

void measure_panda(const RowOptions& options, std::vector<CollisionRow>& rows) {
  draws::Random random(options.seed);
  const RobotModel model = draws::robot("panda");
  const auto shapes = RobotShapes::make(model);
  SINEW_ASSERT(shapes.has_value());
  CollisionChecker checker(*shapes);
  const Obstacles world = draws::world(random, 20);
  checker.set_world(world);
  std::optional<FclScene> fcl;
  if (!options.is_own_flag && FclScene::is_available()) fcl.emplace(*shapes, world);
  FclScene* rival = fcl ? &*fcl : nullptr;
  measure_checks("panda, 20 boxes, free", draw(random, model, options.count, &checker), checker, rival, rows);
  measure_edges("panda, 20 boxes, free", draw(random, model, options.count, &checker), checker, random, rows);
  measure_checks("panda, 20 boxes, drawn", draw(random, model, options.count, nullptr), checker, rival, rows);
}

/// `count` things of many kinds around a robot that is clear of them by 5 cm where it is.
Obstacles world_clear_of(draws::Random& random, CollisionChecker& checker, std::span<const double> q,
                         std::size_t count) {
  Obstacles world;
  while (world.size() < count) {
    const Obstacles drawn = draws::world(random, 1, true, 1.0);
    Obstacle object = drawn[0];
    set_text(object.name, fmt::format("object {}", world.size()));
    object.X_LO.position.z() += 0.6;
    Obstacles alone;
    (void)alone.add(object);
    checker.set_world(alone);
    const CheckResult near = checker.nearest(q);
    if (near.contact.object_b == kNone || near.contact.distance > 0.05) (void)world.add(object);
  }
  return world;
}

/// Steps of a robot on its way, with its way to a stop: what a guard asks each cycle.
void measure_mds(const RowOptions& options, std::vector<CollisionRow>& rows) {
  constexpr double kCycle = 1e-3;    // [s]
  constexpr double kBraking = 0.05;  // [s] at the speed of now
  draws::Random random(options.seed);
  const RobotModel model = draws::robot("mds");
  const auto shapes = RobotShapes::make(model, {.margin = 0.002});
  SINEW_ASSERT(shapes.has_value());
  CollisionChecker checker(*shapes);
  const std::vector<double> home = draws::home(model);
  checker.set_world(world_clear_of(random, checker, home, 100));
  const std::size_t count = std::min<std::size_t>(options.count, 2048) / kTurn * kTurn;
  Configurations from;
  Configurations next;
  Configurations stop;
  // paths that wander near home
  std::vector<double> q = home;
  std::vector<double> speed(q.size(), 0.0);
  while (from.size() < count) {
    if (from.size() % 64 == 0) q = home;
    for (std::size_t i = 0; i < q.size(); ++i) {
      speed[i] = std::clamp(speed[i] + random.uniform(-0.1, 0.1) - 0.02 * (q[i] - home[i]), -1.0, 1.0);
    }
    from.push_back(q);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += kCycle * speed[i];
    next.push_back(q);
    stop.push_back(q);
    for (std::size_t i = 0; i < q.size(); ++i) stop.back()[i] += kBraking * speed[i];
  }
  std::vector<Contestant> contestants;
  const auto sweeps = [&](std::size_t first, std::size_t last) {
    std::size_t clear = 0;
    for (std::size_t i = first; i < last; ++i) {
      const bool is_clear = checker.sweep(from[i], next[i]).verdict == Verdict::Clear &&
                            checker.sweep(next[i], stop[i]).verdict == Verdict::Clear;
      clear += is_clear ? 1 : 0;
    }
    return clear;
  };
  const std::string question = "mds, 100 objects, on its way";
  contestants.push_back({{question, "sinew", "sweep of a step and to a stop"}, sweeps});
  contestants.push_back(
      {{question, "sinew", "check"}, each(from, [&](auto c) { return checker.is_clear(c); })});
  measure(contestants, count, rows);
}

double at_share(const CollisionRow& row, double share) {
  return row.turns[static_cast<std::size_t>(share * static_cast<double>(row.turns.size() - 1))];
}

struct RowFigures {
  double best;
  double median;
  double p99;
};

RowFigures figures_of(const CollisionRow& row) {
  return {.best = row.turns.front(), .median = at_share(row, 0.5), .p99 = at_share(row, 0.99)};
}

std::string csv_of(const std::vector<CollisionRow>& rows) {
  std::string text = "question,system,method,kernels,clear_percent,best_ns,median_ns,p99_ns\n";
  for (const CollisionRow& row : rows) {
    const auto [best, median, p99] = figures_of(row);
    text += fmt::format("\"{}\",{},\"{}\",{},{:.2f},{:.1f},{:.1f},{:.1f}\n", row.question, row.system,
                        row.method, kernel::collision_kernels().name, row.clear_percent, best, median, p99);
  }
  return text;
}

void print_json(const std::vector<CollisionRow>& rows) {
  fmt::print("{{\"kernels\": \"{}\", \"rows\": [", kernel::collision_kernels().name);
  const char* comma = "";
  for (const CollisionRow& row : rows) {
    const auto [best, median, p99] = figures_of(row);
    fmt::print(
        "{}\n  {{\"question\": \"{}\", \"system\": \"{}\", \"method\": \"{}\", \"clear_percent\": {:.2f}, "
        "\"best_ns\": {:.1f}, \"median_ns\": {:.1f}, \"p99_ns\": {:.1f}}}",
        comma, row.question, row.system, row.method, row.clear_percent, best, median, p99);
    comma = ",";
  }
  fmt::print("]}}\n");
}

void print_table(const std::vector<CollisionRow>& rows) {
  fmt::print("kernels: {}; ns per configuration\n\n{:30} {:6} {:32} {:>8} {:>9} {:>9} {:>9}\n",
             kernel::collision_kernels().name, "question", "system", "method", "clear %", "best", "median",
             "p99");
  for (const CollisionRow& row : rows) {
    const auto [best, median, p99] = figures_of(row);
    fmt::print("{:30} {:6} {:32} {:8.1f} {:9.1f} {:9.1f} {:9.1f}\n", row.question, row.system, row.method,
               row.clear_percent, best, median, p99);
  }
}

Status run(RowOptions options) {
  options.count = std::max(options.count, kTurn) / kTurn * kTurn;
  // before a minute is spent
  if (Status may = write_csv(options, ""); !may) return may;
  std::vector<CollisionRow> rows;
  measure_panda(options, rows);
  measure_mds(options, rows);
  options.is_json ? print_json(rows) : print_table(rows);
  return write_csv(options, csv_of(rows));
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
  using namespace sinew::bench;
  const auto options =
      row_options_from({argv + 1, static_cast<std::size_t>(argc - 1)}, {.count = 4096}, "--no-fcl");
  if (options && options->is_help) {
    fmt::print("{}", kHelp);
    return 0;
  }
  const sinew::Status done = options ? run(*options) : options.error();
  return done ? 0 : complain(done.error());
}

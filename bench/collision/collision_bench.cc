// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-collision: collision checks of panda among 20 boxes and of mds among 100 objects, ours beside
// FCL on the same bodies and configurations, turn by turn in one process on one core.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/collision/kernels.h"
#include "sinew/collision/test/draws.h"

#include "rival.h"

namespace sinew::bench {
namespace {

constexpr const char* kHelp =
    "usage: sinew-bench-collision [--count N] [--seed S] [--json | --csv] [--no-fcl]\n"
    "\n"
    "Checks N configurations drawn within limits and prints ns per configuration: the best turn of 128, the\n"
    "middle one, the slowest of a hundred. free: only configurations that touch nothing; drawn: as they "
    "come.\n";

struct CollisionBenchOptions {
  std::size_t count = 4096;
  unsigned seed = 1;
  bool is_json = false;
  bool is_csv = false;
  bool with_fcl = true;
  bool is_help = false;
};

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

void measure_panda(const CollisionBenchOptions& options, std::vector<CollisionRow>& rows) {
  draws::Random random(options.seed);
  const RobotModel model = draws::robot("panda");
  const auto shapes = RobotShapes::make(model);
  SINEW_ASSERT(shapes.has_value());
  CollisionChecker checker(*shapes);
  const Obstacles world = draws::world(random, 20);
  checker.set_world(world);
  std::optional<FclScene> fcl;
  if (options.with_fcl && FclScene::is_available()) fcl.emplace(*shapes, world);
  FclScene* rival = fcl ? &*fcl : nullptr;
  measure_checks("panda, 20 boxes, free", draw(random, model, options.count, &checker), checker, rival, rows);
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
void measure_mds(const CollisionBenchOptions& options, std::vector<CollisionRow>& rows) {
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

void print_rows(const std::vector<CollisionRow>& rows, const CollisionBenchOptions& options) {
  const char* kernels = kernel::collision_kernels().name;
  if (options.is_csv) fmt::print("question,system,method,kernels,clear_percent,best_ns,median_ns,p99_ns\n");
  if (options.is_json) fmt::print("{{\"kernels\": \"{}\", \"rows\": [", kernels);
  if (!options.is_csv && !options.is_json) {
    fmt::print("kernels: {}; ns per configuration\n\n{:30} {:6} {:32} {:>8} {:>9} {:>9} {:>9}\n", kernels,
               "question", "system", "method", "clear %", "best", "median", "p99");
  }
  const char* comma = "";
  for (const CollisionRow& row : rows) {
    const double best = row.turns.front();
    const double median = at_share(row, 0.5);
    const double p99 = at_share(row, 0.99);
    if (options.is_csv) {
      fmt::print("\"{}\",{},\"{}\",{},{:.2f},{:.1f},{:.1f},{:.1f}\n", row.question, row.system, row.method,
                 kernels, row.clear_percent, best, median, p99);
    } else if (options.is_json) {
      fmt::print(
          "{}\n  {{\"question\": \"{}\", \"system\": \"{}\", \"method\": \"{}\", \"clear_percent\": {:.2f}, "
          "\"best_ns\": {:.1f}, \"median_ns\": {:.1f}, \"p99_ns\": {:.1f}}}",
          comma, row.question, row.system, row.method, row.clear_percent, best, median, p99);
    } else {
      fmt::print("{:30} {:6} {:32} {:8.1f} {:9.1f} {:9.1f} {:9.1f}\n", row.question, row.system, row.method,
                 row.clear_percent, best, median, p99);
    }
    comma = ",";
  }
  if (options.is_json) fmt::print("]}}\n");
}

Result<CollisionBenchOptions> parse(std::span<const char* const> words) {
  CollisionBenchOptions options;
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
    } else if (word == "--csv") {
      options.is_csv = true;
    } else if (word == "--no-fcl") {
      options.with_fcl = false;
    } else if (word == "--help") {
      options.is_help = true;
    } else if (word == "--count" ? !number(options.count) : word != "--seed" || !number(options.seed)) {
      return Error{ErrorCode::InvalidInput,
                   fmt::format("'{}' is no option or lacks its value; see --help", word)};
    }
  }
  options.count = std::max(options.count, kTurn) / kTurn * kTurn;
  return options;
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
  std::vector<sinew::bench::CollisionRow> rows;
  sinew::bench::measure_panda(*options, rows);
  sinew::bench::measure_mds(*options, rows);
  sinew::bench::print_rows(rows, *options);
  return 0;
}

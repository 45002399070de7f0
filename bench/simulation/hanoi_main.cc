// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-hanoi: round trips of the Towers of Hanoi in lockstep, judged.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/time.h"

#include "apps/cli/bench_commands.h"
#include "apps/cli/program.h"
#include "apps/hanoi/hanoi_total.h"

namespace sinew::bench {
namespace {

// rounds of different benchmarks share no seed
constexpr std::uint64_t kBetweenSeeds = 1'000'003;

/// Rounds shared out among threads: each is a world of its own, so they come out the same in any order.
class HanoiRounds {
 public:
  HanoiRounds(HanoiRoundOptions options, std::uint32_t count) : options_(options), count_(count) {}

  /// Runs all; refused when a world cannot be made.
  Result<HanoiTotal> run(unsigned threads) {
    began_ns_ = monotonic_now_ns();
    {
      std::vector<std::jthread> workers;
      for (unsigned i = 0; i < threads; ++i) workers.emplace_back([this] { work(); });
    }
    if (error_) return *error_;
    return total_;
  }

 private:
  void work() {
    for (std::uint32_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) {
      HanoiRoundOptions options = options_;
      options.seed += i;
      const auto round = run_hanoi_round(options);
      const std::lock_guard lock(mutex_);
      if (!round) {
        error_ = round.error();
        next_.store(count_);
        return;
      }
      add(options.seed, *round);
    }
  }

  void add(std::uint64_t seed, const HanoiRound& round) {
    total_.add(round);
    total_.wall = seconds_from_nanoseconds(monotonic_now_ns() - began_ns_);
    fmt::print(stderr,
               "hanoi: seed {}: {}, {} moves, {} troubles, {:.2f} mm; {} of {} solved, {:.1f} x real\n", seed,
               round.is_solved ? "solved" : round.words, round.moves, round.troubles,
               1e3 * round.worst_offset, total_.solved, total_.rounds, total_.times_real());
  }

  HanoiRoundOptions options_;
  std::uint32_t count_;
  std::atomic<std::uint32_t> next_{0};
  std::mutex mutex_;
  std::int64_t began_ns_ = 0;
  HanoiTotal total_;
  std::optional<Error> error_;
};

Status run(const cli::Words& words, std::ostream& out) {
  const auto rounds = words.whole("--rounds", 1, 100000);
  if (!rounds) return rounds.error();
  const auto discs = words.whole("--discs", 1, 6);
  if (!discs) return discs.error();
  const auto seed = words.whole("--seed", 0, 0xffffffff);
  if (!seed) return seed.error();
  const auto threads = words.whole("--threads", 0, 256);
  if (!threads) return threads.error();
  HanoiRounds all({.discs = static_cast<int>(*discs),
                   .seed = *seed * kBetweenSeeds,
                   .is_assisted = words.has("--assisted")},
                  *rounds);
  const auto total = all.run(*threads != 0 ? *threads : std::max(1U, std::thread::hardware_concurrency()));
  if (!total) return total.error();
  out << (words.has("--json") ? json_text(*total) : total_text(*total));
  if (total->solved == total->rounds) return Done{};
  return Error{ErrorCode::OutOfLimits,
               fmt::format("{} of {} round trips did not end with a tower within {:.0f} mm",
                           total->rounds - total->solved, total->rounds, 1e3 * HanoiTotal::kMostOffset)};
}

}  // namespace
}  // namespace sinew::bench

int main(int count, char** words) {
  sinew::cli::Command command = sinew::cli::bench_hanoi_command();
  command.run = sinew::bench::run;
  return sinew::cli::run_program(command, std::vector<std::string>(words + 1, words + count));
}

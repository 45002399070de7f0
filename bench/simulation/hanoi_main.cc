// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-hanoi: round trips of the Towers of Hanoi in lockstep, judged.
#include <cstdio>
#include <ostream>
#include <string>
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

Status run(const cli::Words& words, std::ostream& out) {
  const auto rounds = words.whole("--rounds", 1, 100000);
  if (!rounds) return rounds.error();
  const auto discs = words.whole("--discs", 1, 6);
  if (!discs) return discs.error();
  const auto seed = words.whole("--seed", 0, 0xffffffff);
  if (!seed) return seed.error();
  HanoiTotal total;
  const std::int64_t began_ns = monotonic_now_ns();
  for (std::uint32_t i = 0; i < *rounds; ++i) {
    const auto round = run_hanoi_round({.discs = static_cast<int>(*discs),
                                        .seed = *seed * kBetweenSeeds + i,
                                        .is_assisted = words.has("--assisted")});
    if (!round) return round.error();
    total.add(*round);
    total.wall = seconds_from_nanoseconds(monotonic_now_ns() - began_ns);
    fmt::print(stderr,
               "hanoi: round {}: {}, {} moves, {} troubles, {:.2f} mm; {} of {} solved, {:.1f} x real\n",
               i + 1, round->is_solved ? "solved" : round->words, round->moves, round->troubles,
               1e3 * round->worst_offset, total.solved, total.rounds, total.times_real());
  }
  out << (words.has("--json") ? json_text(total) : total_text(total));
  if (total.solved == total.rounds) return Done{};
  return Error{ErrorCode::OutOfLimits,
               fmt::format("{} of {} round trips did not end with a tower within {:.0f} mm",
                           total.rounds - total.solved, total.rounds, 1e3 * HanoiTotal::kMostOffset)};
}

}  // namespace
}  // namespace sinew::bench

int main(int count, char** words) {
  sinew::cli::Command command = sinew::cli::bench_hanoi_command();
  command.run = sinew::bench::run;
  return sinew::cli::run_program(command, std::vector<std::string>(words + 1, words + count));
}

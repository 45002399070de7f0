// SPDX-License-Identifier: BSD-3-Clause
// sinew channel hz | latency | bench
#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/base/time.h"

#include "apps/cli/channel_commands.h"
#include "apps/cli/program_beside.h"
#include "apps/cli/untyped_channel.h"

namespace sinew::cli {
namespace {

struct Sample {
  std::int64_t stamp_ns = 0;    ///< When it was put.
  std::int64_t arrived_ns = 0;  ///< When it was here.
  std::uint64_t missed = 0;
};

// Follows a channel for a while, every message in turn.
Result<std::vector<Sample>> follow(UntypedReader& reader, double seconds) {
  std::vector<Sample> samples;
  samples.reserve(1'000'000);
  const std::int64_t end_ns = deadline_after_ns(monotonic_now_ns(), nanoseconds_from_seconds(seconds));
  while (samples.size() < samples.capacity()) {
    const auto is_there = wait_for_message(reader, end_ns);
    if (!is_there) return is_there.error();
    if (!*is_there || monotonic_now_ns() >= end_ns) break;
    sinew_frame frame{};
    const int status = sinew_read_next(reader.handle(), reader.buffer(), reader.capacity(), &frame);
    if (status == SINEW_OK)
      samples.push_back(
          {.stamp_ns = frame.stamp_ns, .arrived_ns = monotonic_now_ns(), .missed = frame.missed});
  }
  return samples;
}

// p in [0, 1] of values in ascending order
std::int64_t quantile(const std::vector<std::int64_t>& sorted, double p) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::lround(p * last))];
}

Result<std::vector<Sample>> follow_channel(const Words& words) {
  const auto seconds = words.number("--seconds", 0.01, 86'400);
  if (!seconds) return seconds.error();
  auto reader = UntypedReader::open(words.text("--space"), words.argument(0), SINEW_START_NOW);
  if (!reader) return reader.error();
  catch_stop_signals();
  return follow(*reader, *seconds);
}

Error nothing_came(const Words& words, std::string_view needed) {
  return {ErrorCode::TimedOut,
          fmt::format("{} on '{}' within {} s; 'sinew channel info' shows whether anybody writes", needed,
                      words.argument(0), words.text("--seconds"))};
}

Status run_hz(const Words& words, std::ostream& out) {
  const auto samples = follow_channel(words);
  if (!samples) return samples.error();
  std::vector<std::int64_t> periods_ns;
  std::uint64_t missed = 0;
  for (std::size_t i = 1; i < samples->size(); ++i) {
    missed += (*samples)[i].missed;
    if ((*samples)[i].missed == 0) periods_ns.push_back((*samples)[i].stamp_ns - (*samples)[i - 1].stamp_ns);
  }
  if (periods_ns.empty()) return nothing_came(words, "fewer than two messages");
  const double span = seconds_from_nanoseconds(samples->back().stamp_ns - samples->front().stamp_ns);
  const double rate = span > 0 ? static_cast<double>(samples->size() - 1 + missed) / span : 0;
  const double mean_ns =
      std::accumulate(periods_ns.begin(), periods_ns.end(), 0.0) / static_cast<double>(periods_ns.size());
  double variance = 0;
  for (const std::int64_t period : periods_ns)
    variance += std::pow(static_cast<double>(period) - mean_ns, 2) / static_cast<double>(periods_ns.size());
  const auto jitter_ns = static_cast<std::int64_t>(std::sqrt(variance));
  std::sort(periods_ns.begin(), periods_ns.end());
  if (words.has("--json")) {
    out << fmt::format(
        "{{\"rate\": {}, \"messages\": {}, \"missed\": {}, \"period_ns\": {{\"mean\": {}, \"jitter\": {}, "
        "\"min\": {}, \"p50\": {}, \"p99\": {}, \"max\": {}}}}}\n",
        rate, samples->size(), missed, mean_ns, jitter_ns, periods_ns.front(), quantile(periods_ns, 0.5),
        quantile(periods_ns, 0.99), periods_ns.back());
  } else {
    out << fmt::format("{:.2f} Hz over {} messages in {:.1f} s, {} missed\n", rate, samples->size(), span,
                       missed);
    out << fmt::format("period  mean {}  jitter {}  min {}  p50 {}  p99 {}  max {}\n",
                       duration_text(std::llround(mean_ns)), duration_text(jitter_ns),
                       duration_text(periods_ns.front()), duration_text(quantile(periods_ns, 0.5)),
                       duration_text(quantile(periods_ns, 0.99)), duration_text(periods_ns.back()));
  }
  return Done{};
}

struct Bucket {
  std::int64_t from_ns = 0;  ///< Up to the next bucket's.
  std::size_t count = 0;
};

// Buckets of 1, 2 and 5 times powers of ten, those between the first and the last that hold anything.
std::vector<Bucket> histogram(const std::vector<std::int64_t>& sorted) {
  std::vector<Bucket> buckets{{.from_ns = 0}};
  for (std::int64_t decade = 100; decade <= 10 * kSecond_ns; decade *= 10) {
    for (const std::int64_t step : {1, 2, 5}) buckets.push_back({.from_ns = decade * step});
  }
  for (const std::int64_t value : sorted) {
    const auto after = std::upper_bound(buckets.begin(), buckets.end(), value,
                                        [](std::int64_t v, const Bucket& b) { return v < b.from_ns; });
    if (after != buckets.begin()) ++std::prev(after)->count;
  }
  const auto is_used = [](const Bucket& b) { return b.count > 0; };
  const auto first = std::find_if(buckets.begin(), buckets.end(), is_used);
  const auto last = std::find_if(buckets.rbegin(), buckets.rend(), is_used).base();
  return first < last ? std::vector<Bucket>(first, last) : std::vector<Bucket>();
}

void print_histogram(const std::vector<Bucket>& buckets, std::ostream& out) {
  std::size_t largest = 1;
  for (const Bucket& bucket : buckets) largest = std::max(largest, bucket.count);
  for (const Bucket& bucket : buckets) {
    const std::size_t length = (bucket.count * 60 + largest - 1) / largest;
    out << fmt::format("  from {:>9}  {:>8}  {}\n", duration_text(bucket.from_ns), bucket.count,
                       std::string(length, '#'));
  }
}

Status run_latency(const Words& words, std::ostream& out) {
  const auto samples = follow_channel(words);
  if (!samples) return samples.error();
  if (samples->empty()) return nothing_came(words, "no message");
  std::vector<std::int64_t> latencies_ns;
  for (const Sample& sample : *samples) latencies_ns.push_back(sample.arrived_ns - sample.stamp_ns);
  std::sort(latencies_ns.begin(), latencies_ns.end());
  const auto buckets = histogram(latencies_ns);
  if (words.has("--json")) {
    std::string rows;
    for (const Bucket& bucket : buckets)
      rows += fmt::format("{}{{\"from_ns\": {}, \"count\": {}}}", rows.empty() ? "" : ", ", bucket.from_ns,
                          bucket.count);
    out << fmt::format(
        "{{\"messages\": {}, \"min_ns\": {}, \"p50_ns\": {}, \"p99_ns\": {}, \"p999_ns\": {}, \"max_ns\": "
        "{}, \"histogram\": [{}]}}\n",
        latencies_ns.size(), latencies_ns.front(), quantile(latencies_ns, 0.5), quantile(latencies_ns, 0.99),
        quantile(latencies_ns, 0.999), latencies_ns.back(), rows);
    return Done{};
  }
  out << fmt::format("{} messages from put to here: min {}  p50 {}  p99 {}  p99.9 {}  max {}\n",
                     latencies_ns.size(), duration_text(latencies_ns.front()),
                     duration_text(quantile(latencies_ns, 0.5)), duration_text(quantile(latencies_ns, 0.99)),
                     duration_text(quantile(latencies_ns, 0.999)), duration_text(latencies_ns.back()));
  print_histogram(buckets, out);
  return Done{};
}

Status run_bench(const Words& words, std::ostream&) {
  return run_program_beside("sinew-bench-channels", kChannelBenchCommand, words);
}

const Argument kChannelArgument{
    .name = "CHANNEL", .help = "Its name, such as mds/state.", .completion = Completion::Channel};
const Option kSecondsOption{.name = "--seconds",
                            .value_name = "S",
                            .help = "How long to look; Ctrl-C ends earlier.",
                            .fallback = "3"};
const Option kJsonOption{.name = "--json", .value_name = "", .help = "Print JSON."};

}  // namespace

const Command kChannelHzCommand{
    .name = "channel hz",
    .summary = "Measure how often messages are put, and how evenly",
    .details = "Counts by the stamps in the messages, so its own delays do not show.",
    .arguments = {kChannelArgument},
    .options = {kJsonOption, kSecondsOption},
    .examples = {"sinew channel hz mds/state --seconds 10"},
    .run = run_hz,
};

const Command kChannelLatencyCommand{
    .name = "channel latency",
    .summary = "Measure the time from put to reader, as a histogram",
    .arguments = {kChannelArgument},
    .options = {kJsonOption, kSecondsOption},
    .examples = {"sinew channel latency mds/state"},
    .run = run_latency,
};

const Command kChannelBenchCommand{
    .name = "channel bench",
    .summary = "Measure channels against the limit of the machine and against their peers",
    .details = "Peers that are not installed are left out. The table also says where Sinew is not ahead.",
    .options = {{.name = "--json", .value_name = "", .help = "Print JSON."},
                {.name = "--quick", .value_name = "", .help = "Only the rows at 1 kHz, in under 45 s."},
                {.name = "--csv",
                 .value_name = "FILE",
                 .help = "Write the rows there, too.",
                 .completion = Completion::File},
                {.name = "--systems",
                 .value_name = "LIST",
                 .help = "Some of limit,sinew,pipe,iceoryx,cyclonedds.",
                 .fallback = "all that are installed"},
                {.name = "--sizes",
                 .value_name = "LIST",
                 .help = "Message sizes in bytes.",
                 .fallback = "64,1024,16384"},
                {.name = "--seconds",
                 .value_name = "S",
                 .help = "Time for each row.",
                 .fallback = "1.5, with --quick 0.5"}},
    .examples = {"sinew channel bench --quick", "sinew channel bench --csv channels.csv"},
    .run = run_bench,
};

}  // namespace sinew::cli

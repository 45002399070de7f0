// SPDX-License-Identifier: BSD-3-Clause
// sinew-bench-web: what watching clients cost the web server, and what one that stops reading does to the
// others.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/time.h"

#include "rows/exit_code.h"
#include "rows/option_words.h"
#include "web/served.h"
#include "web/watchers.h"

namespace sinew::bench {
namespace {

constexpr double kWarmUp_s = 1.0;
constexpr const char* kHelp =
    "usage: sinew-bench-web [--seconds S] [--clients N] [--rate HZ] [--bytes B] [--json]\n"
    "\n"
    "N clients watch a web server that sends B bytes HZ times a second, each case for S seconds: two alone, "
    "all,\n"
    "and all but one that does not read.\n"
    "Defaults: --seconds 20, --clients 50, --rate 30, --bytes 2048.\n";

struct WebOptions {
  std::string seconds = "20";
  std::string clients = "50";
  std::string rate = "30";
  std::string bytes = "2048";
  bool is_json = false;
  bool is_help = false;
};

struct WebRow {
  std::string name;
  std::size_t clients = 0;
  double wanted_rate = 0.0;      // [1/s] of all clients together
  double rate = 0.0;             // [1/s]
  double slowest_rate = 0.0;     // [1/s] of one client
  double longest_gap = 0.0;      // [s] of any client
  double cpu_share = 0.0;        // of one core
  std::size_t memory_begin = 0;  // [bytes]
  std::size_t memory_end = 0;    // [bytes]
  std::size_t closed = 0;        // of those that read: none should be
};

struct Scene {
  std::string name;
  std::size_t clients = 0;
  bool has_one_who_does_not_read = false;
};

Result<WebRow> measure(const Scene& scene, const Served::Options& served, double seconds) {
  auto server = Served::start(served);
  if (!server) return server.error();
  Watchers watchers;
  for (std::size_t i = 0; i < scene.clients; ++i) {
    const bool reads = !scene.has_one_who_does_not_read || i > 0;
    if (const Status added = watchers.add(server->port(), reads); !added) return added.error();
  }
  watchers.watch(nanoseconds_from_seconds(kWarmUp_s));
  WebRow row{.name = scene.name, .clients = scene.clients, .memory_begin = server->memory()};
  watchers.count_anew();
  const std::int64_t begin_ns = monotonic_now_ns();
  const std::int64_t computed_ns = server->computed_ns();
  watchers.watch(nanoseconds_from_seconds(seconds));
  const double lasted = seconds_from_nanoseconds(monotonic_now_ns() - begin_ns);
  row.cpu_share = seconds_from_nanoseconds(server->computed_ns() - computed_ns) / lasted;
  row.memory_end = server->memory();
  row.closed = watchers.closed();
  const std::vector<Watchers::Count> counts = watchers.counts();
  row.wanted_rate = served.rate * static_cast<double>(counts.size());
  row.slowest_rate = served.rate * 1e9;
  for (const Watchers::Count& count : counts) {
    const double own = static_cast<double>(count.messages) / lasted;
    row.rate += own;
    row.slowest_rate = std::min(row.slowest_rate, own);
    row.longest_gap = std::max(row.longest_gap, seconds_from_nanoseconds(count.longest_gap_ns));
  }
  return row;
}

void print_table(const std::vector<WebRow>& rows) {
  fmt::print("{:28} {:>7} {:>10} {:>10} {:>12} {:>10} {:>8} {:>12} {:>12} {:>7}\n", "case", "clients",
             "wanted/s", "got/s", "slowest/s", "gap ms", "CPU %", "KiB begin", "KiB end", "closed");
  for (const WebRow& row : rows)
    fmt::print("{:28} {:7} {:10.0f} {:10.1f} {:12.2f} {:10.1f} {:8.2f} {:12} {:12} {:7}\n", row.name,
               row.clients, row.wanted_rate, row.rate, row.slowest_rate, row.longest_gap * 1e3,
               row.cpu_share * 100.0, row.memory_begin / 1024, row.memory_end / 1024, row.closed);
}

void print_json(const std::vector<WebRow>& rows) {
  fmt::print("{{\"rows\": [");
  const char* comma = "";
  for (const WebRow& row : rows) {
    fmt::print(
        "{}\n  {{\"case\": \"{}\", \"clients\": {}, \"wanted_per_s\": {:.1f}, \"got_per_s\": {:.1f}, "
        "\"slowest_per_s\": {:.2f}, \"longest_gap_s\": {:.4f}, \"cpu_share\": {:.4f}, \"memory_begin\": {}, "
        "\"memory_end\": {}, \"closed\": {}}}",
        comma, row.name, row.clients, row.wanted_rate, row.rate, row.slowest_rate, row.longest_gap,
        row.cpu_share, row.memory_begin, row.memory_end, row.closed);
    comma = ",";
  }
  fmt::print("]}}\n");
}

Result<double> number_from(std::string_view option, const std::string& text, double least, double most) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0' && number >= least && number <= most) return number;
  return Error{ErrorCode::InvalidInput, fmt::format("{} takes a number from {} to {}, not '{}'; see --help",
                                                    option, least, most, text)};
}

Status run(const WebOptions& options) {
  const auto seconds = number_from("--seconds", options.seconds, 0.1, 36000);
  const auto clients = number_from("--clients", options.clients, 2, 100);
  const auto rate = number_from("--rate", options.rate, 1, 1000);
  const auto bytes = number_from("--bytes", options.bytes, 1, 65000);
  for (const auto* each : {&seconds, &clients, &rate, &bytes})
    if (!*each) return each->error();
  const auto count = static_cast<std::size_t>(*clients);
  const Served::Options served{.rate = *rate, .message_bytes = static_cast<std::size_t>(*bytes)};
  std::vector<WebRow> rows;
  for (const Scene& scene : {Scene{"nobody but two", 2}, Scene{"all read", count},
                             Scene{"one of them does not read", count, true}}) {
    const auto row = measure(scene, served, *seconds);
    if (!row) return row.error();
    rows.push_back(*row);
  }
  options.is_json ? print_json(rows) : print_table(rows);
  return Done{};
}

}  // namespace
}  // namespace sinew::bench

int main(int count, char** words) {
  sinew::bench::WebOptions options;
  const sinew::Status read = sinew::bench::read_option_words(
      std::vector<const char*>(words + 1, words + count),
      {.texts = {{"--seconds", &options.seconds},
                 {"--clients", &options.clients},
                 {"--rate", &options.rate},
                 {"--bytes", &options.bytes}},
       .flags = {{"--json", &options.is_json}, {"--help", &options.is_help}}});
  if (options.is_help) {
    fmt::print("{}", sinew::bench::kHelp);
    return 0;
  }
  const sinew::Status done = read ? sinew::bench::run(options) : read;
  return done ? 0 : sinew::bench::complain(done.error());
}

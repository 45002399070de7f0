// SPDX-License-Identifier: BSD-3-Clause
#include "cyclictest.h"

#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "sinew/base/time.h"

namespace sinew::bench {
namespace {

struct ClosePipe {
  void operator()(std::FILE* pipe) const noexcept { pclose(pipe); }
};

constexpr int kLongest_us = 50'000;  // what is later counts as this

Result<std::string> output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, ClosePipe> pipe(popen(command.c_str(), "r"));
  if (!pipe) return Error{ErrorCode::SystemFailure, fmt::format("cannot run '{}'", command)};
  std::string text;
  std::array<char, 4096> piece{};
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), pipe.get()))
    text.append(piece.data(), size);
  return text;
}

}  // namespace

Result<Histogram> run_cyclictest(double seconds, int priority) {
  const auto text =
      output_of(fmt::format("cyclictest --quiet --mlockall --priority={} --interval=1000 --loops={} "
                            "--histogram={} 2>/dev/null",
                            priority, static_cast<long>(seconds * 1000.0), kLongest_us));
  if (!text) return text.error();
  // lines of a latency [us] and how often it was met; the rest begins with '#'
  Histogram latencies;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::int64_t latency_us = 0;
    std::uint64_t count = 0;
    if (line.starts_with("# Histogram Overflows:")) {
      std::istringstream(line.substr(line.find(':') + 1)) >> count;
      latency_us = kLongest_us;
    } else if (line.starts_with('#') || !(std::istringstream(line) >> latency_us >> count)) {
      continue;
    }
    for (std::uint64_t i = 0; i < count; ++i) latencies.add(latency_us * kMicrosecond_ns);
  }
  if (latencies.count() == 0)
    return Error{ErrorCode::NotFound,
                 "cyclictest gave no answer: it is Debian's package rt-tests, and needs real-time rights"};
  return latencies;
}

}  // namespace sinew::bench

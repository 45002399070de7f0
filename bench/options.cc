// SPDX-License-Identifier: BSD-3-Clause
#include "options.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner.h"

namespace sinew::bench {

const char* const kHelp =
    R"(Measures how long a message takes from one process to others: our channels beside the limit (a bare seqlock
ring with a futex), a pipe, iceoryx and Cyclone DDS, as far as they are installed.

Usage: sinew-bench-channels [options]

  --quick           only the rows at 1 kHz, in under 45 s
  --json            print the answer as JSON
  --csv FILE        also write the rows to FILE
  --systems A,B     only these, of limit,sinew,pipe,iceoryx,cyclonedds
  --sizes N,M       sizes of messages in bytes, 24 to 65000 (64,1024,16384)
  --modes A,B       ways for readers to wait, of block,spin
  --seconds S       measuring time for each row, over all rounds (1.5; with --quick 0.5)
  --rounds N        passes over the whole table; a row is the median of its rounds (5)
  --help            show this

Example: sinew-bench-channels --quick --systems limit,sinew --sizes 64
)";

namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t comma = text.find(',');
    words.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

template <class Number>
std::optional<Number> number_in(std::string_view text, Number lowest, Number highest) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  // written so that not-a-number is out of range
  if (!is_number || !(number >= lowest && number <= highest)) return std::nullopt;
  return number;
}

Error bad_value(std::string_view option, std::string_view value, std::string_view bound) {
  return {ErrorCode::InvalidInput, fmt::format("{} cannot be '{}': {}; see --help", option, value, bound)};
}

// Some of `known`, by name; `kind` is what one of them is called.
Status set_words(std::vector<std::string>& words, std::string_view value, std::string_view kind,
                 const std::vector<std::string>& known) {
  words = split(value);
  for (const std::string& word : words) {
    if (std::find(known.begin(), known.end(), word) == known.end())
      return Error{ErrorCode::InvalidInput,
                   fmt::format("no {} '{}': there are {}", kind, word, fmt::join(known, ", "))};
  }
  return Done{};
}

Status set_sizes(Options& options, std::string_view value) {
  options.sizes.clear();
  for (const std::string& word : split(value)) {
    const auto size = number_in<std::uint32_t>(word, kMinSize, kMaxSize);
    if (!size)
      return bad_value("--sizes", value, fmt::format("sizes are {} to {} bytes", kMinSize, kMaxSize));
    options.sizes.push_back(*size);
  }
  return Done{};
}

Status set_value(Options& options, std::string_view name, std::string_view value) {
  if (name == "--systems") return set_words(options.systems, value, "system", kSystems);
  if (name == "--modes") return set_words(options.modes, value, "mode", {"block", "spin"});
  if (name == "--sizes") return set_sizes(options, value);
  if (name == "--csv") {
    options.csv_file = value;
    return Done{};
  }
  if (name == "--rounds") {
    const auto rounds = number_in<int>(value, 1, 100);
    if (!rounds) return bad_value(name, value, "rounds are 1 to 100");
    options.rounds = *rounds;
    return Done{};
  }
  const auto seconds = number_in<double>(value, 0.001, 3600);
  if (!seconds) return bad_value(name, value, "seconds are 0.001 to 3600");
  options.seconds = *seconds;
  return Done{};
}

}  // namespace

Result<Options> parse_options(std::span<const char* const> arguments) {
  constexpr std::string_view kWithValue[] = {"--csv",   "--systems", "--sizes",
                                             "--modes", "--seconds", "--rounds"};
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view name = arguments[i];
    if (name == "--help" || name == "-h") {
      options.is_help = true;
    } else if (name == "--json") {
      options.is_json = true;
    } else if (name == "--quick") {
      options.is_quick = true;
    } else if (std::find(std::begin(kWithValue), std::end(kWithValue), name) == std::end(kWithValue)) {
      return Error{ErrorCode::InvalidInput, fmt::format("no option '{}'; see --help", name)};
    } else if (i + 1 == arguments.size()) {
      return Error{ErrorCode::InvalidInput, fmt::format("{} needs a value; see --help", name)};
    } else if (Status status = set_value(options, name, arguments[++i]); !status) {
      return status.error();
    }
  }
  if (options.seconds == 0) options.seconds = options.is_quick ? 0.5 : 1.5;
  return options;
}

}  // namespace sinew::bench

// SPDX-License-Identifier: BSD-3-Clause
#include "ik_options.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "sinew/base/text.h"

#include "rows/option_words.h"

namespace sinew::bench {
namespace {

constexpr std::size_t kMostPoses = 10'000'000;

Error refused(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

/// Where the value of each option goes.
class IkOptionReader {
 public:
  Result<IkBenchOptions> read(std::span<const char* const> words) {
    if (Status read = read_option_words(words, places_); !read) return read.error();
    return checked();
  }

 private:
  static Status read_whole(const std::string& text, std::string_view option, std::uint64_t lowest,
                           std::uint64_t highest, std::uint64_t& number) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = end.ec == std::errc() && end.ptr == text.data() + text.size();
    if (is_number && number >= lowest && number <= highest) return Done{};
    return refused(
        fmt::format("{} takes a whole number from {} to {}, not '{}'", option, lowest, highest, text));
  }

  Result<IkBenchOptions> checked() {
    options_.with_kdl = !without_kdl_;
    if (options_.is_help) return options_;
    const bool is_one = !robot_.empty() || !urdf_.empty();
    if (options_.is_all == is_one || (!robot_.empty() && !urdf_.empty()))
      return refused("say which robot: --robot NAME [--arm NAME], --urdf FILE --tip LINK, or --all");
    if (options_.is_all && !options_.poses.empty())
      return refused("--poses is for one robot, and --all draws poses for each");
    options_.choice.robot = robot_.empty() ? urdf_ : robot_;
    std::uint64_t count = 0;
    if (!count_.empty()) {
      if (Status read = read_whole(count_, "--count", 1, kMostPoses, count); !read) return read.error();
      options_.count = static_cast<std::size_t>(count);
    }
    if (Status read = read_whole(seed_, "--seed", 0, UINT64_MAX, options_.seed); !read) return read.error();
    return options_;
  }

  IkBenchOptions options_;
  std::string robot_;
  std::string urdf_;
  std::string count_;
  std::string seed_ = "1";
  bool without_kdl_ = false;
  OptionPlaces places_{.texts = {{"--robot", &robot_},
                                 {"--urdf", &urdf_},
                                 {"--arm", &options_.choice.arm},
                                 {"--tool", &options_.choice.tool},
                                 {"--base", &options_.choice.base},
                                 {"--tip", &options_.choice.tip},
                                 {"--srdf", &options_.choice.srdf},
                                 {"--poses", &options_.poses},
                                 {"--count", &count_},
                                 {"--seed", &seed_},
                                 {"--csv", &options_.csv}},
                       .flags = {{"--all", &options_.is_all},
                                 {"--json", &options_.is_json},
                                 {"--fk", &options_.with_forward},
                                 {"--numerical", &options_.with_numerical},
                                 {"--no-kdl", &without_kdl_},
                                 {"--help", &options_.is_help}}};
};

}  // namespace

Result<IkBenchOptions> ik_options_from(std::span<const char* const> words) {
  return IkOptionReader().read(words);
}

std::string ik_help_text() {
  return "usage: sinew-bench-ik --urdf FILE [--base LINK] --tip LINK | --robot NAME [--arm NAME] [--tool "
         "NAME] | "
         "--all\n"
         "                      [--poses FILE.csv] [--count N] [--seed S] [--json] [--csv FILE] [--fk]\n"
         "                      [--numerical] [--no-kdl]\n"
         "\n"
         "Solves the same poses with Sinew's inverse kinematics and KDL's; 'sinew bench ik --help' says "
         "more.\n"
         "Defaults: --count 10000, or all of --poses; --seed 1.\n";
}

}  // namespace sinew::bench

// SPDX-License-Identifier: BSD-3-Clause
#include "plan_options.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/model/text_input.h"
#include "sinew/planning/problem_generator.h"

#include "rows/option_words.h"

namespace sinew::bench {
namespace {

Error refused(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

/// Where the value of each option goes.
class PlanOptionReader {
 public:
  Result<PlanBenchOptions> read(std::span<const char* const> words) {
    if (Status read = read_option_words(words, places_); !read) return read.error();
    return checked();
  }

 private:
  static Result<double> number(const std::string& text, std::string_view option, double lowest,
                               double highest) {
    const auto value = parse_number(text);
    if (value && *value >= lowest && *value <= highest) return *value;
    return refused(
        fmt::format("{} takes a number from {} to {}, not '{}'", option, lowest, highest, shown(text)));
  }

  Result<PlanBenchOptions> checked() {
    options_.with_rivals = !without_rivals_;
    options_.with_judge = !without_judge_;
    if (options_.is_help) return options_;
    if (robot_.empty() == urdf_.empty())
      return refused("say which robot: --robot NAME, or --urdf FILE [--tip LINK]");
    options_.choice.robot = robot_.empty() ? urdf_ : robot_;
    if (options_.problems.empty() == options_.generate.empty()) {
      return refused("say which problems: --problems FILE, or --generate shelf|box|table|cage|all|lines");
    }
    if (!options_.generate.empty()) {
      std::vector<std::string> kinds = problem_kinds();
      kinds.insert(kinds.end(), {"all", "lines"});
      if (std::ranges::find(kinds, options_.generate) == kinds.end())
        return refused(fmt::format("there are no problems of kind '{}'{}; known: {}",
                                   shown(options_.generate), did_you_mean(options_.generate, kinds),
                                   fmt::join(kinds, ", ")));
    }
    if (options_.generate == "lines" && !(options_.out.empty() && options_.csv.empty()))
      return refused("--out and --csv are for problems; --generate lines has none");
    const auto count = number(count_, "--count", 1, 10000);
    const auto seed = number(seed_, "--seed", 0, 4e9);
    const auto time = number(time_, "--time", 1e-3, 600);
    const auto rounds = number(rounds_, "--rounds", 1, 1000);
    for (const auto* value : {&count, &seed, &time, &rounds}) {
      if (!*value) return value->error();
    }
    options_.count = static_cast<std::size_t>(*count);
    options_.seed = static_cast<std::uint64_t>(*seed);
    options_.time_limit = *time;
    options_.rounds = static_cast<std::size_t>(*rounds);
    return options_;
  }

  PlanBenchOptions options_;
  std::string robot_;
  std::string urdf_;
  std::string count_ = "100";
  std::string seed_ = "1";
  std::string time_ = "5";
  std::string rounds_ = "1";
  bool without_rivals_ = false;
  bool without_judge_ = false;
  OptionPlaces places_{.texts = {{"--robot", &robot_},
                                 {"--urdf", &urdf_},
                                 {"--arm", &options_.choice.arm},
                                 {"--tool", &options_.choice.tool},
                                 {"--base", &options_.choice.base},
                                 {"--tip", &options_.choice.tip},
                                 {"--srdf", &options_.choice.srdf},
                                 {"--problems", &options_.problems},
                                 {"--generate", &options_.generate},
                                 {"--out", &options_.out},
                                 {"--csv", &options_.csv},
                                 {"--count", &count_},
                                 {"--seed", &seed_},
                                 {"--time", &time_},
                                 {"--rounds", &rounds_}},
                       .flags = {{"--json", &options_.is_json},
                                 {"--no-rivals", &without_rivals_},
                                 {"--no-judge", &without_judge_},
                                 {"--help", &options_.is_help}}};
};

}  // namespace

Result<PlanBenchOptions> plan_options_from(std::span<const char* const> words) {
  return PlanOptionReader().read(words);
}

std::string plan_help_text() {
  return "usage: sinew-bench-plan --robot NAME [--arm NAME] | --urdf FILE [--base LINK] [--tip LINK]\n"
         "                        [--srdf FILE]\n"
         "                        --problems FILE | --generate shelf|box|table|cage|all|lines [--count N]\n"
         "                        [--seed S] [--time S] [--rounds N] [--out FILE] [--csv FILE] [--json]\n"
         "                        [--no-rivals] [--no-judge]\n"
         "\n"
         "Plans each problem with Sinew, with OMPL's RRTConnect on Sinew's checker, and with OMPL on FCL as "
         "MoveIt\n"
         "sets it up, in turns, on one core, in ms. Each planner has a second row with its simplification\n"
         "included; each set of problems has rows of its own. invalid: returned paths that an independent "
         "check\n"
         "(FCL, in steps of 1 mm) finds in collision; -: not looked at (--no-judge, or no FCL). What was not "
         "solved\n"
         "is listed with the reason; --csv writes a line for each planner and problem.\n"
         "Defaults: --count 100, --seed 1, --time 5, --rounds 1.\n"
         "lines: straight lines of the tool of 0.2 to 0.4 m, whose points can each be reached: how many are "
         "done, are shown\n"
         "to be infeasible from every posture, or neither, in us.\n";
}

}  // namespace sinew::bench

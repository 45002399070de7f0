// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apps/cli/command.h"

namespace sinew::cli {
namespace {

const Command& command_named(const std::vector<std::string>& words) {
  const FoundCommand found = find_command(words);
  EXPECT_NE(found.command, nullptr);
  return *found.command;
}

std::string refusal(const std::vector<std::string>& name, const std::vector<std::string>& words) {
  const auto parsed = parse_words(command_named(name), words);
  return parsed ? "accepted" : parsed.error().message;
}

TEST(WordsTest, TellsOptionsFromArguments) {
  const auto words =
      parse_words(command_named({"channel", "echo"}),
                  std::vector<std::string>{"arm/state", "--count", "3", "--json", "--space=lab"});
  ASSERT_TRUE(words);
  EXPECT_EQ(words->argument(0), "arm/state");
  EXPECT_EQ(*words->whole("--count", 1, 10), 3U);
  EXPECT_TRUE(words->has("--json"));
  EXPECT_FALSE(words->has("--once"));
  EXPECT_EQ(words->text("--space"), "lab");
}

TEST(WordsTest, NegativeNumbersAndWordsAfterTwoDashesAreArguments) {
  const auto words = parse_words(command_named({"channel", "put"}),
                                 std::vector<std::string>{"arm/ref", "-0.5", "--", "--json"});
  ASSERT_TRUE(words);
  EXPECT_EQ(words->arguments(), (std::vector<std::string>{"arm/ref", "-0.5", "--json"}));
}

TEST(WordsTest, RefusalsSayWhatIsWrongAndWhatWasMeant) {
  EXPECT_EQ(refusal({"channel", "echo"}, {}),
            "CHANNEL is missing; usage: sinew channel echo CHANNEL [options]");
  EXPECT_EQ(refusal({"channel", "echo"}, {"a", "b"}),
            "'b' is one word too many; usage: sinew channel echo CHANNEL [options]");
  EXPECT_EQ(
      refusal({"channel", "echo"}, {"a", "--filds", "x"}),
      "'sinew channel echo' has no option '--filds' (did you mean '--fields'?); see 'sinew channel echo "
      "--help'");
  EXPECT_EQ(refusal({"channel", "echo"}, {"a", "--count"}), "--count needs a value: --count N");
  EXPECT_EQ(refusal({"channel", "echo"}, {"a", "--json=1"}), "--json takes no value");
}

TEST(WordsTest, NumbersAreCheckedAgainstTheirBounds) {
  const auto words =
      parse_words(command_named({"channel", "hz"}), std::vector<std::string>{"a", "--seconds", "nan"});
  ASSERT_TRUE(words);
  EXPECT_EQ(words->number("--seconds", 0.01, 10).error().message,
            "--seconds takes a number from 0.01 to 10, not 'nan'");
  EXPECT_EQ(words->whole("--seconds", 1, 10).error().message,
            "--seconds takes a whole number from 1 to 10, not 'nan'");
}

TEST(WordsTest, AnOptionMayTakeSeveralNumbersUpToTheNextOption) {
  const Command command{.name = "go",
                        .summary = "Go",
                        .arguments = {{.name = "Q", .help = "", .is_optional = true, .is_repeated = true}},
                        .options = {{.name = "--xyz", .value_name = "X Y Z", .help = "", .most_values = 3},
                                    {.name = "--json", .value_name = "", .help = ""}}};
  const auto words =
      parse_words(command, std::vector<std::string>{"--xyz", "1", "-2", "3e-1", "4", "--json"});
  ASSERT_TRUE(words);
  EXPECT_EQ(*words->numbers("--xyz"), (std::vector<double>{1, -2, 0.3}));
  EXPECT_EQ(words->arguments(), std::vector<std::string>{"4"});
  const auto in_one_word = parse_words(command, std::vector<std::string>{"--xyz=1, 2,3"});
  EXPECT_EQ(*in_one_word->numbers("--xyz"), (std::vector<double>{1, 2, 3}));
  const auto wrong = parse_words(command, std::vector<std::string>{"--xyz", "1", "inf"});
  EXPECT_EQ(wrong->numbers("--xyz").error().message, "--xyz: 'inf' is no finite number");
}

// every row can be shown, completed and printed, and says all that a row must say
TEST(CommandTest, EveryCommandIsDescribedInFull) {
  const auto script = completion_script("bash");
  ASSERT_TRUE(script);
  for (const Command& command : all_commands()) {
    SCOPED_TRACE(std::string(command.name));
    EXPECT_NE(command.run, nullptr);
    EXPECT_FALSE(command.summary.empty() || command.summary.ends_with('.'));
    EXPECT_FALSE(command.examples.empty());
    const std::string help = help_for(command);
    const std::string page = manual_page(command);
    for (const Option& option : command.options) {
      EXPECT_NE(help.find(option.name), std::string::npos) << option.name;
      EXPECT_NE(script->find(option.name), std::string::npos) << option.name;
      EXPECT_FALSE(option.help.empty());
    }
    EXPECT_NE(page.find(".SH SYNOPSIS"), std::string::npos);
    EXPECT_NE(help_for_all().find(command.name), std::string::npos);
  }
}

TEST(CommandTest, AnUnknownShellIsRefused) {
  EXPECT_EQ(completion_script("tcsh").error().message,
            "there is completion for bash and zsh, not for 'tcsh'");
}

}  // namespace
}  // namespace sinew::cli

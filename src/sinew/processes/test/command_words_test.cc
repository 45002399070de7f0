// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/processes/command_words.h"

#include <random>

#include <gtest/gtest.h>

namespace sinew::processes {
namespace {

using WordList = std::vector<std::string>;

TEST(CommandWords, SplitsAsAShellDoes) {
  EXPECT_EQ(*split_command("a  b\tc\n"), (WordList{"a", "b", "c"}));
  EXPECT_EQ(*split_command("sh -c 'echo \"x y\" \\n' \"it's\""),
            (WordList{"sh", "-c", "echo \"x y\" \\n", "it's"}));
  EXPECT_EQ(*split_command("a\\ b '' c''d"), (WordList{"a b", "", "cd"}));
}

TEST(CommandWords, RefusesWhatIsNoCommand) {
  EXPECT_EQ(split_command(" \t").error().message, "the command is empty");
  EXPECT_NE(split_command("echo 'x").error().message.find("never closed"), std::string::npos);
  EXPECT_FALSE(split_command(std::string("a\0b", 3)));
}

// whatever the words, quoting them and splitting gives them back
TEST(CommandWords, SplittingUndoesQuoting) {
  std::mt19937 random(7);
  const std::string letters = "ab '\"\\{}\t$\n";
  for (int round = 0; round < 2000; ++round) {
    WordList words;
    std::string line;
    for (std::size_t i = 0; i < 1 + random() % 4; ++i) {
      std::string word;
      std::string quoted;
      for (std::size_t k = 0; k < random() % 6; ++k) {
        const char c = letters[random() % letters.size()];
        word += c;
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
      }
      line += " '" + quoted + "'";
      words.push_back(word);
    }
    ASSERT_EQ(*split_command(line), words) << line;
  }
}

TEST(CommandWords, FillsKeysAndLeavesOutWhatIsEmpty) {
  const std::map<std::string, std::string> values{{"name", "mds"}, {"world", ""}};
  EXPECT_EQ(*fill_words({"x", "--name", "{name}/{name}", "--world", "{world}", ""}, values),
            (WordList{"x", "--name", "mds/mds", ""}));
  EXPECT_EQ(*fill_words({"{", "}{", "a}"}, values), (WordList{"{", "}{", "a}"}));
  const std::string message = fill_words({"{nam}"}, values).error().message;
  EXPECT_NE(message.find("'{nam}' stands for nothing (did you mean 'name'?); there are {name} {world}"),
            std::string::npos)
      << message;
}

}  // namespace
}  // namespace sinew::processes

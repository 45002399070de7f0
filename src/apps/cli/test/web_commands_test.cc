// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/web_commands.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/accounts/secrets.h"
#include "sinew/accounts/user_file.h"

namespace sinew::cli {
namespace {

class WebCommandsTest : public testing::Test {
 protected:
  WebCommandsTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sinew-web-commands-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~WebCommandsTest() override { std::filesystem::remove_all(folder_); }

  // What 'sinew WORDS' prints; or "refused: why".
  std::string run(std::vector<std::string> words, const std::string& typed = "") {
    words.insert(words.end(), {"--data", folder_ + "/data"});
    const FoundCommand found = find_command(words);
    if (found.command == nullptr) return "no such command";
    const auto parsed = parse_words(*found.command, std::span(words).subspan(found.word_count));
    if (!parsed) return "refused: " + parsed.error().message;
    std::istringstream in(typed);
    std::ostringstream out;
    std::streambuf* before = std::cin.rdbuf(in.rdbuf());
    const Status done = found.command->run(*parsed, out);
    std::cin.rdbuf(before);
    return done ? out.str() : "refused: " + done.error().message;
  }

  std::string folder_;
};

TEST_F(WebCommandsTest, UsersComeChangeAndGo) {
  EXPECT_EQ(run({"web", "users", "list"}), "");
  EXPECT_EQ(run({"web", "users", "add", "otto", "--password-stdin"}, "correct horse\n"),
            "refused: somebody must be an expert, and the first user has to be one");
  EXPECT_EQ(run({"web", "users", "add", "Ada", "--role", "expert", "--password-stdin"}, "correct horse\n"),
            "");
  EXPECT_EQ(run({"web", "users", "add", "otto", "--password-stdin"}, "correct horse\n"), "");
  EXPECT_EQ(run({"web", "users", "role", "otto", "operator"}), "");
  EXPECT_EQ(run({"web", "users", "list", "--json"}),
            "[{\"name\":\"ada\",\"role\":\"expert\"},{\"name\":\"otto\",\"role\":\"operator\"}]\n");
  EXPECT_EQ(run({"web", "users", "remove", "ada"}),
            "refused: 'ada' is the last expert, and somebody must be; make another one first");
  EXPECT_EQ(run({"web", "users", "remove", "otto"}), "");
  EXPECT_EQ(run({"web", "users", "remove", "otto"}), "refused: there is no user 'otto'");
  EXPECT_EQ(run({"web", "users", "role", "ada", "boss"}),
            "refused: 'boss' is no role; there are viewer, operator, programmer, expert");
}

TEST_F(WebCommandsTest, APasswordThatWasForgottenIsSetAnew) {
  ASSERT_EQ(run({"web", "users", "add", "ada", "--role", "expert", "--password-stdin"}, "correct horse\n"),
            "");
  EXPECT_EQ(run({"web", "users", "password", "ada", "--password-stdin"}, "short\n"),
            "refused: the password has 5 letters and must have 8 to 256");
  EXPECT_EQ(run({"web", "users", "password", "ada", "--password-stdin"}, "another one\n"), "");
  const auto users = accounts::UserFile(folder_ + "/data/users.json").load();
  ASSERT_TRUE(users);
  EXPECT_TRUE(*accounts::is_password("another one", users->find("ada")->password_hash));
}

TEST_F(WebCommandsTest, TheCodeIsShownUntilThereIsAUser) {
  const std::string code = run({"web", "code"});
  EXPECT_EQ(code.size(), 10U) << code;
  EXPECT_EQ(run({"web", "code"}), code);
  ASSERT_EQ(run({"web", "users", "add", "ada", "--role", "expert", "--password-stdin"}, "correct horse\n"),
            "");
  EXPECT_NE(run({"web", "code"}).find("refused: there are users already"), std::string::npos);
}

TEST_F(WebCommandsTest, ADamagedFileIsNotTouched) {
  std::filesystem::create_directories(folder_ + "/data");
  std::filesystem::permissions(folder_ + "/data", std::filesystem::perms::owner_all);
  std::ofstream(folder_ + "/data/users.json") << "{";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"web", "code"}, {"web", "users", "list"}, {"web", "users", "remove", "ada"}})
    EXPECT_NE(run(words).find("line 1, column 2: this is no JSON"), std::string::npos) << run(words);
}

TEST_F(WebCommandsTest, AFolderThatOthersMayWriteIsRefused) {
  std::filesystem::create_directories(folder_ + "/data");
  std::filesystem::permissions(folder_ + "/data", std::filesystem::perms::all);
  EXPECT_NE(run({"web", "users", "remove", "ada"}).find("that nobody else may write"), std::string::npos);
}

TEST_F(WebCommandsTest, WhatIsDoneIsInTheLog) {
  ASSERT_EQ(run({"web", "users", "add", "ada", "--role", "expert", "--password-stdin"}, "correct horse\n"),
            "");
  std::ifstream log(folder_ + "/data/audit.log");
  std::string line;
  std::getline(log, line);
  EXPECT_NE(line.find(R"("address":"terminal","what":"users/ada: added as expert","outcome":"done")"),
            std::string::npos)
      << line;
}

}  // namespace
}  // namespace sinew::cli

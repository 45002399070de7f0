// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/user_file.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include <gtest/gtest.h>

#include "sinew/accounts/test/accounts_bench.h"
#include "sinew/accounts/whole_file.h"

namespace sinew::accounts {
namespace {

Status add_ada(Users& users) {
  return users.add(test_user("ada", Role::Expert));
}

std::string message_of(const std::string& text) {
  const auto users = users_from(text);
  return users ? "" : users.error().message;
}

TEST(UserFile, WithoutAFileThereIsNobody) {
  const TestFolder folder;
  const UserFile file(folder.file("users.json"));
  const auto users = file.load();
  ASSERT_TRUE(users);
  EXPECT_TRUE(users->is_empty());
  EXPECT_FALSE(std::filesystem::exists(file.path()));
}

TEST(UserFile, KeepsUsersAndOnlyTheOwnerMayReadIt) {
  const TestFolder folder;
  const UserFile file(folder.file("users.json"));
  const std::string before = file.stamp();
  ASSERT_TRUE(file.change(add_ada));
  EXPECT_NE(file.stamp(), before);
  struct stat status {};
  ASSERT_EQ(stat(file.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  const auto users = file.load();
  ASSERT_TRUE(users);
  EXPECT_EQ(users->find("ada")->role, Role::Expert);
  EXPECT_TRUE(*is_password("correct horse", users->find("ada")->password_hash));
  EXPECT_EQ(users_text(*users), text_of_file(file.path()));
  // nothing unfinished is left beside it
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(UserFile, ARefusedChangeChangesNothing) {
  const TestFolder folder;
  const UserFile file(folder.file("users.json"));
  ASSERT_TRUE(file.change(add_ada));
  const std::string before = text_of_file(file.path());
  EXPECT_FALSE(file.change([](Users& users) { return users.remove("ada"); }));
  EXPECT_EQ(text_of_file(file.path()), before);
}

TEST(UserFile, TheFirstUserIsAnExpert) {
  const TestFolder folder;
  const UserFile file(folder.file("users.json"));
  const auto changed =
      file.change([](Users& users) { return users.add(test_user("grace", Role::Operator)); });
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().message, "somebody must be an expert, and the first user has to be one");
  EXPECT_FALSE(std::filesystem::exists(file.path()));
}

// a file cut short by a full disk or by hand must not let the first comer make himself the owner
TEST(UserFile, ADamagedFileIsNeverNobodyAndNeverOverwritten) {
  const TestFolder folder;
  const UserFile file(folder.file("users.json"));
  ASSERT_TRUE(file.change(add_ada));
  const std::string whole = text_of_file(file.path());
  // all but the line's end at the end, which nobody misses
  for (std::size_t length = 0; length + 1 < whole.size(); ++length) {
    const std::string part = whole.substr(0, length);
    write_file(file.path(), part);
    const auto users = file.load();
    ASSERT_FALSE(users) << length;
    EXPECT_EQ(users.error().code, ErrorCode::Damaged);
    EXPECT_FALSE(file.change(add_ada));
    ASSERT_EQ(text_of_file(file.path()), part);
  }
}

TEST(UserFile, SaysWhereItIsDamaged) {
  EXPECT_EQ(message_of("{\n  \"version\": 1,\n  users\n}"), "line 3, column 3: this is no JSON");
  EXPECT_EQ(message_of("[]"), "the file must be an object");
  EXPECT_EQ(message_of("{\"version\": 2, \"users\": []}"), "'version' must be 1");
  EXPECT_EQ(message_of("{\"version\": 1}"), "the file needs 'users', a list");
  EXPECT_EQ(message_of("{\"version\": 1, \"users\": [], \"colour\": 1}"),
            "the file has no 'colour'; there are version, users");
  EXPECT_EQ(message_of("{\"version\": 1, \"users\": [], \"users\": []}"), "'users' is said twice");
  EXPECT_EQ(message_of("{\"version\": 1, \"users\": [{\"name\": \"ada\"}]}"), "user 1 needs 'password'");
  EXPECT_EQ(message_of("{\"version\": 1, \"users\": [{\"name\": 5}]}"), "'name' of user 1 must be text");
  EXPECT_EQ(
      message_of(
          "{\"version\": 1, \"users\": [{\"name\": \"ada\", \"password\": \"x\", \"role\": \"boss\"}]}"),
      "'role' of user 1: 'boss' is no role; there are viewer, operator, programmer, expert");
  EXPECT_EQ(
      message_of(
          "{\"version\": 1, \"users\": [{\"name\": \"ada\", \"password\": \"x\", \"role\": \"expert\"}]}"),
      "user 1: it is no Argon2id hash of a password");
  EXPECT_EQ(message_of("[[[[[[[[[[1]]]]]]]]]]"), "more than 8 levels of lists and objects");
}

TEST(UserFile, UsersWithoutAnExpertAreDamage) {
  Users users;
  ASSERT_TRUE(users.add(test_user("grace", Role::Operator)));
  EXPECT_EQ(message_of(users_text(users)), "no user is an expert");
}

TEST(UserFile, WhatIsNoFileOrTooLargeIsRefused) {
  const TestFolder folder;
  EXPECT_FALSE(UserFile(folder.path()).load());
  const UserFile file(folder.file("users.json"));
  write_file(file.path(), std::string(UserFile::kMostBytes + 1, ' '));
  const auto users = file.load();
  ASSERT_FALSE(users);
  EXPECT_EQ(users.error().code, ErrorCode::OutOfLimits);
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(UserFile(folder.file("pipe")).load());
}

TEST(UserFile, WaitsForNobodyWhoHoldsTheFolder) {
  const TestFolder folder;
  const UserFile file(folder.file("users.json"));
  const auto lock = FolderLock::take(folder.path());
  ASSERT_TRUE(lock);
  const auto changed = file.change(add_ada);
  ASSERT_FALSE(changed);
  EXPECT_NE(changed.error().message.find("another program changes"), std::string::npos);
}

// killed at any instant, the file is the old or the new one
TEST(UserFile, SurvivesTheDeathOfItsWriter) {
  const TestFolder folder;
  const UserFile file(folder.file("users.json"));
  ASSERT_TRUE(file.change(add_ada));
  const std::string one = *hash_password("number one", kTestCost);
  const std::string two = *hash_password("number two", kTestCost);
  for (int round = 0; round < 40; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      for (bool is_odd = false;; is_odd = !is_odd)
        static_cast<void>(
            file.change([&](Users& users) { return users.set_password_hash("ada", is_odd ? one : two); }));
    usleep(static_cast<useconds_t>(500 + 211 * round));
    kill(child, SIGKILL);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    const auto users = file.load();
    ASSERT_TRUE(users) << users.error().message;
    ASSERT_NE(users->find("ada"), nullptr);
  }
}

TEST(WholeFile, FoldersBelongToTheUserOnly) {
  const TestFolder folder;
  const std::string path = folder.file("a/b/c");
  ASSERT_TRUE(make_private_folder(path));
  ASSERT_TRUE(make_private_folder(path));
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  ASSERT_EQ(chmod(path.c_str(), 0777), 0);
  EXPECT_EQ(make_private_folder(path).error().code, ErrorCode::Denied);
  write_file(folder.file("file"), "");
  EXPECT_FALSE(make_private_folder(folder.file("file")));
  EXPECT_FALSE(make_private_folder(folder.file("file/below")));
}

TEST(WholeFile, ARobotsFolderHasAPlainName) {
  for (const std::string_view name : {"..", ".", "", "a/b", "a b", "a\n"})
    EXPECT_FALSE(data_folder_of(name)) << name;
  const auto folder = data_folder_of("scorbot-er3");
  ASSERT_TRUE(folder);
  EXPECT_TRUE(folder->ends_with("/sinew/web/scorbot-er3"));
}

}  // namespace
}  // namespace sinew::accounts

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/backup.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/accounts/secrets.h"
#include "sinew/accounts/user_file.h"
#include "sinew/accounts/whole_file.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr accounts::PasswordCost kQuick{.passes = 1, .memory = 8192};

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class BackupTest : public testing::Test {
 protected:
  BackupTest() {
    std::string pattern = (fs::temp_directory_path() / "sinew-backup-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    folder_ = root_ / "scorbot-er3";
    EXPECT_TRUE(accounts::make_private_folder(folder_.string()));
    fs::create_directories(folder_ / "programs");
  }
  ~BackupTest() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  void add_user(const std::string& name) {
    const auto added =
        accounts::UserFile((folder_ / "users.json").string()).change([&](accounts::Users& users) {
          return users.add({.name = name,
                            .role = accounts::Role::Expert,
                            .password_hash = *accounts::hash_password("correct horse", kQuick)});
        });
    ASSERT_TRUE(added) << added.error().message;
  }
  Result<std::string> backup() {
    return make_backup({.folder = folder_.string(),
                        .robot = "scorbot-er3",
                        .robot_yaml = "limits: {}\n",
                        .version = "0.1.0",
                        .wall_ns = 1'700'000'000'000'000'000});
  }
  RestoreOptions options() const {
    return {.folder = folder_.string(), .robot = "scorbot-er3", .robot_yaml = "limits: {}\n"};
  }
  // All files of the folder with their texts.
  std::map<std::string, std::string> all() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file())
        files[fs::relative(entry.path(), folder_).string()] = text_of(entry.path());
    return files;
  }
  void expect_refused(const std::string& document, const std::string& why, const RestoreOptions& how) {
    const auto before = all();
    const auto restored = restore_backup(document, how);
    ASSERT_FALSE(restored) << document;
    EXPECT_NE(restored.error().message.find(why), std::string::npos) << restored.error().message;
    EXPECT_EQ(all(), before);
    EXPECT_EQ(std::distance(fs::directory_iterator(root_), {}), 1) << "something is left beside the folder";
  }

  fs::path root_;
  fs::path folder_;
};

TEST_F(BackupTest, BringsBackAllThatWasThere) {
  write("programs/pick.prog", "# pick\nMOVE home\n");
  write("programs/umlaut.prog", "# \xc3\xa4\n");
  write("points.json", R"({"points": [{"name": "p1", "joints": {"base": 0.1}}]})");
  write("tools.json", R"({"tools": []})");
  add_user("ada");
  const auto document = backup();
  ASSERT_TRUE(document) << document.error().message;
  const json parsed = json::parse(*document);
  EXPECT_EQ(parsed["robot"], "scorbot-er3");
  EXPECT_EQ(parsed["made"], "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(parsed["users"][0]["name"], "ada");
  EXPECT_EQ(parsed["files"]["points"]["points"][0]["joints"]["base"], 0.1);

  write("programs/pick.prog", "# spoilt\n");
  write("programs/later.prog", "# later\n");
  write("frames.json", "{}");
  fs::remove(folder_ / "points.json");
  add_user("eve");
  const auto restored = restore_backup(*document, options());
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->programs, 2U);
  EXPECT_EQ(restored->files, 2U);
  EXPECT_EQ(restored->users, 1U);
  EXPECT_TRUE(restored->notes.empty());
  EXPECT_EQ(*backup(), *document);
  EXPECT_FALSE(fs::exists(folder_ / "programs/later.prog"));
  EXPECT_EQ(fs::status(folder_ / "users.json").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(BackupTest, KeepsWhatWasThere) {
  write("programs/pick.prog", "one\n");
  const std::string document = *backup();
  write("programs/pick.prog", "two\n");
  write("programs/.history/pick.prog/3", "three\n");
  write("programs/gone.prog", "gone\n");
  write("audit.log", "line\n");
  write("tls/key.pem", "key\n");
  ASSERT_TRUE(restore_backup(document, options()));
  EXPECT_EQ(text_of(folder_ / "programs/pick.prog"), "one\n");
  EXPECT_EQ(text_of(folder_ / "programs/.history/pick.prog/3"), "three\n");
  EXPECT_EQ(text_of(folder_ / "programs/.history/pick.prog/4"), "two\n");
  EXPECT_EQ(text_of(folder_ / "programs/.history/gone.prog/1"), "gone\n");
  EXPECT_EQ(text_of(folder_ / "audit.log"), "line\n");
  EXPECT_EQ(text_of(folder_ / "tls/key.pem"), "key\n");
  EXPECT_EQ(text_of(folder_ / ".before/programs/pick.prog"), "two\n");
  // what was not replaced is there once
  EXPECT_FALSE(fs::exists(folder_ / ".before/tls"));
  EXPECT_EQ(fs::hard_link_count(folder_ / "tls/key.pem"), 1U);
  // again and again it does not grow
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(restore_backup(document, options()));
  EXPECT_FALSE(fs::exists(folder_ / ".before/.before"));
  EXPECT_FALSE(fs::exists(folder_ / "programs/.history/pick.prog/5"));
  EXPECT_EQ(std::distance(fs::directory_iterator(root_), {}), 1);
}

TEST_F(BackupTest, UsersStayWhenThatIsWantedOrTheBackupHasNone) {
  const std::string without_users = *backup();
  add_user("ada");
  const std::string with_ada = *backup();
  add_user("eve");
  RestoreOptions how = options();
  how.has_users = false;
  ASSERT_TRUE(restore_backup(with_ada, how));
  EXPECT_EQ(accounts::UserFile((folder_ / "users.json").string()).load()->all().size(), 2U);
  const auto restored = restore_backup(without_users, options());
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->notes, std::vector<std::string>{"the backup has no users: those who are there stay"});
  EXPECT_EQ(accounts::UserFile((folder_ / "users.json").string()).load()->all().size(), 2U);
  ASSERT_TRUE(restore_backup(with_ada, options()));
  EXPECT_EQ(accounts::UserFile((folder_ / "users.json").string()).load()->all().size(), 1U);
}

TEST_F(BackupTest, LimitsAndWorkspaceOfTheSiteGoAlong) {
  add_user("ada");
  const std::string without = *backup();
  write("site.yaml", "limits: {base: {upper: 1}}\n");
  const std::string with = *backup();
  write("site.yaml", "limits: {base: {upper: 2}}\n");
  const auto restored = restore_backup(with, options());
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(text_of(folder_ / "site.yaml"), "limits: {base: {upper: 1}}\n");
  EXPECT_EQ(text_of(folder_ / ".before/site.yaml"), "limits: {base: {upper: 2}}\n");
  ASSERT_EQ(restored->notes.size(), 1U);
  EXPECT_NE(restored->notes[0].find("after a restart of the controller"), std::string::npos);
  // the same again is nothing new
  EXPECT_TRUE(restore_backup(with, options())->notes.empty());
  // what does not fit this robot is refused as a whole
  RestoreOptions strict = options();
  strict.site_check = [](std::string_view) -> Status {
    return Error{ErrorCode::OutOfLimits, "no such joint"};
  };
  expect_refused(with, "'site_yaml': no such joint", strict);
  // an older backup says nothing of it, a newer one that there was none
  json older = json::parse(without);
  older.erase("site_yaml");
  ASSERT_TRUE(restore_backup(older.dump(), options()));
  EXPECT_TRUE(fs::exists(folder_ / "site.yaml"));
  ASSERT_TRUE(restore_backup(without, options()));
  EXPECT_FALSE(fs::exists(folder_ / "site.yaml"));
}

TEST_F(BackupTest, OfAnotherRobotOnlyWhenToldSo) {
  add_user("ada");
  const std::string document = *backup();
  RestoreOptions how = options();
  how.robot = "panda";
  how.robot_yaml = "other";
  expect_refused(document, "this backup is of 'scorbot-er3', and this robot is 'panda'", how);
  how.is_for_any_robot = true;
  const auto restored = restore_backup(document, how);
  ASSERT_TRUE(restored);
  ASSERT_EQ(restored->notes.size(), 1U);
  EXPECT_TRUE(restored->notes[0].starts_with("robot.yaml was another one"));
}

TEST_F(BackupTest, WhatIsWrongIsRefusedBeforeAnythingIsTouched) {
  write("programs/pick.prog", "one\n");
  add_user("ada");
  const json good = json::parse(*backup());
  const auto changed = [&](const std::string& pointer, const json& value) {
    json bad = good;
    bad[json::json_pointer(pointer)] = value;
    return bad.dump();
  };
  expect_refused("", "this is no JSON", options());
  expect_refused("[]", "a backup must be an object", options());
  expect_refused("{}", "this is no backup", options());
  expect_refused(changed("/version", 2), "this is no backup", options());
  expect_refused(changed("/colour", 1), "a backup has no 'colour'", options());
  expect_refused(changed("/programs", json::array()), "'programs' must be an object", options());
  for (const std::string name :
       {"..~1..~1evil.prog", ".prog", "a b.prog", "pick.txt", ".history", "x~1y.prog"})
    expect_refused(changed("/programs/" + name, "text"), "is no program: a program's name has", options());
  expect_refused(changed("/programs/pick.prog", 7), "program 'pick.prog' must be text of at most", options());
  for (const std::string name : {"..~1evil", "users", ""})
    expect_refused(changed("/files/" + name, json::object()), "is no name for a file", options());
  expect_refused(changed("/users/0/role", "boss"), "'role' of user 1: 'boss' is no role", options());
  expect_refused(changed("/users/0/role", "viewer"), "no user is an expert", options());
  expect_refused(changed("/users/0/password", "secret"), "no Argon2id hash", options());
  RestoreOptions how = options();
  how.checks["points"] = [](std::string_view) -> Status { return Error{ErrorCode::Damaged, "no points"}; };
  expect_refused(changed("/files/points", json::object()), "'points': no points", how);
  expect_refused(std::string(kMostBackupBytes + 1, ' '), "a backup has 16 MiB at most", options());
}

TEST_F(BackupTest, EveryDocumentCutShortIsRefused) {
  write("programs/pick.prog", "one\n");
  add_user("ada");
  const std::string document = *backup();
  for (std::size_t length = 0; length + 1 < document.size(); length += 7)
    expect_refused(document.substr(0, length), "this is no JSON", options());
}

TEST_F(BackupTest, WhatCannotBePutIntoADocumentIsNamed) {
  write("programs/latin.prog", "# \xe4\n");
  auto document = backup();
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().message, "program 'latin.prog' holds letters that are no UTF-8: mend it first");
  fs::remove(folder_ / "programs/latin.prog");
  write("points.json", "{");
  document = backup();
  ASSERT_FALSE(document);
  EXPECT_NE(document.error().message.find("points.json: line 1, column 2"), std::string::npos);
  write("points.json", "{}");
  write("users.json", "{");
  EXPECT_FALSE(backup());
}

TEST_F(BackupTest, NobodyElseChangesTheFolderMeanwhile) {
  const std::string document = *backup();
  const auto lock = accounts::FolderLock::take(folder_.string());
  ASSERT_TRUE(lock);
  const auto restored = restore_backup(document, options());
  ASSERT_FALSE(restored);
  EXPECT_EQ(restored.error().code, ErrorCode::TimedOut);
}

// killed at any instant, all programs are of one backup or all of the other
TEST_F(BackupTest, SurvivesDeathInTheMiddle) {
  std::vector<std::string> documents;
  for (const std::string word : {"one", "two"}) {
    for (int i = 0; i < 8; ++i) write(fmt::format("programs/p{}.prog", i), word);
    documents.push_back(*backup());
  }
  for (int round = 0; round < 30; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      for (std::size_t i = 0;; ++i) static_cast<void>(restore_backup(documents[i % 2], options()));
    usleep(static_cast<useconds_t>(1000 + 1777 * round));
    kill(child, SIGKILL);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    ASSERT_TRUE(mend_restore(folder_.string()));
    const std::string word = text_of(folder_ / "programs/p0.prog");
    EXPECT_TRUE(word == "one" || word == "two");
    for (int i = 1; i < 8; ++i) EXPECT_EQ(text_of(folder_ / fmt::format("programs/p{}.prog", i)), word);
  }
}

// where folders cannot be exchanged, there is an instant without one
TEST_F(BackupTest, MendsWhatWasInterrupted) {
  write("programs/pick.prog", "one\n");
  fs::rename(folder_, root_ / ".scorbot-er3.new");
  fs::create_directories(root_ / ".scorbot-er3.old");
  ASSERT_TRUE(mend_restore(folder_.string()));
  EXPECT_EQ(text_of(folder_ / "programs/pick.prog"), "one\n");
  fs::create_directories(root_ / ".scorbot-er3.new");
  ASSERT_TRUE(mend_restore(folder_.string()));
  EXPECT_EQ(text_of(folder_ / "programs/pick.prog"), "one\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(root_), {}), 1);
}

}  // namespace
}  // namespace sinew

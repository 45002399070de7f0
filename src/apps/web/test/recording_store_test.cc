// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/recording_store.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

class RecordingStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"first", "second", "elsewhere"}) fs::create_directories(folder_ / name);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void put(const fs::path& name, const std::string& text, int age_s = 0) const {
    std::ofstream(folder_ / name) << text;
    fs::last_write_time(folder_ / name, fs::file_time_type::clock::now() - std::chrono::seconds(age_s));
  }
  std::string why_not(std::string_view name) const {
    const auto bytes = store_.read(name);
    return bytes ? "read: " + *bytes : bytes.error().message;
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("sinew-recordings-{}", getpid());
  RecordingStore store_{{folder_ / "first", folder_ / "second", folder_ / "none"}};
};

TEST_F(RecordingStoreTest, ListsTheNewestFirst) {
  put("first/old.mcap", "12345", 100);
  put("second/new.mcap", "1", 5);
  put("first/notes.txt", "no recording");
  put("first/.hidden.mcap", "x");
  const auto list = store_.list();
  ASSERT_EQ(list.size(), 2);
  EXPECT_EQ(list[0].name, "new.mcap");
  EXPECT_EQ(list[1].name, "old.mcap");
  EXPECT_EQ(list[1].bytes, 5);
  EXPECT_GE(list[0].changed_s, list[1].changed_s + 90);
}

TEST_F(RecordingStoreTest, OfTheSameNameTheFirstCounts) {
  put("first/a.mcap", "first");
  put("second/a.mcap", "second");
  EXPECT_EQ(store_.list().size(), 1);
  EXPECT_EQ(why_not("a.mcap"), "read: first");
}

TEST_F(RecordingStoreTest, GivesWhatIsInTheFile) {
  const std::string bytes("\x89MCAP0\r\n\0\xff", 10);
  put("second/2026-11-16T01-30-00Z-self-collision.mcap", bytes);
  EXPECT_EQ(why_not("2026-11-16T01-30-00Z-self-collision.mcap"), "read: " + bytes);
  EXPECT_EQ(why_not("other.mcap"), "there is no recording 'other.mcap'");
}

TEST_F(RecordingStoreTest, NoNameLeadsElsewhere) {
  put("elsewhere/secret.mcap", "secret");
  for (const std::string name : {"../elsewhere/secret.mcap", "..", ".", "", ".mcap", "/etc/passwd",
                                 "a/b.mcap", "..%2felsewhere%2fsecret.mcap", "a\\..\\b.mcap", ".hidden.mcap",
                                 "secret", "secret.mcap.txt", "secret.mcap/"})
    EXPECT_NE(why_not(name).find("a recording's name has letters"), std::string::npos) << name;
  EXPECT_NE(why_not(std::string("a\0.mcap", 7)).find("a recording's name"), std::string::npos);
  EXPECT_NE(why_not(std::string(129, 'a') + ".mcap").find("at most 128"), std::string::npos);
}

TEST_F(RecordingStoreTest, NoLinkLeadsElsewhere) {
  put("elsewhere/secret.mcap", "secret");
  fs::create_symlink(folder_ / "elsewhere/secret.mcap", folder_ / "first/link.mcap");
  fs::create_directory(folder_ / "first/folder.mcap");
  EXPECT_TRUE(store_.list().empty());
  EXPECT_EQ(why_not("link.mcap"), "there is no recording 'link.mcap'");
  EXPECT_EQ(why_not("folder.mcap"), "there is no recording 'folder.mcap'");
}

TEST_F(RecordingStoreTest, WhatIsTooLargeIsNotSent) {
  put("first/huge.mcap", "");
  fs::resize_file(folder_ / "first/huge.mcap", RecordingStore::kMostBytes + 1);
  EXPECT_EQ(why_not("huge.mcap"),
            "'huge.mcap' has 64.0 MiB; by this way 64 MiB at most: copy the file itself");
}

}  // namespace
}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apps/web/frame_store.h"
#include "apps/web/point_store.h"
#include "apps/web/program_notes.h"
#include "apps/web/program_store.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Stores : public testing::Test {
 protected:
  Stores() { fs::create_directories(folder_); }
  ~Stores() override { fs::remove_all(folder_); }

  std::string text_of_file(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_ =
      fs::temp_directory_path() / fmt::format("web_stores_{}_{}", getpid(),
                                              testing::UnitTest::GetInstance()->current_test_info()->name());
  ProgramStore programs_{folder_ / "programs"};
  PointStore points_{folder_ / "points.json", folder_ / "programs"};
};

TaughtPoint point(const std::string& name, double value) {
  return {.name = name, .arm = "arm", .note = "", .joints = {{"base", value}, {"slide", 0.25}}};
}

TEST_F(Stores, AProgramIsReadAsItWasWritten) {
  const std::string text = "MOVEJ 0 0 0\nPRINT \"grüße\"\n";
  ASSERT_TRUE(programs_.write("weld-1.prog", text));
  EXPECT_EQ(programs_.read("weld-1.prog").value_or(""), text);
  ASSERT_EQ(programs_.list().size(), 1U);
  EXPECT_EQ(programs_.list()[0].name, "weld-1.prog");
}

TEST_F(Stores, NamesThatLeadElsewhereAreNone) {
  for (const char* name :
       {"../a.prog", "a/b.prog", ".prog", "a.prog.", "a", "a\n.prog", "..prog", "/a.prog", "a b.prog"}) {
    EXPECT_FALSE(programs_.write(name, "STOP")) << name;
    EXPECT_FALSE(programs_.read(name)) << name;
  }
  EXPECT_FALSE(programs_.write(std::string(65, 'a') + ".prog", "STOP"));
  EXPECT_TRUE(programs_.list().empty());
}

TEST_F(Stores, EveryVersionCanBeHadBack) {
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(programs_.write("a.prog", fmt::format("WAIT {}\n", i)));
  const auto versions = programs_.history("a.prog");
  ASSERT_EQ(versions.size(), ProgramStore::kMostKept);
  EXPECT_EQ(programs_.read_version("a.prog", versions.front().number).value_or(""), "WAIT 58\n");
  EXPECT_EQ(programs_.read("a.prog").value_or(""), "WAIT 59\n");
  ASSERT_TRUE(programs_.remove("a.prog"));
  EXPECT_FALSE(programs_.read("a.prog"));
  EXPECT_EQ(programs_.read_version("a.prog", programs_.history("a.prog").front().number).value_or(""),
            "WAIT 59\n");
}

TEST_F(Stores, TheSameTextAgainIsNoChange) {
  ASSERT_TRUE(programs_.write("a.prog", "STOP\n"));
  const std::uint64_t changes = programs_.changes();
  ASSERT_TRUE(programs_.write("a.prog", "STOP\n"));
  EXPECT_EQ(programs_.changes(), changes);
  EXPECT_TRUE(programs_.history("a.prog").empty());
}

TEST_F(Stores, AProgramThatIsTooLargeChangesNothing) {
  ASSERT_TRUE(programs_.write("a.prog", "STOP\n"));
  EXPECT_FALSE(programs_.write("a.prog", std::string(ProgramStore::kMostBytes + 1, '#')));
  EXPECT_EQ(programs_.read("a.prog").value_or(""), "STOP\n");
}

TEST_F(Stores, PointsOutliveTheProcess) {
  ASSERT_TRUE(points_.put(point("pick", 0.5)));
  ASSERT_TRUE(points_.put(point("place", -0.5)));
  PointStore next(folder_ / "points.json", folder_ / "programs");
  ASSERT_TRUE(next.load());
  EXPECT_EQ(next.points(), points_.points());
}

TEST_F(Stores, ProgramsFindThePoints) {
  points_.set_lengths({"slide"});
  ASSERT_TRUE(points_.put(point("pick", 0.5)));
  EXPECT_NE(text_of_file("programs/points.prog").find("pick = JOINTS(28.6478898, 250.0000000)"),
            std::string::npos)
      << text_of_file("programs/points.prog");
  ASSERT_TRUE(points_.remove("pick"));
  EXPECT_EQ(text_of_file("programs/points.prog").find("pick"), std::string::npos);
}

TEST_F(Stores, UndoAndRedoGoThroughAllChanges) {
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(points_.put(point("p", i)));
  for (int i = 3; i >= 0; --i) {
    ASSERT_TRUE(points_.undo());
    EXPECT_EQ(points_.points()[0].joints[0].second, i);
  }
  ASSERT_TRUE(points_.undo());
  EXPECT_TRUE(points_.points().empty());
  EXPECT_FALSE(points_.undo());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(points_.redo());
  EXPECT_EQ(points_.points()[0].joints[0].second, 4.0);
  EXPECT_FALSE(points_.redo());
}

TEST_F(Stores, AChangeAfterAnUndoEndsRedo) {
  ASSERT_TRUE(points_.put(point("a", 1)));
  ASSERT_TRUE(points_.undo());
  ASSERT_TRUE(points_.put(point("b", 2)));
  EXPECT_FALSE(points_.redo());
}

TEST_F(Stores, PointsThatProgramsCouldNotNameAreRefused) {
  for (const char* name : {"", "1st", "a b", "a-b", "ä"}) EXPECT_FALSE(points_.put(point(name, 0))) << name;
  EXPECT_FALSE(points_.replace({point("same", 0), point("same", 1)}));
  EXPECT_FALSE(points_.put(point("nan", std::nan(""))));
  EXPECT_FALSE(points_.put({.name = "none", .arm = "arm", .note = "", .joints = {}}));
  EXPECT_TRUE(points_.points().empty());
}

TEST_F(Stores, ADamagedFileIsLeftAsItIs) {
  std::ofstream(folder_ / "points.json") << "{\"points\": [{";
  EXPECT_FALSE(points_.load());
  EXPECT_FALSE(points_.put(point("a", 1)));
  EXPECT_EQ(text_of_file("points.json"), "{\"points\": [{");
}

TEST_F(Stores, TaughtToolsAndFramesAreDefinedForPrograms) {
  FrameStore tools(FrameStore::Kind::Tools, folder_, folder_ / "programs");
  ASSERT_TRUE(tools.put({.name = "tip", .arm = "arm", .X = {.position = Vector3(0.0, 0.0, 0.125)}}));
  EXPECT_NE(text_of_file("programs/tools.prog").find("TOOL {tip} = POSE(0.0000, 0.0000, 125.0000, "),
            std::string::npos)
      << text_of_file("programs/tools.prog");
  FrameStore next(FrameStore::Kind::Tools, folder_, folder_ / "programs");
  ASSERT_TRUE(next.load());
  ASSERT_EQ(next.all().size(), 1U);
  EXPECT_EQ(next.all()[0].X.position, Vector3(0.0, 0.0, 0.125));
  EXPECT_FALSE(next.put({.name = "far", .arm = "arm", .X = {.position = Vector3(1e9, 0, 0)}}));
  EXPECT_FALSE(next.put({.name = "no name", .arm = "arm"}));
  ASSERT_TRUE(next.remove("tip"));
  EXPECT_EQ(text_of_file("programs/tools.prog").find("tip"), std::string::npos);
}

TEST_F(Stores, TheSameTextHasTheSameVersionAndNoOther) {
  EXPECT_EQ(ProgramStore::version_of("STOP\n"), ProgramStore::version_of("STOP\n"));
  EXPECT_NE(ProgramStore::version_of("STOP\n"), ProgramStore::version_of("STOP\n\n"));
  EXPECT_EQ(ProgramStore::version_of("").size(), 16U);
}

TEST_F(Stores, ARemovedProgramIsToldAndComesBack) {
  ASSERT_TRUE(programs_.write("a.prog", "STOP\n"));
  EXPECT_TRUE(programs_.removed().empty());
  EXPECT_FALSE(programs_.restore("a.prog")) << "it is there";
  ASSERT_TRUE(programs_.remove("a.prog"));
  ASSERT_EQ(programs_.removed().size(), 1U);
  EXPECT_EQ(programs_.removed()[0].name, "a.prog");
  ASSERT_TRUE(programs_.restore("a.prog"));
  EXPECT_EQ(programs_.read("a.prog").value_or(""), "STOP\n");
  EXPECT_TRUE(programs_.removed().empty());
  EXPECT_FALSE(programs_.restore("never.prog"));
  EXPECT_FALSE(programs_.restore("../a.prog"));
}

TEST_F(Stores, NotesOnProgramsAreThereAgain) {
  ProgramNotes notes(folder_ / "notes.json");
  ASSERT_TRUE(notes.put("a.prog", {.by = "ada", .version = "f0", .breakpoints = {7, 3, 3}}));
  EXPECT_FALSE(notes.put("a.prog", {.breakpoints = {0}}));
  std::vector<std::uint64_t> many;
  for (std::uint64_t line = 1; line <= ProgramNotes::kMostBreakpoints + 1; ++line) many.push_back(line);
  EXPECT_FALSE(notes.put("a.prog", {.breakpoints = many}));
  ProgramNotes again(folder_ / "notes.json");
  ASSERT_TRUE(again.load());
  EXPECT_EQ(again.of("a.prog").by, "ada");
  ASSERT_TRUE(notes.put("a.prog", {.by = "ada", .version = "f0", .breakpoints = {7, 3, 3}}));
  EXPECT_EQ(notes.of("a.prog").breakpoints, (std::vector<std::uint64_t>{3, 7}));
  EXPECT_TRUE(again.of("b.prog").breakpoints.empty());
  std::ofstream(folder_ / "notes.json") << "{";
  ProgramNotes damaged(folder_ / "notes.json");
  EXPECT_FALSE(damaged.load());
  EXPECT_TRUE(damaged.put("b.prog", {.breakpoints = {1}})) << "they are no reason to stop working";
}

TEST_F(Stores, ChangesOfToolsAreTakenBackAndDoneAgain) {
  FrameStore tools(FrameStore::Kind::Tools, folder_, folder_ / "programs");
  EXPECT_FALSE(tools.undo());
  ASSERT_TRUE(tools.put({.name = "pen", .arm = "arm"}));
  ASSERT_TRUE(tools.put({.name = "saw", .arm = "arm"}));
  ASSERT_TRUE(tools.remove("pen"));
  EXPECT_EQ(tools.undo_count(), 3U);
  ASSERT_TRUE(tools.undo());
  ASSERT_EQ(tools.all().size(), 2U);
  EXPECT_NE(text_of_file("programs/tools.prog").find("{pen}"), std::string::npos)
      << "programs have it back, too";
  ASSERT_TRUE(tools.undo());
  EXPECT_EQ(tools.all().size(), 1U);
  ASSERT_TRUE(tools.redo());
  ASSERT_TRUE(tools.redo());
  EXPECT_FALSE(tools.redo());
  ASSERT_EQ(tools.all().size(), 1U);
  EXPECT_EQ(tools.all()[0].name, "saw");
  ASSERT_TRUE(tools.undo());
  ASSERT_TRUE(tools.put({.name = "cup", .arm = "arm"}));
  EXPECT_EQ(tools.redo_count(), 0U) << "what was taken back is over with the next change";
  FrameStore next(FrameStore::Kind::Tools, folder_, folder_ / "programs");
  ASSERT_TRUE(next.load());
  EXPECT_EQ(next.all().size(), 3U);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(tools.put({.name = "pen", .arm = "arm", .mass = 0.1 * i}));
  EXPECT_EQ(tools.undo_count(), FrameStore::kMostUndone);
}

// what counts is written first: when the rest cannot be, people are told, and what is shown is what is kept
TEST_F(Stores, AChangeCountsAlsoWhenProgramsCannotBeToldOfIt) {
  std::ofstream(folder_ / "programs") << "no folder";
  FrameStore tools(FrameStore::Kind::Tools, folder_, folder_ / "programs");
  for (int i = 1; i <= 2; ++i) {
    EXPECT_FALSE(points_.put(point("p", i)));
    EXPECT_FALSE(tools.put({.name = "pen", .arm = "arm", .mass = 1.0 * i}));
  }
  EXPECT_FALSE(points_.undo());
  EXPECT_FALSE(tools.undo());
  ASSERT_EQ(points_.points().size(), 1U);
  EXPECT_EQ(points_.points()[0].joints[0].second, 1.0);
  EXPECT_EQ(tools.all()[0].mass, 1.0);
  EXPECT_EQ(points_.undo_count(), 1U);
  EXPECT_EQ(points_.redo_count(), 1U);
  EXPECT_EQ(tools.redo_count(), 1U);
  fs::remove(folder_ / "programs");
  PointStore next(folder_ / "points.json", folder_ / "programs");
  ASSERT_TRUE(next.load());
  EXPECT_EQ(next.points(), points_.points());
  // the same once more, now that there is room for it
  ASSERT_TRUE(points_.put(point("p", 1)));
  EXPECT_EQ(points_.redo_count(), 1U);
  EXPECT_NE(text_of_file("programs/points.prog").find("p = "), std::string::npos);
  ASSERT_TRUE(points_.redo());
}

// as after it was put back by somebody whose file it is
TEST_F(Stores, AFileThatCannotBeReadIsNotWrittenOver) {
  fs::create_directory(folder_ / "points.json");
  EXPECT_FALSE(points_.load());
  const Status put = points_.put(point("p", 1));
  ASSERT_FALSE(put);
  EXPECT_NE(put.error().message.find("could not be read and is not written over"), std::string::npos);
  fs::remove(folder_ / "points.json");
  ASSERT_TRUE(points_.load());
  EXPECT_TRUE(points_.put(point("p", 1)));
}

TEST_F(Stores, WhatSomebodyElseHasWrittenCanBeTakenBack) {
  FrameStore tools(FrameStore::Kind::Tools, folder_, folder_ / "programs");
  ASSERT_TRUE(points_.put(point("mine", 1)));
  ASSERT_TRUE(tools.put({.name = "mine", .arm = "arm"}));
  PointStore other_points(folder_ / "points.json", folder_ / "programs");
  FrameStore other_tools(FrameStore::Kind::Tools, folder_, folder_ / "programs");
  ASSERT_TRUE(other_points.put(point("theirs", 2)));
  ASSERT_TRUE(other_tools.put({.name = "theirs", .arm = "arm"}));
  ASSERT_TRUE(points_.reload());
  ASSERT_TRUE(tools.reload());
  EXPECT_EQ(points_.points()[0].name, "theirs");
  EXPECT_EQ(tools.all()[0].name, "theirs");
  ASSERT_TRUE(points_.undo());
  ASSERT_TRUE(tools.undo());
  EXPECT_EQ(points_.points()[0].name, "mine");
  EXPECT_EQ(tools.all()[0].name, "mine");
}

}  // namespace
}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/robot_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"
#include "sinew/model/new_robot.h"
#include "sinew/model/urdf.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class RobotFilesTest : public testing::TestWithParam<FolderFiles::Walk> {
 protected:
  RobotFilesTest() {
    fs::create_directories(inside_ / "meshes");
    write(outside_ / "secret.yaml", "word: swordfish\n");
    write(outside_ / "secret.xacro", "<robot name=\"swordfish\"><link name=\"swordfish\"/></robot>");
    write(outside_ / "secret.stl", "solid swordfish\nendsolid swordfish\n");
    write(inside_ / "own.yaml", "word: own\n");
  }
  ~RobotFilesTest() override { fs::remove_all(outside_); }

  static void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::unique_ptr<FolderFiles> files() const { return *FolderFiles::of(inside_, GetParam()); }
  Result<std::string> read(const fs::path& path) const {
    return files()->read(path, {.most_bytes = 1000, .remedy = "cut it"});
  }

  fs::path outside_ = fs::temp_directory_path() / fmt::format("robot_files_{}", getpid());
  fs::path inside_ = outside_ / "inside";
};

TEST_P(RobotFilesTest, FilesOfTheFolderAreReadByAnyNameOfTheirs) {
  for (const fs::path& path :
       {inside_ / "own.yaml", inside_ / "meshes/../own.yaml", inside_ / "./own.yaml",
        inside_ / "../inside/own.yaml", fs::relative(inside_, fs::current_path()) / "own.yaml"}) {
    const auto text = read(path);
    ASSERT_TRUE(text) << path << ": " << text.error().message;
    EXPECT_EQ(*text, "word: own\n");
    EXPECT_TRUE(files()->is_file(path));
  }
  EXPECT_TRUE(files()->is_folder(inside_ / "meshes"));
  EXPECT_TRUE(files()->is_folder(inside_));
  EXPECT_FALSE(files()->is_file(inside_ / "meshes"));
  EXPECT_EQ(read(inside_ / "none.yaml").error().code, ErrorCode::NotFound);
  EXPECT_EQ(read(inside_ / "meshes").error().code, ErrorCode::InvalidInput);
}

TEST_P(RobotFilesTest, NothingElseIsSeen) {
  fs::create_symlink(outside_ / "secret.yaml", inside_ / "link.yaml");
  fs::create_directory_symlink(outside_, inside_ / "folder");
  fs::create_symlink("own.yaml", inside_ / "own_link.yaml");
  for (const fs::path& path :
       {outside_ / "secret.yaml", inside_ / "../secret.yaml", inside_ / "meshes/../../secret.yaml",
        inside_ / "link.yaml", inside_ / "folder/secret.yaml", inside_ / "own_link.yaml",
        fs::path("/etc/passwd"), fs::path("/proc/self/environ"), inside_ / "../inside_too/a"}) {
    const auto text = read(path);
    ASSERT_FALSE(text) << path;
    EXPECT_EQ(text.error().code, ErrorCode::Denied) << text.error().message;
    EXPECT_EQ(text.error().message.find("swordfish"), std::string::npos);
    EXPECT_FALSE(files()->is_file(path)) << path;
    EXPECT_FALSE(files()->is_folder(path)) << path;
  }
  // whether a file is there, elsewhere, makes no difference to what is said
  EXPECT_EQ(read("/etc/passwd").error().code, read("/etc/none").error().code);
}

TEST_P(RobotFilesTest, NothingThatWaitsOrIsTooLargeIsRead) {
  ASSERT_EQ(mkfifo((inside_ / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(read(inside_ / "pipe"));
  write(inside_ / "large", std::string(1001, 'a'));
  EXPECT_NE(read(inside_ / "large").error().message.find("more than the 1000 B"), std::string::npos)
      << read(inside_ / "large").error().message;
}

// each way by which a description can name a file
TEST_P(RobotFilesTest, NoDescriptionReadsBeyondItsFolder) {
  fs::create_directory_symlink(outside_, inside_ / "folder");
  const std::string out = outside_.string();
  const auto xacro = [](const std::string& text) {
    return fmt::format("<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">{}</robot>", text);
  };
  const auto yaml = [&](const std::string& file) {
    return xacro(fmt::format("<link name=\"${{load_yaml('{}')['word']}}\"/>", file));
  };
  const auto include = [&](const std::string& file) {
    return xacro(fmt::format("<xacro:include filename=\"{}\"/>", file));
  };
  for (const std::string& text :
       {yaml(out + "/secret.yaml"), yaml("../secret.yaml"), yaml("folder/secret.yaml"),
        yaml("$(dirname)/../secret.yaml"), include(out + "/secret.xacro"), include("../secret.xacro"),
        include("folder/secret.xacro"), include("$(find inside)/../secret.xacro"),
        include(fmt::format("$(find {})/secret.xacro", outside_.filename().string()))}) {
    write(inside_ / "r.xacro", text);
    ASSERT_TRUE(read_urdf(inside_ / "r.xacro")) << "the command line may: " << text;
    const auto files = this->files();
    const auto robot = read_urdf(inside_ / "r.xacro", {.package_paths = {inside_}, .files = files.get()});
    ASSERT_FALSE(robot) << text;
    EXPECT_EQ(robot.error().message.find("swordfish"), std::string::npos) << robot.error().message;
  }
}

TEST_P(RobotFilesTest, ARobotThatIsMadeOfThemNamesNoOtherMesh) {
  fs::create_symlink(outside_ / "secret.stl", inside_ / "link.stl");
  for (const std::string& mesh :
       {"file://" + (outside_ / "secret.stl").string(), (outside_ / "secret.stl").string(),
        std::string("../secret.stl"), std::string("package://inside/../secret.stl"),
        fmt::format("package://{}/secret.stl", outside_.filename().string()), std::string("link.stl")}) {
    write(
        inside_ / "r.urdf",
        fmt::format("<robot name=\"r\"><link name=\"a\"><visual><geometry><mesh filename=\"{}\"/></geometry>"
                    "</visual></link></robot>",
                    mesh));
    const auto files = this->files();
    fs::remove_all(inside_ / "made");
    const auto made = make_robot_folder(inside_ / "r.urdf", inside_ / "made",
                                        {.package_paths = {inside_}, .files = files.get()});
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_FALSE(fs::exists(inside_ / "made/meshes"));
    // nor does it when somebody loads it who may read everything
    const auto loaded = load_robot((inside_ / "made").string());
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->model.links[0].visuals[0].mesh_path, "") << mesh;
  }
}

// who loads it later would expand it, with his freedom
TEST_P(RobotFilesTest, NothingOfXacroIsLeftInARobotThatIsMade) {
  const std::string secret = (outside_ / "secret.yaml").string();
  write(inside_ / "r.xacro", fmt::format("<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">"
                                         "<link name=\"$${{load_yaml('{}')['word']}}\"/></robot>",
                                         secret));
  const auto files = this->files();
  const auto made = make_robot_folder(inside_ / "r.xacro", inside_ / "made", {.files = files.get()});
  ASSERT_TRUE(made) << made.error().message;
  const auto loaded = load_robot((inside_ / "made").string());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->model.links[0].name.find("swordfish"), std::string::npos);
  // an attribute that would make it xacro again
  write(inside_ / "q.xacro",
        "<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><link name=\"a\"/>"
        "<xacro:attribute name=\"xmlns:xacro\" value=\"http://www.ros.org/wiki/xacro\"/></robot>");
  EXPECT_FALSE(make_robot_folder(inside_ / "q.xacro", inside_ / "made2", {.files = files.get()}));
}

INSTANTIATE_TEST_SUITE_P(BothWays, RobotFilesTest,
                         testing::Values(FolderFiles::Walk::Kernel, FolderFiles::Walk::Steps));

}  // namespace
}  // namespace sinew

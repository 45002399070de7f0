// SPDX-License-Identifier: BSD-3-Clause
// Shipped robots with a few bytes changed, thousands of times: each is read or refused, none crashes a
// reader, and what is read keeps the model's promises.
#include <array>
#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"
#include "sinew/model/robot_yaml.h"
#include "sinew/model/srdf.h"
#include "sinew/model/text_input.h"
#include "sinew/model/urdf.h"
#include "sinew/model/xacro.h"

namespace sinew {
namespace {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutated(std::string text) {
    for (int changes = 1 + static_cast<int>(below(4)); changes > 0 && !text.empty(); --changes) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

  void change(std::string& text) {
    static constexpr std::array<const char*, 16> kWords{"nan",    "-1",   "1e999",        "0",    "\"", "<",
                                                        ">",      "/",    "${a}",         "link", "'",  ": ",
                                                        "\n  - ", "\xff", "<!DOCTYPE x>", "joint"};
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(below(40), text.size() - at);
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      case 3:
        text.insert(at, kWords[below(kWords.size())]);
        break;
      default:
        text.replace(at, std::min(length, std::size_t{6}), kWords[below(kWords.size())]);
    }
  }

  std::mt19937 random_;
};

std::string shipped_file(const std::string& robot, const char* file) {
  const auto loaded = load_robot(robot);
  EXPECT_TRUE(loaded);
  const auto text = read_text_file(loaded->urdf.parent_path() / file);
  EXPECT_TRUE(text);
  return text ? *text : "";
}

void expect_promises(const RobotModel& model) {
  for (const Joint& joint : model.joints) {
    ASSERT_TRUE(is_valid(joint.X_PJ));
    ASSERT_NEAR(joint.axis.norm(), 1.0, 1e-9);
    ASSERT_LE(joint.limits.lower, joint.limits.upper);
    ASSERT_GT(joint.limits.velocity, 0.0);
  }
  for (const Link& link : model.links) {
    for (const Shape& shape : link.collisions) ASSERT_TRUE(is_valid(shape.X_LG));
  }
}

constexpr int kMutations = 3000;

TEST(MutationTest, UrdfsAreReadOrRefused) {
  const std::string original = shipped_file("scorbot-er3", "robot.urdf");
  Mutator mutator(1);
  int read = 0;
  for (int i = 0; i < kMutations; ++i) {
    const auto robot = read_urdf_text(mutator.mutated(original), "m.urdf");
    if (!robot) {
      ASSERT_FALSE(robot.error().message.empty());
      continue;
    }
    ++read;
    expect_promises(robot->model);
  }
  // the changes must be small enough to test more than the XML parser, and large enough to be refused
  EXPECT_GT(read, kMutations / 20);
  EXPECT_LT(read, kMutations * 19 / 20);
}

TEST(MutationTest, RobotYamlsAreReadOrRefused) {
  const std::string original = shipped_file("scorbot-er3", "robot.yaml");
  const auto urdf = read_urdf_text(shipped_file("scorbot-er3", "robot.urdf"), "robot.urdf");
  ASSERT_TRUE(urdf);
  Mutator mutator(2);
  int read = 0;
  for (int i = 0; i < kMutations; ++i) {
    const auto root = parse_yaml(mutator.mutated(original), "robot.yaml");
    if (!root) continue;
    RobotModel model = urdf->model;
    if (!apply_robot_yaml(*root, model)) continue;
    ++read;
    expect_promises(model);
  }
  EXPECT_GT(read, kMutations / 25);
  EXPECT_LT(read, kMutations * 19 / 20);
}

constexpr const char* kXacro =
    R"xml(<robot xmlns:xacro="x" name="$(arg name)"><xacro:arg name="name" default="r"/>
<xacro:property name="length" value="${2 * 0.5 + min(1, 2)}"/>
<xacro:macro name="part" params="n parent:=base *origin"><link name="l${n}"/>
<joint name="j${n}" type="continuous"><parent link="${parent}"/><child link="l${n}"/><xacro:insert_block name="origin"/></joint>
</xacro:macro><link name="base"/>
<xacro:part n="1"><origin xyz="0 0 ${length / 3 if length > 1 else sin(pi)}"/></xacro:part>
<xacro:unless value="${1 == 2}"><xacro:part n="2" parent="l1"><origin/></xacro:part></xacro:unless></robot>)xml";

TEST(MutationTest, XacrosAreExpandedOrRefused) {
  ASSERT_TRUE(expand_xacro_text(kXacro, "m.xacro"));
  Mutator mutator(3);
  int read = 0;
  for (int i = 0; i < kMutations; ++i) {
    const auto root = expand_xacro_text(mutator.mutated(kXacro), "m.xacro");
    if (!root) continue;
    const auto robot = read_urdf_tree(*root, "m.urdf");
    if (!robot) continue;
    ++read;
    expect_promises(robot->model);
  }
  // it is short, so most changes hit something that matters
  EXPECT_GT(read, kMutations / 100);
  EXPECT_LT(read, kMutations * 19 / 20);
}

TEST(MutationTest, SrdfsAreReadOrRefused) {
  const auto robot = load_robot("panda");
  ASSERT_TRUE(robot);
  const std::string original = srdf_text(robot->model);
  Mutator mutator(4);
  for (int i = 0; i < kMutations; ++i) {
    RobotModel model = robot->model;
    const auto remarks = apply_srdf_text(mutator.mutated(original), "m.srdf", model);
    if (!remarks) {
      EXPECT_EQ(model.arms.size(), robot->model.arms.size());
    }
    for (const IgnoredPair& pair : model.ignored_pairs) ASSERT_NE(pair.link_a, pair.link_b);
  }
}

}  // namespace
}  // namespace sinew

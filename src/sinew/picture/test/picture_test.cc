// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/picture.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "sinew/kinematics/serial_chain.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/urdf.h"

namespace sinew {
namespace {

constexpr std::uint64_t kGolden = 3487220791024421603U;

// A grey foot, and a red ball at the end of two joints.
constexpr const char* kBallOnArm = R"(<robot name="arm">
  <link name="foot"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
  <link name="mast"/>
  <link name="ball"><visual><geometry><sphere radius="0.08"/></geometry>
    <material name="red"><color rgba="0.9 0.05 0.05 1"/></material></visual></link>
  <joint name="turn" type="continuous"><parent link="foot"/><child link="mast"/><axis xyz="0 0 1"/></joint>
  <joint name="lift" type="continuous"><parent link="mast"/><child link="ball"/><origin xyz="0 0 0.3"/>
    <axis xyz="0 1 0"/></joint>
  <joint name="tip_joint" type="fixed"><parent link="ball"/><child link="tip"/><origin xyz="0.5 0 0"/></joint>
  <link name="tip"><visual><geometry><sphere radius="0.06"/></geometry>
    <material name="blue"><color rgba="0.05 0.05 0.9 1"/></material></visual></link>
</robot>)";

RobotModel model_of(const char* text) {
  auto read = read_urdf_text(text, "robot.urdf");
  EXPECT_TRUE(read) << read.error().message;
  return std::move(read->model);
}

std::uint64_t hash_of(const Image& image) {
  std::uint64_t hash = 1469598103934665603U;
  for (const std::uint8_t byte : image.bytes) hash = (hash ^ byte) * 1099511628211U;
  return hash;
}

// The sum of all differences per pixel between two pictures.
double difference(const Image& a, const Image& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.bytes.size(); ++i) sum += std::abs(a.bytes[i] - b.bytes[i]);
  return sum / static_cast<double>(a.bytes.size());
}

// a link's colour is where forward kinematics says that the link is, in every view
TEST(Picture, ShowsALinkWhereTheChainPutsIt) {
  const RobotModel model = model_of(kBallOnArm);
  const auto chain = SerialChain::make(model, find_link(model, "foot"), find_link(model, "tip"));
  ASSERT_TRUE(chain);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> angle(-1.2, 1.2);
  for (const View view : {View::Iso, View::Front, View::Side, View::Top}) {
    const PictureOptions options{.width = 120, .height = 90, .view = view};
    for (int i = 0; i < 3; ++i) {
      const std::array<double, 2> q{angle(random), angle(random)};
      const auto picture = draw_robot(model, q, options);
      ASSERT_TRUE(picture);
      const Vector3 tip = chain->tool_pose(q).position;
      const auto place = place_in_picture(model, q, tip, options);
      ASSERT_TRUE(place);
      const std::uint8_t* pixel =
          picture->image.pixel(static_cast<int>(place->x), static_cast<int>(place->y));
      // the red ball may stand before the blue one, nothing else
      const bool is_blue = pixel[2] > 2 * pixel[0];
      const bool is_red = pixel[0] > 2 * pixel[2];
      EXPECT_TRUE(is_blue || is_red) << int{pixel[0]} << ' ' << int{pixel[1]} << ' ' << int{pixel[2]};
      if (view == View::Iso || view == View::Front) {
        EXPECT_TRUE(is_blue || std::abs(tip.y()) < 0.3);
      }
    }
  }
}

TEST(Picture, IsTheSameOnEveryRun) {
  const RobotModel model = model_of(kBallOnArm);
  const std::array<double, 2> q{0.4, -0.3};
  const PictureOptions options{.width = 64, .height = 48};
  const auto first = draw_robot(model, q, options);
  const auto second = draw_robot(model, q, options);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(hash_of(first->image), hash_of(second->image));
  EXPECT_EQ(first->image.bytes.size(), 64U * 48U * 3U);
}

// a change that nobody meant shows here; look at a picture, then write the new number
TEST(Picture, LooksAsItDidWhenSomebodyLookedAtIt) {
  const RobotModel model = model_of(kBallOnArm);
  const std::array<double, 2> q{0.4, -0.3};
  const auto picture = draw_robot(model, q, {.width = 64, .height = 48});
  ASSERT_TRUE(picture);
  EXPECT_EQ(hash_of(picture->image), kGolden);
}

TEST(Picture, MovesWithTheRobotAndItsView) {
  const auto robot = load_robot("ur5e");
  ASSERT_TRUE(robot);
  const std::vector<double> zero(6, 0.0);
  const std::vector<double> bent{0.0, -1.2, 1.4, 0.0, 0.5, 0.0};
  const PictureOptions small{.width = 64, .height = 48};
  const auto a = draw_robot(robot->model, zero, small);
  const auto b = draw_robot(robot->model, bent, small);
  const auto c = draw_robot(robot->model, bent, {.width = 64, .height = 48, .view = View::Top});
  ASSERT_TRUE(a && b && c);
  EXPECT_GT(difference(a->image, b->image), 5.0);
  EXPECT_GT(difference(b->image, c->image), 5.0);
}

TEST(Picture, HoldsAllOfTheRobot) {
  const auto robot = load_robot("mds");
  ASSERT_TRUE(robot);
  const std::vector<double> q(robot->model.positions.size(), 0.0);
  for (const View view : {View::Iso, View::Front, View::Side, View::Top}) {
    const std::vector<Pose> X_WL = link_poses(robot->model, q);
    for (std::size_t i = 0; i < X_WL.size(); i += 7) {
      const auto place = place_in_picture(robot->model, q, X_WL[i].position, {.view = view});
      ASSERT_TRUE(place);
      EXPECT_GT(place->x, 0.0);
      EXPECT_LT(place->x, 640.0);
      EXPECT_GT(place->y, 0.0);
      EXPECT_LT(place->y, 480.0);
    }
  }
}

TEST(Picture, LinkPosesAreThoseOfTheKinematics) {
  const auto robot = load_robot("scorbot-er3");
  ASSERT_TRUE(robot);
  const RobotModel& model = robot->model;
  const Arm& arm = model.arms[0];
  const auto chain = SerialChain::make(model, arm.base_link, arm.tip_link);
  ASSERT_TRUE(chain);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> angle(-1.0, 1.0);
  for (int i = 0; i < 100; ++i) {
    std::vector<double> q(model.positions.size());
    for (double& value : q) value = angle(random);
    std::vector<double> own;
    for (std::size_t v = 0; v < chain->size(); ++v) own.push_back(q[chain->position(v)]);
    const std::vector<Pose> X_WL = link_poses(model, q);
    const Pose X_BT = inverse(X_WL[arm.base_link]) * X_WL[arm.tip_link];
    EXPECT_LT(distance(X_BT, chain->tool_pose(own)).position, 1e-12);
  }
}

TEST(Picture, DrawsWithoutAMeshThatIsMissingAndSaysSo) {
  const RobotModel model = model_of(
      "<robot name='r'><link name='a'><visual><geometry><mesh filename='no.stl'/></geometry></visual></link>"
      "</robot>");
  const auto picture = draw_robot(model, {}, {.width = 32, .height = 32});
  ASSERT_TRUE(picture);
  ASSERT_EQ(picture->remarks.size(), 1U);
  EXPECT_EQ(remark_text(picture->remarks[0]),
            "no.stl: link 'a' is drawn without this mesh (it is missing); mend it or its name");
}

TEST(Picture, RefusesWhatItCannotDraw) {
  const RobotModel model = model_of(kBallOnArm);
  const std::array<double, 2> q{0.0, 0.0};
  EXPECT_EQ(draw_robot(model, q, {.width = 8, .height = 48}).error().message,
            "a picture of 8 x 48 pixels: each side must be 16 to 4096");
  EXPECT_FALSE(draw_robot(model, q, {.width = 5000, .height = 48}));
  EXPECT_EQ(draw_robot(model, {}).error().message, "arm has 2 joint positions, not 0");
  const std::array<double, 2> bad{0.0, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(draw_robot(model, bad));
}

TEST(Picture, BecomesAPngFile) {
  Image image{.width = 2, .height = 1, .bytes = {255, 0, 0, 0, 0, 255}};
  const auto bytes = png_bytes(image);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->substr(1, 3), "PNG");
  EXPECT_FALSE(write_png(image, "/nowhere/at/all.png"));
}

}  // namespace
}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/near_geoms.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "sinew/model/positions.h"
#include "sinew/simulation/simulation.h"
#include "sinew/simulation/test/scenes.h"

namespace sinew {
namespace {

/// The same world with every shape taking part in every search.
class Everybody {
 public:
  explicit Everybody(const mjModel& model)
      : model_(mj_copyModel(nullptr, &model)), data_(mj_makeData(&model)) {
    std::fill_n(model_->geom_contype, model_->ngeom, 1);
    std::fill_n(model_->geom_conaffinity, model_->ngeom, 1);
  }
  ~Everybody() {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  Everybody(const Everybody&) = delete;
  Everybody& operator=(const Everybody&) = delete;

  const mjData& at(const mjModel& model, const mjData& data) {
    std::copy_n(model.body_pos, 3 * model.nbody, model_->body_pos);
    std::copy_n(data.qpos, model.nq, data_->qpos);
    mj_fwdPosition(model_, data_);
    return *data_;
  }

 private:
  mjModel* model_;
  mjData* data_;
};

/// The robot amid things that fall and roll, wanted to go anywhere within its limits, guarded by nobody.
std::unique_ptr<Simulation> brawl() {
  Scene scene = scene_with("mds");
  scene.has_rest = false;
  std::mt19937_64 random(3);
  const auto within = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  constexpr std::array kKinds{ObjectKind::Box, ObjectKind::Sphere, ObjectKind::Cylinder};
  for (int i = 0; i < 8; ++i)
    scene.objects.push_back({.name = "thing" + std::to_string(i),
                             .kind = kKinds[static_cast<std::size_t>(i) % kKinds.size()],
                             .X_WO = {.position = {within(0, 0.6), within(-0.5, 0.5), within(0.5, 2.5)}},
                             .size = {0.05, 0.06, 0.07},
                             .is_free = true});
  scene.objects.push_back({.name = "shelf", .X_WO = {.position = {0.6, 0, 0.6}}, .size = {0.4, 1.0, 0.05}});
  auto made = Simulation::make(std::move(scene));
  EXPECT_TRUE(made) << made.error().message;
  return made ? *std::move(made) : nullptr;
}

class NearGeomsTest : public testing::Test {
 protected:
  void SetUp() override {
    simulation_ = brawl();
    ASSERT_NE(simulation_, nullptr);
    everybody_ = std::make_unique<Everybody>(simulation_->physics().model());
  }

  void wave(int cycle) {
    const SceneRobot& robot = simulation_->scene().robots[0];
    JointCommand command{.moved_mask = enabled_mask(robot.model),
                         .joint_count = static_cast<std::uint32_t>(robot.start.size()),
                         .is_enabled = 1};
    for (std::size_t i = 0; i < robot.start.size(); ++i)
      command.position[i] =
          robot.start[i] + 0.8 * std::sin(0.004 * cycle * (1.0 + 0.1 * static_cast<double>(i)));
    simulation_->device(0).take(command);
    simulation_->step();
  }

  void compare(int cycle) {
    const mjData& found = simulation_->physics().data();
    const mjData& all = everybody_->at(simulation_->physics().model(), found);
    ASSERT_EQ(found.ncon, all.ncon) << "in step " << cycle;
    for (int i = 0; i < all.ncon; ++i) {
      ASSERT_EQ(found.contact[i].geom1, all.contact[i].geom1) << "in step " << cycle;
      ASSERT_EQ(found.contact[i].geom2, all.contact[i].geom2) << "in step " << cycle;
      // positions pass through one more normalisation there
      ASSERT_NEAR(found.contact[i].dist, all.contact[i].dist, 1e-12) << "in step " << cycle;
    }
  }

  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Everybody> everybody_;
};

TEST_F(NearGeomsTest, FindsEveryContactInTheSameOrder) {
  int touching = 0;
  for (int cycle = 0; cycle < 4000; ++cycle) {
    wave(cycle);
    compare(cycle);
    if (HasFatalFailure()) return;
    touching += simulation_->physics().data().ncon > 0 ? 1 : 0;
  }
  // the robot hit things and itself: there was something to find
  EXPECT_GT(touching, 1000);
}

TEST_F(NearGeomsTest, SeesWhatIsPutElsewhereAtOnce) {
  for (int i = 0; i < 20; ++i) {
    const Pose X_WO{.position = {0.02 * i, 0.3 - 0.03 * i, 0.9 + 0.01 * i}};
    ASSERT_TRUE(simulation_->move_object(i % 2 == 0 ? "shelf" : "thing0", X_WO));
    compare(i);
    wave(i);
    compare(i);
    if (HasFatalFailure()) return;
  }
}

// a bar that turns about its middle, which stays where it is, towards a ball
TEST(TurningBarTest, IsSeenToMove) {
  const auto folder = std::filesystem::temp_directory_path() / ("sinew-bar-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "bar.xml").string();
  std::ofstream(path) << R"(<mujoco><option gravity="0 0 0"/><worldbody>
    <body pos="0 0 1"><joint type="hinge" axis="0 0 1"/><geom type="box" size="0.3 0.02 0.02"/></body>
    <body pos="0 0.25 1"><freejoint/><geom type="sphere" size="0.05"/></body></worldbody></mujoco>)";
  std::array<char, 300> error{};
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model(
      mj_loadXML(path.c_str(), nullptr, error.data(), static_cast<int>(error.size())), mj_deleteModel);
  std::filesystem::remove_all(folder);
  ASSERT_NE(model, nullptr) << error.data();
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(model.get()), mj_deleteData);
  NearGeoms near(*model);
  mj_forward(model.get(), data.get());
  ASSERT_FALSE(near.update(*model, *data)) << "they are far apart";
  ASSERT_EQ(model->geom_contype[0], 0);
  int seen = 0;
  for (double angle = 0.0; angle < 1.5; angle += 0.01) {
    data->qpos[0] = angle;
    mj_forward(model.get(), data.get());
    if (near.is_outdated(*data) && near.update(*model, *data)) ++seen;
    mj_forward(model.get(), data.get());
  }
  EXPECT_EQ(seen, 1);
  EXPECT_GT(data->ncon, 0);
}

TEST_F(NearGeomsTest, LeavesOutWhatIsFarFromEverything) {
  const auto simulation = Simulation::make(scene_with("mds"));
  ASSERT_TRUE(simulation);
  (*simulation)->step();
  const mjModel& model = (*simulation)->physics().model();
  int taking_part = 0;
  for (int i = 0; i < model.ngeom; ++i) taking_part += model.geom_contype[i] != 0 ? 1 : 0;
  EXPECT_LT(taking_part, model.ngeom / 2);
}

}  // namespace
}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/channels/test/channel_fixture.h"
#include "sinew/collision/robot_shapes.h"
#include "sinew/control/settings.h"
#include "sinew/drivers/ideal_driver.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"

#include "apps/controller/control_loop.h"
#include "apps/controller/robot_fingerprint.h"

namespace sinew {

/// Lets the cycles follow each other at once, on a time of its own: a millisecond each.
class ScriptedPace : public Pace {
 public:
  /// `script` is called with the number of each cycle, from 0, before it begins; after `cycles` of them
  /// `is_over` is set.
  ScriptedPace(int cycles, std::function<void(int)> script, std::atomic<bool>& is_over)
      : cycles_(cycles), script_(std::move(script)), is_over_(is_over) {}

  Beat wait() noexcept override {
    if (cycle_ < cycles_) script_(cycle_);
    if (++cycle_ >= cycles_) is_over_.store(true);
    now_ns_ += kMillisecond_ns;
    return {.now_ns = now_ns_};
  }

  std::int64_t now_ns() const { return now_ns_; }

 private:
  int cycles_;
  int cycle_ = 0;
  std::function<void(int)> script_;
  std::atomic<bool>& is_over_;
  std::int64_t now_ns_ = 10 * kSecond_ns;
};

/// MDS on an ideal device, with all that sinew-controller has, in a space of its own.
class LoopTest : public channels::ChannelTest {
 protected:
  struct Robot {
    LoadedRobot loaded;
    RobotControl settings;
    std::unique_ptr<RobotShapes> shapes;
    std::uint64_t hash = 0;
  };

  // Loaded once for all tests.
  static const Robot& robot() {
    static const std::unique_ptr<Robot> robot = [] {
      auto made = std::make_unique<Robot>();
      made->loaded = *load_robot("mds");
      made->loaded.model.outputs = {{.name = "lamp", .number = 0},
                                    {.name = "arc", .number = 1, .is_off_at_stop = true},
                                    {.name = "feed", .number = 0, .is_analog = true}};
      made->settings = *read_control(made->loaded.settings.control);
      made->shapes = std::make_unique<RobotShapes>(
          *RobotShapes::make(made->loaded.model, guard_options(made->settings, points_of_mesh)));
      made->hash = *robot_fingerprint({.robot = made->loaded});
      return made;
    }();
    return *robot;
  }
  static const RobotModel& model() { return robot().loaded.model; }

  /// Runs the whole loop; `script` runs in its thread, and may look at `controller_` and `pace_`.
  void run(int cycles, std::function<void(int)> script) {
    auto channels = open_control_channels("mds", space());
    ASSERT_TRUE(channels) << channels.error().message;
    auto controller = Controller::make(model(), *robot().shapes, robot().settings.cycle);
    ASSERT_TRUE(controller);
    controller_ = *std::move(controller);
    ControlRun facts{.robot_hash = robot().hash};
    set_text(facts.robot, "mds");
    const auto log = CycleLog::open("mds", space(), facts, *controller_);
    ASSERT_TRUE(log) << log.error().message;
    Attendant attendant(model(), {.robot = "mds", .space = space(), .recordings = recordings_});
    IdealDriver driver(model());
    ASSERT_TRUE(driver.connect());
    std::atomic<bool> is_over{false};
    pace_ = make_pace(cycles, std::move(script), is_over);
    OutputGate outputs(model());
    run_control_loop({.channels = *channels,
                      .controller = *controller_,
                      .driver = driver,
                      .attendant = attendant,
                      .pace = *pace_,
                      .log = **log,
                      .outputs = outputs},
                     is_over);
  }
  virtual std::unique_ptr<ScriptedPace> make_pace(int cycles, std::function<void(int)> script,
                                                  std::atomic<bool>& is_over) {
    return std::make_unique<ScriptedPace>(cycles, std::move(script), is_over);
  }

  /// A channel that programs write.
  template <class Message>
  Writer<Message> writer(const std::string& name) {
    auto opened = Writer<Message>::open({.name = "mds/" + name, .space = space()});
    EXPECT_TRUE(opened) << opened.error().message;
    return *std::move(opened);
  }

  std::unique_ptr<Controller> controller_;
  std::unique_ptr<ScriptedPace> pace_;
  std::string recordings_;  ///< Folder for what led to a stop; empty: none is kept.
};

template <class Message>
void tell(Writer<Message>& writer, const Message& message) {
  EXPECT_EQ(writer.put(message), SINEW_OK);
}

/// A wall `x` [m] in front of the robot.
inline World world_with_box(double x) {
  World world{.object_count = 1};
  WorldObject& box = world.objects[0];
  set_text(box.name, "box");
  box.position = {x, 0.0, 1.0};
  box.size = {0.1, 3.0, 3.0};
  return world;
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
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
    ChannelWatch watch("mds", space());
    watch_ = &watch;
    IdealDriver driver(model());
    ASSERT_TRUE(driver.connect());
    std::atomic<bool> is_over{false};
    pace_ = make_pace(cycles, std::move(script), is_over);
    OutputGate outputs(model());
    run_control_loop({.channels = *channels,
                      .controller = *controller_,
                      .driver = driver,
                      .attendant = attendant,
                      .watch = watch,
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
  ChannelWatch* watch_ = nullptr;  ///< While the loop runs.
  std::unique_ptr<ScriptedPace> pace_;
  std::string recordings_;  ///< Folder for what led to a stop; empty: none is kept.
};

/// A program of its own that puts the pieces it is given, and can be killed. To be made before the loop runs.
class Sender {
 public:
  explicit Sender(std::string space) {
    EXPECT_EQ(pipe(pieces_), 0);
    EXPECT_EQ(pipe(answers_), 0);
    child_ = fork();
    if (child_ != 0) return;
    // it ends with its parent
    close(pieces_[1]);
    close(answers_[0]);
    _exit(serve(space));
  }
  ~Sender() {
    kill();
    for (const int descriptor : {pieces_[0], pieces_[1], answers_[0], answers_[1]}) close(descriptor);
  }
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  pid_t pid() const { return child_; }
  /// Returns once it is on the channel.
  void put(const Segment& piece) {
    EXPECT_EQ(write(pieces_[1], &piece, sizeof piece), static_cast<ssize_t>(sizeof piece));
    char answer = 0;
    EXPECT_EQ(read(answers_[0], &answer, 1), 1);
  }
  void kill() {
    if (std::exchange(is_dead_, true)) return;
    ::kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

 private:
  int serve(const std::string& space) const {
    auto writer = Writer<Segment>::open({.name = "mds/segments", .space = space, .sender = "sender"});
    Segment piece;
    while (read(pieces_[0], &piece, sizeof piece) == static_cast<ssize_t>(sizeof piece))
      if (!writer || writer->put(piece) != SINEW_OK || write(answers_[1], "+", 1) != 1) return 1;
    return 0;
  }

  int pieces_[2]{};
  int answers_[2]{};
  pid_t child_ = -1;
  bool is_dead_ = false;
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

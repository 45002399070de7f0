// SPDX-License-Identifier: BSD-3-Clause
// Judges recordings of hand_at_table, every sample of them: the robot never touches anything in physics,
// keeps its margin from the table by its measured joints, came near it, says what it was held for, and is
// back in the end where it was before. Usage: judge_hand_at_table FOLDER
#include <limits>

#include "sinew/base/fixed_string.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/control/settings.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/load_robot.h"
#include "sinew/motion/world_reader.h"

#include "tests/scenarios/lockstep_recording.h"

namespace sinew {
namespace {

constexpr int kWays = 12;
constexpr double kNear = 0.03;  // [m] a guard that stops further away is of no use
constexpr double kBack = 0.02;  // [rad] the arm hangs a little, and encoders err

class Judge {
 public:
  explicit Judge(const std::string& path) : path_(path) {
    read_recording(path, [this](auto topic, auto bytes) { take(topic, bytes); });
    const double away = 1e3 * apart_;
    fmt::print(
        "{}: {} states, {:.1f} mm from the table at the nearest, at most {:.3f} rad/s; held for {} and {}\n",
        path_, states_, away, fastest_, text_of(held_.link_a), text_of(held_.link_b));
    must_be(world_ != nullptr && states_ > 5000, path_ + ": that is no run");
    must_be(apart_ < kNear, path_ + ": the hand did not come to the table");
    must_be(text_of(held_.link_b) == "table", path_ + ": it does not say that the table is in the way");
    must_be(safety_.state == ControlState::Running, path_ + ": it does not run any more");
    must_be(safety_.held_mask == 0, path_ + ": what was held does not go away");
    for (std::size_t i = 0; i < last_.joint_count; ++i)
      must_be(std::abs(last_.position[i] - before_.position[i]) < kBack,
              fmt::format("{}: joint {} is not back: {} instead of {}", path_, i, last_.position[i],
                          before_.position[i]));
  }
  double fastest() const { return fastest_; }

 private:
  void take(std::string_view topic, std::span<const std::byte> bytes) {
    if (topic == "mds/safety") take_safety(*message_from<Safety>(bytes));
    if (topic == "mds/state") take_state(*message_from<JointState>(bytes));
    if (topic == "mds/sensor/contacts") take_contact(*message_from<ContactEvent>(bytes));
    if (topic != "mds/world") return;
    world_ = must(read_world(*message_from<World>(bytes), robot_.model));
    checker_.set_world(world_->obstacles);
  }

  void take_safety(const Safety& safety) {
    safety_ = safety;
    if (safety.reason == StopReason::WorldCollision) held_ = safety;
  }

  void take_state(const JointState& state) {
    ++states_;
    last_ = state;
    if (world_ == nullptr) before_ = state;
    const CheckResult nearest = checker_.nearest({state.position.data(), robot_.model.positions.size()});
    must_be(nearest.contact.distance >= settings_.margin,
            fmt::format("{}: state {}: {} m apart", path_, states_, nearest.contact.distance));
    if (world_ == nullptr) return;
    if (nearest.contact.object_b != kNone) apart_ = std::min(apart_, nearest.contact.distance);
    if (held_.reason != StopReason::None) return;
    for (const double velocity : state.velocity) fastest_ = std::max(fastest_, std::abs(velocity));
  }

  void take_contact(const ContactEvent& event) {
    must_be(event.is_touching == 0,
            fmt::format("{}: {} touches {}", path_, text_of(event.a), text_of(event.b)));
  }

  std::string path_;
  LoadedRobot robot_ = must(load_robot("mds"));
  RobotControl settings_ = must(read_control(robot_.settings.control));
  RobotShapes shapes_ = must(RobotShapes::make(robot_.model, guard_options(settings_, points_of_mesh)));
  CollisionChecker checker_{shapes_};
  std::unique_ptr<WorldInUse> world_;
  Safety safety_;
  Safety held_;        // when the table was last in the way
  JointState before_;  // before the table was there
  JointState last_;
  std::uint64_t states_ = 0;
  double apart_ = std::numeric_limits<double>::infinity();
  double fastest_ = 0.0;  // [rad/s] on the way to the table
};

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  sinew::must_be(count == 2, "usage: judge_hand_at_table FOLDER");
  double slowest = std::numeric_limits<double>::infinity();
  double fastest = 0.0;
  for (int way = 0; way < sinew::kWays; ++way) {
    const sinew::Judge judge(fmt::format("{}/{:02}.mcap", words[1], way));
    slowest = std::min(slowest, judge.fastest());
    fastest = std::max(fastest, judge.fastest());
  }
  sinew::must_be(fastest > 3.0 * slowest, "these were not 12 speeds");
}

// SPDX-License-Identifier: BSD-3-Clause
// Judges a recording of random_steps, every sample of it, by the robot's own description and nothing else: no
// velocity, acceleration or jerk bound is exceeded in `processed`, no position limit and no margin in
// `state`. Usage: judge_random_steps FOLDER
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "sinew/collision/collision_checker.h"
#include "sinew/control/settings.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/load_robot.h"

#include "tests/scenarios/lockstep_recording.h"

namespace sinew {
namespace {

constexpr double kPeriod = 1e-3;  // [s]

/// The most of each that was seen, as a share of what is allowed.
struct Worst {
  double velocity = 0.0;
  double acceleration = 0.0;
  double jerk = 0.0;
  double beyond_limit = -std::numeric_limits<double>::infinity();  // [rad, m]
  double apart = std::numeric_limits<double>::infinity();          // [m]
};

class Judge {
 public:
  Judge() : shapes_(must(RobotShapes::make(robot_.model, guard_options(settings_, points_of_mesh)))) {}

  void take(std::string_view topic, std::span<const std::byte> bytes) {
    if (topic == "mds/processed") take_command(*message_from<JointCommand>(bytes));
    if (topic == "mds/state") take_state(*message_from<JointState>(bytes));
    if (topic == "mds/sensor/contacts") take_contact(*message_from<ContactEvent>(bytes));
    if (topic.starts_with("mds/ref/")) {
      ++references_;
      programs_.insert(std::string(topic));
    }
  }

  void finish() {
    fmt::print(
        "{} references by {} programs, {} commands, {} states; at most {:.4f} of the velocity, {:.4f} of the "
        "acceleration, {:.4f} of the jerk allowed; {:.2g} rad beyond a limit; {:.1f} mm apart\n",
        references_, programs_.size(), commands_, states_, worst_.velocity, worst_.acceleration, worst_.jerk,
        worst_.beyond_limit, 1e3 * worst_.apart);
    must_be(references_ >= 10'000 && programs_.size() == 3, "that is not 10,000 references by 3 programs");
    must_be(commands_ > 20'000 && states_ == commands_, "not every cycle was recorded");
    must_be(worst_.velocity > 0.99 && worst_.acceleration > 0.99 && worst_.jerk > 0.99,
            "the robot has not gone as fast as it may: this proves nothing");
  }

 private:
  const JointLimits& limits(std::size_t i) const {
    return robot_.model.joints[robot_.model.positions[i]].limits;
  }

  void take_command(const JointCommand& command) {
    ++commands_;
    must_be(commands_ == 1 || command.cycle == past_[3].cycle + 1,
            fmt::format("cycle {} is missing", command.cycle - 1));
    std::rotate(past_.begin(), past_.begin() + 1, past_.end());
    past_[3] = command;
    // until it has heard where the robot is, a controller sends nothing; it begins there, at rest
    must_be(command.is_enabled != 0 || commands_ < 3, fmt::format("cycle {} is not enabled", command.cycle));
    if (command.is_enabled == 0) return;
    if (!std::exchange(has_begun_, true)) past_.fill(command);
    for (std::size_t i = 0; i < robot_.model.positions.size(); ++i) check_joint(i);
  }

  void check_joint(std::size_t i) {
    const auto p = [&](std::size_t k) { return past_[k].position[i]; };
    const auto check = [&](double value, double bound, double rounding, double& worst, const char* what) {
      worst = std::max(worst, std::abs(value) / bound);
      must_be(std::abs(value) <= bound * (1 + 1e-6) + rounding,
              fmt::format("cycle {}: joint {}: {} {} is beyond {}", past_[3].cycle,
                          robot_.model.joints[robot_.model.positions[i]].name, what, value, bound));
    };
    check((p(3) - p(2)) / kPeriod, limits(i).velocity, 1e-11, worst_.velocity, "velocity");
    check((p(3) - 2 * p(2) + p(1)) / std::pow(kPeriod, 2), limits(i).acceleration, 1e-8, worst_.acceleration,
          "acceleration");
    check((p(3) - 3 * p(2) + 3 * p(1) - p(0)) / std::pow(kPeriod, 3), limits(i).jerk, 1e-4, worst_.jerk,
          "jerk");
    must_be(p(3) >= limits(i).lower && p(3) <= limits(i).upper,
            fmt::format("cycle {}: joint {} is sent to {}, beyond its limits", past_[3].cycle, i, p(3)));
  }

  void take_state(const JointState& state) {
    ++states_;
    for (std::size_t i = 0; i < robot_.model.positions.size(); ++i) {
      const double beyond =
          std::max(limits(i).lower - state.position[i], state.position[i] - limits(i).upper);
      worst_.beyond_limit = std::max(worst_.beyond_limit, beyond);
      must_be(beyond <= 0.0, fmt::format("state {}: joint {} is at {}", states_, i, state.position[i]));
    }
    const CheckResult nearest = checker_.nearest({state.position.data(), robot_.model.positions.size()});
    worst_.apart = std::min(worst_.apart, nearest.contact.distance);
    must_be(nearest.verdict != Verdict::InvalidInput && nearest.contact.distance >= settings_.margin,
            fmt::format("state {}: {} and {} are {} m apart", states_,
                        robot_.model.links[nearest.contact.link_a].name,
                        robot_.model.links[nearest.contact.link_b].name, nearest.contact.distance));
  }

  void take_contact(const ContactEvent& event) {
    must_be(event.is_touching == 0, fmt::format("{} touches {}", event.a.data(), event.b.data()));
  }

  LoadedRobot robot_ = must(load_robot("mds"));
  RobotControl settings_ = must(read_control(robot_.settings.control));
  RobotShapes shapes_;
  CollisionChecker checker_{shapes_};
  std::array<JointCommand, 4> past_;
  bool has_begun_ = false;
  std::uint64_t commands_ = 0;
  std::uint64_t states_ = 0;
  std::uint64_t references_ = 0;
  std::set<std::string> programs_;
  Worst worst_;
};

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  sinew::must_be(count == 2, "usage: judge_random_steps FOLDER");
  sinew::Judge judge;
  sinew::read_recording(std::string(words[1]) + "/run.mcap",
                        [&](auto topic, auto bytes) { judge.take(topic, bytes); });
  judge.finish();
}

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/world.h"
#include "sinew/simulation/device.h"
#include "sinew/simulation/grasp_assist.h"
#include "sinew/simulation/physics.h"
#include "sinew/simulation/scene.h"
#include "sinew/simulation/touch_sense.h"

namespace sinew {

/// Two things that touch.
struct Touch {
  std::string a;                    ///< "ROBOT/link", an object's name, or "floor".
  std::string b;                    ///< The other one.
  double depth = 0.0;               ///< [m] How far they are pressed into each other.
  Vector3 point = Vector3::Zero();  ///< [m] In the world.
};

/// Robots and objects in one world of physics, moved on step by step; knows no clock but its own.
///
/// The same scene, commands and seed give the same bits. One thread. Nothing but make(), reset(),
/// add_object(), remove_object(), contacts(), touches that begin and names for people allocates.
class Simulation {
 public:
  static Result<std::unique_ptr<Simulation>> make(Scene scene);

  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Robot time [ns]; starts at zero unless start_at() says otherwise.
  std::int64_t now_ns() const { return now_ns_; }
  /// Sets the clock before the first step.
  void start_at(std::int64_t now_ns) { now_ns_ = now_ns; }
  std::int64_t time_step_ns() const { return scene_.time_step_ns; }

  /// One step of the physics.
  void step();
  /// As many steps as fit into `duration_ns`.
  void advance(std::int64_t duration_ns);

  /// Everything back to where it started, objects that came or went included; time goes on. The devices are
  /// as if switched off and on (SimulatedDevice::restart).
  Status reset();

  /// False once the physics has come to numbers that cannot be; MuJoCo has then put all back to the start.
  bool is_stable() const;

  const Scene& scene() const { return scene_; }
  /// What could not be simulated as it is, for people to see.
  const std::vector<std::string>& remarks() const { return physics_.remarks(); }

  // ---- robots ----

  /// The robot of that name; kNone when there is none.
  std::size_t find_robot(std::string_view name) const;
  SimulatedDevice& device(std::size_t robot) { return devices_[robot]; }
  /// Where the joints really are [rad, m], before any encoder.
  double joint_position(std::size_t robot, std::size_t position) const;
  double joint_velocity(std::size_t robot, std::size_t position) const;
  /// Pose of a link in the world.
  Pose X_WL(std::size_t robot, std::size_t link) const;

  // ---- objects ----

  /// What began or ceased to touch in the last step, and what grippers hold.
  const TouchSense& touch() const { return touch_; }
  /// All that touches now.
  std::vector<Touch> contacts() const;
  Result<Pose> object_pose(const std::string& name) const;
  Status add_object(SceneObject object);
  /// Puts an object elsewhere, at rest.
  Status move_object(const std::string& name, const Pose& X_WO);
  Status remove_object(const std::string& name);
  /// All objects where they are, as the message that the world is told in.
  World world() const;

  /// A fingerprint of time, positions, velocities and what the devices measured.
  std::uint64_t state_hash() const;

  const Physics& physics() const { return physics_; }

 private:
  Simulation(Scene scene, Physics physics);
  void drive(std::size_t robot);
  void measure(std::size_t robot);
  Status rebuild(Scene scene);
  void exchange(Physics physics, std::vector<SceneObject> objects);
  std::size_t find_object(const std::string& name) const;
  Pose X_WO(std::size_t object) const;

  Scene scene_;
  std::vector<SceneObject> first_objects_;  ///< As they were at the start.
  Physics physics_;
  std::vector<SimulatedDevice> devices_;
  TouchSense touch_;
  GraspAssist assist_;
  std::vector<double> wanted_acceleration_;  ///< One per degree of freedom of the world.
  std::vector<double> inertial_force_;
  std::int64_t now_ns_ = 0;
};

}  // namespace sinew

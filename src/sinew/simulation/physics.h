// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// MuJoCo's side of a scene: what it calls our joints, bodies and motors.

#include <memory>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/simulation/mjcf.h"
#include "sinew/simulation/near_geoms.h"
#include "sinew/simulation/resting_things.h"
#include "sinew/simulation/scene.h"
#include "sinew/simulation/servo.h"

struct mjModel_;
struct mjData_;

namespace sinew {

/// Where MuJoCo keeps one joint of a robot.
struct PhysicsJoint {
  int qpos = -1;   ///< Into mjData::qpos.
  int dof = -1;    ///< Into mjData::qvel and the like.
  int motor = -1;  ///< Into mjData::ctrl; negative: it follows another joint.
  double factor = 1.0;
  double offset = 0.0;           ///< A follower's position is factor * q[leader] + offset.
  std::size_t position = kNone;  ///< Among the robot's positions: its own, or its leader's.
  ServoGains gains;
  double most_effort = 0.0;  ///< [N·m, N] Of its motor.
  double effort = 0.0;       ///< [N·m, N] Now.
};

/// Where MuJoCo keeps a robot.
struct PhysicsRobot {
  std::vector<PhysicsJoint> joints;  ///< All that move, followers included, in the model's order.
  std::vector<int> link_bodies;      ///< One per link.
  int base_joint = -1;               ///< Of a free base.
};

/// A scene loaded into MuJoCo: its model, its state, and where in them our things are.
class Physics {
 public:
  /// Loads the scene, puts the robots where they start, and fits each joint's servo to the inertia that it
  /// has there. Links that overlap others of their robot there, or the floor that it is bolted to, are drawn
  /// too thick to be bodies of their own: those pairs never touch, and a remark says so.
  static Result<Physics> load(const Scene& scene, const MjcfOptions& options = {});

  mjModel_& model() const { return *model_; }
  mjData_& data() const { return *data_; }
  std::vector<PhysicsRobot>& robots() { return robots_; }
  const std::vector<PhysicsRobot>& robots() const { return robots_; }
  const std::vector<std::string>& remarks() const { return remarks_; }

  /// The body of that name; negative when there is none.
  int body(const std::string& name) const;

  /// The joint of a free object or base; negative when there is none.
  int free_joint(const std::string& name) const;

  /// "ROBOT/link", an object's name, or "floor".
  std::string owner_of_geom(int geom) const;

  /// Takes over positions and velocities of all that is in both.
  void copy_motion_from(const Physics& other);

  /// One step on from what refresh() has computed; contacts stay those of the step.
  void step();
  /// Recomputes everything that depends on positions and velocities.
  void refresh();
  /// All that rests takes part again; to be called before something is changed from outside.
  void wake_all();
  const RestingThings& resting() const { return resting_; }

 private:
  struct Free {
    void operator()(mjModel_* model) const noexcept;
    void operator()(mjData_* data) const noexcept;
  };

  static Result<Physics> load_as_is(const Scene& scene, const MjcfOptions& options);
  std::vector<BodyPair> overlaps_at_start(const Scene& scene) const;
  Status compile(const std::string& text);
  void find_robot_parts(const SceneRobot& robot);
  void find_things(const Scene& scene);
  void put_at_start(const SceneRobot& robot, const PhysicsRobot& parts);
  void fit_servos();
  void fill_height_field(const SceneObject& object);

  std::unique_ptr<mjModel_, Free> model_;
  std::unique_ptr<mjData_, Free> data_;
  std::vector<PhysicsRobot> robots_;
  std::vector<std::string> remarks_;
  NearGeoms near_;
  RestingThings resting_;
  bool is_news_of_rest_ = false;
};

}  // namespace sinew

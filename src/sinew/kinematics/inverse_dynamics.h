// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/base/realtime.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// Gravity where a root link stands upright [m/s²].
inline const Vector3 kStandardGravity(0.0, 0.0, -9.81);

/// The efforts that a motion takes: the recursive Newton-Euler algorithm (Luh, Walker, Paul 1980) on the
/// whole tree, its root link standing still.
///
/// Links without an inertia weigh nothing. A follower's effort counts for its leader, by its factor.
/// Friction, damping and the inertia of motors and gears are not part of it. Belongs to one thread; nothing
/// but the constructor allocates.
class InverseDynamics {
 public:
  /// `model` must outlive this object. `gravity`: in the axes of the root link [m/s²].
  explicit InverseDynamics(const RobotModel& model, const Vector3& gravity = kStandardGravity);

  /// A mass [kg] more on a link L, as a point at p_LC [m]; zero takes it off.
  void set_payload(std::size_t link, double mass, const Vector3& p_LC) SINEW_REALTIME;

  /// The motion whose efforts are asked for: one number per position of the model.
  struct Motion {
    std::span<const double> q;  ///< [rad, m]
    std::span<const double> v;  ///< [rad/s, m/s]; empty: at rest.
    std::span<const double> a;  ///< [rad/s², m/s²]; empty: none.
  };
  /// What each position needs [N·m, N]: one number per position of the model.
  void compute(const Motion& motion, std::span<double> effort) SINEW_REALTIME;
  /// The same without gravity.
  void compute_inertial(const Motion& motion, std::span<double> effort) SINEW_REALTIME;

  const RobotModel& model() const noexcept { return model_; }

 private:
  /// A link and the joint that carries it; all in axes of the link.
  struct Body {
    std::size_t parent = kNone;  ///< Into bodies_; kNone: the root link.
    std::size_t position = kNone;
    double factor = 1.0;
    double offset = 0.0;
    bool slides = false;
    Vector3 axis = Vector3::Zero();
    Pose X_PJ;
    double mass = 0.0;
    Vector3 p_LC = Vector3::Zero();
    Matrix3 about_C = Matrix3::Zero();

    Matrix3 R_PL = Matrix3::Identity();
    Vector3 p_PL = Vector3::Zero();
    Vector3 angular_velocity = Vector3::Zero();
    Vector3 angular_acceleration = Vector3::Zero();
    Vector3 acceleration = Vector3::Zero();
    Vector3 force = Vector3::Zero();
    Vector3 moment = Vector3::Zero();
  };
  void run(const Motion& motion, const Vector3& gravity, std::span<double> effort) SINEW_REALTIME;
  void move(Body& body, const Motion& motion, const Vector3& gravity) SINEW_REALTIME;
  void load(Body& body, std::size_t number) SINEW_REALTIME;

  const RobotModel& model_;
  Vector3 gravity_;
  std::vector<Body> bodies_;          ///< One per joint, in the model's order.
  std::size_t payload_body_ = kNone;  ///< Into bodies_.
  double payload_mass_ = 0.0;         ///< [kg]
  Vector3 p_LP_ = Vector3::Zero();    ///< [m]
};

}  // namespace sinew

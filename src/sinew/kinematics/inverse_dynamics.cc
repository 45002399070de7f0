// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/inverse_dynamics.h"

#include <algorithm>
#include <ranges>

#include "sinew/base/assert.h"

namespace sinew {

InverseDynamics::InverseDynamics(const RobotModel& model, const Vector3& gravity)
    : model_(model), gravity_(gravity), bodies_(model.joints.size()) {
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    Body& body = bodies_[j];
    body.parent = model.links[joint.parent_link].parent_joint;
    body.X_PJ = joint.X_PJ;
    if (joint.kind != JointKind::Fixed) {
      body.position = joint.mimic ? model.joints[joint.mimic->joint].position : joint.position;
      body.axis = joint.axis;
      body.slides = joint.kind == JointKind::Prismatic;
    }
    if (joint.mimic) {
      body.factor = joint.mimic->factor;
      body.offset = joint.mimic->offset;
    }
    const auto& inertia = model.links[joint.child_link].inertia;
    if (!inertia) continue;
    body.mass = inertia->mass;
    body.p_LC = inertia->p_LC;
    body.about_C = inertia->about_C;
  }
}

void InverseDynamics::set_payload(std::size_t link, double mass, const Vector3& p_LC) SINEW_REALTIME {
  payload_body_ = link < model_.links.size() ? model_.links[link].parent_joint : kNone;
  payload_mass_ = mass;
  p_LP_ = p_LC;
}

void InverseDynamics::compute(const Motion& motion, std::span<double> effort) SINEW_REALTIME {
  run(motion, gravity_, effort);
}

void InverseDynamics::compute_inertial(const Motion& motion, std::span<double> effort) SINEW_REALTIME {
  run(motion, Vector3::Zero(), effort);
}

void InverseDynamics::run(const Motion& motion, const Vector3& gravity,
                          std::span<double> effort) SINEW_REALTIME {
  SINEW_ASSERT(motion.q.size() == model_.positions.size() && effort.size() == motion.q.size());
  std::ranges::fill(effort, 0.0);
  for (std::size_t j = 0; j < bodies_.size(); ++j) {
    move(bodies_[j], motion, gravity);
    load(bodies_[j], j);
  }
  // what a link needs its parent has to give; parents come before their children
  for (Body& body : std::views::reverse(bodies_)) {
    if (body.position != kNone)
      effort[body.position] += body.factor * body.axis.dot(body.slides ? body.force : body.moment);
    if (body.parent == kNone) continue;
    Body& parent = bodies_[body.parent];
    const Vector3 force = body.R_PL * body.force;
    parent.force += force;
    parent.moment += body.R_PL * body.moment + body.p_PL.cross(force);
  }
}

// Where the link is in its parent, and how it moves. Gravity is an acceleration of the root link upwards.
void InverseDynamics::move(Body& body, const Motion& motion, const Vector3& gravity) SINEW_REALTIME {
  const bool moves = body.position != kNone;
  const auto of = [&](std::span<const double> values) {
    return moves && !values.empty() ? body.factor * values[body.position] : 0.0;
  };
  const double q = of(motion.q) + body.offset;
  const double v = of(motion.v);
  const double a = of(motion.a);
  body.R_PL = body.X_PJ.rotation.toRotationMatrix();
  body.p_PL = body.X_PJ.position;
  if (body.slides) body.p_PL += body.R_PL * (q * body.axis);
  if (moves && !body.slides) body.R_PL = body.R_PL * Eigen::AngleAxisd(q, body.axis).toRotationMatrix();

  Vector3 angular_velocity = Vector3::Zero();
  Vector3 angular_acceleration = Vector3::Zero();
  Vector3 acceleration = -gravity;
  if (body.parent != kNone) {
    const Body& parent = bodies_[body.parent];
    angular_velocity = parent.angular_velocity;
    angular_acceleration = parent.angular_acceleration;
    acceleration = parent.acceleration + angular_acceleration.cross(body.p_PL) +
                   angular_velocity.cross(angular_velocity.cross(body.p_PL));
  }
  const Matrix3 R_LP = body.R_PL.transpose();
  body.angular_velocity = R_LP * angular_velocity;
  body.angular_acceleration = R_LP * angular_acceleration;
  body.acceleration = R_LP * acceleration;
  if (body.slides) {
    body.acceleration += a * body.axis + 2.0 * v * body.angular_velocity.cross(body.axis);
    return;
  }
  body.angular_acceleration += a * body.axis + v * body.angular_velocity.cross(body.axis);
  body.angular_velocity += v * body.axis;
}

// What it takes to move this link alone.
void InverseDynamics::load(Body& body, std::size_t number) SINEW_REALTIME {
  const Vector3& w = body.angular_velocity;
  const auto acceleration_at = [&](const Vector3& p) -> Vector3 {
    return body.acceleration + body.angular_acceleration.cross(p) + w.cross(w.cross(p));
  };
  body.force = body.mass * acceleration_at(body.p_LC);
  body.moment =
      body.about_C * body.angular_acceleration + w.cross(body.about_C * w) + body.p_LC.cross(body.force);
  if (number != payload_body_) return;
  const Vector3 force = payload_mass_ * acceleration_at(p_LP_);
  body.force += force;
  body.moment += p_LP_.cross(force);
}

}  // namespace sinew

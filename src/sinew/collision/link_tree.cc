// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/link_tree.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/assert.h"

namespace sinew {
namespace {

LinkTree::Step step_of_joint(const RobotModel& model, const Joint& joint) {
  LinkTree::Step step{.parent = joint.parent_link, .child = joint.child_link, .p = joint.X_PJ.position};
  const Matrix3 R_PJ = joint.X_PJ.rotation.toRotationMatrix();
  step.R = R_PJ;
  if (joint.kind == JointKind::Fixed) return step;
  const Joint& driver = joint.mimic ? model.joints[joint.mimic->joint] : joint;
  step.position = driver.position;
  if (joint.mimic) {
    step.factor = joint.mimic->factor;
    step.offset = joint.mimic->offset;
  }
  step.is_revolute = joint.kind != JointKind::Prismatic;
  step.axis = joint.axis;
  if (!step.is_revolute) {
    step.slide = R_PJ * joint.axis;
    return step;
  }
  // Rodrigues: a·aᵀ + sine · [a]× + cosine · (I - a·aᵀ)
  const Vector3& a = joint.axis;
  Matrix3 cross;
  cross << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  const Matrix3 along = a * a.transpose();
  step.R = R_PJ * along;
  step.R_sine = R_PJ * cross;
  step.R_cosine = R_PJ * (Matrix3::Identity() - along);
  return step;
}

}  // namespace

LinkTree::LinkTree(const RobotModel& model)
    : position_count_(model.positions.size()),
      step_of_(model.links.size(), kNone),
      depth_(model.links.size(), 0) {
  for (const Joint& joint : model.joints) {
    step_of_[joint.child_link] = steps_.size();
    depth_[joint.child_link] = depth_[joint.parent_link] + 1;
    steps_.push_back(step_of_joint(model, joint));
  }
}

Placement LinkTree::frame_after(const Step& step, const Placement& X_WP, double position) noexcept {
  const double joint = step.factor * position + step.offset;
  Placement X_WC;
  if (step.is_revolute) {
    const Matrix3 R_PC = step.R + std::sin(joint) * step.R_sine + std::cos(joint) * step.R_cosine;
    X_WC.R.noalias() = X_WP.R * R_PC;
    X_WC.p.noalias() = X_WP.R * step.p + X_WP.p;
  } else {
    X_WC.R.noalias() = X_WP.R * step.R;
    X_WC.p.noalias() = X_WP.R * (step.p + joint * step.slide) + X_WP.p;
  }
  return X_WC;
}

void LinkTree::link_frames(std::span<const double> q, std::span<Placement> X_WL) const SINEW_REALTIME {
  SINEW_ASSERT(q.size() == position_count_ && X_WL.size() >= link_count());
  X_WL[0] = Placement();
  for (const Step& step : steps_) {
    const double position = step.position == kNone ? 0.0 : q[step.position];
    X_WL[step.child] = frame_after(step, X_WL[step.parent], position);
  }
}

void LinkTree::link_motions(std::span<const double> q0, std::span<const double> q1,
                            std::span<const double> slack,
                            std::span<LinkMotion> motions) const SINEW_REALTIME {
  SINEW_ASSERT(motions.size() >= link_count());
  motions[0] = {};
  for (const Step& step : steps_) {
    LinkMotion& motion = motions[step.child];
    motion = {.reach = step.p.norm()};
    if (step.position == kNone) continue;
    const double share = std::abs(step.factor);
    const double stray = slack.empty() ? 0.0 : share * slack[step.position];
    const double travel = share * std::abs(q1[step.position] - q0[step.position]);
    if (step.is_revolute) {
      motion.turn = travel;
      motion.stray_turn = stray;
      continue;
    }
    motion.slide = travel;
    motion.stray_slide = stray;
    motion.reach += stray + std::max(std::abs(step.factor * q0[step.position] + step.offset),
                                     std::abs(step.factor * q1[step.position] + step.offset));
  }
}

Travel LinkTree::travel_bound(std::size_t link, std::size_t ancestor, double radius,
                              std::span<const LinkMotion> motions) const SINEW_REALTIME {
  Travel bound;
  // a revolute axis runs through the origin of the link that it turns
  double lever = radius;
  for (std::size_t at = link; at != ancestor && step_of_[at] != kNone; at = steps_[step_of_[at]].parent) {
    const LinkMotion& motion = motions[at];
    bound.way += motion.turn * lever + motion.slide;
    bound.stray += motion.stray_turn * lever + motion.stray_slide;
    lever += motion.reach;
  }
  return bound;
}

std::size_t LinkTree::common_ancestor(std::size_t link_a, std::size_t link_b) const SINEW_REALTIME {
  while (link_a != link_b) {
    std::size_t& deeper = depth_[link_a] >= depth_[link_b] ? link_a : link_b;
    deeper = steps_[step_of_[deeper]].parent;
  }
  return link_a;
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "kdl_chain.h"

namespace sinew::bench {

KDL::Frame kdl_frame(const Pose& X_AB) {
  const Quaternion& R = X_AB.rotation;
  return {KDL::Rotation::Quaternion(R.x(), R.y(), R.z(), R.w()),
          KDL::Vector(X_AB.position.x(), X_AB.position.y(), X_AB.position.z())};
}

std::optional<KDL::Chain> kdl_chain(const RobotModel& model, std::size_t base_link, std::size_t tip_link,
                                    const Pose& X_LT) {
  const auto path = joints_between(model, base_link, tip_link);
  if (!path) return std::nullopt;
  KDL::Chain chain;
  for (const std::size_t index : *path) {
    const Joint& joint = model.joints[index];
    if (joint.mimic) return std::nullopt;
    const KDL::Frame frame = kdl_frame(joint.X_PJ);
    if (joint.kind == JointKind::Fixed) {
      chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::None), frame));
      continue;
    }
    const KDL::Vector axis = frame.M * KDL::Vector(joint.axis.x(), joint.axis.y(), joint.axis.z());
    const auto type = joint.kind == JointKind::Prismatic ? KDL::Joint::TransAxis : KDL::Joint::RotAxis;
    chain.addSegment(KDL::Segment(KDL::Joint(frame.p, axis, type), frame));
  }
  chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::None), kdl_frame(X_LT)));
  return chain;
}

}  // namespace sinew::bench

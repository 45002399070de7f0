// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/posture_family.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "sinew/base/assert.h"
#include "sinew/planning/tool_path.h"

namespace sinew {
namespace {

constexpr std::size_t kClosed = 6;  // joints that a pose needs
constexpr std::size_t kMostSpare = 3;

PostureFamily::SpareJoint spare_joint(const SerialChain& chain, std::size_t variable) {
  const JointLimits& limits = chain.limits(variable);
  PostureFamily::SpareJoint spare{.variable = variable, .lower = limits.lower, .upper = limits.upper};
  // one turn says all, however many there may be
  if (chain.is_revolute(variable) && !(limits.upper - limits.lower <= 2.0 * std::numbers::pi)) {
    spare.lower = std::max(limits.lower, std::min(-std::numbers::pi, limits.upper - 2.0 * std::numbers::pi));
    spare.upper = spare.lower + 2.0 * std::numbers::pi;
  }
  return spare;
}

std::size_t frame_of(const SerialChain& chain, std::size_t joint) {
  std::size_t i = 0;
  while (i < chain.joint_count() && chain.moving_joint(i) != joint) ++i;
  return i;
}

}  // namespace

std::unique_ptr<const PostureFamily> PostureFamily::find(const RobotModel& model, const SerialChain& chain) {
  if (chain.size() <= kClosed || chain.size() > kClosed + kMostSpare) return nullptr;
  const std::size_t spare = chain.size() - kClosed;
  for (std::size_t first = 0; first <= spare; ++first) {
    if (auto family = with_middle(model, chain, first)) return family;
  }
  return nullptr;
}

std::unique_ptr<const PostureFamily> PostureFamily::with_middle(const RobotModel& model,
                                                                const SerialChain& chain, std::size_t first) {
  const Joint& begin = model.joints[chain.joint(first)];
  const std::size_t from = first == 0 ? begin.parent_link : model.joints[chain.joint(first - 1)].child_link;
  const std::size_t to = model.joints[chain.joint(first + kClosed - 1)].child_link;
  auto middle = SerialChain::make(model, from, to);
  if (!middle || middle->size() != kClosed || middle->joint_count() != kClosed) return nullptr;
  // the constructor is not for others
  std::unique_ptr<const PostureFamily> family(new PostureFamily(chain, *std::move(middle), first));
  const auto is_bounded = [](const SpareJoint& joint) {
    return std::isfinite(joint.lower) && std::isfinite(joint.upper);
  };
  return family->closed_ && std::ranges::all_of(family->spare_, is_bounded) ? std::move(family) : nullptr;
}

PostureFamily::PostureFamily(const SerialChain& chain, SerialChain middle, std::size_t first)
    : chain_(chain), middle_(std::move(middle)), first_(first), closed_(ClosedFormIk::find(middle_)) {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (i < first || i >= first + kClosed) spare_.push_back(spare_joint(chain, i));
  }
  end_frame_ = frame_of(chain, chain.joint(first + kClosed - 1));
  if (first > 0) {
    begin_frame_ = frame_of(chain, chain.joint(first - 1));
    return;
  }
  // the middle begins where the first joint hangs on
  const JointVector zero = JointVector::Zero(static_cast<Eigen::Index>(chain.size()));
  const JointVector zero_middle = JointVector::Zero(kClosed);
  std::vector<Pose> X_BJ(chain.joint_count());
  chain_.joint_poses(numbers(zero), X_BJ);
  X_BS_ = X_BJ[end_frame_] * inverse(middle_.tool_pose(numbers(zero_middle)));
}

IkSolutions PostureFamily::postures(const Pose& X_BT, std::span<const double> q) const {
  std::array<Pose, kMaxChainJoints> X_BJ;
  SINEW_ASSERT(chain_.joint_count() <= X_BJ.size());
  const Pose X_BT_there = chain_.joint_poses(q, std::span(X_BJ).first(chain_.joint_count()));
  const Pose X_BS = begin_frame_ == kNone ? X_BS_ : X_BJ[begin_frame_];
  const Pose X_ET = inverse(X_BJ[end_frame_]) * X_BT_there;
  IkSolutions found = closed_->solve(inverse(X_BS) * X_BT * inverse(X_ET), q.subspan(first_, kClosed));
  for (IkSolution& solution : found) {
    const JointVector middle = solution.q;
    solution.q = JointVector::Map(q.data(), static_cast<Eigen::Index>(q.size()));
    solution.q.segment(static_cast<Eigen::Index>(first_), kClosed) = middle;
  }
  return found;
}

PostureSweep::PostureSweep(const PostureFamily& family, const Pose& X_BT, std::span<const double> near,
                           std::uint64_t seed)
    : family_(family), X_BT_(X_BT), q_(near.begin(), near.end()), sequence_(family.spare().size()) {
  sequence_.begin(seed);
}

IkSolutions PostureSweep::next() {
  std::array<float, kMaxChainJoints> draw{};
  sequence_.next(draw.data());
  for (std::size_t i = 0; i < family_.spare().size(); ++i) {
    const PostureFamily::SpareJoint& joint = family_.spare()[i];
    q_[joint.variable] = joint.lower + static_cast<double>(draw[i]) * (joint.upper - joint.lower);
  }
  ++samples_;
  return family_.postures(X_BT_, q_);
}

double PostureSweep::spacing(std::size_t i) const {
  const PostureFamily::SpareJoint& joint = family_.spare()[i];
  const double count =
      std::pow(static_cast<double>(samples_ + 1), 1.0 / static_cast<double>(family_.spare().size()));
  return (joint.upper - joint.lower) / count;
}

}  // namespace sinew

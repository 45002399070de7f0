// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "sinew/messages/joints.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// One polynomial of time for each joint of a stream, in the order of its mask.
struct LivePiece {
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  std::vector<Coefficients> polynomials;

  std::int64_t end_ns() const { return start_ns + duration_ns; }
};

/// What of a stream has been sent to the controller: each plan replaces the one before it from its begin on,
/// and ends at rest. So where the joints will be is known for all times to come, also when no further plan is
/// sent; and from what was carried out can be seen which plans the controller has taken.
class SentPieces {
 public:
  /// Nothing sent: the joints in `joint_mask` rest at their positions in `q_all`.
  void begin(std::uint64_t joint_mask, std::span<const double> q_all);

  /// Pieces one after the other, the last of which ends at rest; not before the begin of the last plan.
  void put(std::vector<LivePiece> plan);

  bool is_empty() const { return plans_.empty(); }
  std::uint64_t joint_mask() const { return joint_mask_; }
  /// The joints in the mask, among the robot's positions.
  std::span<const std::size_t> joints() const { return joints_; }
  /// When the newest plan begins, and when it is at rest.
  std::int64_t begin_ns() const { return plans_.empty() ? 0 : plans_.back().front().start_ns; }
  std::int64_t end_ns() const { return plans_.empty() ? 0 : plans_.back().back().end_ns(); }

  /// Where the joints are at a time, and how they move; by the plan that has them then.
  void sample(std::int64_t at_ns, std::span<AxisState> states) const;

  enum class Verdict {
    AsSent,   ///< What was carried out is what was sent.
    SetBack,  ///< The newest plans were not taken: they are forgotten, and the one before them holds.
    Strange,  ///< Something else moves the joints.
  };
  /// Compares with what the controller has sent to the driver. Motions may run late: `delay_ns` is by how
  /// much as far as is known.
  Verdict compare(const JointCommand& command, std::int64_t delay_ns);
  /// By how much the motion was seen to run late.
  std::int64_t delay_ns() const { return delay_ns_; }

 private:
  using Plan = std::vector<LivePiece>;
  AxisState state_in(const Plan& plan, std::size_t k, std::int64_t at_ns) const;
  /// The newest plan that has begun by then; none: the joints still rest where they began.
  std::optional<std::size_t> plan_at(std::int64_t at_ns) const;
  bool is_at(std::optional<std::size_t> plan, std::int64_t at_ns, const JointCommand& command) const;
  std::optional<std::size_t> plans_carried_out(std::int64_t at_ns, const JointCommand& command) const;

  std::uint64_t joint_mask_ = 0;
  std::vector<std::size_t> joints_;
  std::vector<double> rest_;
  std::deque<Plan> plans_;
  std::int64_t delay_ns_ = 0;
};

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/control/mux.h"
#include "sinew/trajectory/first_order.h"
#include "sinew/trajectory/joint_smoother.h"

namespace sinew {

/// What robot.yaml and the URDF let each joint do. Acceleration and jerk that nobody has stated are chosen so
/// that full speed takes half a second; a joint without a velocity limit is refused.
Result<std::vector<AxisLimits>> axis_limits(const RobotModel& model);

struct WishSmootherOptions {
  double period = 1e-3;        ///< [s]
  double time_constant = 1.0;  ///< [s] Of Smoothing::FirstOrder.
  double stiffness = 0.1;      ///< [1] Of Smoothing::Compliant.
};

/// Turns what is wanted of the joints into motion, each in its own way (Smoothing). Whatever the way, the
/// jerk-limited generator has the last word, so no limit is ever exceeded.
///
/// One thread; nothing but make() allocates.
class WishSmoother {
 public:
  static Result<WishSmoother> make(std::span<const AxisLimits> limits, const WishSmootherOptions& options);

  /// Begins anew, at rest at `positions`.
  [[nodiscard]] bool reset(std::span<const double> positions) SINEW_REALTIME;

  /// One cycle on. `measured`: where the joints are.
  SmootherReport step(const Wish& wish, std::span<const double> measured) SINEW_REALTIME;

  /// See memory.h.
  template <class Visit>
  void visit_memory(Visit& visit) SINEW_REALTIME {
    visit(axes_);
    visit(streams_);
    for (FirstOrderFilter& filter : filters_) visit(filter);
    for (CompliantFilter& filter : compliant_) visit(filter);
    visit(last_smoothing_);
  }

  JointSmoother& axes() SINEW_REALTIME { return axes_; }
  const JointSmoother& axes() const SINEW_REALTIME { return axes_; }

 private:
  /// A stream of references, whose speed is guessed from the last two.
  struct Stream {
    double position = 0.0;  // the last reference [rad, m]
    double velocity = 0.0;
    double age = 0.0;       // [s] since it came
    double interval = 0.0;  // [s] between the last two
  };

  WishSmoother(const JointSmoother& axes, const WishSmootherOptions& options);
  double target_of(std::size_t i, const Wish& wish, double measured) SINEW_REALTIME;
  double follow(std::size_t i, const Wish& wish) SINEW_REALTIME;

  WishSmootherOptions options_;
  JointSmoother axes_;
  std::array<Stream, kMaxJoints> streams_{};
  std::vector<FirstOrderFilter> filters_;
  std::vector<CompliantFilter> compliant_;
  std::array<Smoothing, kMaxJoints> last_smoothing_{};
};

}  // namespace sinew

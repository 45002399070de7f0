// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/base/realtime.h"
#include "sinew/collision/solid.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// How far the joint above a link travels, and what follows from it.
struct LinkMotion {
  double turn = 0.0;         ///< [rad]
  double slide = 0.0;        ///< [m]
  double stray_turn = 0.0;   ///< [rad] Off its way, either side.
  double stray_slide = 0.0;  ///< [m]
  double reach = 0.0;        ///< [m] From the parent link's origin to this one's, at most.
};

/// Upper bounds [m] of the way of any point of a body, and of how far it may be off that way.
struct Travel {
  double way = 0.0;
  double stray = 0.0;
};

/// Forward kinematics of a whole robot: all links, in the frame W of the root link. Never changes once made.
class LinkTree {
 public:
  explicit LinkTree(const RobotModel& model);

  std::size_t link_count() const noexcept { return step_of_.size(); }
  std::size_t position_count() const noexcept { return position_count_; }

  /// `q` [rad, m] as in RobotModel::positions; X_WL holds link_count() frames.
  void link_frames(std::span<const double> q, std::span<Placement> X_WL) const SINEW_REALTIME;

  /// The motion of every link while the joints go from q0 to q1 and stray from there by at most `slack`
  /// (empty: not at all).
  void link_motions(std::span<const double> q0, std::span<const double> q1, std::span<const double> slack,
                    std::span<LinkMotion> motions) const SINEW_REALTIME;
  /// For points within `radius` [m] of the link's origin, seen from `ancestor`.
  Travel travel_bound(std::size_t link, std::size_t ancestor, double radius,
                      std::span<const LinkMotion> motions) const SINEW_REALTIME;
  /// The last link that both hang on.
  std::size_t common_ancestor(std::size_t link_a, std::size_t link_b) const SINEW_REALTIME;

  /// A joint on the way out.
  struct Step {
    std::size_t parent = 0;
    std::size_t child = 0;
    std::size_t position = kNone;  ///< Into q; kNone: fixed.
    bool is_revolute = false;
    double factor = 1.0;  ///< Joint = factor · q + offset.
    double offset = 0.0;
    Matrix3 R = Matrix3::Identity();  ///< R_PC = R + sine · R_sine + cosine · R_cosine.
    Matrix3 R_sine = Matrix3::Zero();
    Matrix3 R_cosine = Matrix3::Zero();
    Vector3 p = Vector3::Zero();      ///< p_PC at zero [m].
    Vector3 slide = Vector3::Zero();  ///< The way of a prismatic joint, in P.
    Vector3 axis = Vector3::Zero();   ///< That it turns about or slides along, in C.
  };
  /// Parents before children.
  std::span<const Step> steps() const noexcept { return steps_; }
  /// The joint that a link hangs on; null for the root.
  const Step* step_above(std::size_t link) const noexcept {
    return step_of_[link] == kNone ? nullptr : &steps_[step_of_[link]];
  }
  /// Joints from the root.
  std::size_t depth(std::size_t link) const noexcept { return depth_[link]; }
  /// X_WC of a step's child, its parent being at X_WP; `position` is that of the step, or anything.
  static Placement frame_after(const Step& step, const Placement& X_WP, double position) SINEW_REALTIME;

 private:
  std::size_t position_count_;
  std::vector<Step> steps_;
  std::vector<std::size_t> step_of_;  ///< By child link; kNone for the root.
  std::vector<std::size_t> depth_;    ///< Joints from the root.
};

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sinew/base/realtime.h"
#include "sinew/collision/obstacles.h"
#include "sinew/collision/robot_shapes.h"

namespace sinew {
namespace collision {
struct Scratch;
}

enum class Verdict : std::uint8_t {
  Clear,
  TooNear,       ///< A pair is nearer than its margin; the contact says which.
  InvalidInput,  ///< Not one finite number per joint position.
};

/// Two things and how far apart they are. Points in the frame of the robot's root link.
struct Contact {
  std::size_t link_a = kNone;    ///< The link, or the one that carries object_a.
  std::size_t link_b = kNone;    ///< kNone: object_b is fixed in the world.
  std::size_t object_a = kNone;  ///< Into the Obstacles; kNone: the link's own shape.
  std::size_t object_b = kNone;
  double distance = 0.0;              ///< [m] Never more than the truth; negative: that deep in each other.
  double margin = 0.0;                ///< [m] What the pair must keep.
  Vector3 point_a = Vector3::Zero();  ///< [m]
  Vector3 point_b = Vector3::Zero();
  double at = 0.0;  ///< Of a sweep: the part of the way, 0 to 1.
};

struct CheckResult {
  Verdict verdict = Verdict::Clear;
  Contact contact;  ///< Of check(), sweep(): the first pair found too near. Of nearest(): the nearest.
};

struct SweepOptions {
  /// [m] How finely the way is looked at: a pair is never refused while further apart than its margin and
  /// twice this.
  double tolerance = 1e-3;
  /// [rad, m] How far each joint may be off the straight way from q0 to q1, such as while braking; may be
  /// empty.
  std::span<const double> slack{};
  /// A pair nearer than its margin at q0 may go on as long as it is no nearer at q1: the way out of a
  /// conflict. For short steps.
  bool may_leave = false;
  /// Pairs that do not move against each other are left out, however near: going there changes nothing.
  bool skips_still = false;
};

/// Tells whether and where a robot is too near to itself or the world. Belongs to one thread; all memory is
/// taken in the constructor.
///
/// Every pair of shapes counts but: those of one link or of an ignored pair, objects with the links and
/// objects they may touch, and objects fixed in the world among each other.
class CollisionChecker {
 public:
  static constexpr std::size_t kLanes = 8;

  /// `shapes` must outlive this object.
  explicit CollisionChecker(const RobotShapes& shapes);
  ~CollisionChecker();
  CollisionChecker(CollisionChecker&&) noexcept;
  CollisionChecker& operator=(CollisionChecker&&) noexcept;

  /// From now on against this world; what its solids point to must outlive its use. Without it: empty.
  void set_world(const Obstacles& world) SINEW_REALTIME;

  /// One configuration `q`, as in RobotModel::positions.
  CheckResult check(std::span<const double> q) SINEW_REALTIME;
  /// Whether check() finds nothing; sooner than check(). False also when `q` is invalid.
  bool is_clear(std::span<const double> q) SINEW_REALTIME;
  /// Eight at once: q[i * kLanes + lane] is joint position i. One bit per lane that is_clear().
  std::uint8_t clear_lanes(std::span<const float> q) SINEW_REALTIME;
  /// Whether all eight are; known as soon as one is not.
  bool are_lanes_clear(std::span<const float> q) SINEW_REALTIME;
  /// For planners that have many to choose from: lanes that are not clear for certain, a bit each, because of
  /// what are_lanes_clear() found in the way lately. The others may be clear or not; much sooner than
  /// clear_lanes().
  std::uint8_t hit_lanes(std::span<const float> q) SINEW_REALTIME;
  /// For planners: whether configurations on the straight way from q0 to q1 are clear, the last of them q1,
  /// no further apart than `resolution` (as a length in joint space) [rad, m]. q0 itself is not looked at,
  /// nor what lies between them: sweep() does that. Known as soon as one is not; false also when an input is
  /// invalid or makes more than kMostEdgeParts.
  bool is_edge_clear(std::span<const double> q0, std::span<const double> q1,
                     double resolution) SINEW_REALTIME;
  static constexpr double kMostEdgeParts = 1e6;
  /// Whether all configurations from q0 straight to q1 are clear: what a sweep() tells with this tolerance,
  /// and sooner, without saying which pair is not. False also when an input is invalid.
  bool is_way_clear(std::span<const double> q0, std::span<const double> q1, double tolerance) SINEW_REALTIME;
  /// The pair with the smallest distance beyond its margin. Clear also when there are no pairs: then the
  /// distance is infinite.
  CheckResult nearest(std::span<const double> q) SINEW_REALTIME;
  /// All configurations from q0 straight to q1. Never misses one that is too near.
  CheckResult sweep(std::span<const double> q0, std::span<const double> q1,
                    const SweepOptions& options = {}) SINEW_REALTIME;

 private:
  std::unique_ptr<collision::Scratch> scratch_;
};

}  // namespace sinew

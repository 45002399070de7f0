// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sinew/base/realtime.h"
#include "sinew/collision/collision_checker.h"

namespace sinew {
namespace collision {
struct Watch;
}

/// How a position goes on a part of a way: it is never further than `rest` from middle + chord · u + bow ·
/// u², with u from -1 where the part begins to 1 where it ends [rad, m].
struct Course {
  double chord = 0.0;
  double bow = 0.0;
  double rest = 0.0;
};

/// A part of a way, with one entry for each position [rad, m].
struct WaySample {
  std::span<double> middle;   ///< Where it is halfway.
  std::span<double> spread;   ///< How far it is from there at any time of the part, at most.
  std::span<Course> courses;  ///< How it goes there.
};

/// A way through configurations, from time 0 to duration() [s].
class RobotWay {
 public:
  virtual ~RobotWay() = default;
  virtual double duration() const SINEW_REALTIME = 0;
  /// Where the robot is then, as in RobotModel::positions [rad, m].
  virtual void place(double time, std::span<double> q) const SINEW_REALTIME = 0;
  /// The part between two times; only the positions in `mask` are wanted.
  virtual void sample(double begin, double end, std::uint64_t mask,
                      const WaySample& part) const SINEW_REALTIME = 0;
};

/// Watches ways that change little from one look to the next, such as the way to a stop in every cycle of a
/// controller. What was found out about a pair is remembered: how much nearer the two may come before the
/// pair must be looked at again. So a way that was clear stays clear as long as it is followed. A pair nearer
/// than its margin is always found.
///
/// Which pairs count is as with CollisionChecker. Those nearer than their margin may go on as long as they
/// come no nearer: the way out of a conflict. Those that do not move against each other are left out.
/// Belongs to one thread; all memory is taken in the constructor.
class WayWatch {
 public:
  /// [m] How finely ways are looked at: a pair is never refused while further apart than its margin and
  /// twice this.
  static constexpr double kTolerance = 1e-3;

  /// Of a robot with at most 64 positions; `shapes` must outlive this object.
  explicit WayWatch(const RobotShapes& shapes);
  ~WayWatch();
  WayWatch(WayWatch&&) noexcept;
  WayWatch& operator=(WayWatch&&) noexcept;

  /// From now on against this world; what its solids point to must outlive its use.
  void set_world(const Obstacles& world) SINEW_REALTIME;

  /// The first pair too near on `way`. `drift`: how far each position is, at any time of the way, from where
  /// some time of the last way that was clear had it, at most [rad, m]; what is infinite makes it forget.
  CheckResult check(const RobotWay& way, std::span<const double> drift) SINEW_REALTIME;

  /// From now on as if it were new, in this world.
  void forget() SINEW_REALTIME;

  /// How often a pair was looked at in the last check, for tests.
  std::size_t looks() const noexcept;

 private:
  std::unique_ptr<collision::Watch> watch_;
};

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/collision/obstacles.h"
#include "sinew/planning/problem_file.h"

namespace sinew::bench {

using Corners = std::vector<std::vector<double>>;

/// What a planner made of a problem.
struct Planned {
  bool is_solved = false;
  Corners first;      ///< The path as it was found.
  Corners shortened;  ///< After simplification.
  double search_ms = 0.0;
  double shorten_ms = 0.0;
  std::string reason;  ///< Why it was not solved.
};

/// Which robot, which of its joints, and how long.
struct PlanSetting {
  const RobotModel* model = nullptr;
  std::vector<std::size_t> planned;
  std::size_t base_link = kNone;  ///< Of the arm that they move …
  std::size_t tip_link = kNone;   ///< … and its flange.
  std::vector<double> others;     ///< All positions; those that are not planned stay there.
  double time_limit = 5.0;        ///< [s]
  unsigned seed = 1;
};

/// A planner in the benchmark.
class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual std::string name() const = 0;
  /// Whether Planned::shortened is a result of its own.
  virtual bool has_simplification() const { return true; }
  /// What is ready before the clock starts: the world.
  virtual void set_world(const Obstacles& world) = 0;
  virtual Planned plan(std::span<const double> start, std::span<const double> goal) = 0;
};

/// Ours.
std::unique_ptr<Contestant> make_sinew(const PlanSetting& setting);
/// The whole chain: the tool's pose at the goal in, a verified trajectory out; nothing when other joints than
/// an arm's are planned.
std::unique_ptr<Contestant> make_whole_chain(const PlanSetting& setting);
/// OMPL's RRTConnect and its simplification on our checker, and on FCL as MoveIt sets them up; nothing where
/// Debian's libompl-dev or libfcl-dev was not installed.
std::vector<std::unique_ptr<Contestant>> make_rivals(const PlanSetting& setting);

/// FCL on the shapes of the URDF, as MoveIt uses it: what a rival checks with.
class FclChecker {
 public:
  explicit FclChecker(const PlanSetting& setting);
  ~FclChecker();
  static bool is_available();
  void set_world(const Obstacles& world);
  /// `q`: the planned joints.
  bool is_clear(std::span<const double> q);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace sinew::bench

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/language/check.h"
#include "sinew/motion/move_planner.h"
#include "sinew/motion/program_robot.h"

namespace sinew {

/// Says what is wrong with the moves of a program by planning each as it would be run: reach, limits,
/// branches, singularities, collisions, times; and how long all take. The robot moves on as they come, also
/// past one that cannot be, where its goal can be reached otherwise; after one that is blocked it goes on
/// with the next joint move. So one mistake is told once.
///
/// A move that was judged from the same posture before is not planned again, so loops cost little.
class ProgramJudge final : public language::MoveJudge {
 public:
  /// `robot` must outlive it, and its joints are moved along. The options say base and tip or the arm.
  static Result<std::unique_ptr<ProgramJudge>> make(ProgramRobot& robot, MovePlannerOptions options);

  Status set_world(const Obstacles& world) { return planner_->set_world(world); }

  std::vector<language::Judgement> judge(const language::MoveAction& action) override;
  void stand(double seconds) override;

  /// What moves and waits so far take together [s]; nothing when a move cannot be. What conditions, grippers
  /// and outputs take is not counted.
  std::optional<double> cycle_time() const;

 private:
  /// What came of one move, or of a chain of blended ones.
  struct Known {
    std::vector<language::Judgement> said;
    bool is_blocked = false;
    double duration = 0.0;
    std::vector<double> end;  ///< All positions of the robot.
  };

  ProgramJudge(ProgramRobot& robot, std::unique_ptr<MovePlanner> planner)
      : robot_(robot), planner_(std::move(planner)), ik_(robot.chain()) {}
  const Known& known(std::span<const Move> chain, const std::vector<double>& from);
  Known look(std::span<const Move> chain, const std::vector<double>& from);
  std::vector<double> where_it_would_be(const Move& move, const std::vector<double>& from) const;
  std::optional<language::Judgement> compare_spline_start(const language::MoveAction& action) const;
  void end_chain();

  ProgramRobot& robot_;
  std::unique_ptr<MovePlanner> planner_;
  InverseKinematics ik_;
  std::map<std::string, Known> judged_;
  std::vector<Move> chain_;         // blended into each other, not ended yet
  std::vector<double> chain_from_;  // where it begins
  double time_ = 0.0;
  bool is_possible_ = true;
  bool is_lost_ = false;  // something was in the way: where it would be nobody knows
};

}  // namespace sinew

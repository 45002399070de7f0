// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/language/check.h"
#include "sinew/motion/move_planner.h"
#include "sinew/motion/program_move.h"
#include "sinew/motion/program_robot.h"

namespace sinew {

/// A part of what a program would do: a chain of moves, or standing.
struct ProgramStretch {
  const PlannedMoves* planned = nullptr;  ///< Null: the robot stands.
  std::vector<double> from;               ///< All positions of the robot, at its begin.
  double seconds = 0.0;
  std::vector<language::Place> places;  ///< Of each move of the chain; of standing, the statement's.
};

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

  /// What the robot may carry [kg]; not known unless said.
  void set_rated_payload(double mass) { load_.rated = mass; }

  /// Told of every stretch in the order of the program; moves that cannot be are left out.
  void on_stretch(std::function<void(const ProgramStretch&)> tell) { tell_ = std::move(tell); }

  /// Told of every gripper that would close or open, and of the tool X_FT of the last move.
  void on_grip(std::function<void(const language::GripperAction&, const Pose& X_FT)> tell) {
    tell_grip_ = std::move(tell);
  }

  void come_to(const language::Place& place) override { place_ = place; }
  std::vector<language::Judgement> judge(const language::MoveAction& action) override;
  std::vector<language::Judgement> judge(const language::OutputAction& action) override;
  std::vector<language::Judgement> judge(const language::GripperAction& action) override;
  std::vector<language::Judgement> judge(const language::PayloadAction& action) override;
  std::vector<language::Judgement> stand(double seconds) override;

  /// What moves and waits so far take together [s]; nothing when a move cannot be. What conditions, grippers
  /// and outputs take is not counted.
  std::optional<double> cycle_time() const;

 private:
  /// What came of one move, or of a chain of blended ones.
  struct Said {
    language::Judgement judgement;
    std::size_t move = 0;  ///< Of the chain.
  };
  struct Known {
    std::vector<Said> said;
    bool is_blocked = false;
    double duration = 0.0;
    std::vector<double> end;                        ///< All positions of the robot.
    std::shared_ptr<const PlannedMoves> planned{};  ///< Kept only while somebody is told of stretches.
  };

  ProgramJudge(ProgramRobot& robot, std::unique_ptr<MovePlanner> planner)
      : robot_(robot), planner_(std::move(planner)), ik_(robot.chain()) {}
  const Known& known(std::span<const Move> chain, const std::vector<double>& from);
  Known look(std::span<const Move> chain, const std::vector<double>& from);
  std::vector<double> where_it_would_be(const Move& move, const std::vector<double>& from) const;
  std::optional<language::Judgement> compare_spline_start(const language::MoveAction& action) const;
  std::vector<language::Judgement> end_chain();

  ProgramRobot& robot_;
  std::unique_ptr<MovePlanner> planner_;
  InverseKinematics ik_;
  std::map<std::string, Known> judged_;
  std::vector<Move> chain_;         // blended into each other, not ended yet
  std::vector<double> chain_from_;  // where it begins
  std::vector<language::Place> chain_places_;
  std::vector<language::Judgement> chain_said_;  // of its moves alone, told when the chain has ended
  language::Place place_;
  Load load_;
  std::map<std::string, std::string> loads_;  // what is wrong with each that was judged; empty: nothing
  std::function<void(const ProgramStretch&)> tell_;
  std::function<void(const language::GripperAction&, const Pose&)> tell_grip_;
  Pose X_FT_;  // of the last move
  double time_ = 0.0;
  bool is_possible_ = true;
  bool is_lost_ = false;  // something was in the way: where it would be nobody knows
};

}  // namespace sinew

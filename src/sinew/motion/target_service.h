// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/messages/requests.h"
#include "sinew/motion/motion_service.h"

namespace sinew {

/// What of a target (RequestVerb::MoveTarget) is asked of the arm: the pose that an arm of five joints can
/// have there. The hand lies in the plane through the base's axis and the target, so its yaw follows from x
/// and y; `is_behind`: the arm reaches over its back.
Request arm_request_of(const Request& target, bool is_behind);

/// Carries out targets on a MotionService: first the arm, from the front or, where that does not reach, over
/// its back; when it has arrived, the hand. Takes values and gives values. One thread.
class TargetService {
 public:
  /// `model` and `motion` must outlive it.
  TargetService(const RobotModel& model, MotionService& motion) : model_(model), motion_(motion) {}

  /// True: it was a target, and is answered by a later step(). False: somebody else has to answer it.
  bool take_request(std::uint64_t number, const Request& request, std::int64_t now_ns);

  /// What the service has answered since.
  void take_answers(const MotionOutput& output);

  /// Carries on. What it answers lives until the next call.
  const std::vector<Reply>& step(std::int64_t now_ns);

  /// Whether step() is wanted often.
  bool is_busy() const { return !targets_.empty(); }

 private:
  enum class Stage { Front, Behind, Hand };
  struct Target {
    std::uint64_t number = 0;
    Request request;
    Stage stage = Stage::Front;
    std::uint64_t step = 0;
    std::optional<Reply> news;  ///< The last word on that step, not looked at yet.
    Reply first;                ///< What the arm was told from the front; then, that it has arrived.
    bool is_over = false;
  };

  Status check(const Request& request) const;
  void hold_hands(const std::string& why);
  void ask_arm(Target& target, Stage stage, std::int64_t now_ns);
  void ask_hand(Target& target, std::int64_t now_ns);
  void go_on(Target& target, const Reply& reply, std::int64_t now_ns);
  void finish(Target& target, Reply reply);
  void refuse(std::uint64_t number, const std::string& why, std::int64_t now_ns);

  const RobotModel& model_;
  MotionService& motion_;
  std::vector<Target> targets_;
  std::uint64_t last_step_ = 0;
  std::vector<Reply> output_;
  std::vector<Reply> collected_;  // for the next step()
};

}  // namespace sinew

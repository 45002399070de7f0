// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/io.h"
#include "sinew/messages/motion.h"
#include "sinew/messages/requests.h"
#include "sinew/motion/motion_service.h"
#include "sinew/motion/move_planner.h"
#include "sinew/motion/program_runner.h"

namespace sinew {

struct ProgramSettings {
  double margin = 0.01;      ///< [m] What the controller's guard keeps.
  MeshPoints mesh_points{};  ///< Without it, no mesh has a shape.
  double payload = 0.0;      ///< [kg] As in MotionSettings.
  /// As in MotionSettings.
  Interruption interruption{};
  ObjectFinder objects{};  ///< For WHERE; none: nobody sees objects.
};

/// What others must be told.
struct ProgramOutput {
  std::vector<Reply> replies;
  std::optional<IoCommand> io;  ///< For `io_command`.
};

/// Runs programs on a MotionService, one at a time: answers what is asked about programs, hands a program's
/// moves to the service, and tells where it is. Takes values and gives values. One thread.
///
///     if (!programs.take_request(number, request, now_ns)) motion.take_request(number, request, now_ns);
///     publish(programs.step(now_ns));              // its moves go to the service
///     const MotionOutput& done = motion.step(now_ns);
///     programs.take_answers(done);
class ProgramService {
 public:
  /// `model` and `motion` must outlive it.
  ProgramService(const RobotModel& model, MotionService& motion, ProgramSettings settings);

  void take_io(const IoState& io) { io_ = io; }

  /// True: it was about programs, and is answered by the next step(). False: the service has to answer it.
  bool take_request(std::uint64_t number, const Request& request, std::int64_t now_ns);

  /// Carries on with the program. The output lives until the next call.
  const ProgramOutput& step(std::int64_t now_ns);

  /// What the service has answered since.
  void take_answers(const MotionOutput& output);

  /// Puts in what is known of the program: the one that runs, or the last that has run.
  void tell(MotionState& state) const;
  /// Whether step() is wanted often.
  bool is_busy() const { return runner_ != nullptr && !runner_->is_over(); }

  /// The request that began the program that runs, or the last that has run; zero: none has.
  std::uint64_t number() const { return number_; }
  /// Ends the program that runs, smoothly, and answers its request with `why`.
  void abandon(const std::string& why) {
    if (is_busy()) runner_->stop(why);
  }

 private:
  void run(std::uint64_t number, const Request& request, std::int64_t now_ns);
  Status begin(std::uint64_t number, const Request& request, std::int64_t now_ns);
  bool resume(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void resume_moves(std::uint64_t number, std::int64_t now_ns);
  Result<MovePlanner*> planner_of(const std::string& arm);
  Status take_press(const Request& request, std::int64_t now_ns);
  void mind_press(std::int64_t now_ns);
  void step_program(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void set_breakpoints(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void take_world();
  void carry_out(const ProgramOrders& orders, std::int64_t now_ns);
  ProgramMotionNews news(std::int64_t now_ns) const;
  void answer(std::uint64_t number, ReplyStatus status, std::string_view words, std::int64_t now_ns);

  const RobotModel& model_;
  MotionService& motion_;
  ProgramSettings settings_;
  std::map<std::string, std::unique_ptr<MovePlanner>> planners_;  ///< By arm.
  MovePlanner* planner_ = nullptr;                                ///< Of the program that runs.
  std::map<const MovePlanner*, std::uint64_t> taken_worlds_;      ///< MotionService::world_number() of each.
  std::unique_ptr<ProgramRunner> runner_;                         ///< Also of one that is over.
  std::string path_;
  std::string who_;
  std::uint64_t number_ = 0;     ///< The request that began it.
  std::uint64_t hold_ = 0;       ///< The press that lets it run; zero: it runs by itself.
  bool has_lost_press_ = false;  ///< That is over.
  std::uint64_t step_ = 0;       ///< The last that was handed to the service.
  std::optional<StepReply> step_answer_;
  std::set<std::uint32_t> breakpoints_;
  IoState io_;
  ProgramOutput output_;
  ProgramOutput collected_;  // for the next step()
};

}  // namespace sinew

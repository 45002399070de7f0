// SPDX-License-Identifier: BSD-3-Clause
// Lab 07: pick and place.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/lab/arm_angles.h"

#include "apps/lab/lab_robot.h"
#include "apps/lab/moving_labs.h"
#include "apps/lab/program_file.h"

namespace sinew::lab {
namespace picking {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kMillimetre = 1e-3;
constexpr double kPlaceBound = 0.005;  // [m]
constexpr double kTurnBound = 0.1;     // [rad]
constexpr double kLiftBound = 0.06;    // [m] it is to be carried, not pushed
constexpr double kWidest = 0.075;      // [m] of the hand
constexpr double kLongest = 180.0;     // [s] of simulated time
constexpr std::size_t kMostRows = 60;
const Vector3 kBlockSize(0.03, 0.03, 0.04);

/// Where a block stands: its middle, and how far it is turned about z.
struct Stand {
  double x = 0.0;
  double y = 0.0;
  double z = 0.5 * kBlockSize.z();
  double yaw = 0.0;
};

struct Task {
  Stand block;
  Stand goal;
};

Task draw_task(Draws& draws) {
  const auto stand = [&](double low, double high) {
    const double angle = draws.between(low, high);
    const double radius = draws.between(0.31, 0.38);
    Stand place{.x = radius * std::cos(angle), .y = radius * std::sin(angle)};
    // up to a quarter turn either way of the hand's own direction
    place.yaw = wrapped(angle + draws.between(-0.6, 0.6));
    return place;
  };
  const bool goes_left = draws.between(0.0, 1.0) < 0.5;
  const Stand right = stand(-0.9, -0.3);
  const Stand left = stand(0.3, 0.9);
  return goes_left ? Task{right, left} : Task{left, right};
}

Value value_of(const Stand& stand) {
  return Value(std::vector<Value>{stand.x, stand.y, stand.z, stand.yaw});
}

std::string row_fault(const std::vector<std::vector<double>>& rows) {
  if (rows.size() > kMostRows)
    return fmt::format("plan() answers {} rows; at most {} are taken", rows.size(), kMostRows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i][5] < 0.0 || rows[i][5] > kWidest)
      return fmt::format("row {} opens the hand to {}; it opens from 0 to {}", i + 1, length_text(rows[i][5]),
                         length_text(kWidest));
    if (std::abs(rows[i][3]) > 2.0 * std::numbers::pi || std::abs(rows[i][4]) > 2.0 * std::numbers::pi)
      return fmt::format(
          "row {} has a pitch of {:.4g} and a roll of {:.4g} rad, more than a turn: are these degrees?",
          i + 1, rows[i][3], rows[i][4]);
    if (std::hypot(rows[i][0], rows[i][1], rows[i][2]) > 2.0)
      return fmt::format("row {} is at ({:.4g}, {:.4g}, {:.4g}) m, far out of reach: are these millimetres?",
                         i + 1, rows[i][0], rows[i][1], rows[i][2]);
  }
  return {};
}

// The rows as a robot program, two lines a row after the first: straight up and down, by the joints
// elsewhere; the hand after each move.
std::string program_of(const std::vector<std::vector<double>>& rows) {
  std::string text = "SPEED 60%\n";
  const std::vector<double>* before = nullptr;
  for (const std::vector<double>& row : rows) {
    const double yaw = std::atan2(row[1], row[0]);
    const bool is_straight =
        before != nullptr && std::hypot(row[0] - (*before)[0], row[1] - (*before)[1]) < 0.002;
    text += fmt::format("{} POSE({:.4f}, {:.4f}, {:.4f}, {:.6f}, {:.6f}, {:.6f}){}\n",
                        is_straight ? "MOVEL" : "MOVEJ", row[0] / kMillimetre, row[1] / kMillimetre,
                        row[2] / kMillimetre, row[4] / kDegree, row[3] / kDegree, yaw / kDegree,
                        is_straight ? " [v=60]" : "");
    const bool is_hand_still = before != nullptr && row[5] == (*before)[5];
    text += is_hand_still ? "# the hand stays\n" : fmt::format("GRIPPER {:.4f}\n", row[5] / kMillimetre);
    before = &row;
  }
  return text;
}

// A refusal of the program of rows, "PATH:LINE:COLUMN: why", by the row that it is about.
std::string in_rows(std::string reason, const std::string& path) {
  const std::size_t at = reason.find(path + ":");
  if (at == std::string::npos) return reason;
  const std::size_t number = at + path.size() + 1;
  const std::size_t end = reason.find(' ', number);
  int line = 0;
  std::from_chars(reason.data() + number, reason.data() + reason.size(), line);
  reason.replace(at, (end == std::string::npos ? reason.size() : end) - at, fmt::format("row {}:", line / 2));
  return reason;
}

// Variables that a robot program finds, in its units.
std::string preface_of(const Task& task) {
  std::string text;
  for (const auto& [name, stand] : {std::pair{"block", &task.block}, {"goal", &task.goal}})
    text += fmt::format("{0}_x = {1:.4f}\n{0}_y = {2:.4f}\n{0}_z = {3:.4f}\n{0}_yaw = {4:.6f}\n", name,
                        stand->x / kMillimetre, stand->y / kMillimetre, stand->z / kMillimetre,
                        stand->yaw / kDegree);
  return text;
}

struct Run {
  std::string fault;
  double highest = 0.0;      ///< [m] Of the block's middle.
  double place_error = 0.0;  ///< [m]
  double turn_error = 0.0;   ///< [rad] To the nearest quarter turn: the block is square.
  bool is_upright = false;
};

// Runs the program to its end, then looks where the block is.
Run run_program(LabRobot& robot, const Task& task, const std::string& path) {
  Run run;
  Request request{.verb = RequestVerb::RunProgram};
  set_text(request.who, "lab");
  set_text(request.text, path);
  const std::uint64_t number = robot.lockstep().ask(request);
  while (robot.seconds() < kLongest && !robot.lockstep().final_reply(number)) {
    robot.pass(0.01);
    run.highest = std::max(run.highest, robot.lockstep().simulation().object_pose("block")->position.z());
  }
  const auto reply = robot.lockstep().final_reply(number);
  if (!reply) run.fault = fmt::format("it is not done after {:.0f} s", kLongest);
  if (reply && reply->status != ReplyStatus::Done)
    run.fault = fmt::format("the robot stops: {}", in_rows(std::string(text_of(reply->reason)), path));
  robot.pass(0.5);
  const Pose end = *robot.lockstep().simulation().object_pose("block");
  run.place_error = std::hypot(end.position.x() - task.goal.x, end.position.y() - task.goal.y);
  run.is_upright =
      (end.rotation * Vector3::UnitZ()).z() > 0.99 && std::abs(end.position.z() - task.goal.z) < 0.003;
  const Vector3 side = end.rotation * Vector3::UnitX();
  run.turn_error =
      std::abs(std::remainder(std::atan2(side.y(), side.x()) - task.goal.yaw, 0.5 * std::numbers::pi));
  return run;
}

std::string task_fault(const Run& run) {
  if (run.highest < kLiftBound + 0.5 * kBlockSize.z())
    return fmt::format("the block was not carried: its middle came no higher than {}",
                       length_text(run.highest));
  if (!run.is_upright) return "the block does not stand at the end";
  if (run.place_error > kPlaceBound)
    return fmt::format("the block is {} off its goal; {} are allowed", length_text(run.place_error),
                       length_text(kPlaceBound));
  if (run.turn_error > kTurnBound)
    return fmt::format("the block is turned by {} against its goal; {} are allowed",
                       angle_text(run.turn_error), angle_text(kTurnBound));
  return {};
}

Result<std::unique_ptr<LabRobot>> robot_with_block(const Task& task) {
  SceneObject block{.name = "block", .kind = ObjectKind::Box};
  block.X_WO = {.rotation = quaternion_from({.yaw = task.block.yaw}),
                .position = {task.block.x, task.block.y, task.block.z}};
  block.size = kBlockSize;
  block.is_free = true;
  block.mass = 0.05;
  return LabRobot::make({block});
}

Result<Grade> grade_task(const Task& task, const std::string& path, const std::string& title) {
  auto robot = robot_with_block(task);
  if (!robot) return robot.error();
  const Run run = run_program(**robot, task, path);
  std::string fault = run.fault.empty() ? task_fault(run) : run.fault;
  const std::vector<std::string>& touched = (*robot)->touched();
  if (fault.empty() && !touched.empty()) fault = touched.front();
  const std::array<PlaceMark, 2> marks{{{"block", {task.block.x, task.block.y, task.block.z}},
                                        {"goal", {task.goal.x, task.goal.y, task.goal.z}}}};
  auto picture = draw_run((*robot)->lockstep().model(), (*robot)->log(), title, marks);
  if (!picture) return picture.error();
  return Grade{.passed = fault.empty(),
               .score = fault.empty() ? 100.0 : 0.0,
               .measures = {{"place_error_m", run.place_error},
                            {"turn_error_rad", run.turn_error},
                            {"lifted_to_m", run.highest},
                            {"blocks_standing", run.is_upright ? 1.0 : 0.0},
                            {"collisions", static_cast<double>(touched.size())},
                            {"peak_share_of_speed_limit", (*robot)->peak_speed_share()},
                            {"seconds", (*robot)->seconds()}},
               .reason = fault.empty() ? fmt::format("the block stands {} from its goal, after {:.1f} s",
                                                     length_text(run.place_error), (*robot)->seconds())
                                       : fault + ".",
               .picture = *std::move(picture)};
}

}  // namespace
}  // namespace picking

Result<Grade> grade_picking(const Ask& ask, std::uint64_t seed) {
  using namespace picking;
  Draws draws(seed);
  const Task task = draw_task(draws);
  const std::vector<Value> arguments{value_of(task.block), value_of(task.goal)};
  const auto value = ask("plan", arguments);
  if (!value) return no_points(value.error().message);
  const auto rows = rows_from(*value, "plan", 0, 6);
  if (!rows) return no_points(rows.error().message);
  if (const std::string fault = row_fault(*rows); !fault.empty()) return no_points(fault + ".");
  const auto program = ProgramFile::make(program_of(*rows));
  if (!program) return program.error();
  return grade_task(task, program->path(), "Lab 07: pick and place");
}

Result<Grade> grade_picking_program(const std::filesystem::path& path, std::uint64_t seed) {
  using namespace picking;
  Draws draws(seed);
  const Task task = draw_task(draws);
  std::error_code error;
  const auto program = ProgramFile::make(
      preface_of(task) + fmt::format("INCLUDE \"{}\"\n", std::filesystem::absolute(path, error).string()));
  if (!program) return program.error();
  return grade_task(task, program->path(), "Lab 07: pick and place");
}

}  // namespace sinew::lab

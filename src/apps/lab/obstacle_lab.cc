// SPDX-License-Identifier: BSD-3-Clause
// Lab 09: around obstacles.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/collision/contact_text.h"
#include "sinew/lab/arm_angles.h"

#include "apps/lab/lab_robot.h"
#include "apps/lab/moving_labs.h"

namespace sinew::lab {
namespace avoiding {
namespace {

constexpr std::size_t kMostRows = 200;
constexpr double kGoalBound = 1e-3;  // [rad]
constexpr double kLongest = 120.0;   // [s] of simulated time

struct Task {
  std::vector<double> start;
  std::vector<double> goal;
  std::vector<SceneObject> boxes;
};

// An outstretched arm to the right and to the left of a wall; a box stands beside it, and one lies about.
Task draw_task(Draws& draws) {
  const auto posture = [&](double base) {
    return std::vector<double>{base, draws.between(0.20, 0.35), draws.between(-0.75, -0.55),
                               draws.between(-0.7, -0.5), 0.0};
  };
  Task task{
      .start = posture(draws.between(-1.1, -0.9)), .goal = posture(draws.between(0.9, 1.1)), .boxes = {}};
  const auto box = [&](std::string name, double radius, double yaw, const Vector3& size) {
    SceneObject object{.name = std::move(name), .kind = ObjectKind::Box};
    object.X_WO.position = {radius * std::cos(yaw), radius * std::sin(yaw), 0.5 * size.z()};
    object.size = size;
    object.colour = {0.75, 0.35, 0.25, 1.0};
    task.boxes.push_back(object);
  };
  box("wall", draws.between(0.42, 0.46), draws.between(-0.1, 0.1),
      {draws.between(0.20, 0.26), 0.05, draws.between(0.32, 0.42)});
  box("crate", draws.between(0.50, 0.54), draws.between(0.30, 0.40), {0.08, 0.08, draws.between(0.25, 0.32)});
  box("brick", draws.between(0.48, 0.52), draws.between(-0.45, -0.35),
      {0.06, 0.10, draws.between(0.10, 0.20)});
  return task;
}

std::vector<Value> question_of(const Task& task) {
  std::vector<Value> boxes;
  for (const SceneObject& box : task.boxes) {
    const Vector3& p = box.X_WO.position;
    boxes.emplace_back(std::vector<Value>{p.x(), p.y(), p.z(), box.size.x(), box.size.y(), box.size.z()});
  }
  return {Value(std::span<const double>(task.start)), Value(std::span<const double>(task.goal)),
          Value(boxes)};
}

std::string row_fault(const SerialChain& chain, const Task& task,
                      const std::vector<std::vector<double>>& rows) {
  if (rows.empty()) return "path() answers an empty list; its last row is the goal";
  if (rows.size() > kMostRows)
    return fmt::format("path() answers {} rows; at most {} are taken", rows.size(), kMostRows);
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const JointLimits& limits = chain.limits(i);
      if (rows[row][i] < limits.lower - 1e-9 || rows[row][i] > limits.upper + 1e-9)
        return fmt::format("row {} of the path puts '{}' to {}, beyond its limits {} to {}", row + 1,
                           kArmJoints[i], angle_text(rows[row][i]), angle_text(limits.lower),
                           angle_text(limits.upper));
    }
  for (std::size_t i = 0; i < chain.size(); ++i)
    if (std::abs(rows.back()[i] - task.goal[i]) > kGoalBound)
      return fmt::format("the path ends with '{}' at {}; the goal has it at {}", kArmJoints[i],
                         angle_text(rows.back()[i]), angle_text(task.goal[i]));
  return {};
}

std::vector<double> robot_positions(const SerialChain& chain, const RobotModel& model,
                                    const std::vector<double>& row) {
  std::vector<double> q(model.positions.size(), 0.0);
  for (std::size_t i = 0; i < chain.size(); ++i) q[chain.position(i)] = row[i];
  return q;
}

// What the arm would come too near to, with all of the guard's care; empty: nothing. `clear` rows were well.
std::string way_fault(LabRobot& robot, const SerialChain& chain, const Task& task,
                      const std::vector<std::vector<double>>& rows, std::size_t& clear) {
  CollisionChecker checker(robot.lockstep().shapes());
  const Obstacles& obstacles = robot.lockstep().shown_world()->obstacles;
  checker.set_world(obstacles);
  const RobotModel& model = robot.lockstep().model();
  std::vector<double> from = robot_positions(chain, model, task.start);
  for (clear = 0; clear < rows.size(); ++clear) {
    const std::vector<double> to = robot_positions(chain, model, rows[clear]);
    const CheckResult result = checker.sweep(from, to);
    if (result.verdict != Verdict::Clear) {
      const Contact& contact = result.contact;
      const std::string_view other = contact.object_b != kNone ? text_of(obstacles[contact.object_b].name)
                                     : contact.link_b != kNone
                                         ? std::string_view(model.links[contact.link_b].name)
                                         : std::string_view("the world");
      return fmt::format("on the way to row {} of the path, {}", clear + 1,
                         too_near_sentence({.a = model.links[contact.link_a].name,
                                            .b = other,
                                            .distance = contact.distance,
                                            .margin = contact.margin}));
    }
    from = to;
  }
  return {};
}

Result<std::string> drive(LabRobot& robot, const SerialChain& chain,
                          const std::vector<std::vector<double>>& rows) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Request request{.verb = RequestVerb::MoveJoints};
    set_text(request.who, "lab");
    for (std::size_t i = 0; i < chain.size(); ++i) {
      request.joint_mask |= std::uint64_t{1} << chain.position(i);
      request.joints[chain.position(i)] = rows[row][i];
    }
    const auto reply = robot.carry_out(request, kLongest - std::min(kLongest, robot.seconds()));
    if (!reply) return fmt::format("the path takes more than {:.0f} s", kLongest);
    if (reply->status != ReplyStatus::Done)
      return fmt::format("the robot does not get to row {}: {}", row + 1, text_of(reply->reason));
  }
  return std::string();
}

void add_boxes(const Task& task, MapView view, Chart& chart) {
  for (const SceneObject& box : task.boxes) {
    const int up = view == MapView::Top ? 1 : 2;
    const double x = 1000.0 * box.X_WO.position.x();
    const double y = 1000.0 * box.X_WO.position[up];
    const double half_x = 500.0 * box.size.x();
    const double half_y = 500.0 * box.size[up];
    chart.areas.push_back({.corners = {{x - half_x, y - half_y},
                                       {x + half_x, y - half_y},
                                       {x + half_x, y + half_y},
                                       {x - half_x, y + half_y}},
                           .colour = {214, 140, 110},
                           .opacity = 0.7});
  }
}

// The way as it was driven, or as it was planned when it was not.
Drawing picture_of(const RobotModel& model, const SerialChain& chain, const Task& task, const JointLog& log) {
  Drawing drawing(960, 800);
  drawing.text({20, 32}, "Lab 09: around obstacles", {.size = 18, .colour = {40, 44, 52}, .is_bold = true});
  draw_chart(joint_charts(model, log).front(), {.left = 10, .top = 44, .width = 940, .height = 290}, drawing);
  for (const auto& [view, left] : {std::pair{MapView::Side, 10.0}, {MapView::Top, 480.0}}) {
    Chart chart = tool_chart(chain, log, view);
    add_boxes(task, view, chart);
    draw_chart(chart, {.left = left, .top = 340, .width = 470, .height = 450}, drawing);
  }
  return drawing;
}

JointLog planned_log(const SerialChain& chain, const RobotModel& model, const Task& task,
                     const std::vector<std::vector<double>>& rows) {
  JointLog log;
  std::vector<double> from = task.start;
  constexpr int kParts = 20;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (int part = 0; part <= kParts; ++part) {
      std::vector<double> q;
      for (std::size_t i = 0; i < from.size(); ++i)
        q.push_back(from[i] + (rows[row][i] - from[i]) * part / kParts);
      log.seconds.push_back(static_cast<double>(row) + static_cast<double>(part) / kParts);
      log.positions.push_back(robot_positions(chain, model, q));
    }
    from = rows[row];
  }
  return log;
}

}  // namespace
}  // namespace avoiding

Result<Grade> grade_avoiding(const Ask& ask, std::uint64_t seed) {
  using namespace avoiding;
  Draws draws(seed);
  const Task task = draw_task(draws);
  auto robot = LabRobot::make(task.boxes, task.start);
  if (!robot) return robot.error();
  Lockstep& lockstep = (*robot)->lockstep();
  if (const Status shown = lockstep.show_world(); !shown) return shown.error();
  (*robot)->pass(0.05);
  const auto chain = arm_chain(lockstep.model());
  if (!chain) return chain.error();

  const auto value = ask("path", question_of(task));
  if (!value) return no_points(value.error().message);
  const auto rows = rows_from(*value, "path", 0, kArmJoints.size());
  if (!rows) return no_points(rows.error().message);
  if (const std::string fault = row_fault(*chain, task, *rows); !fault.empty()) return no_points(fault + ".");
  std::size_t clear = 0;
  if (const std::string fault = way_fault(**robot, *chain, task, *rows, clear); !fault.empty()) {
    Grade grade = no_points(fault + ".");
    grade.measures = {{"rows", static_cast<double>(rows->size())},
                      {"rows_clear", static_cast<double>(clear)}};
    grade.picture =
        picture_of(lockstep.model(), *chain, task, planned_log(*chain, lockstep.model(), task, *rows));
    return grade;
  }
  auto fault = drive(**robot, *chain, *rows);
  if (!fault) return fault.error();
  const std::vector<std::string>& touched = (*robot)->touched();
  if (fault->empty() && !touched.empty()) *fault = touched.front();
  return Grade{.passed = fault->empty(),
               .score = fault->empty() ? 100.0 : 50.0,
               .measures = {{"rows", static_cast<double>(rows->size())},
                            {"rows_clear", static_cast<double>(clear)},
                            {"seconds", (*robot)->seconds()},
                            {"collisions", static_cast<double>(touched.size())},
                            {"peak_share_of_speed_limit", (*robot)->peak_speed_share()}},
               .reason = fault->empty() ? fmt::format("the arm goes round all obstacles, in {:.1f} s",
                                                      (*robot)->seconds())
                                        : *fault + ".",
               .picture = picture_of(lockstep.model(), *chain, task, (*robot)->log())};
}

}  // namespace sinew::lab

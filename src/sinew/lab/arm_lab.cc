// SPDX-License-Identifier: BSD-3-Clause
// Lab 01: build an arm.
#include "sinew/lab/arm_lab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/lab/joint_bench.h"
#include "sinew/lab/lab_pictures.h"
#include "sinew/lab/suspicion.h"
#include "sinew/model/urdf.h"
#include "sinew/picture/picture.h"

namespace sinew::lab {
namespace desk_arm {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

// The desk arm as the exercise has it.
struct WantedJoint {
  std::string_view name;
  double lower = 0.0;  ///< [rad]
  double upper = 0.0;  ///< [rad]
};
constexpr std::array<WantedJoint, 4> kJoints{{{"turn", -170 * kDegree, 170 * kDegree},
                                              {"shoulder", -30 * kDegree, 120 * kDegree},
                                              {"elbow", -130 * kDegree, 130 * kDegree},
                                              {"wrist", -110 * kDegree, 110 * kDegree}}};
constexpr double kColumn = 0.30;      // [m] the shoulder above the ground
constexpr double kUpperArm = 0.25;    // [m]
constexpr double kForearm = 0.20;     // [m]
constexpr double kHand = 0.10;        // [m]
constexpr double kLeastMass = 1.0;    // [kg] of all that moves
constexpr double kMostMass = 10.0;    // [kg]
constexpr double kLimitSlack = 0.01;  // [rad]
constexpr double kPlaceBound = 1e-4;  // [m]
constexpr double kAngleBound = 1e-3;  // [rad]
constexpr double kSagBound = 0.005;   // [rad] of a joint that shall hold still
constexpr std::size_t kPostures = 40;

// Where the tip shall be: turned about z, then three joints in a plane, up is positive.
Pose tip_at(std::span<const double> q) {
  const double upper = q[1];
  const double fore = upper + q[2];
  const double hand = fore + q[3];
  const double radius = kUpperArm * std::cos(upper) + kForearm * std::cos(fore) + kHand * std::cos(hand);
  const double height =
      kColumn + kUpperArm * std::sin(upper) + kForearm * std::sin(fore) + kHand * std::sin(hand);
  return {.rotation = quaternion_from({.pitch = -hand, .yaw = q[0]}),
          .position = {radius * std::cos(q[0]), radius * std::sin(q[0]), height}};
}

bool is_there(const Pose& a, const Pose& b) {
  const PoseDistance off = distance(a, b);
  return off.position < kPlaceBound && off.rotation < kAngleBound;
}

std::string joint_fault(const RobotModel& model) {
  for (const WantedJoint& wanted : kJoints) {
    const std::size_t found = find_joint(model, wanted.name);
    if (found == kNone) return fmt::format("there is no joint '{}'", wanted.name);
    const Joint& joint = model.joints[found];
    if (joint.kind != JointKind::Revolute || joint.position == kNone)
      return fmt::format("joint '{}' is not revolute with limits", wanted.name);
    if (std::abs(joint.limits.lower - wanted.lower) > kLimitSlack ||
        std::abs(joint.limits.upper - wanted.upper) > kLimitSlack)
      return fmt::format("joint '{}' goes from {} to {}; {} to {} are wanted", wanted.name,
                         angle_text(joint.limits.lower), angle_text(joint.limits.upper),
                         angle_text(wanted.lower), angle_text(wanted.upper));
    if (!std::isfinite(joint.limits.velocity) || !std::isfinite(joint.limits.effort) ||
        joint.limits.velocity <= 0.0)
      return fmt::format("joint '{}' has no limit of velocity or effort", wanted.name);
  }
  if (model.positions.size() != kJoints.size())
    return fmt::format("it has {} joints that move; {} are wanted", model.positions.size(), kJoints.size());
  return {};
}

std::string body_fault(const RobotModel& model, double& mass) {
  for (const Joint& joint : model.joints) {
    if (joint.position == kNone) continue;
    const Link& link = model.links[joint.child_link];
    if (!link.inertia || link.inertia->mass <= 0.0)
      return fmt::format("link '{}' moves, but has no mass (<inertial>)", link.name);
    if (link.collisions.empty())
      return fmt::format("link '{}' has no <collision>: nothing could touch it", link.name);
    mass += link.inertia->mass;
  }
  if (mass < kLeastMass || mass > kMostMass)
    return fmt::format("what moves weighs {:.2f} kg; {} to {} kg are wanted", mass, kLeastMass, kMostMass);
  return {};
}

struct Shape {
  std::vector<std::vector<double>> q;
  std::vector<Pose> tips;
  std::vector<Miss> misses;
  std::vector<std::size_t> wrong;
  double worst = 0.0;  ///< [m]
};

Shape look_at(const SerialChain& chain, std::uint64_t seed) {
  Draws draws(seed);
  Shape shape;
  for (std::size_t i = 0; i < kPostures; ++i) {
    std::vector<double> q;
    for (const WantedJoint& joint : kJoints)
      q.push_back(i == 0 ? 0.0 : draws.between(joint.lower, joint.upper));
    const Pose tip = chain.tool_pose(q);
    const Pose wanted = tip_at(q);
    const bool is_right = is_there(tip, wanted);
    shape.worst = std::max(shape.worst, (tip.position - wanted.position).norm());
    shape.misses.push_back({wanted.position, tip.position, is_right});
    if (!is_right) shape.wrong.push_back(i);
    shape.q.push_back(std::move(q));
    shape.tips.push_back(tip);
  }
  return shape;
}

std::string shape_fault(const Shape& shape) {
  if (shape.wrong.empty()) return {};
  std::vector<Suspicion> suspicions;
  for (std::size_t j = 0; j < kJoints.size(); ++j)
    suspicions.push_back(
        {fmt::format("joint '{}' turns the other way round: up, and to the left, are positive",
                     kJoints[j].name),
         [&shape, j](std::size_t i) {
           std::vector<double> q = shape.q[i];
           q[j] = -q[j];
           return is_there(shape.tips[i], tip_at(q));
         }});
  const std::string why = explanation(suspicions, shape.wrong);
  if (!why.empty()) return fmt::format("It looks as if {}", why);
  const std::size_t i = shape.wrong.front();
  const Vector3& got = shape.tips[i].position;
  const Vector3 wanted = tip_at(shape.q[i]).position;
  return fmt::format(
      "at q = ({:.3f}) the tip is at ({:.3f}, {:.3f}, {:.3f}); ({:.3f}, {:.3f}, {:.3f}) is wanted, x along "
      "the hand",
      fmt::join(shape.q[i], ", "), got.x(), got.y(), got.z(), wanted.x(), wanted.y(), wanted.z());
}

// Stretched out for a second: how far the worst joint has sunk.
Result<double> sag_of(RobotModel model) {
  model.postures = {{.name = "home", .positions = std::vector<double>(model.positions.size(), 0.0)}};
  auto bench = JointBench::make(model, 0, 0.0);
  if (!bench) return bench.error();
  bench->lead(0.0, kSecond_ns);
  double worst = 0.0;
  for (std::size_t i = 0; i < model.positions.size(); ++i)
    worst = std::max(worst, std::abs(bench->measured(i)));
  return worst;
}

Grade refused(std::string reason, double score, Grade grade) {
  grade.passed = false;
  grade.score = score;
  grade.reason = std::move(reason) + ".";
  return grade;
}

}  // namespace
}  // namespace desk_arm

Grade grade_arm(const std::string& urdf, const std::string& file, std::uint64_t seed) {
  using namespace desk_arm;
  const auto read = read_urdf_text(urdf, file);
  if (!read) return no_points(read.error().message);
  const RobotModel& model = read->model;
  Grade grade;
  if (const auto photo = draw_robot(model, std::vector<double>(model.positions.size(), 0.0)); photo)
    grade.photo = photo->image;
  if (std::string fault = joint_fault(model); !fault.empty())
    return refused(std::move(fault), 0.0, std::move(grade));
  const std::size_t tip = find_link(model, "tip");
  if (tip == kNone) return refused("there is no link 'tip'", 0.0, std::move(grade));
  const auto chain = SerialChain::make(model, 0, tip);
  if (!chain) return refused(chain.error().message, 0.0, std::move(grade));
  for (std::size_t i = 0; i < kJoints.size(); ++i)
    if (chain->size() != kJoints.size() || model.joints[chain->joint(i)].name != kJoints[i].name)
      return refused(
          "the joints between the root and 'tip' are not turn, shoulder, elbow, wrist, in this order", 0.0,
          std::move(grade));
  const Shape shape = look_at(*chain, seed);
  grade.measures = {{"postures", kPostures},
                    {"right", static_cast<double>(kPostures - shape.wrong.size())},
                    {"worst_position_error_m", shape.worst}};
  grade.picture = draw_misses(shape.misses, "Lab 01: where the tip is");
  if (std::string fault = shape_fault(shape); !fault.empty())
    return refused(std::move(fault), 25.0, std::move(grade));
  double mass = 0.0;
  std::string fault = body_fault(model, mass);
  grade.measures.push_back({"moving_mass_kg", mass});
  if (!fault.empty()) return refused(std::move(fault), 50.0, std::move(grade));
  const auto sag = sag_of(model);
  if (!sag) return refused(sag.error().message, 50.0, std::move(grade));
  grade.measures.push_back({"sag_rad", *sag});
  if (*sag > kSagBound)
    return refused(fmt::format("stretched out, it sinks by {}: its motors (effort) cannot bear its weight",
                               angle_text(*sag)),
                   75.0, std::move(grade));
  grade.passed = true;
  grade.score = 100.0;
  grade.reason = "the arm is as described, and holds itself up";
  return grade;
}

}  // namespace sinew::lab

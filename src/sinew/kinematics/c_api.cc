// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "sinew/kinematics/chain_choice.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/kinematics/sinew_robot.h"

/// A chain with its solver. Never moved: the solver refers to the chain.
struct sinew_robot {
  explicit sinew_robot(sinew::ChosenChain what)
      : chosen(std::move(what)), ik(chosen.chain), method(ik.description()) {
    for (const sinew::Remark& remark : chosen.robot.remarks) remarks.push_back(sinew::remark_text(remark));
  }

  sinew::ChosenChain chosen;
  sinew::InverseKinematics ik;
  std::string method;
  std::vector<std::string> remarks;
};

namespace sinew {
namespace {

static_assert(sizeof(sinew_pose) == 7 * sizeof(double), "callers pass tables of seven columns");
static_assert(static_cast<int>(IkStatus::Solved) == SINEW_IK_SOLVED &&
                  static_cast<int>(IkStatus::OutOfReach) == SINEW_IK_OUT_OF_REACH &&
                  static_cast<int>(IkStatus::JointLimit) == SINEW_IK_JOINT_LIMIT &&
                  static_cast<int>(IkStatus::Singular) == SINEW_IK_SINGULAR &&
                  static_cast<int>(IkStatus::NotConverged) == SINEW_IK_NOT_CONVERGED &&
                  static_cast<int>(IkStatus::InvalidInput) == SINEW_IK_INVALID,
              "reasons cross the interface as numbers");

int report(int status, std::string_view text, sinew_robot_error* error) {
  if (error == nullptr) return status;
  *error = {};
  error->status = status;
  std::memcpy(error->text, text.data(), std::min(text.size(), sizeof error->text - 1));
  return status;
}

int invalid(std::string_view text, sinew_robot_error* error) {
  return report(SINEW_ROBOT_INVALID, text, error);
}

int succeed(sinew_robot_error* error) {
  return report(SINEW_ROBOT_OK, "", error);
}

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::NotFound:
      return SINEW_ROBOT_NOT_FOUND;
    case ErrorCode::SystemFailure:
    case ErrorCode::Denied:
      return SINEW_ROBOT_SYSTEM;
    default:
      return SINEW_ROBOT_INVALID;
  }
}

std::string text_of(const char* text) {
  return text != nullptr ? text : "";
}

/// Where the program looks, and above this library: a program that loads it may lie anywhere.
LoadOptions places() {
  LoadOptions places = usual_places();
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&sinew_robot_open), &info) == 0 || info.dli_fname == nullptr)
    return places;
  std::error_code error;
  const auto library = std::filesystem::canonical(info.dli_fname, error);
  if (!error) add_places_above(library.parent_path(), places);
  return places;
}

sinew_pose pose_to_c(const Pose& X) {
  const Quaternion& R = X.rotation;
  return {X.position.x(), X.position.y(), X.position.z(), R.w(), R.x(), R.y(), R.z()};
}

/// With its quaternion made exactly unit length where rounding spoiled it, as files and people do.
Pose pose_from_c(const sinew_pose& pose) {
  Quaternion rotation(pose.qw, pose.qx, pose.qy, pose.qz);
  if (std::abs(rotation.norm() - 1.0) <= 1e-3) rotation.normalize();
  return {.rotation = rotation, .position = {pose.x, pose.y, pose.z}};
}

/// Names the first number of a table that is none.
int check_numbers(const sinew_robot& robot, const double* q, std::size_t count, std::string_view what,
                  sinew_robot_error* error) {
  const std::size_t width = robot.chosen.chain.size();
  if (q == nullptr && count > 0) return invalid(fmt::format("{} is missing: NULL was given", what), error);
  for (std::size_t i = 0; i < count * width; ++i) {
    if (std::isfinite(q[i])) continue;
    const auto& joint = robot.chosen.robot.model.joints[robot.chosen.chain.joint(i % width)];
    return invalid(
        fmt::format("{}, row {}, joint '{}': {} is no finite number", what, i / width, joint.name, q[i]),
        error);
  }
  return SINEW_ROBOT_OK;
}

PoseTask task_of(const sinew_ik_options& options) {
  PoseTask task{.axes = options.in_tool_axes != 0 ? TaskAxes::Tool : TaskAxes::Base};
  for (std::size_t k = 0; k < 3 && options.components != 0; ++k) {
    task.position[k] = (options.components >> k & 1U) != 0;
    task.rotation[k] = (options.components >> (3 + k) & 1U) != 0;
  }
  return task;
}

IkOptions ik_options_of(const sinew_robot& robot, const sinew_ik_options& options) {
  IkOptions out{.task = task_of(options), .accept_nearest_orientation = options.accept_nearest != 0};
  if (options.tolerance != 0.0) out.tolerance = options.tolerance;
  if (options.most_rounds != 0) out.most_rounds = static_cast<int>(options.most_rounds);
  if (options.posture != nullptr) out.posture = {options.posture, robot.chosen.chain.size()};
  return out;
}

int check_ik(const sinew_robot* robot, const sinew_ik_options& options, std::size_t count,
             sinew_robot_error* error) {
  if (robot == nullptr) return invalid("the robot is missing: NULL was given", error);
  if (options.components > 63)
    return invalid(fmt::format("components are bits 0 to 5, not {:#x}", options.components), error);
  if (!(options.tolerance >= 0.0 && options.tolerance < 1.0))
    return invalid(fmt::format("a tolerance of {} is not between 0 and 1", options.tolerance), error);
  if (options.most_rounds > 10'000'000)
    return invalid(fmt::format("{} rounds are more than 10000000", options.most_rounds), error);
  if (options.posture != nullptr) {
    const int status = check_numbers(*robot, options.posture, 1, "posture", error);
    if (status != SINEW_ROBOT_OK) return status;
  }
  return options.seed == nullptr ? SINEW_ROBOT_OK : check_numbers(*robot, options.seed, count, "seed", error);
}

/// Where the search for target i begins.
JointVector seed_of(const sinew_robot& robot, const sinew_ik_options& options, std::size_t i) {
  const std::size_t width = robot.chosen.chain.size();
  if (options.seed == nullptr) return robot.chosen.chain.middle();
  return Eigen::Map<const JointVector>(options.seed + i * width, static_cast<Eigen::Index>(width));
}

IkResult solve_one(const sinew_robot& robot, const sinew_pose& target, const sinew_ik_options& options,
                   std::size_t i) {
  const JointVector seed = seed_of(robot, options, i);
  return robot.ik.solve(pose_from_c(target), {seed.data(), static_cast<std::size_t>(seed.size())},
                        ik_options_of(robot, options));
}

sinew_ik_result result_to_c(const IkResult& result) {
  return {
      .reason = static_cast<int32_t>(result.status),
      .solution_count = static_cast<int32_t>(result.solutions.size()),
      .limit_joint = result.status == IkStatus::JointLimit ? static_cast<int32_t>(result.limit_joint) : -1,
      .is_closed_form = result.method == IkMethod::ClosedForm ? 1 : 0,
      .position_error = result.position_error,
      .rotation_error = result.rotation_error};
}

/// As many solutions as there is room for; the nearest posture when there is none.
void write_rows(const IkResult& result, double* q, std::size_t capacity) {
  if (result.solutions.empty() && capacity > 0) std::copy(result.nearest.begin(), result.nearest.end(), q);
  for (std::size_t i = 0; i < std::min(capacity, result.solutions.size()); ++i) {
    const JointVector& row = result.solutions[i].q;
    std::copy(row.begin(), row.end(), q + i * static_cast<std::size_t>(row.size()));
  }
}

}  // namespace
}  // namespace sinew

sinew_robot* sinew_robot_open(const sinew_robot_options* options, sinew_robot_error* error) {
  if (options == nullptr || options->robot == nullptr) {
    sinew::invalid("say which robot: its name, or the path of its folder or URDF", error);
    return nullptr;
  }
  auto chosen = sinew::choose_chain({.robot = sinew::text_of(options->robot),
                                     .arm = sinew::text_of(options->arm),
                                     .tool = sinew::text_of(options->tool),
                                     .base = sinew::text_of(options->base),
                                     .tip = sinew::text_of(options->tip)},
                                    sinew::places());
  if (!chosen) {
    sinew::report(sinew::status_of(chosen.error().code), chosen.error().message, error);
    return nullptr;
  }
  sinew::succeed(error);
  return new sinew_robot(*std::move(chosen));
}

void sinew_robot_close(sinew_robot* robot) {
  delete robot;
}

const char* sinew_robot_name(const sinew_robot* robot) {
  return robot->chosen.robot.model.name.c_str();
}

const char* sinew_robot_tip(const sinew_robot* robot) {
  return robot->chosen.tip.c_str();
}

const char* sinew_robot_method(const sinew_robot* robot) {
  return robot->method.c_str();
}

const char* sinew_robot_remark(const sinew_robot* robot, size_t index) {
  return index < robot->remarks.size() ? robot->remarks[index].c_str() : nullptr;
}

size_t sinew_robot_joint_count(const sinew_robot* robot) {
  return robot->chosen.chain.size();
}

int sinew_robot_joint(const sinew_robot* robot, size_t index, sinew_robot_joint_info* joint) {
  const sinew::SerialChain& chain = robot->chosen.chain;
  if (index >= chain.size() || joint == nullptr) return SINEW_ROBOT_INVALID;
  const sinew::JointLimits& limits = chain.limits(index);
  *joint = {.name = robot->chosen.robot.model.joints[chain.joint(index)].name.c_str(),
            .lower = limits.lower,
            .upper = limits.upper,
            .velocity = limits.velocity,
            .is_revolute = chain.is_revolute(index) ? 1 : 0,
            .reserved = 0};
  return SINEW_ROBOT_OK;
}

int sinew_robot_fk(const sinew_robot* robot, const double* q, size_t count, sinew_pose* poses,
                   sinew_robot_error* error) {
  if (robot == nullptr || poses == nullptr) return sinew::invalid("robot or poses is NULL", error);
  if (const int status = sinew::check_numbers(*robot, q, count, "q", error); status != SINEW_ROBOT_OK)
    return status;
  const std::size_t width = robot->chosen.chain.size();
  for (std::size_t i = 0; i < count; ++i)
    poses[i] = sinew::pose_to_c(robot->chosen.chain.tool_pose({q + i * width, width}));
  return sinew::succeed(error);
}

int sinew_robot_jacobian(const sinew_robot* robot, const double* q, size_t count, double* jacobians,
                         sinew_robot_error* error) {
  if (robot == nullptr || jacobians == nullptr) return sinew::invalid("robot or jacobians is NULL", error);
  if (const int status = sinew::check_numbers(*robot, q, count, "q", error); status != SINEW_ROBOT_OK)
    return status;
  const std::size_t width = robot->chosen.chain.size();
  sinew::Jacobian jacobian;
  for (std::size_t i = 0; i < count; ++i) {
    robot->chosen.chain.tool_pose({q + i * width, width}, jacobian);
    double* out = jacobians + i * 6 * width;
    for (Eigen::Index row = 0; row < 6; ++row) {
      for (Eigen::Index column = 0; column < jacobian.cols(); ++column) *out++ = jacobian(row, column);
    }
  }
  return sinew::succeed(error);
}

int sinew_robot_ik(const sinew_robot* robot, const sinew_pose* target, const sinew_ik_options* options,
                   double* q, size_t capacity, sinew_ik_result* result, sinew_robot_error* error) {
  const sinew_ik_options wanted = options != nullptr ? *options : sinew_ik_options{};
  if (const int status = sinew::check_ik(robot, wanted, 1, error); status != SINEW_ROBOT_OK) return status;
  if (target == nullptr || (q == nullptr && capacity > 0))
    return sinew::invalid("target or q is NULL", error);
  const sinew::IkResult found = sinew::solve_one(*robot, *target, wanted, 0);
  if (result != nullptr) *result = sinew::result_to_c(found);
  sinew::write_rows(found, q, capacity);
  if (found.status == sinew::IkStatus::Solved) return sinew::succeed(error);
  const bool is_invalid = found.status == sinew::IkStatus::InvalidInput;
  return sinew::report(is_invalid ? SINEW_ROBOT_INVALID : SINEW_ROBOT_UNREACHABLE,
                       fmt::format("'{}' cannot be put there: {}", robot->chosen.tip,
                                   sinew::explain(found, robot->chosen.robot.model, robot->chosen.chain)),
                       error);
}

int sinew_robot_ik_batch(const sinew_robot* robot, const sinew_pose* targets, size_t count,
                         const sinew_ik_options* options, double* q, sinew_ik_result* results,
                         sinew_robot_error* error) {
  const sinew_ik_options wanted = options != nullptr ? *options : sinew_ik_options{};
  if (const int status = sinew::check_ik(robot, wanted, count, error); status != SINEW_ROBOT_OK)
    return status;
  const bool is_missing = targets == nullptr || q == nullptr || results == nullptr;
  if (is_missing && count > 0) return sinew::invalid("targets, q or results is NULL", error);
  const std::size_t width = robot->chosen.chain.size();
  for (std::size_t i = 0; i < count; ++i) {
    const sinew::IkResult found = sinew::solve_one(*robot, targets[i], wanted, i);
    results[i] = sinew::result_to_c(found);
    sinew::write_rows(found, q + i * width, 1);
  }
  return sinew::succeed(error);
}

void sinew_pose_to_matrix(const sinew_pose* poses, size_t count, double* matrices) {
  for (std::size_t i = 0; i < count; ++i) {
    const sinew::Pose X = sinew::pose_from_c(poses[i]);
    Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> matrix(matrices + 16 * i);
    matrix.setIdentity();
    matrix.topLeftCorner<3, 3>() = X.rotation.toRotationMatrix();
    matrix.topRightCorner<3, 1>() = X.position;
  }
}

int sinew_pose_from_matrix(const double* matrices, size_t count, sinew_pose* poses,
                           sinew_robot_error* error) {
  for (std::size_t i = 0; i < count; ++i) {
    const Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> matrix(matrices + 16 * i);
    const sinew::Matrix3 R = matrix.topLeftCorner<3, 3>();
    const double skew = (R * R.transpose() - sinew::Matrix3::Identity()).cwiseAbs().maxCoeff();
    const bool ends_well = (matrix.row(3) - Eigen::RowVector4d(0, 0, 0, 1)).cwiseAbs().maxCoeff() < 1e-9;
    // written so that a number that is none fails
    if (!(skew < 1e-6 && R.determinant() > 0.0 && ends_well && matrix.allFinite()))
      return sinew::invalid(
          fmt::format("matrix {} is no pose: its upper left must be a rotation, its last row 0 0 0 1", i),
          error);
    poses[i] = sinew::pose_to_c(
        {.rotation = sinew::Quaternion(R).normalized(), .position = matrix.topRightCorner<3, 1>()});
  }
  return sinew::succeed(error);
}

const char* sinew_robot_status_text(int status) {
  static constexpr const char* kTexts[] = {"ok", "unreachable", "not found", "invalid argument",
                                           "system error"};
  constexpr int kCount = sizeof kTexts / sizeof kTexts[0];
  return status >= 0 && status < kCount ? kTexts[status] : "unknown status";
}

const char* sinew_ik_reason_text(int reason) {
  if (reason < SINEW_IK_SOLVED || reason > SINEW_IK_INVALID) return "unknown reason";
  return sinew::ik_status_text(static_cast<sinew::IkStatus>(reason));
}

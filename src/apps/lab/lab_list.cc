// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lab/lab_list.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/lab/arm_angles.h"
#include "sinew/lab/arm_lab.h"
#include "sinew/lab/kinematics_labs.h"
#include "sinew/lab/motor_labs.h"
#include "sinew/model/load_robot.h"

#include "apps/lab/moving_labs.h"
#include "apps/lab/solution.h"

namespace sinew::lab {
namespace {

constexpr std::uintmax_t kLargestFile = 1U << 20U;  // [bytes]

// The solution's functions as something to ask; it lives as long as the process does.
Result<std::unique_ptr<Solution>> started(const Lab& lab, const std::filesystem::path& file,
                                          const GradeOptions& options) {
  return Solution::start(file, lab.functions, options.limits);
}

Ask ask_of(Solution& solution) {
  return [&solution](std::string_view function, std::span<const Value> arguments) {
    return solution.ask(function, arguments);
  };
}

Result<Grade> run_arm(const Lab& /*lab*/, const std::filesystem::path& file, const GradeOptions& options) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) return Error{ErrorCode::SystemFailure, fmt::format("cannot read {}", file.string())};
  return grade_arm(text.str(), file.string(), options.seed);
}

using GradeSums = Grade (*)(const SerialChain& chain, const Ask& ask, std::uint64_t seed);
template <GradeSums grade>
Result<Grade> run_sums(const Lab& lab, const std::filesystem::path& file, const GradeOptions& options) {
  const auto robot = load_robot("scorbot-er3");
  if (!robot) return robot.error();
  const auto chain = arm_chain(robot->model);
  if (!chain) return chain.error();
  const auto solution = started(lab, file, options);
  if (!solution) return solution.error();
  return grade(*chain, ask_of(**solution), options.seed);
}

using GradeMotor = Result<Grade> (*)(const RobotModel& model, const Ask& ask, std::uint64_t seed);
template <GradeMotor grade>
Result<Grade> run_motor(const Lab& lab, const std::filesystem::path& file, const GradeOptions& options) {
  const auto robot = load_robot("scorbot-er3");
  if (!robot) return robot.error();
  const auto solution = started(lab, file, options);
  if (!solution) return solution.error();
  return grade(robot->model, ask_of(**solution), options.seed);
}

Result<Grade> run_hanoi(const Lab& lab, const std::filesystem::path& file, const GradeOptions& options) {
  const auto solution = started(lab, file, options);
  if (!solution) return solution.error();
  return grade_hanoi(ask_of(**solution), options.seed);
}

Result<Grade> run_avoid(const Lab& lab, const std::filesystem::path& file, const GradeOptions& options) {
  const auto solution = started(lab, file, options);
  if (!solution) return solution.error();
  return grade_avoiding(ask_of(**solution), options.seed);
}

Result<Grade> run_pick(const Lab& lab, const std::filesystem::path& file, const GradeOptions& options) {
  if (file.extension() == ".prog") return grade_picking_program(file, options.seed);
  const auto solution = started(lab, file, options);
  if (!solution) return solution.error();
  return grade_picking(ask_of(**solution), options.seed);
}

}  // namespace

std::span<const Lab> all_labs() {
  static const std::vector<Lab> kLabs{
      {"01_build_an_arm", "Build an arm: a URDF", {".urdf", ".xacro"}, {}, run_arm},
      {"02_forward_kinematics",
       "Forward kinematics by hand",
       {".py"},
       {"fk"},
       run_sums<grade_forward_kinematics>},
      {"03_inverse_kinematics",
       "Inverse kinematics of the SCORBOT",
       {".py"},
       {"ik"},
       run_sums<grade_inverse_kinematics>},
      {"04_jacobian",
       "The Jacobian, and speed",
       {".py"},
       {"jacobian", "joint_speeds"},
       run_sums<grade_jacobian>},
      {"05_smoothing_filter", "A smoothing filter", {".py"}, {"smooth"}, run_motor<grade_filter>},
      {"06_homing", "Homing with a switch", {".py"}, {"begin", "home"}, run_motor<grade_homing>},
      {"07_pick_and_place", "Pick and place", {".py", ".prog"}, {"plan"}, run_pick},
      {"08_towers_of_hanoi", "Towers of Hanoi", {".py"}, {"hanoi"}, run_hanoi},
      {"09_obstacles", "Around obstacles", {".py"}, {"path"}, run_avoid},
  };
  return kLabs;
}

Result<const Lab*> find_lab(std::string_view words) {
  while (words.ends_with('/')) words.remove_suffix(1);
  std::string name(words.substr(words.rfind('/') + 1));
  if (name.size() == 1 && name[0] >= '1' && name[0] <= '9') name.insert(0, "0");
  std::vector<std::string> names;
  for (const Lab& lab : all_labs()) {
    if (!name.empty() && lab.name.starts_with(name)) return &lab;
    names.emplace_back(lab.name);
  }
  return Error{ErrorCode::NotFound, fmt::format("there is no lab '{}'{}; 'sinew lab list' names all", words,
                                                did_you_mean(name, names))};
}

Result<Grade> grade_solution(const Lab& lab, const std::filesystem::path& solution,
                             const GradeOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(solution, error))
    return Error{ErrorCode::NotFound, fmt::format("there is no file {}", solution.string())};
  if (std::filesystem::file_size(solution, error) > kLargestFile)
    return Error{ErrorCode::OutOfLimits, fmt::format("{} has more than {}: no solution is that long",
                                                     solution.string(), bytes_text(kLargestFile))};
  if (std::ranges::find(lab.endings, solution.extension().string()) == lab.endings.end())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("a solution of lab {} ends in {}, not '{}'", lab.number(),
                             fmt::join(lab.endings, " or "), solution.filename().string())};
  return lab.grade(lab, solution, options);
}

}  // namespace sinew::lab

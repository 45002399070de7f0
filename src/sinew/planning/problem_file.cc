// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/problem_file.h"

#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/model/text_input.h"

namespace sinew {
namespace {

constexpr std::size_t kMostJoints = 64;
constexpr std::size_t kMostNameBytes = 200;
constexpr double kUnitSlack = 1e-3;

/// The first word of `text`, which is shortened to what follows.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t\r"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

Pose pose_of(std::span<const double> numbers) {
  return {.rotation = Quaternion(numbers[6], numbers[3], numbers[4], numbers[5]),
          .position = {numbers[0], numbers[1], numbers[2]}};
}

class ProblemReader {
 public:
  explicit ProblemReader(std::string_view file) : file_(file) {}

  Result<std::vector<PlanningProblem>> read(std::string_view text) {
    while (!text.empty() && !error_) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      read_line(trimmed(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!error_ && problem_) refuse(fmt::format("problem '{}' has no 'end'", shown(problem_->name)));
    if (error_) return *std::move(error_);
    return std::move(problems_);
  }

 private:
  void refuse(std::string_view what) {
    if (!error_) error_ = Error{ErrorCode::InvalidInput, fmt::format("{}:{}: {}", file_, line_, what)};
  }

  void read_line(std::string_view rest) {
    if (rest.empty() || rest.front() == '#') return;
    const std::string_view word = take_word(rest);
    if (word == "problem") return begin(rest);
    if (!is_known(word)) {
      return refuse(fmt::format("there is no '{}'; known: problem, start, goal, box, cyl, sph, end", shown(word)));
    }
    if (!problem_) return refuse(fmt::format("'{}' stands outside a problem: begin with 'problem NAME INDEX'", word));
    if (word == "end") return end(rest);
    if (word == "start") return read_joints(rest, word, problem_->start);
    if (word == "goal") return read_joints(rest, word, problem_->goal);
    if (word == "box") return read_box(rest);
    if (word == "cyl") return read_cylinder(rest);
    read_sphere(rest);
  }

  static bool is_known(std::string_view word) {
    return word == "end" || word == "start" || word == "goal" || word == "box" || word == "cyl" || word == "sph";
  }

  void begin(std::string_view rest) {
    if (problem_) return refuse(fmt::format("problem '{}' has no 'end'", shown(problem_->name)));
    if (problems_.size() == kMostProblems) return refuse(fmt::format("more than {} problems", kMostProblems));
    const std::string_view name = take_word(rest);
    const auto index = parse_number(rest);
    const bool is_index = index && *index >= 0.0 && *index <= 1e9 && *index == std::floor(*index);
    if (name.empty() || name.size() > kMostNameBytes || !is_index) {
      return refuse("a problem has a name and an index: 'problem shelf 1'");
    }
    problem_ = PlanningProblem{.name = std::string(name), .index = static_cast<std::size_t>(*index)};
  }

  void end(std::string_view rest) {
    if (!rest.empty()) return refuse(fmt::format("'{}' follows 'end'", shown(rest)));
    if (problem_->start.empty()) return refuse(fmt::format("problem '{}' has no 'start'", shown(problem_->name)));
    if (problem_->goal.size() != problem_->start.size()) {
      return refuse(fmt::format("problem '{}': the start has {} joint positions, the goal {}",
                                shown(problem_->name), problem_->start.size(), problem_->goal.size()));
    }
    problems_.push_back(*std::move(problem_));
    problem_.reset();
  }

  void read_joints(std::string_view rest, std::string_view word, std::vector<double>& joints) {
    if (!joints.empty()) return refuse(fmt::format("'{}' stands here for the second time", word));
    const auto numbers = parse_numbers(rest, kMostJoints);
    if (!numbers || numbers->empty()) {
      return refuse(fmt::format("'{}' takes 1 to {} finite numbers, not '{}'", word, kMostJoints, shown(rest)));
    }
    joints = *numbers;
  }

  std::optional<std::vector<double>> numbers_of(std::string_view rest, std::string_view usage, std::size_t count) {
    auto numbers = parse_numbers(rest, count + 1);
    if (numbers && numbers->size() == count) return numbers;
    refuse(fmt::format("'{}': {} finite numbers are wanted, not '{}'", usage, count, shown(rest)));
    return std::nullopt;
  }

  void read_box(std::string_view rest) {
    const auto n = numbers_of(rest, "box x y z qx qy qz qw hx hy hz", 10);
    if (n) add("box", make_box({(*n)[7], (*n)[8], (*n)[9]}), pose_of(*n));
  }

  void read_cylinder(std::string_view rest) {
    const auto n = numbers_of(rest, "cyl x y z qx qy qz qw radius length", 9);
    if (n) add("cyl", make_cylinder((*n)[7], (*n)[8]), pose_of(*n));
  }

  void read_sphere(std::string_view rest) {
    const auto n = numbers_of(rest, "sph x y z radius", 4);
    if (n) add("sph", make_sphere((*n)[3]), {.position = {(*n)[0], (*n)[1], (*n)[2]}});
  }

  void add(std::string_view kind, const Solid& solid, Pose X_WO) {
    const double norm = X_WO.rotation.norm();
    if (!(std::abs(norm - 1.0) <= kUnitSlack)) {
      return refuse(fmt::format("the quaternion (qx qy qz qw) has length {:.6f}, not 1", norm));
    }
    X_WO.rotation.normalize();
    if (Status checked = check_solid(solid); !checked) return refuse(checked.error().message);
    if (problem_->objects.size() == kMaxObstacles) {
      return refuse(fmt::format("more than {} objects in problem '{}'", kMaxObstacles, shown(problem_->name)));
    }
    Obstacle object{.solid = solid, .X_LO = X_WO};
    set_text(object.name, fmt::format("{} {}", kind, problem_->objects.size() + 1));
    problem_->objects.push_back(object);
  }

  std::string_view file_;
  int line_ = 0;
  std::optional<Error> error_;
  std::optional<PlanningProblem> problem_;
  std::vector<PlanningProblem> problems_;
};

}  // namespace

Result<Obstacles> world_of(const PlanningProblem& problem) {
  Obstacles world;
  for (const Obstacle& object : problem.objects) {
    if (auto added = world.add(object); !added) return added.error();
  }
  return world;
}

Result<std::vector<PlanningProblem>> parse_problems(std::string_view text, std::string_view file) {
  if (Status checked = check_text(text, file); !checked) return checked.error();
  return ProblemReader(file).read(text);
}

Result<std::vector<PlanningProblem>> load_problems(const std::filesystem::path& path) {
  const auto text = read_text_file(path);
  if (!text) return text.error();
  return parse_problems(*text, path.string());
}

std::string problem_text(const PlanningProblem& problem) {
  std::string text = fmt::format("problem {} {}\nstart {}\ngoal {}\n", problem.name, problem.index,
                                 fmt::join(problem.start, " "), fmt::join(problem.goal, " "));
  for (const Obstacle& object : problem.objects) {
    const Vector3& p = object.X_LO.position;
    const Quaternion& r = object.X_LO.rotation;
    const std::string place = fmt::format("{} {} {}", p.x(), p.y(), p.z());
    const std::string turn = fmt::format("{} {} {} {}", r.x(), r.y(), r.z(), r.w());
    const Vector3& half = object.solid.half;
    switch (object.solid.kind) {
      case SolidKind::Box:
        text += fmt::format("box {} {} {} {} {}\n", place, turn, half.x(), half.y(), half.z());
        break;
      case SolidKind::Cylinder:
        text += fmt::format("cyl {} {} {} {}\n", place, turn, half.x(), 2.0 * half.z());
        break;
      default:
        text += fmt::format("sph {} {}\n", place, object.solid.rounding);
    }
  }
  return text + "end\n";
}

}  // namespace sinew

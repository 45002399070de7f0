// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/problem_generator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/split_mix.h"
#include "sinew/base/text.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/model/positions.h"
#include "sinew/planning/planner.h"

namespace sinew {
namespace {

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : numbers_(seed * 0x2545f4914f6cdd1dULL + 1) {}
  double between(double low, double high) { return numbers_.between(low, high); }
  std::size_t below(std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(between(0.0, static_cast<double>(count))));
  }

 private:
  SplitMix numbers_;
};

/// A box in which the tool is wanted, in the frame of the scene.
struct Nook {
  Vector3 low;
  Vector3 high;
};

/// Things in front of an arm, x away from it, z up from its first joint; sizes in units of its reach.
class SceneBuilder {
 public:
  SceneBuilder(Draws& draws, const Vector3& origin, double reach) : draws_(draws), reach_(reach) {
    X_WS_.position = origin;
    const double yaw = draws.between(-0.6, 0.6);
    X_WS_.rotation = quaternion_from({0.0, 0.0, yaw});
  }

  std::vector<Obstacle> objects;
  std::vector<Nook> places;

  void box(const Vector3& centre, const Vector3& half) {
    add(make_box(reach_ * half), {.position = centre}, "box");
  }
  void standing(const Vector3& centre, double radius, double length) {
    add(make_cylinder(reach_ * radius, reach_ * length), {.position = centre}, "cyl");
  }
  void lying(const Vector3& centre, double radius, double length) {
    const Quaternion along_y = quaternion_from({std::numbers::pi / 2.0, 0.0, 0.0});
    add(make_cylinder(reach_ * radius, reach_ * length), {.rotation = along_y, .position = centre}, "cyl");
  }
  void place(const Vector3& low, const Vector3& high) { places.push_back({low, high}); }

  /// A point of one of the places, in the world.
  Vector3 draw_point() {
    const Nook& place = places[draws_.below(places.size())];
    Vector3 p;
    for (int k = 0; k < 3; ++k) p[k] = draws_.between(place.low[k], place.high[k]);
    return X_WS_ * Vector3(reach_ * p);
  }

  double draw(double low, double high) { return draws_.between(low, high); }
  std::size_t below(std::size_t count) { return draws_.below(count); }

 private:
  void add(const Solid& solid, Pose X_SO, std::string_view kind) {
    X_SO.position *= reach_;
    Obstacle object{.solid = solid, .X_LO = X_WS_ * X_SO};
    set_text(object.name, fmt::format("{} {}", kind, objects.size() + 1));
    objects.push_back(object);
  }

  Draws& draws_;
  double reach_;
  Pose X_WS_;
};

void build_table(SceneBuilder& scene) {
  const double top = scene.draw(-0.35, 0.05);
  scene.box({0.65, 0.0, top - 0.03}, {0.38, 0.7, 0.03});
  const std::size_t count = 5 + scene.below(6);
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3 foot(scene.draw(0.4, 0.95), scene.draw(-0.5, 0.5), top);
    const double half = scene.draw(0.05, 0.2);
    if (scene.below(2) == 0) {
      scene.box(foot + Vector3(0.0, 0.0, half), {scene.draw(0.03, 0.07), scene.draw(0.03, 0.07), half});
    } else {
      scene.standing(foot + Vector3(0.0, 0.0, half), scene.draw(0.03, 0.06), 2.0 * half);
    }
  }
  scene.place({0.4, -0.45, top + 0.05}, {0.85, 0.45, top + 0.15});
}

void build_shelf(SceneBuilder& scene) {
  const double front = scene.draw(0.5, 0.62);
  const double depth = scene.draw(0.3, 0.4);
  const double half_width = scene.draw(0.35, 0.5);
  const double bottom = scene.draw(-0.35, -0.15);
  const double height = scene.draw(0.3, 0.36);
  const std::size_t rows = 3;
  const double tall = height * static_cast<double>(rows);
  const double middle = front + depth / 2.0;
  for (std::size_t i = 0; i <= rows; ++i) {
    scene.box({middle, 0.0, bottom + height * static_cast<double>(i)}, {depth / 2.0, half_width, 0.015});
  }
  for (const double side : {-1.0, 1.0}) {
    scene.box({middle, side * half_width, bottom + tall / 2.0}, {depth / 2.0, 0.015, tall / 2.0});
  }
  scene.box({front + depth, 0.0, bottom + tall / 2.0}, {0.015, half_width, tall / 2.0});
  for (std::size_t i = 0; i < rows; ++i) {
    const double low = bottom + height * static_cast<double>(i);
    scene.place({front + 0.03, -half_width + 0.12, low + 0.1},
                {front + depth - 0.12, half_width - 0.12, low + height - 0.1});
    // something stands there already
    scene.standing({middle + 0.08, scene.draw(-0.7, 0.7) * half_width, low + 0.1}, 0.035, 0.17);
  }
}

void build_box(SceneBuilder& scene) {
  const double bottom = scene.draw(-0.4, -0.1);
  const double half = scene.draw(0.16, 0.24);
  const double height = scene.draw(0.2, 0.35);
  const Vector3 centre(scene.draw(0.5, 0.65), scene.draw(-0.15, 0.15), bottom);
  scene.box({0.65, 0.0, bottom - 0.03}, {0.42, 0.7, 0.03});
  for (const double side : {-1.0, 1.0}) {
    scene.box(centre + Vector3(side * half, 0.0, height / 2.0), {0.012, half, height / 2.0});
    scene.box(centre + Vector3(0.0, side * half, height / 2.0), {half, 0.012, height / 2.0});
  }
  scene.place(centre + Vector3(-0.6 * half, -0.6 * half, 0.06),
              centre + Vector3(0.6 * half, 0.6 * half, 0.8 * height));
  // beside it, too
  scene.place(centre + Vector3(-0.1, half + 0.12, 0.08), centre + Vector3(0.1, half + 0.25, 0.2));
}

void build_cage(SceneBuilder& scene) {
  const double bottom = scene.draw(-0.35, -0.15);
  const double half = scene.draw(0.24, 0.3);
  const double height = scene.draw(0.5, 0.7);
  const Vector3 centre(scene.draw(0.6, 0.68), scene.draw(-0.12, 0.12), bottom);
  scene.box({0.65, 0.0, bottom - 0.03}, {0.42, 0.7, 0.03});
  const double gap = scene.draw(0.24, 0.3);
  for (const double side : {-1.0, 1.0}) {
    for (double at = -half; at <= half + 1e-9; at += gap) {
      scene.standing(centre + Vector3(side * half, at, height / 2.0), 0.012, height);
      scene.standing(centre + Vector3(at, side * half, height / 2.0), 0.012, height);
    }
    scene.lying(centre + Vector3(side * half, 0.0, height), 0.012, 2.0 * half);
  }
  scene.box(centre + Vector3(0.0, 0.0, height + 0.03), {half, half, 0.015});
  scene.place(centre + Vector3(-0.7 * half, -0.6 * half, 0.1),
              centre + Vector3(0.5 * half, 0.6 * half, 0.8 * height));
}

struct KindOfProblem {
  std::string_view name;
  void (*build)(SceneBuilder&);
};
constexpr std::array kProblemKinds{KindOfProblem{"shelf", build_shelf}, KindOfProblem{"box", build_box},
                                   KindOfProblem{"table", build_table}, KindOfProblem{"cage", build_cage}};

class ProblemMaker {
 public:
  ProblemMaker(const RobotModel& model, const SerialChain& chain, const ProblemOptions& options,
               Planner planner)
      : model_(model),
        chain_(chain),
        options_(options),
        planner_(std::move(planner)),
        solver_(chain),
        draws_(options.seed) {
    for (std::size_t i = 0; i < chain.size(); ++i)
      home_.push_back(starting_positions(model)[chain.position(i)]);
    for (int i = 0; i < 1000; ++i) {
      const std::vector<double> q = draw_posture();
      reach_ = std::max(reach_, (chain_.tool_pose(q).position - chain_.first_joint()).norm());
    }
  }

  /// Nothing: the scene gave no two clear postures, or nobody knows a path.
  std::optional<PlanningProblem> make(void (*build)(SceneBuilder&), bool& is_undecided) {
    SceneBuilder scene(draws_, chain_.first_joint(), reach_);
    build(scene);
    PlanningProblem problem{.name = options_.kind, .objects = scene.objects};
    const auto world = world_of(problem);
    if (!world) return std::nullopt;
    planner_.set_world(*world);
    const bool from_home = draws_.below(2) == 0;
    const auto start = from_home && is_clear(home_) ? std::optional(home_) : draw_clear(scene);
    const auto goal = start ? draw_clear(scene) : std::nullopt;
    if (!goal) return std::nullopt;
    problem.start = *start;
    problem.goal = *goal;
    is_undecided = !has_witness(problem);
    if (is_undecided) return std::nullopt;
    return problem;
  }

 private:
  std::vector<double> draw_posture() {
    std::vector<double> q;
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      const JointLimits& limits = chain_.limits(i);
      q.push_back(draws_.between(std::max(limits.lower, -std::numbers::pi),
                                 std::min(limits.upper, std::numbers::pi)));
    }
    return q;
  }

  std::vector<double> all_positions(std::span<const double> q) const {
    std::vector<double> all = starting_positions(model_);
    for (std::size_t i = 0; i < q.size(); ++i) all[chain_.position(i)] = q[i];
    return all;
  }

  bool is_clear(std::span<const double> q) {
    const PlanResult result =
        planner_.plan({.start = all_positions(q), .goal = JointGoal{{q.begin(), q.end()}}});
    return result.status == PlanStatus::Solved;
  }

  // A posture that brings the tool to a place of the scene and touches nothing.
  std::optional<std::vector<double>> draw_clear(SceneBuilder& scene) {
    constexpr int kMostTries = 60;
    for (int i = 0; i < kMostTries; ++i) {
      const Pose X_BT{.position = scene.draw_point()};
      const IkResult solved = solver_.solve(X_BT, draw_posture(), {.task = kPositionOnly});
      if (solved.status != IkStatus::Solved) continue;
      const JointVector& found = solved.solutions[0].q;
      std::vector<double> q(found.data(), found.data() + found.size());
      if (is_clear(q)) return q;
    }
    return std::nullopt;
  }

  bool has_witness(const PlanningProblem& problem) {
    const PlanResult result = planner_.plan({.start = all_positions(problem.start),
                                             .goal = JointGoal{problem.goal},
                                             .seed = options_.seed ^ 0x5eed5eedULL,
                                             .time_limit = options_.witness_time,
                                             .most_iterations = options_.witness_iterations,
                                             .with_shortening = false,
                                             .with_diagnosis = false});
    return result.status == PlanStatus::Solved;
  }

  const RobotModel& model_;
  const SerialChain& chain_;
  const ProblemOptions& options_;
  Planner planner_;
  InverseKinematics solver_;
  Draws draws_;
  std::vector<double> home_;
  double reach_ = 0.0;
};

}  // namespace

std::vector<std::string> problem_kinds() {
  std::vector<std::string> names;
  for (const KindOfProblem& kind : kProblemKinds) names.emplace_back(kind.name);
  return names;
}

Result<GeneratedProblems> generate_problems(const RobotModel& model, const SerialChain& chain,
                                            const ProblemOptions& options) {
  const auto kind = std::find_if(kProblemKinds.begin(), kProblemKinds.end(),
                                 [&](const KindOfProblem& one) { return one.name == options.kind; });
  if (kind == kProblemKinds.end()) {
    const std::vector<std::string> known = problem_kinds();
    return Error{ErrorCode::NotFound,
                 fmt::format("there are no problems of kind '{}'{}; known: {}", options.kind,
                             did_you_mean(options.kind, known), fmt::join(known, ", "))};
  }
  auto planner = Planner::make(model, {.clearance = options.clearance, .chain = &chain});
  if (!planner) return planner.error();
  ProblemMaker maker(model, chain, options, *std::move(planner));
  GeneratedProblems result;
  const std::size_t most_tries = 50 * options.count + 200;
  for (std::size_t tries = 0; tries < most_tries && result.problems.size() < options.count; ++tries) {
    bool is_undecided = false;
    auto problem = maker.make(kind->build, is_undecided);
    result.undecided += is_undecided ? 1 : 0;
    if (!problem) continue;
    problem->index = result.problems.size() + 1;
    result.problems.push_back(*std::move(problem));
    if (options.progress) options.progress(result.problems.size());
  }
  if (result.problems.size() == options.count) return result;
  return Error{
      ErrorCode::OutOfLimits,
      fmt::format("only {} of {} problems '{}' could be drawn for robot '{}' ({} undecided)",
                  result.problems.size(), options.count, options.kind, model.name, result.undecided)};
}

}  // namespace sinew

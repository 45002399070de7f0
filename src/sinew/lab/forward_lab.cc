// SPDX-License-Identifier: BSD-3-Clause
// Lab 02: forward kinematics by hand.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/lab/arm_angles.h"
#include "sinew/lab/kinematics_labs.h"
#include "sinew/lab/lab_pictures.h"
#include "sinew/lab/suspicion.h"

namespace sinew::lab {
namespace forward {
namespace {

constexpr std::size_t kQuestions = 60;
constexpr double kPositionBound = 1e-4;  // [m]
constexpr double kAngleBound = 1e-3;     // [rad]
constexpr double kDegree = std::numbers::pi / 180.0;

using Numbers = std::array<double, 5>;

Numbers truth(const SerialChain& chain, std::span<const double> q) {
  const HandPose hand = hand_pose(chain.tool_pose(q), q[0]);
  return {hand.x, hand.y, hand.z, hand.pitch, hand.roll};
}

double position_error(const Numbers& a, const Numbers& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
double angle_error(const Numbers& a, const Numbers& b) {
  return std::max(std::abs(wrapped(a[3] - b[3])), std::abs(wrapped(a[4] - b[4])));
}
bool is_same(const Numbers& a, const Numbers& b) {
  return position_error(a, b) < kPositionBound && angle_error(a, b) < kAngleBound;
}

struct Round {
  std::vector<std::vector<double>> questions;
  std::vector<Numbers> answers;
};

// What a mistake in the answer, and one in what was asked, would give.
void suspect_answers(const SerialChain& chain, const Round& round, std::vector<Suspicion>& list) {
  const auto add = [&](std::string words, std::function<Numbers(Numbers)> spoil) {
    list.push_back({std::move(words), [&chain, &round, spoil = std::move(spoil)](std::size_t i) {
                      return is_same(round.answers[i], spoil(truth(chain, round.questions[i])));
                    }});
  };
  add("x, y and z are in millimetres; metres are wanted", [](Numbers t) {
    for (int i = 0; i < 3; ++i) t[static_cast<std::size_t>(i)] *= 1000.0;
    return t;
  });
  list.push_back({"pitch and roll are in degrees; radians are wanted", [&](std::size_t i) {
                    Numbers got = round.answers[i];
                    got[3] *= kDegree;
                    got[4] *= kDegree;
                    return is_same(got, truth(chain, round.questions[i]));
                  }});
  for (std::size_t j = 0; j < kHandNumbers.size(); ++j)
    add(fmt::format("the sign of '{}' is wrong", kHandNumbers[j]), [j](Numbers t) {
      t[j] = -t[j];
      return t;
    });
  add("x and y are exchanged", [](Numbers t) {
    std::swap(t[0], t[1]);
    return t;
  });
}

void suspect_questions(const SerialChain& chain, const Round& round, std::vector<Suspicion>& list) {
  const auto add = [&](std::string words, std::function<void(std::vector<double>&)> spoil) {
    list.push_back({std::move(words), [&chain, &round, spoil = std::move(spoil)](std::size_t i) {
                      std::vector<double> q = round.questions[i];
                      spoil(q);
                      return is_same(round.answers[i], truth(chain, q));
                    }});
  };
  add("the joint angles are taken for degrees; they are in radians", [](std::vector<double>& q) {
    for (double& angle : q) angle *= kDegree;
  });
  for (std::size_t j = 0; j < kArmJoints.size(); ++j) {
    add(fmt::format("joint '{}' turns the other way round", kArmJoints[j]),
        [j](std::vector<double>& q) { q[j] = -q[j]; });
    add(fmt::format("joint '{}' is left out", kArmJoints[j]), [j](std::vector<double>& q) { q[j] = 0.0; });
  }
}

std::string fault_text(const Round& round, const SerialChain& chain, std::span<const std::size_t> wrong) {
  std::vector<Suspicion> suspicions;
  suspect_answers(chain, round, suspicions);
  suspect_questions(chain, round, suspicions);
  const std::string why = explanation(suspicions, wrong);
  const std::size_t first = wrong.front();
  const Numbers wanted = truth(chain, round.questions[first]);
  const std::string example =
      fmt::format("fk({:.4f}) gives ({:.4f}), right is ({:.4f})", fmt::join(round.questions[first], ", "),
                  fmt::join(round.answers[first], ", "), fmt::join(wanted, ", "));
  return fmt::format("{} of {} poses are wrong. {}For example {}.", wrong.size(), kQuestions,
                     why.empty() ? "" : fmt::format("It looks as if {}. ", why), example);
}

}  // namespace
}  // namespace forward

Grade grade_forward_kinematics(const SerialChain& chain, const Ask& ask, std::uint64_t seed) {
  using namespace forward;
  Draws draws(seed);
  Round round;
  std::vector<std::size_t> wrong;
  std::vector<Miss> misses;
  double worst_position = 0.0;
  double worst_angle = 0.0;
  for (std::size_t i = 0; i < kQuestions; ++i) {
    round.questions.push_back(draw_joints(chain, draws));
    const std::vector<Value> arguments(round.questions.back().begin(), round.questions.back().end());
    const auto value = ask("fk", arguments);
    if (!value) return no_points(value.error().message);
    const auto numbers = numbers_from(*value, "fk", kHandNumbers);
    if (!numbers) return no_points(numbers.error().message);
    Numbers answer{};
    std::ranges::copy(*numbers, answer.begin());
    round.answers.push_back(answer);
    const Numbers wanted = truth(chain, round.questions.back());
    worst_position = std::max(worst_position, position_error(answer, wanted));
    worst_angle = std::max(worst_angle, angle_error(answer, wanted));
    const bool is_right = is_same(answer, wanted);
    if (!is_right) wrong.push_back(i);
    misses.push_back({{wanted[0], wanted[1], wanted[2]}, {answer[0], answer[1], answer[2]}, is_right});
  }
  Grade grade{.passed = wrong.empty(),
              .score = 100.0 * static_cast<double>(kQuestions - wrong.size()) / kQuestions,
              .measures = {{"poses", kQuestions},
                           {"right", static_cast<double>(kQuestions - wrong.size())},
                           {"worst_position_error_m", worst_position},
                           {"worst_angle_error_rad", worst_angle}},
              .reason = wrong.empty() ? fmt::format("all {} poses are right, the worst by {:.2g} m",
                                                    kQuestions, worst_position)
                                      : fault_text(round, chain, wrong),
              .picture = draw_misses(misses, "Lab 02: where the hand is")};
  return grade;
}

}  // namespace sinew::lab

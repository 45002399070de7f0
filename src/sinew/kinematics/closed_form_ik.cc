// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/closed_form_ik.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/base/assert.h"
#include "sinew/kinematics/arm_class.h"
#include "sinew/kinematics/convert.h"
#include "sinew/kinematics/joint_turns.h"
#include "sinew/kinematics/kernels.h"

namespace sinew {
namespace {

using kernel::ClosedAnswer;

// answers better than this need no Newton steps [m, rad]
constexpr double kExact = 1e-9;
// and worse ones belong to branches that do not exist: of arms with exact axes, and of others, in parts of
// how far their axes may be off
constexpr double kHopelessIfExact = 1e-5;
constexpr double kHopelessBySlack = 25.0;
// beyond any distance
constexpr double kFarthest = std::numeric_limits<double>::max();

/// The lanes that hold answers, in order of their distance from the seed.
struct Order {
  int lane[kernel::kLanes];
  int count = 0;
};

/// No jump depends on the distances: a processor could not foresee it.
Order order_of(const ClosedAnswer& answer) {
  Order found;
  for (int lane = 0; lane < answer.count; ++lane) {
    found.lane[found.count] = lane;
    found.count += answer.distance[lane] <= kFarthest ? 1 : 0;
  }
  int rank[kernel::kLanes] = {};
  for (int i = 1; i < found.count; ++i) {
    const double distance = answer.distance[found.lane[i]];
    for (int j = 0; j < i; ++j) {
      const int is_after = answer.distance[found.lane[j]] <= distance ? 1 : 0;
      rank[i] += is_after;
      rank[j] += 1 - is_after;
    }
  }
  Order order;
  order.count = found.count;
  for (int i = 0; i < found.count; ++i) order.lane[rank[i]] = found.lane[i];
  return order;
}

bool is_same(const ClosedAnswer& answer, int a, int b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (std::abs(answer.q[i][a] - answer.q[i][b]) > 1e-6) return false;
  }
  return true;
}

/// True when a lane before place k has the same answer; it is then equally far.
bool is_repeated(const ClosedAnswer& answer, const Order& order, int k, std::size_t count) {
  const double distance = answer.distance[order.lane[k]];
  const double from = distance - 1e-5 * (1.0 + distance);
  for (int i = k - 1; i >= 0 && answer.distance[order.lane[i]] >= from; --i) {
    if (is_same(answer, order.lane[i], order.lane[k], count)) return true;
  }
  return false;
}

/// Newton steps on the true geometry, where axes are off by rounding or branches run into one.
[[gnu::noinline]] void make_exact(const SerialChain& chain, const kernel::Motion<double>& X_BT,
                                  std::span<const double> seed, double tolerance, ClosedAnswer& answer) {
  kernel::Task<double> task{.X_S0 = chain.doubles().X_B0, .X_ST = X_BT, .weight = {1, 1, 1, 1, 1, 1}};
  // a redundant arm can give way to a limit; another's branch is where it is
  const bool is_redundant = seed.size() > 6;
  for (std::size_t i = 0; i < seed.size(); ++i) {
    task.lower[i] = is_redundant ? chain.limits(i).lower : -1e12;
    task.upper[i] = is_redundant ? chain.limits(i).upper : 1e12;
  }
  for (int lane = 0; lane < answer.count; ++lane) {
    if ((answer.rough >> lane & 1U) == 0) continue;
    kernel::Polish polish{};
    for (std::size_t i = 0; i < seed.size(); ++i) polish.q[i] = answer.q[i][lane];
    kernel::kernels().polish(chain.doubles(), task, 0.1 * kExact, 8, polish);
    // written so that NaN is no answer
    if (!(polish.position_error <= tolerance && polish.rotation_error <= tolerance)) continue;
    double distance = 0.0;
    for (std::size_t i = 0; i < seed.size(); ++i) {
      polish.q[i] = nearest_turn(chain, i, polish.q[i], seed[i]);
      answer.q[i][lane] = polish.q[i];
      distance += (polish.q[i] - seed[i]) * (polish.q[i] - seed[i]);
    }
    answer.position_error[lane] = polish.position_error;
    answer.rotation_error[lane] = polish.rotation_error;
    const bool is_inside = chain.is_within_limits({polish.q, seed.size()});
    if (is_inside) answer.distance[lane] = distance;
    if (!is_inside) answer.beyond |= 1U << lane;
  }
}

}  // namespace

std::optional<ClosedFormIk> ClosedFormIk::find(const SerialChain& chain) {
  const auto arm = closed_arm_of(chain);
  return arm ? std::optional(ClosedFormIk(chain, *arm)) : std::nullopt;
}

ClosedFormIk::ClosedFormIk(const SerialChain& chain, const kernel::ClosedArm& arm)
    : chain_(&chain), arm_(std::make_shared<const kernel::ClosedArm>(arm)) {}

std::string_view ClosedFormIk::description() const noexcept {
  switch (arm_->kind) {
    case kernel::ArmKind::SphericalWrist:
      return arm_->is_reversed ? "closed form: spherical shoulder" : "closed form: spherical wrist";
    case kernel::ArmKind::Spherical234:
      return "closed form: spherical middle";
    case kernel::ArmKind::Five:
      return "closed form: five axes";
    case kernel::ArmKind::Seven:
      return "closed form: arm angle";
    default:
      return "closed form: parallel axes";
  }
}

std::string_view ClosedFormIk::name() const noexcept {
  return description().substr(std::string_view("closed form: ").size());
}

IkSolutions ClosedFormIk::solve(const Pose& X_BT, std::span<const double> seed, double tolerance,
                                int* beyond_limits) const noexcept {
  ClosedAnswer answer;
  answer.is_turn_given = false;
  IkSolutions solutions = solutions_of(X_BT, seed, tolerance, answer);
  if (beyond_limits != nullptr) *beyond_limits = std::popcount(answer.beyond);
  return solutions;
}

IkSolutions ClosedFormIk::solve_turned(const Pose& X_BT, std::span<const double> seed, double turn,
                                       double tolerance) const noexcept {
  SINEW_ASSERT(arm_->kind == kernel::ArmKind::Seven && std::isfinite(turn));
  ClosedAnswer answer;
  answer.is_turn_given = true;
  answer.turn = std::remainder(turn, 2.0 * std::numbers::pi);
  return solutions_of(X_BT, seed, tolerance, answer);
}

IkSolutions ClosedFormIk::solutions_of(const Pose& X_BT, std::span<const double> seed, double tolerance,
                                       ClosedAnswer& answer) const {
  SINEW_ASSERT(is_valid(X_BT) && seed.size() == chain_->size());
  const std::size_t joints = seed.size();
  const kernel::Motion<double> target = motion_of(X_BT);
  double padded[kernel::kMaxClosed] = {};
  std::copy(seed.begin(), seed.end(), padded);
  answer.exact = std::min(kExact, tolerance);
  answer.hopeful =
      arm_->is_exact ? std::max(kHopelessIfExact, 2.0 * tolerance) : kHopelessBySlack * arm_->slack;
  kernel::kernels().closed(*arm_, chain_->doubles(), target, padded, answer);
  if (answer.rough != 0) make_exact(*chain_, target, seed, tolerance, answer);
  const Order order = order_of(answer);
  IkSolutions solutions;
  for (int k = 0; k < order.count; ++k) {
    const int lane = order.lane[k];
    if (is_repeated(answer, order, k, joints)) continue;
    solutions.resize(solutions.size() + 1);
    IkSolution& solution = solutions.back();
    solution.q.resize(static_cast<Eigen::Index>(joints));
    for (std::size_t i = 0; i < joints; ++i) solution.q[static_cast<Eigen::Index>(i)] = answer.q[i][lane];
    solution.position_error = answer.position_error[lane];
    solution.rotation_error = answer.rotation_error[lane];
  }
  return solutions;
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/closed_form_ik.h"

#include <algorithm>
#include <cmath>

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
// and worse ones belong to branches that do not exist
constexpr double kHopeless = 5e-3;

/// The lanes that hold answers, in order of their distance from the seed.
struct Order {
  int lane[kernel::kLanes];
  int count = 0;
};

bool is_same(const ClosedAnswer& answer, int a, int b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (std::abs(answer.q[i][a] - answer.q[i][b]) > 1e-6) return false;
  }
  return true;
}

/// Puts a lane in its place unless another has the same answer, which is then equally far.
void insert(const ClosedAnswer& answer, int lane, std::size_t count, Order& order) {
  const double distance = answer.distance[lane];
  const double hair = 1e-5 * (1.0 + distance);
  int place = order.count;
  for (; place > 0 && answer.distance[order.lane[place - 1]] > distance + hair; --place) {
  }
  int k = place;
  for (; k > 0 && answer.distance[order.lane[k - 1]] >= distance - hair; --k) {
    if (is_same(answer, order.lane[k - 1], lane, count)) return;
  }
  for (; place > 0 && answer.distance[order.lane[place - 1]] > distance; --place) {
  }
  for (int i = order.count; i > place; --i) order.lane[i] = order.lane[i - 1];
  order.lane[place] = lane;
  ++order.count;
}

/// Newton steps on the true geometry, for axes that are off by rounding.
[[gnu::noinline]] void make_exact(const SerialChain& chain, const kernel::Motion<double>& X_BT,
                                  std::span<const double> seed, int lane, ClosedAnswer& answer) {
  kernel::Task<double> task{.X_S0 = chain.doubles().X_B0, .X_ST = X_BT, .weight = {1, 1, 1, 1, 1, 1}};
  kernel::Polish polish{};
  for (std::size_t i = 0; i < seed.size(); ++i) {
    task.lower[i] = -1e12;
    task.upper[i] = 1e12;
    polish.q[i] = answer.q[i][lane];
  }
  kernel::kernels().polish(chain.doubles(), task, 0.1 * kExact, 8, polish);
  answer.position_error[lane] = polish.position_error;
  answer.rotation_error[lane] = polish.rotation_error;
  answer.distance[lane] = 0.0;
  for (std::size_t i = 0; i < seed.size(); ++i) {
    const double q = nearest_turn(chain, i, polish.q[i], seed[i]);
    answer.q[i][lane] = q;
    answer.distance[lane] += (q - seed[i]) * (q - seed[i]);
    polish.q[i] = q;
  }
  const unsigned bit = 1U << lane;
  const bool is_inside = chain.is_within_limits({polish.q, seed.size()});
  answer.inside = is_inside ? answer.inside | bit : answer.inside & ~bit;
}

/// True when the branch exists; makes it exact where it is not.
bool stands(const SerialChain& chain, const kernel::Motion<double>& X_BT, std::span<const double> seed,
            double tolerance, int lane, ClosedAnswer& answer) {
  const double& position = answer.position_error[lane];
  const double& rotation = answer.rotation_error[lane];
  // written so that NaN is hopeless
  if (!(position < kHopeless && rotation < kHopeless)) return false;
  if (position > kExact || rotation > kExact) make_exact(chain, X_BT, seed, lane, answer);
  return position <= tolerance && rotation <= tolerance;
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
    default:
      return "closed form: parallel axes";
  }
}

std::string_view ClosedFormIk::name() const noexcept {
  return description().substr(std::string_view("closed form: ").size());
}

IkSolutions ClosedFormIk::solve(const Pose& X_BT, std::span<const double> seed, double tolerance,
                                int* beyond_limits) const noexcept {
  SINEW_ASSERT(is_valid(X_BT) && seed.size() == chain_->size());
  const std::size_t joints = seed.size();
  const kernel::Motion<double> target = motion_of(X_BT);
  double six[6] = {};
  std::copy(seed.begin(), seed.end(), six);
  ClosedAnswer answer;
  kernel::kernels().closed(*arm_, chain_->doubles(), target, six, answer);
  Order order;
  for (int lane = 0; lane < answer.count; ++lane) {
    if (stands(*chain_, target, seed, tolerance, lane, answer)) insert(answer, lane, joints, order);
  }
  IkSolutions solutions;
  for (int k = 0; k < order.count; ++k) {
    const int lane = order.lane[k];
    if ((answer.inside >> lane & 1U) == 0) continue;
    solutions.resize(solutions.size() + 1);
    IkSolution& solution = solutions.back();
    solution.q.resize(static_cast<Eigen::Index>(joints));
    for (std::size_t i = 0; i < joints; ++i) solution.q[static_cast<Eigen::Index>(i)] = answer.q[i][lane];
    solution.position_error = answer.position_error[lane];
    solution.rotation_error = answer.rotation_error[lane];
  }
  if (beyond_limits != nullptr) *beyond_limits = order.count - static_cast<int>(solutions.size());
  return solutions;
}

}  // namespace sinew

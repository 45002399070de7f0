// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/sent_pieces.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/assert.h"
#include "sinew/base/time.h"
#include "sinew/trajectory/segment.h"

namespace sinew {
namespace {

constexpr double kSame = 1e-11;         // [rad, m] the same sum, rounded
constexpr std::size_t kMostPlans = 64;  // a plan older than this is past
constexpr int kMostSkipped = 100;       // cycles that the system may have skipped since the last look

PolynomialSegment polynomial_of(const LivePiece& piece, std::size_t k) {
  return {.time = {.start_ns = piece.start_ns, .duration_ns = piece.duration_ns},
          .coefficient = piece.polynomials[k]};
}

}  // namespace

void SentPieces::begin(std::uint64_t joint_mask, std::span<const double> q_all) {
  joint_mask_ = joint_mask;
  joints_.clear();
  rest_.clear();
  plans_.clear();
  delay_ns_ = 0;
  for (std::size_t i = 0; i < q_all.size(); ++i) {
    if ((joint_mask >> i & 1) == 0) continue;
    joints_.push_back(i);
    rest_.push_back(q_all[i]);
  }
}

void SentPieces::put(std::vector<LivePiece> plan) {
  SINEW_ASSERT(!plan.empty() && plan.front().start_ns >= begin_ns());
  plans_.push_back(std::move(plan));
  if (plans_.size() <= kMostPlans) return;
  for (std::size_t k = 0; k < rest_.size(); ++k)
    rest_[k] = state_in(plans_.front(), k, plans_[1].front().start_ns).position;
  plans_.pop_front();
}

std::optional<std::size_t> SentPieces::plan_at(std::int64_t at_ns) const {
  for (std::size_t p = plans_.size(); p-- > 0;)
    if (plans_[p].front().start_ns <= at_ns) return p;
  return std::nullopt;
}

AxisState SentPieces::state_in(const Plan& plan, std::size_t k, std::int64_t at_ns) const {
  for (const LivePiece& piece : plan)
    if (at_ns < piece.end_ns()) return evaluate(polynomial_of(piece, k), at_ns);
  return {.position = evaluate(polynomial_of(plan.back(), k), plan.back().end_ns()).position};
}

void SentPieces::sample(std::int64_t at_ns, std::span<AxisState> states) const {
  const auto plan = plan_at(at_ns);
  for (std::size_t k = 0; k < joints_.size(); ++k)
    states[k] = plan ? state_in(plans_[*plan], k, at_ns) : AxisState{.position = rest_[k]};
}

bool SentPieces::is_at(std::optional<std::size_t> plan, std::int64_t at_ns,
                       const JointCommand& command) const {
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const double expected = plan ? state_in(plans_[*plan], k, at_ns).position : rest_[k];
    // false for NaN
    if (!(std::abs(command.position[joints_[k]] - expected) <= kSame)) return false;
  }
  return true;
}

// How many plans must have been taken for the joints to be there: all but the newest few; none fits: nothing.
std::optional<std::size_t> SentPieces::plans_carried_out(std::int64_t at_ns,
                                                         const JointCommand& command) const {
  const auto newest = plan_at(at_ns);
  if (is_at(newest, at_ns, command)) return plans_.size();
  if (!newest) return std::nullopt;
  for (std::size_t p = *newest; p-- > 0;)
    if (is_at(p, at_ns, command)) return p + 1;
  if (is_at(std::nullopt, at_ns, command)) return 0;
  return std::nullopt;
}

SentPieces::Verdict SentPieces::compare(const JointCommand& command, std::int64_t delay_ns) {
  if (plans_.empty()) return is_at(std::nullopt, 0, command) ? Verdict::AsSent : Verdict::Strange;
  delay_ns_ = std::max(delay_ns_, delay_ns);
  auto taken = plans_carried_out(command.stamp_ns - delay_ns_, command);
  // cycles may have been skipped that nobody has told of yet
  for (int i = 1; i <= kMostSkipped && !taken; ++i) {
    const std::int64_t longer_ns = delay_ns_ + i * kMillisecond_ns;
    taken = plans_carried_out(command.stamp_ns - longer_ns, command);
    if (taken) delay_ns_ = longer_ns;
  }
  if (!taken) return Verdict::Strange;
  if (*taken == plans_.size()) return Verdict::AsSent;
  plans_.resize(*taken);
  return Verdict::SetBack;
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/segment_player.h"

#include <algorithm>

#include "sinew/base/time.h"
#include "sinew/control/joint_masks.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

/// A piece that is to begin later than this is a mistake.
constexpr std::int64_t kFurthestStart_ns = 3600 * kSecond_ns;

double seconds_of(std::int64_t time_ns) {
  return 1e-9 * static_cast<double>(time_ns);
}

// the vector's other elements keep their order
template <class Vector>
void erase_at(Vector& vector, std::size_t i) {
  std::move(vector.begin() + i + 1, vector.end(), vector.begin() + i);
  vector.pop_back();
}

}  // namespace

SegmentPlayer::SegmentPlayer(const RobotModel& model, std::span<const AxisLimits> limits,
                             std::int64_t period_ns)
    : joints_{.all_mask = ~std::uint64_t{0} >> (kMaxJoints - model.positions.size()),
              .enabled_mask = enabled_mask(model)},
      limits_(limits),
      period_ns_(period_ns),
      slots_(kMostPieces) {
  for (std::size_t i = kMostPieces; i-- > 0;) free_.push_back(static_cast<Slot>(i));
}

RefusedInput SegmentPlayer::take(const Segment& piece, const JointSmoother& axes,
                                 std::uint32_t writer) SINEW_REALTIME {
  RefusedInput refused = check_form(piece, joints_);
  const bool has_form = !refused;
  Motion* const continued = has_form ? find_continued(piece) : nullptr;
  if (has_form && is_rest_of_ended(piece, continued)) refused.refusal = Refusal::MotionOver;
  if (!refused) refused = check(piece, continued, {.smoother = axes, .at_ns = time_ns_});
  if (!refused) {
    add(piece, continued, writer);
    return {};
  }
  // what follows a piece that was refused would have begun at its end
  if (has_form) rest_ = {.number = piece.motion, .mask = piece.joint_mask, .next_ns = end_of(piece)};
  refused.motion = piece.motion;
  return refused;
}

RefusedInput SegmentPlayer::check(const Segment& piece, const Motion* continued,
                                  const Axes& axes) const SINEW_REALTIME {
  if (const RefusedInput refused = check_turn(piece)) return refused;
  if (const RefusedInput refused = check_joins(piece, axes)) return refused;
  if (const RefusedInput refused = check_limits(piece, limits_)) return refused;
  return check_room(piece, continued);
}

// In time, and not behind a newer motion.
RefusedInput SegmentPlayer::check_turn(const Segment& piece) const SINEW_REALTIME {
  for (const Motion& motion : motions_) {
    if ((motion.mask & piece.joint_mask) != 0 && piece.motion < last(motion).motion)
      return {.refusal = Refusal::MotionOver};
  }
  const std::int64_t ahead_ns = piece.start_ns - time_ns_;
  if (ahead_ns >= 0 && ahead_ns <= kFurthestStart_ns) return {};
  return {.refusal = ahead_ns < 0 ? Refusal::Late : Refusal::Stale,
          .value = seconds_of(ahead_ns),
          .quantity = Quantity::Time};
}

RefusedInput SegmentPlayer::check_joins(const Segment& piece, const Axes& axes) const SINEW_REALTIME {
  const double period = seconds_of(period_ns_);
  RefusedInput refused;
  for_each_joint(piece.joint_mask, [&](std::size_t i) {
    if (refused) return;
    const PolynomialSegment polynomial = polynomial_of(piece, i);
    const std::optional<AxisState> before = state_before(i, piece.start_ns, axes);
    if (!before) {
      refused = {.refusal = Refusal::DoesNotJoin,
                 .joint = i,
                 .value = seconds_of(piece.start_ns - time_ns_),
                 .quantity = Quantity::Time};
      return;
    }
    refused = check_join(i, *before, evaluate(polynomial, piece.start_ns), limits_[i], period);
    if (refused || piece.is_last == 0) return;
    // the last one ends at rest
    const AxisState end = evaluate(polynomial, end_of(piece));
    refused = check_join(i, {.position = end.position}, end, limits_[i], period);
  });
  return refused;
}

RefusedInput SegmentPlayer::check_room(const Segment& piece, const Motion* continued) const SINEW_REALTIME {
  if (continued == nullptr && motions_.is_full()) return {.refusal = Refusal::NoRoom};
  if (!free_.empty()) return {};
  // what it replaces makes room
  const bool replaces = continued != nullptr && last(*continued).start_ns >= piece.start_ns;
  return {.refusal = replaces ? Refusal::None : Refusal::NoRoom};
}

// Where joint `joint` is at `at_ns`, and how it moves, by what comes before that: the motion that has the
// joint then, or the way that it is on by itself. Nothing when that motion is not known so far.
std::optional<AxisState> SegmentPlayer::state_before(std::size_t joint, std::int64_t at_ns,
                                                     const Axes& axes) const SINEW_REALTIME {
  const Motion* before = nullptr;
  for (const Motion& motion : motions_) {
    if ((motion.mask & joint_bit(joint)) == 0 || motion.begin_ns >= at_ns) continue;
    if (before == nullptr || motion.begin_ns > before->begin_ns) before = &motion;
  }
  if (before != nullptr) return state_of(*before, joint, at_ns);
  return axes.smoother.profile(joint).at(axes.smoother.elapsed(joint) + seconds_of(at_ns - axes.at_ns));
}

std::optional<AxisState> SegmentPlayer::state_of(const Motion& motion, std::size_t joint,
                                                 std::int64_t at_ns) const SINEW_REALTIME {
  if (is_finished(motion, at_ns))
    return AxisState{.position = evaluate(polynomial_of(last(motion), joint), at_ns).position};
  for (const Slot slot : motion.pieces)
    if (at_ns <= end_of(slots_[slot])) return evaluate(polynomial_of(slots_[slot], joint), at_ns);
  return std::nullopt;
}

bool SegmentPlayer::is_finished(const Motion& motion, std::int64_t at_ns) const {
  return last(motion).is_last != 0 && end_of(last(motion)) <= at_ns;
}

// After a piece that was refused, or the end of its motion, the rest of the motion is refused as such.
bool SegmentPlayer::is_rest_of_ended(const Segment& piece, const Motion* continued) const SINEW_REALTIME {
  const bool goes_on = continued != nullptr && end_of(last(*continued)) == piece.start_ns;
  return !goes_on && rest_.number == piece.motion && rest_.mask == piece.joint_mask &&
         rest_.next_ns == piece.start_ns;
}

// The motion of the same joints that a piece prolongs or bends; null when it begins one of its own.
SegmentPlayer::Motion* SegmentPlayer::find_continued(const Segment& piece) SINEW_REALTIME {
  Motion* found = nullptr;
  for (Motion& motion : motions_) {
    const bool is_before = motion.has_begun || motion.begin_ns < piece.start_ns;
    if (motion.mask != piece.joint_mask || !is_before || is_finished(motion, piece.start_ns)) continue;
    if (found == nullptr || motion.begin_ns > found->begin_ns) found = &motion;
  }
  return found;
}

void SegmentPlayer::add(const Segment& piece, Motion* continued, std::uint32_t writer) SINEW_REALTIME {
  // whatever was to begin later on its joints is replaced
  for (std::size_t i = motions_.size(); i-- > 0;) {
    const Motion& other = motions_[i];
    const bool is_later = !other.has_begun && other.begin_ns >= piece.start_ns;
    if (&other == continued || !is_later || (other.mask & piece.joint_mask) == 0) continue;
    const bool moves_up = continued > &other;
    end(i, MotionEnd::Replaced);
    if (moves_up) --continued;
  }
  if (continued != nullptr) {
    cut(*continued, piece.start_ns);
  } else {
    motions_.push_back({.mask = piece.joint_mask, .begin_ns = piece.start_ns});
    continued = &motions_.back();
  }
  const Slot slot = free_.back();
  free_.pop_back();
  slots_[slot] = piece;
  continued->pieces.push_back(slot);
  continued->writer = writer;
}

// Forgets what a motion has from `at_ns` on.
void SegmentPlayer::cut(Motion& motion, std::int64_t at_ns) SINEW_REALTIME {
  while (!motion.pieces.empty() && last(motion).start_ns >= at_ns) {
    free_.push_back(motion.pieces.back());
    motion.pieces.pop_back();
  }
  if (motion.pieces.empty()) return;
  Segment& piece = last(motion);
  if (end_of(piece) <= at_ns) return;
  piece.duration_ns = at_ns - piece.start_ns;
  piece.is_last = 0;
}

PlayerNews SegmentPlayer::advance(const JointSmoother& axes, const Mux& mux,
                                  std::int64_t now_ns) SINEW_REALTIME {
  PlayerNews news;
  const Axes before{.smoother = axes, .at_ns = time_ns_};
  for (std::size_t i = motions_.size(); i-- > 0;)
    if (motions_[i].has_begun && is_finished(motions_[i], time_ns_)) end(i, MotionEnd::Done);
  time_ns_ =
      motions_.empty() ? now_ns : time_ns_ + std::clamp<std::int64_t>(now_ns - time_ns_, 0, period_ns_);
  delay_ns_ = now_ns - time_ns_;
  while (Motion* motion = next_due()) begin(*motion, before, mux, news);
  move_on(news);
  return news;
}

SegmentPlayer::Motion* SegmentPlayer::next_due() SINEW_REALTIME {
  Motion* due = nullptr;
  for (Motion& motion : motions_) {
    if (motion.has_begun || motion.begin_ns > time_ns_) continue;
    if (due == nullptr || motion.begin_ns < due->begin_ns) due = &motion;
  }
  return due;
}

// What was true when it was queued may have changed since.
void SegmentPlayer::begin(Motion& motion, const Axes& axes, const Mux& mux, PlayerNews& news) SINEW_REALTIME {
  RefusedInput refused = check_joins(first(motion), axes);
  if (!refused && !mux.may_command(kSegmentSource, motion.mask, time_ns_ + delay_ns_))
    refused.refusal = Refusal::NotAllowed;
  if (refused) {
    news.refused = refused;
    news.refused.motion = first(motion).motion;
    end(static_cast<std::size_t>(&motion - motions_.begin()), MotionEnd::Refused);
    return;
  }
  motion.has_begun = true;
  news.begun_mask |= motion.mask;
  replace_others(motion, news);
}

void SegmentPlayer::replace_others(const Motion& motion, PlayerNews& news) SINEW_REALTIME {
  // the motion itself changes its place when others are taken out
  const struct {
    std::uint64_t mask;
    std::int64_t begin_ns;
  } begun{motion.mask, motion.begin_ns};
  for (std::size_t i = motions_.size(); i-- > 0;) {
    const Motion& other = motions_[i];
    const bool is_itself = other.mask == begun.mask && other.begin_ns == begun.begin_ns;
    if (is_itself || !other.has_begun || (other.mask & begun.mask) == 0) continue;
    const bool is_done = is_finished(other, begun.begin_ns);
    if (!is_done) news.left_mask |= other.mask & ~begun.mask;
    end(i, is_done ? MotionEnd::Done : MotionEnd::Replaced);
  }
  news.left_mask &= ~news.begun_mask;
}

// Leaves pieces that are over behind, and ends motions that have no more though they should.
void SegmentPlayer::move_on(PlayerNews& news) SINEW_REALTIME {
  for (std::size_t i = motions_.size(); i-- > 0;) {
    Motion& motion = motions_[i];
    if (!motion.has_begun) continue;
    while (motion.pieces.size() > 1 && end_of(first(motion)) <= time_ns_) pass(motion);
    if (first(motion).is_last != 0 || time_ns_ <= end_of(first(motion))) continue;
    news.broken_mask |= motion.mask;
    news.broken = first(motion).motion;
    end(i, MotionEnd::Broken);
  }
}

void SegmentPlayer::pass(Motion& motion) SINEW_REALTIME {
  const std::uint64_t number = first(motion).motion;
  free_.push_back(motion.pieces[0]);
  erase_at(motion.pieces, 0);
  if (first(motion).motion == number) return;
  ended_ = number;
  how_ended_ = MotionEnd::Replaced;
}

void SegmentPlayer::end(std::size_t motion, MotionEnd how) SINEW_REALTIME {
  const Motion& over = motions_[motion];
  ended_ = first(over).motion;
  how_ended_ = how;
  rest_ = {.number = last(over).motion, .mask = over.mask, .next_ns = end_of(last(over))};
  for (const Slot slot : over.pieces) free_.push_back(slot);
  erase_at(motions_, motion);
}

std::uint64_t SegmentPlayer::drop(std::uint64_t mask, MotionEnd how) SINEW_REALTIME {
  std::uint64_t dropped = 0;
  for (std::size_t i = motions_.size(); i-- > 0;) {
    if ((motions_[i].mask & mask) == 0) continue;
    if (motions_[i].has_begun) dropped |= motions_[i].mask;
    end(i, how);
  }
  return dropped;
}

std::uint64_t SegmentPlayer::drop_of(std::uint32_t writer, MotionEnd how) SINEW_REALTIME {
  std::uint64_t dropped = 0;
  for (std::size_t i = motions_.size(); i-- > 0;) {
    if (motions_[i].writer != writer) continue;
    if (motions_[i].has_begun) dropped |= motions_[i].mask;
    end(i, how);
  }
  return dropped;
}

std::uint64_t SegmentPlayer::running_mask() const SINEW_REALTIME {
  std::uint64_t mask = 0;
  for (const Motion& motion : motions_)
    if (motion.has_begun) mask |= motion.mask;
  return mask;
}

void SegmentPlayer::sample(std::span<AxisState> states) const SINEW_REALTIME {
  for (const Motion& motion : motions_) {
    if (!motion.has_begun) continue;
    const Segment& piece = first(motion);
    const bool rests = is_finished(motion, time_ns_);
    for_each_joint(motion.mask, [&](std::size_t i) {
      const AxisState state = evaluate(polynomial_of(piece, i), time_ns_);
      states[i] = rests ? AxisState{.position = state.position} : state;
    });
  }
}

std::uint64_t SegmentPlayer::running() const SINEW_REALTIME {
  const Motion* newest = nullptr;
  for (const Motion& motion : motions_)
    if (motion.has_begun && (newest == nullptr || motion.begin_ns > newest->begin_ns)) newest = &motion;
  return newest == nullptr ? 0 : first(*newest).motion;
}

}  // namespace sinew

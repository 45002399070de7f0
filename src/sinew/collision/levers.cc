// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/levers.h"

#include <algorithm>
#include <cmath>

namespace sinew::collision {
namespace {

constexpr double kMoreDrawn = 0.1;  // [m] beyond what has been seen, so that it is seldom widened

}  // namespace

Levers::Levers(const Items& items) : counts_(items.items.size(), 0), positions_(items.items.size(), 0) {
  const LinkTree& tree = items.shapes->tree();
  for (std::size_t link = 0; link < tree.link_count(); ++link) most_ = std::max(most_, tree.depth(link));
  levers_.resize(most_ * counts_.size());
  drawn_.resize(tree.position_count(), -1.0);
  lengths_.resize(tree.position_count() * counts_.size(), 0.0);
  rows_.resize(tree.position_count());
  for (const LinkTree::Step& step : tree.steps())
    if (step.position != kNone && !step.is_revolute) drawn_[step.position] = kMoreDrawn;
  for (std::size_t i = 0; i < items.item_count; ++i) set(items, i);
}

void Levers::set(const Items& items, std::size_t item) SINEW_REALTIME {
  const LinkTree& tree = items.shapes->tree();
  const Item& body = items.items[item];
  for (std::size_t k = 0; k < rows_.size(); ++k) lengths_[k * counts_.size() + item] = 0.0;
  counts_[item] = 0;
  positions_[item] = 0;
  if (body.solid == nullptr || body.link == items.nowhere()) return;
  // a revolute axis runs through the origin of the link that it turns
  double reach = body.ball.centre.norm() + body.ball.radius;
  const LinkTree::Step* step = tree.step_above(body.link);
  for (; step != nullptr; step = tree.step_above(step->parent)) {
    if (step->position != kNone) {
      positions_[item] |= std::uint64_t{1} << step->position;
      const double longest = std::abs(step->factor) * (step->is_revolute ? reach : 1.0);
      levers_[item * most_ + counts_[item]++] = {.position = step->position,
                                                 .depth = tree.depth(step->child),
                                                 .length = longest,
                                                 .longest = longest,
                                                 .step = step};
    }
    reach += step->p.norm();
    if (step->position != kNone && !step->is_revolute)
      reach += std::abs(step->factor) * drawn_[step->position] + std::abs(step->offset);
  }
  set_column(item);
}

// A position may move an item by several joints, where some mimic others.
void Levers::set_column(std::size_t item) SINEW_REALTIME {
  const auto length = [&](const Lever& lever) -> double& {
    return lengths_[lever.position * counts_.size() + item];
  };
  for (const Lever& lever : of(item)) length(lever) = 0.0;
  for (const Lever& lever : of(item)) {
    length(lever) += lever.length;
    Row& row = rows_[lever.position];
    if (row.first == row.last) row = {item, item + 1};
    row = {std::min(row.first, item), std::max(row.last, item + 1)};
  }
}

bool Levers::widen(std::span<const double> q) SINEW_REALTIME {
  bool is_wider = false;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (drawn_[i] < 0.0 || std::abs(q[i]) <= drawn_[i]) continue;
    drawn_[i] = std::abs(q[i]) + kMoreDrawn;
    is_wider = true;
  }
  return is_wider;
}

bool Levers::narrow() SINEW_REALTIME {
  bool is_narrower = false;
  for (double& drawn : drawn_) {
    is_narrower |= drawn > kMoreDrawn;
    drawn = std::min(drawn, kMoreDrawn);
  }
  return is_narrower;
}

// How far a point is from an axis is changed only by the joints between the two.
void Levers::fit(const Items& items, std::size_t item, std::span<const double> spread,
                 LazyFrames& frames) SINEW_REALTIME {
  const Item& body = items.items[item];
  const Vector3 centre = frames.of(body.link) * body.ball.centre;
  double moved = 0.0;  // by the joints below
  for (Lever& lever : own(item)) {
    if (lever.step->is_revolute) {
      const Placement& X_WC = frames.of(lever.step->child);
      const double away = (X_WC.R * lever.step->axis).cross(centre - X_WC.p).norm();
      lever.length =
          std::min(lever.longest, std::abs(lever.step->factor) * (away + body.ball.radius + moved));
    }
    moved += lever.length * spread[lever.position];
  }
  set_column(item);
}

void Levers::travels(std::span<const double> spread, std::span<double> of_items) const SINEW_REALTIME {
  std::ranges::fill(of_items, 0.0);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (spread[k] == 0.0) continue;
    const double* lengths = lengths_.data() + k * counts_.size();
    // what was carried once may be gone
    const std::size_t last = std::min(rows_[k].last, of_items.size());
    for (std::size_t i = rows_[k].first; i < last; ++i) of_items[i] += lengths[i] * spread[k];
  }
}

std::span<const Lever> Levers::below(std::size_t item, std::size_t depth) const {
  const std::span<const Lever> all = of(item);
  std::size_t count = 0;
  while (count < all.size() && all[count].depth > depth) ++count;
  return all.first(count);
}

// Taylor's formula around the middle of the part. The first derivative of a point by a joint is its lever arm
// turned, w x (p - o), or the way d of a joint that slides: summed over the joints with their signs, that is
// one twist, and what the joints cancel is gone. The second derivative by two joints is w x that of the one
// further out, w being the axis of the one further in, and nothing where that one slides; so it is no longer
// than the lever of the one further out, times the turn of the other. Of the sum over all pairs of joints,
// halved, each pair counts once and each joint with itself by half.
ItemCourse course_of(const Item& item, std::span<const Lever> levers, const WaySample& part,
                     LazyFrames& frames) SINEW_REALTIME {
  double turn = 0.0;  // of the joints from here on inward
  for (const Lever& lever : levers)
    if (lever.step->is_revolute) turn += std::abs(lever.step->factor) * part.spread[lever.position];
  const Vector3 centre = frames.of(item.link) * item.ball.centre;
  ItemCourse all;
  for (const Lever& lever : levers) {
    const double spread = part.spread[lever.position];
    if (spread == 0.0) continue;
    const Course& course = part.courses[lever.position];
    const LinkTree::Step& step = *lever.step;
    const Placement& X_WC = frames.of(step.child);
    const Vector3 axis = step.factor * (X_WC.R * step.axis);
    Vector3 rate = axis;  // of the centre
    double own_turn = 0.0;
    if (step.is_revolute) {
      own_turn = std::abs(step.factor) * spread;
      rate = axis.cross(centre - X_WC.p);
      all.chord.turn += course.chord * axis;
      all.bow.turn += course.bow * axis;
    }
    all.chord.centre += course.chord * rate;
    all.bow.centre += course.bow * rate;
    turn -= own_turn;
    all.rest += lever.length * (course.rest + spread * (0.5 * own_turn + turn));
  }
  return all;
}

double approach(const Vector3& n, const Item& a, const ItemCourse& course_a, const Item& b,
                const ItemCourse& course_b) SINEW_REALTIME {
  const auto turned = [&](const ItemCourse::Shift& of_a, const ItemCourse::Shift& of_b) {
    return n.cross(of_a.turn).norm() * a.ball.radius + n.cross(of_b.turn).norm() * b.ball.radius;
  };
  const double chord = std::abs(n.dot(course_b.chord.centre - course_a.chord.centre));
  // which way they go at both ends alike, does not count where it leads apart
  const double bow = std::max(0.0, n.dot(course_a.bow.centre - course_b.bow.centre));
  return chord + bow + turned(course_a.chord, course_b.chord) + turned(course_a.bow, course_b.bow) +
         course_a.rest + course_b.rest;
}

}  // namespace sinew::collision

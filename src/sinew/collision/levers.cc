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
  for (const LinkTree::Step& step : tree.steps())
    if (step.position != kNone && !step.is_revolute) drawn_[step.position] = kMoreDrawn;
  for (std::size_t i = 0; i < items.item_count; ++i) set(items, i);
}

void Levers::set(const Items& items, std::size_t item) SINEW_REALTIME {
  const LinkTree& tree = items.shapes->tree();
  const Item& body = items.items[item];
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
  for (Lever& lever : std::span(levers_.data() + item * most_, counts_[item])) {
    if (lever.step->is_revolute) {
      const Placement& X_WC = frames.of(lever.step->child);
      const double away = (X_WC.R * lever.step->axis).cross(centre - X_WC.p).norm();
      lever.length =
          std::min(lever.longest, std::abs(lever.step->factor) * (away + body.ball.radius + moved));
    }
    moved += lever.length * spread[lever.position];
  }
}

std::span<const Lever> Levers::below(std::size_t item, std::size_t depth) const {
  const std::span<const Lever> all = of(item);
  std::size_t count = 0;
  while (count < all.size() && all[count].depth > depth) ++count;
  return all.first(count);
}

// A point p of the item moves with a joint by the axis crossed with the way from axis to p. That vector is
// known where the joints are, and changes from there at most by being turned with the joints above, and by
// what p is moved by the joints below and by this one.
double travel_along(const Vector3& n, const Item& item, std::span<const Lever> levers,
                    std::span<const double> spread, LazyFrames& frames) SINEW_REALTIME {
  double turn = 0.0;  // of the joints above
  for (const Lever& lever : levers)
    if (lever.step->is_revolute) turn += std::abs(lever.step->factor) * spread[lever.position];
  const Vector3 centre = frames.of(item.link) * item.ball.centre;
  double moved = 0.0;  // by the joints below
  double sum = 0.0;
  for (const Lever& lever : levers) {
    const double unit = std::abs(lever.step->factor);
    const double most = lever.length * spread[lever.position];
    if (most == 0.0) continue;
    const Placement& X_WC = frames.of(lever.step->child);
    const Vector3 axis = X_WC.R * lever.step->axis;
    moved += most;
    double rate = 0.0;  // [m/rad, 1] of this joint
    if (lever.step->is_revolute) {
      turn -= unit * spread[lever.position];
      const Vector3 m = n.cross(axis);
      rate =
          std::abs(m.dot(centre - X_WC.p)) + m.norm() * item.ball.radius + turn * lever.length / unit + moved;
    } else {
      rate = std::abs(n.dot(axis)) + turn;
    }
    sum += std::min(most, unit * rate * spread[lever.position]);
  }
  return sum;
}

}  // namespace sinew::collision

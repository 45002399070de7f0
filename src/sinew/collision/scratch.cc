// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/scratch.h"

#include <algorithm>
#include <cmath>

namespace sinew::collision {
namespace {

/// Balls are a little larger than they must be, so that single precision never makes them smaller.
constexpr double kRoundingSlack = 1e-5;
/// Beyond all worlds, and its square still a float [m].
constexpr double kFar = 1e9;

}  // namespace

Scratch::Scratch(const RobotShapes& robot) : Items(robot), batch(robot) {
  const std::size_t links = robot.tree().link_count();
  const std::size_t capacity = items.size();
  X_WL.resize(links + 1);
  motions.resize(links + 1);
  travel.resize(capacity);
  q.resize(robot.tree().position_count());
  edge.resize(q.size() * kernel::kBatch);
  rates.resize(q.size());
  open_pairs.resize(kMostOpen);
  among.resize(kMostOpen);
  for (auto* array : {&x, &y, &z, &radius}) array->resize(capacity);
  wanted.resize(capacity * capacity / 8);
  first_block.resize(capacity);
  // a sweep keeps a list for each halving, and a pair stands at most once in each
  pairs.resize(capacity * capacity / 2 * (kMostHalvings + 2));
  set_world(Obstacles());
}

void Scratch::set_world(const Obstacles& new_world) {
  Items::set_world(new_world);
  blocks = (item_count + 7) / 8;
  for (std::size_t i = 0; i < item_count; ++i) set_row(i);
  is_batch_stale = true;
}

void Scratch::set_row(std::size_t i) {
  unsigned char* row = wanted.data() + i * blocks;
  std::fill(row, row + blocks, static_cast<unsigned char>(0));
  first_block[i] = static_cast<unsigned short>(blocks);
  if (items[i].solid == nullptr) return;
  for (std::size_t j = item_count; j-- > i + 1;) {
    if (items[j].solid == nullptr || !is_checked(items[i], items[j])) continue;
    row[j / 8] = static_cast<unsigned char>(row[j / 8] | 1U << j % 8);
    first_block[i] = static_cast<unsigned short>(j / 8);
  }
}

void Scratch::place(std::span<const double> new_q) {
  shapes->tree().link_frames(new_q, X_WL);
}

// Each item's ball holds it on `share_of_way` to either side of where it is.
void Scratch::set_balls(double share_of_way) {
  for (std::size_t i = 0; i < item_count; ++i) {
    const Item& item = items[i];
    if (item.solid == nullptr) continue;
    const Vector3 centre = X_WL[item.link] * item.ball.centre;
    x[i] = static_cast<float>(centre.x());
    y[i] = static_cast<float>(centre.y());
    z[i] = static_cast<float>(centre.z());
    const double size = item.ball.radius + share_of_way * travel[i].way + travel[i].stray +
                        kRoundingSlack * (1.0 + centre.norm());
    radius[i] = static_cast<float>(std::min(size, kFar));
  }
}

kernel::BallTable Scratch::table() const {
  return {.x = x.data(),
          .y = y.data(),
          .z = z.data(),
          .radius = radius.data(),
          .wanted = wanted.data(),
          .first_block = first_block.data(),
          .count = static_cast<int>(item_count),
          .blocks = static_cast<int>(blocks)};
}

std::size_t Scratch::near_pairs(double extra) {
  const auto reach = static_cast<float>(std::min(extra + kRoundingSlack, kFar));
  return static_cast<std::size_t>(kernel::collision_kernels().near_pairs(table(), reach, pairs.data()));
}

Separation Scratch::gap(const Item& a, const Item& b, double enough) const {
  return separation(*a.solid, X_WL[a.link] * a.X_LS, *b.solid, X_WL[b.link] * b.X_LS, enough);
}

bool Scratch::is_too_near(const Item& a, const Item& b) const {
  return is_within(*a.solid, X_WL[a.link] * a.X_LS, *b.solid, X_WL[b.link] * b.X_LS, margin_of(a, b));
}

bool Scratch::is_clear(std::span<const double> new_q) {
  if (new_q.size() != q.size() || !is_finite(new_q)) return false;
  place(new_q);
  set_balls(0.0);
  const std::size_t count = near_pairs(largest_margin);
  return std::none_of(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(count),
                      [&](unsigned pair) { return is_too_near(items[pair >> 16], items[pair & 0xffffU]); });
}

// Exact distances decide what the batch could not.
bool Scratch::is_lane_clear(std::span<const float> lanes, unsigned lane, bool is_alone) {
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = static_cast<double>(lanes[i * kernel::kBatch + lane]);
  if (is_alone) return is_clear(q);
  bool is_placed = false;
  for (const kernel::Suspect& suspect : batch.suspects()) {
    if (static_cast<unsigned>(suspect.lane) != lane || batch.is_separated(suspect.pair, suspect.lane))
      continue;
    if (!is_placed) place(q);
    is_placed = true;
    const auto [a, b] = batch.items_of(suspect.pair);
    if (is_too_near(items[a], items[b])) return false;
  }
  return true;
}

void Scratch::update_batch() {
  if (is_batch_stale) batch.set_items(*this);
  is_batch_stale = false;
}

unsigned Scratch::clear_lanes(std::span<const float> lanes, bool is_all_or_none) {
  update_batch();
  const Batch::Lanes known = batch.check(lanes, is_all_or_none);
  if (is_all_or_none && known.hit != 0) return 0;
  unsigned clear = ~(known.hit | known.open) & 0xffU;
  for (unsigned open = known.open; open != 0; open &= open - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(open));
    if (is_lane_clear(lanes, lane, (known.alone >> lane & 1U) != 0)) {
      clear |= 1U << lane;
    } else if (is_all_or_none) {
      return 0;
    }
  }
  return clear;
}

void Scratch::set_motion(std::span<const double> q0, std::span<const double> q1,
                         std::span<const double> slack) {
  shapes->tree().link_motions(q0, q1, slack, motions);
  const std::size_t nowhere = shapes->tree().link_count();
  for (std::size_t i = 0; i < item_count; ++i) {
    const Item& item = items[i];
    if (item.solid == nullptr) continue;
    const double size = item.ball.centre.norm() + item.ball.radius;
    travel[i] = item.link == nowhere ? Travel{} : shapes->tree().travel_bound(item.link, 0, size, motions);
  }
}

// How much nearer a and b can come during the whole motion: only the joints between them count.
Travel Scratch::pair_travel(const Item& a, const Item& b) const {
  const LinkTree& tree = shapes->tree();
  const std::size_t link_a = a.link == tree.link_count() ? 0 : a.link;
  const std::size_t link_b = b.link == tree.link_count() ? 0 : b.link;
  const std::size_t common = tree.common_ancestor(link_a, link_b);
  const Travel of_a = tree.travel_bound(link_a, common, a.ball.centre.norm() + a.ball.radius, motions);
  const Travel of_b = tree.travel_bound(link_b, common, b.ball.centre.norm() + b.ball.radius, motions);
  return {.way = of_a.way + of_b.way, .stray = of_a.stray + of_b.stray};
}

}  // namespace sinew::collision

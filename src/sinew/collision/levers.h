// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/base/realtime.h"
#include "sinew/collision/items.h"
#include "sinew/collision/lazy_frames.h"
#include "sinew/collision/way_watch.h"

/// How far things move when joints do. Inside this room only.
namespace sinew::collision {

/// One joint above an item.
struct Lever {
  std::size_t position = 0;  ///< Into q.
  std::size_t depth = 0;     ///< Of the link that the joint moves.
  double length = 0.0;       ///< No point of the item moves further per unit of the position [m/rad, 1].
  double longest = 0.0;      ///< That, wherever the other joints are.
  const LinkTree::Step* step = nullptr;
};

/// The levers of all items, the nearest joint first; sized once.
class Levers {
 public:
  explicit Levers(const Items& items);

  /// Anew from what the item is now.
  void set(const Items& items, std::size_t item) SINEW_REALTIME;
  /// Sliding joints count with all that they can be drawn out, and are known to have been. Answers whether
  /// `q` goes beyond that: then all levers must be set anew.
  bool widen(std::span<const double> q) SINEW_REALTIME;
  /// What was known of that is forgotten; answers as widen does.
  bool narrow() SINEW_REALTIME;

  /// Shorter ones, that hold as long as no position is further than `spread` from where `frames` has it.
  void fit(const Items& items, std::size_t item, std::span<const double> spread,
           LazyFrames& frames) SINEW_REALTIME;

  std::span<const Lever> of(std::size_t item) const { return {levers_.data() + item * most_, counts_[item]}; }
  /// How far each item can be moved by joints that move by `spread` [m]: travel(of(item), spread) of all.
  void travels(std::span<const double> spread, std::span<double> of_items) const SINEW_REALTIME;
  /// Their positions, a bit each.
  std::uint64_t positions(std::size_t item) const { return positions_[item]; }
  /// Those of joints below a link of that depth.
  std::span<const Lever> below(std::size_t item, std::size_t depth) const;

 private:
  /// The items that a position moves, from the first to before the last.
  struct Row {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  std::span<Lever> own(std::size_t item) { return {levers_.data() + item * most_, counts_[item]}; }
  void set_column(std::size_t item) SINEW_REALTIME;

  std::size_t most_ = 0;       // per item
  std::vector<double> drawn_;  // by position: at most, either way [m]; negative for those that turn
  std::vector<Lever> levers_;
  std::vector<std::size_t> counts_;
  std::vector<std::uint64_t> positions_;
  // the lengths once more, by position and then by item: sums over all items read them in one go, and only
  // those of joints that move
  std::vector<double> lengths_;
  std::vector<Row> rows_;  // by position
};

/// How far an item with these levers can be moved by joints that move by `spread` [m].
inline double travel(std::span<const Lever> levers, std::span<const double> spread) {
  double sum = 0.0;
  for (const Lever& lever : levers) sum += lever.length * spread[lever.position];
  return sum;
}

/// How an item goes on a part of a way: as `chord` · u + `bow` · u², and no point of it further from there
/// than `rest` [m]; u as in Course.
struct ItemCourse {
  struct Shift {
    Vector3 turn = Vector3::Zero();    ///< [rad]
    Vector3 centre = Vector3::Zero();  ///< Of the ball around the item [m].
  };
  Shift chord;
  Shift bow;
  double rest = 0.0;
};

/// By the joints of these levers only; `part.middle` is where `frames` has them.
ItemCourse course_of(const Item& item, std::span<const Lever> levers, const WaySample& part,
                     LazyFrames& frames) SINEW_REALTIME;

/// How much nearer two items can come across a gap [m], at any time of the part: `n` leads from a to b.
double approach(const Vector3& n, const Item& a, const ItemCourse& course_a, const Item& b,
                const ItemCourse& course_b) SINEW_REALTIME;

}  // namespace sinew::collision

// SPDX-License-Identifier: BSD-3-Clause
// A part of the way is clear for a pair when its distance in the middle exceeds what the two can travel from
// there to either end; what is not clear is halved. The least that is left over on all parts is how much
// nearer the two may come before they must be looked at again, and every change of the way uses some of it.
#include "sinew/collision/way_watch.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/base/assert.h"
#include "sinew/base/fixed_vector.h"
#include "sinew/collision/items.h"
#include "sinew/collision/lazy_frames.h"
#include "sinew/collision/levers.h"

namespace sinew {
namespace collision {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMostLooks = 8192;  // at one pair
constexpr int kKeptHalvings = 4;  // parts no smaller than these are kept for other pairs
constexpr int kMostFirstHalvings = 3;
/// Halves are looked at for what is left over, once there is enough, when it is less than this share of the
/// way.
constexpr double kWorthLooking = 0.4;
/// [m] Knowing of more than this is not worth a closer look.
constexpr double kAmple = 0.08;
/// Of what the two can travel, distances need not be known better; kFinest is the most that they may be
/// short.
constexpr double kSlack = 0.05;
/// [rad, m] Levers are fitted to a way and this much around it: a share of what moves, and some at least.
constexpr double kShareToMove = 0.3;
constexpr double kRoomToMove = 0.03;
constexpr double kStill = 1e-6;
/// [m] Two that come no nearer than by this on a part are not looked at more finely.
constexpr double kFinest = WayWatch::kTolerance / 4.0;
/// [m] What must be left at least, and how much of it is for the rounding of sums.
constexpr double kLeastLeft = 2e-6;
constexpr double kRounding = 1e-6;
/// [m] Sums are begun anew before they lose digits.
constexpr double kMostUsed = 1e4;

}  // namespace

/// The way from index / 2^halvings to (index + 1) / 2^halvings of it.
struct Part {
  int halvings = 0;
  unsigned index = 0;

  double length() const { return std::ldexp(1.0, -halvings); }
  double begin() const { return index * length(); }
  Part half(unsigned which) const { return {halvings + 1, 2 * index + which}; }
};

/// The robot in the middle of a part.
struct Sample {
  explicit Sample(const LinkTree& tree)
      : frames(tree), spread(tree.position_count()), courses(tree.position_count()) {}

  WaySample part() { return {.middle = frames.q, .spread = spread, .courses = courses}; }

  LazyFrames frames;
  std::vector<double> spread;
  std::vector<Course> courses;
  std::uint64_t check = 0;  // when it was taken
  std::uint64_t taken = 0;  // positions that are there
};

/// A sphere that an item does not leave on the whole way.
struct Outline {
  Vector3 centre = Vector3::Zero();
  double radius = 0.0;      // [m]
  std::uint64_t check = 0;  // when it was drawn
};

/// Two items, and what moves them against each other.
struct Pair {
  const Item& a;
  const Item& b;
  double margin;
  std::span<const Lever> levers_a;
  std::span<const Lever> levers_b;
  std::uint64_t positions;  // of all joints above the two

  double travel(std::span<const double> spread) const {
    return collision::travel(levers_a, spread) + collision::travel(levers_b, spread);
  }
  /// The positions that move them against each other, a bit each.
  std::uint64_t between() const {
    std::uint64_t mask = 0;
    for (const Lever& lever : levers_a) mask |= std::uint64_t{1} << lever.position;
    for (const Lever& lever : levers_b) mask |= std::uint64_t{1} << lever.position;
    return mask;
  }
};

/// Two that do not move against each other, and the positions that would change that.
struct RestingPair {
  std::uint32_t place = 0;  // in Watch::enough
  std::uint64_t between = 0;
};

/// A look at a pair on a part of the way.
struct Look {
  Separation gap;
  double most = 0.0;    // that their points travel there [m]
  double travel = 0.0;  // that can bring them nearer there [m]
  double left = 0.0;    // of the gap, after the margin and that [m]

  bool is_clear() const { return left > kLeastLeft; }
  /// Whether shorter parts would not be told from this.
  bool is_finest() const { return most <= WayWatch::kTolerance || travel <= kFinest; }
  /// Whether shorter parts would tell of more that is left.
  bool is_worth_halving() const { return left < std::min(kAmple, kWorthLooking * travel); }
};

/// What makes the next look at a pair shorter.
struct PairMemory {
  Eigen::Vector3f normal = Eigen::Vector3f::Zero();  // across which there was a gap; zero: none is known
  std::uint32_t age = 0;                             // Watch::age when it was written
  std::uint8_t halvings = 0;                         // the way is looked at in parts as short as this at once
};

/// The first conflict on a way.
struct Conflict {
  double at = kInfinity;  // share of the way
  Contact contact;
};

namespace {

bool is_same(const Obstacle& a, const Obstacle& b) {
  const Solid& s = a.solid;
  // what is pointed to may have been changed where it is
  const bool points_elsewhere = !s.points.empty() || s.field != nullptr || s.surface != nullptr;
  return !points_elsewhere && b.solid.points.empty() && s.kind == b.solid.kind && s.half == b.solid.half &&
         s.rounding == b.solid.rounding && a.link == b.link && a.margin == b.margin &&
         a.X_LO.position == b.X_LO.position && a.X_LO.rotation.coeffs() == b.X_LO.rotation.coeffs() &&
         a.may_touch == b.may_touch && a.may_touch_objects == b.may_touch_objects;
}

// How much nearer the two can come, `most` at the most: across a gap only what leads across it counts.
double travel_between(const Pair& pair, const Separation& gap, Sample& sample, double most) {
  if (gap.normal.isZero() || gap.distance > pair.margin + 2.0 * most) return most;
  const WaySample part = sample.part();
  return std::min(most, approach(gap.normal, pair.a, course_of(pair.a, pair.levers_a, part, sample.frames),
                                 pair.b, course_of(pair.b, pair.levers_b, part, sample.frames)));
}

Look look_across(const Pair& pair, const Separation& gap, Sample& sample, double most) {
  const double travel = travel_between(pair, gap, sample, most);
  return {.gap = gap, .most = most, .travel = travel, .left = gap.distance - pair.margin - travel};
}

Separation distance(const Pair& pair, LazyFrames& frames, double enough, const SearchHints& hints = {}) {
  return separation(*pair.a.solid, frames.of(pair.a.link) * pair.a.X_LS, *pair.b.solid,
                    frames.of(pair.b.link) * pair.b.X_LS, enough, hints);
}

// Here, what was found elsewhere to lie between the two.
Separation gap_across(const Pair& pair, LazyFrames& frames, const Vector3& normal) {
  return {.distance = gap_across(normal, *pair.a.solid, frames.of(pair.a.link) * pair.a.X_LS, *pair.b.solid,
                                 frames.of(pair.b.link) * pair.b.X_LS),
          .normal = normal};
}

// Never more than their distance.
double ball_distance(const Pair& pair, LazyFrames& frames) {
  const Vector3 a = frames.of(pair.a.link) * pair.a.ball.centre;
  const Vector3 b = frames.of(pair.b.link) * pair.b.ball.centre;
  return (a - b).norm() - pair.a.ball.radius - pair.b.ball.radius;
}

}  // namespace

struct Watch : Items {
  explicit Watch(const RobotShapes& robot);

  void watch_world(const Obstacles& new_world);
  void forget();
  CheckResult check(const RobotWay& way, std::span<const double> drift);

  void look_again(std::size_t item);
  void look_at_all_again();
  bool let_rest(std::size_t i, std::size_t j, std::uint64_t between);
  void wake(const Sample& whole, std::span<const double> drift);
  void use_up(std::span<const double> drift);
  void take_back();
  void widen(const Sample& whole);
  void set_levers();
  void fit_levers(Sample& whole, std::span<const double> drift);
  double check_row(std::size_t i, std::size_t first, std::size_t last, Conflict& conflict);
  double look(std::size_t i, std::size_t j, Conflict& conflict);
  double remember(std::size_t i, std::size_t j, double left);
  const Outline& outline_of(std::size_t item);
  Pair pair_of(std::size_t i, std::size_t j) const;
  Look look_at(const Pair& pair, Sample& sample, double least, Eigen::Vector3f& normal);
  bool is_leaving(const Pair& pair, const Part& part, double travel, LazyFrames& middle);
  Sample& sample_of(const Part& part, const Pair& pair);
  void take(const Part& part, std::uint64_t mask, Sample& sample);

  double& enough_of(std::size_t i, std::size_t j) { return enough[i * items.size() + j]; }

  Levers levers;
  // they hold while no position is further from `around` than `within` [rad, m]; not at all: nowhere
  std::vector<double> around;
  std::vector<double> within;
  // how far each item can have moved since the begin, and for pairs i < j the sum of both up to which they
  // are known to be clear [m]
  std::vector<double> used;
  std::vector<double> enough;
  std::vector<PairMemory> memories;  // as `enough`
  std::uint32_t age = 0;             // grows with every forget(): what is older counts for nothing
  // no pair of row i has less left than this: with other bodies, and with objects
  struct Spare {
    double bodies = kInfinity;
    double objects = kInfinity;
  };
  std::vector<Spare> spare;
  Spare most_used;                       // by the newest way, of any item
  std::vector<double> newly_used;        // by the newest way, per item
  std::vector<std::uint32_t> looked_at;  // pairs found clear on it, as places in `enough`
  std::size_t looked_at_count = 0;
  std::vector<RestingPair> resting;  // they count as clear until one of their positions moves
  std::size_t resting_count = 0;
  std::uint64_t resting_mask = 0;  // of all of them

  std::vector<double> whole_travel;  // on the whole way, per item [m]
  std::vector<Outline> outlines;
  std::uint64_t all_positions = 0;
  const RobotWay* way = nullptr;
  double duration = 0.0;
  std::uint64_t checks = 0;
  std::size_t looks = 0;
  std::vector<Sample> kept;
  Sample passing;  // too small to be kept
  LazyFrames aside;
  std::vector<double> end;
};

Watch::Watch(const RobotShapes& robot)
    : Items(robot),
      levers(*this),
      around(robot.tree().position_count(), 0.0),
      within(robot.tree().position_count(), -1.0),
      used(items.size(), 0.0),
      enough(items.size() * items.size(), kInfinity),
      memories(items.size() * items.size()),
      spare(items.size()),
      newly_used(items.size(), 0.0),
      looked_at(items.size() * items.size()),
      resting(items.size() * items.size() / 2),
      whole_travel(items.size(), 0.0),
      outlines(items.size()),
      kept(std::size_t{2} << kKeptHalvings, Sample(robot.tree())),
      passing(robot.tree()),
      aside(robot.tree()),
      end(robot.tree().position_count()) {
  SINEW_ASSERT(end.size() <= 64);
  for (std::size_t i = 0; i < end.size(); ++i) all_positions |= std::uint64_t{1} << i;
  for (std::size_t i = 0; i < first_object; ++i) look_again(i);
}

void Watch::watch_world(const Obstacles& new_world) {
  std::bitset<kMaxObstacles> is_known;
  for (std::size_t i = 0; i < std::min(world.size(), new_world.size()); ++i)
    is_known[i] = is_same(world[i], new_world[i]);
  set_world(new_world);
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (is_known[i]) continue;
    levers.set(*this, first_object + i);
    std::ranges::fill(within, -1.0);
    look_again(first_object + i);
  }
}

void Watch::look_again(std::size_t item) {
  const Item& own = items[item];
  const auto is_of_item = [&](const RestingPair& pair) {
    return pair.place / items.size() == item || pair.place % items.size() == item;
  };
  const auto first = resting.begin();
  const auto last = first + static_cast<std::ptrdiff_t>(resting_count);
  resting_count = static_cast<std::size_t>(std::remove_if(first, last, is_of_item) - first);
  for (std::size_t other = 0; other < item_count; ++other) {
    const auto [i, j] = std::minmax(item, other);
    if (i == j) continue;
    const bool is_wanted =
        own.solid != nullptr && items[other].solid != nullptr && is_checked(items[i], items[j]);
    enough_of(i, j) = is_wanted ? -kInfinity : kInfinity;
    if (is_wanted) (j < first_object ? spare[i].bodies : spare[i].objects) = -kInfinity;
  }
}

CheckResult Watch::check(const RobotWay& new_way, std::span<const double> drift) {
  way = &new_way;
  duration = new_way.duration();
  ++checks;
  looks = 0;
  Sample& whole = kept[1];
  take({}, all_positions, whole);
  if (!std::isfinite(duration) || !is_finite(whole.frames.q) || !is_finite(whole.spread))
    return {.verdict = Verdict::InvalidInput};
  widen(whole);
  wake(whole, drift);
  fit_levers(whole, drift);
  use_up(drift);
  levers.travels(whole.spread, {whole_travel.data(), item_count});
  Conflict conflict;
  for (std::size_t i = 0; i < item_count; ++i) {
    Spare& left = spare[i];
    if (!(left.bodies >= 0.0)) left.bodies = check_row(i, i + 1, first_object, conflict);
    if (!(left.objects >= 0.0))
      left.objects = check_row(i, std::max(i + 1, first_object), item_count, conflict);
  }
  if (conflict.at == kInfinity) return {};
  take_back();
  conflict.contact.at = conflict.at;
  return {.verdict = Verdict::TooNear, .contact = conflict.contact};
}

// Which pairs are wanted shows by what is known of them: of the others, that they are clear for ever.
void Watch::look_at_all_again() {
  for (std::size_t k = 0; k < resting_count; ++k) enough[resting[k].place] = -kInfinity;
  resting_count = 0;
  resting_mask = 0;
  for (std::size_t i = 0; i < item_count; ++i) {
    double* row = enough.data() + i * items.size();
    for (std::size_t j = i + 1; j < item_count; ++j) row[j] = row[j] == kInfinity ? kInfinity : -kInfinity;
    spare[i] = {.bodies = -kInfinity, .objects = -kInfinity};
  }
}

// Answers false where there is no room left.
bool Watch::let_rest(std::size_t i, std::size_t j, std::uint64_t between) {
  if (resting_count == resting.size()) return false;
  resting[resting_count++] = {static_cast<std::uint32_t>(i * items.size() + j), between};
  resting_mask |= between;
  enough_of(i, j) = kInfinity;
  return true;
}

// Those of which a position moves on this way, or has moved since the last one, must be looked at again.
void Watch::wake(const Sample& whole, std::span<const double> drift) {
  std::uint64_t moving = 0;
  for (std::size_t k = 0; k < drift.size(); ++k)
    if (!(whole.spread[k] == 0.0 && drift[k] == 0.0)) moving |= std::uint64_t{1} << k;
  if ((moving & resting_mask) == 0) return;
  resting_mask = 0;
  std::size_t kept_count = 0;
  for (std::size_t k = 0; k < resting_count; ++k) {
    const RestingPair pair = resting[k];
    if ((pair.between & moving) == 0) {
      resting[kept_count++] = pair;
      resting_mask |= pair.between;
      continue;
    }
    const std::size_t i = pair.place / items.size();
    enough[pair.place] = -kInfinity;
    (pair.place % items.size() < first_object ? spare[i].bodies : spare[i].objects) = -kInfinity;
  }
  resting_count = kept_count;
}

void Watch::use_up(std::span<const double> drift) {
  most_used = {.bodies = 0.0, .objects = 0.0};
  looked_at_count = 0;
  bool is_too_much = false;
  levers.travels(drift, {newly_used.data(), item_count});
  for (std::size_t i = 0; i < item_count; ++i) {
    used[i] += newly_used[i];
    double& most = i < first_object ? most_used.bodies : most_used.objects;
    most = std::max(most, newly_used[i]);
    // also what is no number
    is_too_much |= !(used[i] < kMostUsed);
  }
  for (std::size_t i = 0; i < item_count; ++i) {
    spare[i].bodies -= newly_used[i] + most_used.bodies;
    spare[i].objects -= newly_used[i] + most_used.objects;
  }
  if (is_too_much) forget();
}

// The way is not taken: the next one is compared with the one before. What was found on this one then counts
// from further away, there and back.
void Watch::take_back() {
  for (std::size_t k = 0; k < looked_at_count; ++k) {
    const std::size_t i = looked_at[k] / items.size();
    const std::size_t j = looked_at[k] % items.size();
    enough[looked_at[k]] -= 2.0 * (newly_used[i] + newly_used[j]);
  }
  for (std::size_t i = 0; i < item_count; ++i) {
    used[i] -= newly_used[i];
    spare[i].bodies -= newly_used[i] + most_used.bodies;
    spare[i].objects -= newly_used[i] + most_used.objects;
  }
}

void Watch::forget() {
  ++age;
  std::ranges::fill(used, 0.0);
  std::ranges::fill(newly_used, 0.0);
  if (levers.narrow()) set_levers();
  std::ranges::fill(within, -1.0);
  look_at_all_again();
}

void Watch::widen(const Sample& whole) {
  for (std::size_t i = 0; i < end.size(); ++i) end[i] = std::abs(whole.frames.q[i]) + whole.spread[i];
  if (!levers.widen(end)) return;
  set_levers();
  std::ranges::fill(within, -1.0);
  look_at_all_again();
}

void Watch::set_levers() {
  for (std::size_t i = 0; i < item_count; ++i) levers.set(*this, i);
}

// Both this way and the one before, which is within `drift` of it, must be where the levers hold.
void Watch::fit_levers(Sample& whole, std::span<const double> drift) {
  const std::vector<double>& q = whole.frames.q;
  bool holds = true;
  for (std::size_t k = 0; k < q.size(); ++k) {
    end[k] = whole.spread[k] + drift[k];
    holds &= std::abs(q[k] - around[k]) + end[k] <= within[k];
  }
  if (holds) return;
  for (std::size_t k = 0; k < q.size(); ++k) {
    around[k] = q[k];
    within[k] = end[k] + (end[k] > 0.0 ? std::max(kRoomToMove, kShareToMove * end[k]) : kStill);
  }
  for (std::size_t i = 0; i < item_count; ++i)
    if (items[i].solid != nullptr && levers.positions(i) != 0) levers.fit(*this, i, within, whole.frames);
}

// Answers the least that is left of pairs of i with those from `first` to before `last`.
double Watch::check_row(std::size_t i, std::size_t first, std::size_t last, Conflict& conflict) {
  double least = kInfinity;
  const double* row = enough.data() + i * items.size();
  for (std::size_t j = first; j < last; ++j) {
    double left = row[j] - used[j] - used[i];
    if (!(left >= 0.0)) left = look(i, j, conflict);
    least = std::min(least, left);
  }
  return least;
}

// Answers how much nearer the two may come until they are looked at again: negative, at once.
double Watch::look(std::size_t i, std::size_t j, Conflict& conflict) {
  constexpr double kAtOnce = -1.0;
  ++looks;
  const Outline& outline_a = outline_of(i);
  const Outline& outline_b = outline_of(j);
  const double apart =
      (outline_a.centre - outline_b.centre).norm() - outline_a.radius - outline_b.radius - largest_margin;
  if (apart > kAmple) return remember(i, j, apart);

  const Pair pair = pair_of(i, j);
  if (pair.travel(kept[1].spread) == 0.0) return let_rest(i, j, pair.between()) ? kInfinity : kAtOnce;
  PairMemory& memory = memories[i * items.size() + j];
  // after it was forgotten, nothing may depend on earlier looks
  if (memory.age != age || enough_of(i, j) == -kInfinity) memory = {.age = age};
  const int first = memory.halvings;
  int coarsest = kMostFirstHalvings;
  bool is_halved = false;
  double least = kInfinity;
  FixedVector<Part, (1U << kMostFirstHalvings) + kMostHalvings + 1> parts;
  for (unsigned k = 1U << first; k-- > 0;) parts.push_back({first, k});
  for (int turn = 0; !parts.empty(); ++turn) {
    const Part part = parts.back();
    parts.pop_back();
    // what comes later than what was found does not matter
    if (part.begin() >= conflict.at) return kAtOnce;
    Sample& sample = sample_of(part, pair);
    const Look look = look_at(pair, sample, least, memory.normal);
    const bool is_finest = look.is_finest() || part.halvings == kMostHalvings || turn >= kMostLooks;
    if (look.is_clear() && (is_finest || !look.is_worth_halving())) {
      least = std::min(least, look.left);
      coarsest = std::min(coarsest, part.halvings);
    } else if (!is_finest) {
      is_halved = true;
      parts.push_back(part.half(1));
      parts.push_back(part.half(0));
    } else if (is_leaving(pair, part, look.travel, sample.frames)) {
      least = 0.0;
    } else {
      const double middle = part.begin() + 0.5 * part.length();
      if (middle < conflict.at) conflict = {.at = middle, .contact = contact(pair.a, pair.b, look.gap)};
      return kAtOnce;
    }
  }
  // when no part was too long, longer ones are tried next
  memory.halvings = static_cast<std::uint8_t>(is_halved ? coarsest : std::max(first - 1, 0));
  return remember(i, j, least);
}

// The two are clear of each other and may come nearer by `left`.
double Watch::remember(std::size_t i, std::size_t j, double left) {
  left -= kRounding;
  enough_of(i, j) = used[i] + used[j] + left;
  looked_at[looked_at_count++] = static_cast<std::uint32_t>(i * items.size() + j);
  return left;
}

const Outline& Watch::outline_of(std::size_t item) {
  Outline& outline = outlines[item];
  if (std::exchange(outline.check, checks) == checks) return outline;
  Sample& whole = kept[1];
  const BoundingBall& ball = items[item].ball;
  outline.centre = whole.frames.of(items[item].link) * ball.centre;
  outline.radius = ball.radius + whole_travel[item];
  return outline;
}

// Spheres around the two may tell enough, or the plane that was between them last; otherwise they are
// measured.
Look Watch::look_at(const Pair& pair, Sample& sample, double least, Eigen::Vector3f& normal) {
  const double travel = pair.travel(sample.spread);
  const double ample = pair.margin + travel + kAmple;
  if (const double apart = ball_distance(pair, sample.frames); apart >= ample)
    return {
        .gap = {.distance = apart}, .most = travel, .travel = travel, .left = apart - pair.margin - travel};
  SearchHints hints{.slack = std::min(kSlack * travel, kFinest)};
  if (!normal.isZero()) {
    hints.normal = normal.cast<double>().normalized();
    const Look known = look_across(pair, gap_across(pair, sample.frames, hints.normal), sample, travel);
    if (known.is_clear() && (known.left >= least || !known.is_worth_halving())) return known;
  }
  const Look measured = look_across(pair, distance(pair, sample.frames, ample, hints), sample, travel);
  normal = measured.gap.normal.cast<float>();
  return measured;
}

Pair Watch::pair_of(std::size_t i, std::size_t j) const {
  const Item& a = items[i];
  const Item& b = items[j];
  const LinkTree& tree = shapes->tree();
  const bool is_in_world = a.link == nowhere() || b.link == nowhere();
  const std::size_t depth = is_in_world ? 0 : tree.depth(tree.common_ancestor(a.link, b.link));
  return {a,
          b,
          margin_of(a, b),
          levers.below(i, depth),
          levers.below(j, depth),
          levers.positions(i) | levers.positions(j)};
}

// Whether the two are too near where a part begins, and no nearer where it ends; between, by twice `travel`
// at most: that much from there to the middle, and from the middle to anywhere. A part too short to tell is
// followed on until distances differ by more than their error.
bool Watch::is_leaving(const Pair& pair, const Part& part, double travel, LazyFrames& middle) {
  way->place(part.begin() * duration, aside.q);
  aside.begin();
  const double near = pair.margin + WayWatch::kTolerance;
  const double before = distance(pair, aside, near).distance;
  if (before > near) return false;
  if (distance(pair, middle, before).distance + travel + kDistanceError < before) return false;
  way->place((part.begin() + part.length()) * duration, end);
  for (std::size_t i = 0; i < end.size(); ++i) end[i] -= aside.q[i];
  const auto way_of = [&](std::span<const Lever> all) {
    double sum = 0.0;
    for (const Lever& lever : all) sum += lever.length * std::abs(end[lever.position]);
    return sum;
  };
  const double length = way_of(pair.levers_a) + way_of(pair.levers_b);
  const double share = length > 0.0 ? std::max(1.0, kTellingWay / length) : 1.0;
  for (std::size_t i = 0; i < end.size(); ++i) aside.q[i] += share * end[i];
  aside.begin();
  return distance(pair, aside, before).distance >= before;
}

// Only what this pair needs is taken; large parts are kept for other pairs.
Sample& Watch::sample_of(const Part& part, const Pair& pair) {
  if (part.halvings > kKeptHalvings) {
    passing.check = 0;
    take(part, pair.positions, passing);
    return passing;
  }
  Sample& sample = kept[(std::size_t{1} << part.halvings) + part.index];
  take(part, pair.positions, sample);
  return sample;
}

// What of it is there already stays.
void Watch::take(const Part& part, std::uint64_t mask, Sample& sample) {
  if (std::exchange(sample.check, checks) != checks) {
    sample.taken = 0;
    sample.frames.begin();
  }
  const std::uint64_t missing = mask & ~sample.taken;
  if (missing == 0) return;
  const double begin = part.begin() * duration;
  way->sample(begin, begin + part.length() * duration, missing, sample.part());
  sample.taken |= missing;
}

}  // namespace collision

WayWatch::WayWatch(const RobotShapes& shapes) : watch_(std::make_unique<collision::Watch>(shapes)) {}
WayWatch::~WayWatch() = default;
WayWatch::WayWatch(WayWatch&&) noexcept = default;
WayWatch& WayWatch::operator=(WayWatch&&) noexcept = default;

void WayWatch::set_world(const Obstacles& world) SINEW_REALTIME {
  watch_->watch_world(world);
}

CheckResult WayWatch::check(const RobotWay& way, std::span<const double> drift) SINEW_REALTIME {
  return watch_->check(way, drift);
}

void WayWatch::forget() SINEW_REALTIME {
  watch_->forget();
}

std::size_t WayWatch::looks() const noexcept {
  return watch_->looks;
}

}  // namespace sinew

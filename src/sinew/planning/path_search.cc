// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/path_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/split_mix.h"
#include "sinew/base/time.h"

namespace sinew::planning {
namespace {

/// The longest edge that is grown at once, Euclidean [rad, m].
constexpr float kRange = 1.5F;
/// Where the tool is constrained, ways bend, and only short ones are nearly straight.
constexpr float kConstrainedRange = 0.25F;
/// A node whose growth failed is not asked for samples beyond this again.
constexpr float kShyRadius = 4.0F;
/// Samples are drawn so far around a node of the tree [rad, m], by turns at random, and one in so many
/// anywhere: in a cage only the nearer ones lead on, elsewhere the farther ones lead on sooner.
constexpr std::array kAround{2.0F, 1.0F};
constexpr std::size_t kAnywhereEvery = 4;
/// Where in the sequence of mixed numbers these are drawn, apart from all others.
constexpr std::uint64_t kAroundDraws = 77'777'777;
/// Where it is tight, every other way at random goes only so far of it.
constexpr float kShortShare = 0.4F;
constexpr std::uint64_t kShortDraws = 55'555'555;
/// After so many samples in vain, one after the other, many are looked at together.
constexpr std::size_t kFewInVain = 8;
/// After so many samples both trees are planted anew, with other samples; each time half as many more.
constexpr std::size_t kFirstPatience = 10'000;
/// More goals are asked for after so many samples, and each time when there are twice as many.
constexpr std::size_t kFirstMoreGoals = 1'000;
/// The clock and the caller are asked once in so many iterations.
constexpr std::size_t kIterationsPerLook = 16;

bool equal(const float* a, const float* b, std::size_t size) {
  return std::equal(a, a + size, b);
}

}  // namespace

PathSearch::PathSearch(MotionJudge& judge, std::size_t most_nodes, const SerialChain* chain)
    : judge_(judge),
      size_(judge.size()),
      sequence_(judge.size()),
      trees_{ConfigurationTree(judge.size(), most_nodes), ConfigurationTree(judge.size(), most_nodes)} {
  candidates_.reserve(kCandidates);
  goals_.reserve(kMostGoalsEver);
  if (chain != nullptr) tool_steps_.emplace(*chain, most_nodes);
}

SearchEnd PathSearch::run(const Task& task, const SearchLimits& limits, Path& path) {
  iterations_ = 0;
  in_vain_ = 0;
  path.clear();
  goals_.assign(task.goals.begin(), task.goals.end());
  judge_.set_ends(task.start, goals_);
  if (try_straight(task, path)) return SearchEnd::Found;
  plant(task, task.seed);
  SearchEnd end = SearchEnd::Exhausted;
  std::size_t next_look = 0;
  std::size_t next_goals = task.more_goals ? kFirstMoreGoals : std::numeric_limits<std::size_t>::max();
  std::uint64_t seed = task.seed;
  std::size_t patience = kFirstPatience;
  std::size_t renewal = patience;
  while (!trees_[0].is_full() && !trees_[1].is_full()) {
    // trees that have grown badly are not worth more patience than new ones
    if (iterations_ >= renewal) {
      patience += patience / 2;
      renewal = iterations_ + patience;
      plant(task, seed = mixed(seed));
    }
    if (iterations_ >= next_goals) {
      take_more_goals(task);
      next_goals = 2 * iterations_;
    }
    if (iterations_ >= next_look) {
      if (is_over(limits, end)) return end;
      next_look = iterations_ + kIterationsPerLook;
    }
    if (iterations_ >= limits.most_iterations) return SearchEnd::Exhausted;
    if (iterate(task.box, path)) return SearchEnd::Found;
  }
  return end;
}

// Straight to the nearest goal that can be reached so.
bool PathSearch::try_straight(const Task& task, Path& path) {
  for (const Configuration& goal : task.goals) {
    if (!judge_.is_clear(task.start.data(), goal.data())) continue;
    path.push_back(task.start);
    path.push_back(goal);
    return true;
  }
  return false;
}

void PathSearch::plant(const Task& task, std::uint64_t seed) {
  sequence_.begin(seed);
  for (ConfigurationTree& tree : trees_) tree.clear();
  trees_[0].add(task.start.data(), kNoNode);
  for (const Configuration& goal : goals_) {
    if (!trees_[1].is_full()) trees_[1].add(goal.data(), kNoNode);
  }
  if (tool_steps_) tool_steps_->begin(seed);
  active_ = 0;
}

void PathSearch::take_more_goals(const Task& task) {
  const std::span<const Configuration> more = task.more_goals();
  if (more.empty()) return;
  for (const Configuration& goal : more) {
    if (goals_.size() == kMostGoalsEver || trees_[1].is_full()) break;
    goals_.push_back(goal);
    trees_[1].add(goal.data(), kNoNode);
  }
  judge_.set_ends(task.start, goals_);
}

bool PathSearch::is_over(const SearchLimits& limits, SearchEnd& end) const {
  if (limits.is_cancelled && limits.is_cancelled(iterations_)) {
    end = SearchEnd::Cancelled;
    return true;
  }
  if (limits.deadline_ns > 0 && monotonic_now_ns() >= limits.deadline_ns) {
    end = SearchEnd::TimedOut;
    return true;
  }
  return false;
}

// Mostly around what is reached already: a joint that may turn twice round makes nearly all of its box far
// from everything, and a hand leaves a cage by a way near the one it is in.
Configuration PathSearch::draw(const ConfigurationTree& tree, const JointBox& box) {
  Configuration target{};
  sequence_.next(target.data());
  const auto about = static_cast<Node>(mixed(iterations_) % tree.node_count());
  const bool is_anywhere = iterations_ % kAnywhereEvery == 0 || tree.is_cut_off(about);
  const float around = kAround[mixed(iterations_ + kAroundDraws) % kAround.size()];
  Configuration middle{};
  tree.configuration(about, middle.data());
  for (std::size_t j = 0; j < size_; ++j) {
    const float lower = is_anywhere ? box.lower[j] : std::max(box.lower[j], middle[j] - around);
    const float upper = is_anywhere ? box.upper[j] : std::min(box.upper[j], middle[j] + around);
    target[j] = lower + target[j] * (upper - lower);
  }
  return target;
}

bool PathSearch::iterate(const JointBox& box, Path& path) {
  active_ = trees_[0].node_count() <= trees_[1].node_count() ? 0 : 1;
  propose(box);
  drop_blocked();
  for (const Candidate& candidate : candidates_) {
    if (trees_[0].is_full() || trees_[1].is_full()) return false;
    if (grow(candidate, path)) return true;
  }
  return false;
}

// Where many samples lead nowhere, many are looked at together; but what a constraint projects costs more
// than a look.
bool PathSearch::is_tight() const {
  return in_vain_ >= kFewInVain && judge_.keeper() == nullptr;
}

// Where the tree could grow to next.
void PathSearch::propose(const JointBox& box) {
  candidates_.clear();
  const std::size_t count = is_tight() ? kCandidates : 1;
  in_vain_ += count;
  for (std::size_t k = 0; k < count; ++k) {
    ++iterations_;
    if (tool_steps_ && k % 2 == 1) {
      propose_tool(box);
    } else {
      propose_joints(box);
    }
  }
}

// Towards a sample of the joints.
void PathSearch::propose_joints(const JointBox& box) {
  ConfigurationTree& tree = trees_[active_];
  const Configuration target = draw(tree, box);
  const ConfigurationTree::Found near = tree.nearest(target.data());
  if (near.distance > tree.radius(near.node)) return;
  Candidate candidate{.parent = near.node};
  tree.configuration(near.node, candidate.from.data());
  if (!step_towards(candidate.from.data(), target.data(), near.distance, candidate.to)) {
    tree.set_radius(near.node, kShyRadius);
    return;
  }
  if (is_tight() && mixed(iterations_ + kShortDraws) % 2 == 0) {
    for (std::size_t j = 0; j < size_; ++j)
      candidate.to[j] = candidate.from[j] + kShortShare * (candidate.to[j] - candidate.from[j]);
  }
  candidates_.push_back(candidate);
}

// Towards a place for the tool.
void PathSearch::propose_tool(const JointBox& box) {
  auto step = tool_steps_->draw(trees_[active_], active_);
  if (!step) return;
  for (std::size_t j = 0; j < size_; ++j) step->to[j] = std::clamp(step->to[j], box.lower[j], box.upper[j]);
  candidates_.push_back(*step);
}

// Most ways lead into something. Eight ends are looked at for the price of one way; then, with the places of
// those that have dropped out, points of the ways that are left.
void PathSearch::drop_blocked() {
  for (int look = 0; look < 2 && candidates_.size() > 1; ++look) {
    const std::size_t points = look == 0 ? 1 : kCandidates / candidates_.size();
    std::array<Configuration, kCandidates> at{};
    for (std::size_t k = 0; k < candidates_.size() * points; ++k) {
      const Candidate& candidate = candidates_[k / points];
      const float share =
          look == 0 ? 1.0F : static_cast<float>(k % points + 1) / static_cast<float>(points + 1);
      for (std::size_t j = 0; j < size_; ++j) {
        at[k][j] = candidate.from[j] + share * (candidate.to[j] - candidate.from[j]);
      }
    }
    const unsigned blocked = judge_.blocked_among({at.data(), candidates_.size() * points});
    std::size_t kept = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const Candidate& candidate = candidates_[i];
      const bool is_blocked = (blocked >> (i * points) & ((1U << points) - 1U)) != 0;
      if (is_blocked) trees_[active_].set_radius(candidate.parent, kShyRadius);
      if (!is_blocked) candidates_[kept++] = candidate;
    }
    candidates_.resize(kept);
  }
}

bool PathSearch::grow(const Candidate& candidate, Path& path) {
  ConfigurationTree& tree = trees_[active_];
  // the proof of one that was proposed with it may have failed meanwhile
  if (tree.is_cut_off(candidate.parent)) return false;
  if (!judge_.seems_clear(candidate.from.data(), candidate.to.data())) {
    tree.set_radius(candidate.parent, kShyRadius);
    return false;
  }
  in_vain_ = 0;
  const Node grown = tree.add(candidate.to.data(), candidate.parent);
  const Node met = connect(trees_[1 - active_], candidate.to);
  if (met == kNoNode) return false;
  return active_ == 0 ? prove(grown, met, path) : prove(met, grown, path);
}

// At most the range from `from` towards `target`, and into the constraint. False when that leads nowhere.
bool PathSearch::step_towards(const float* from, const float* target, float distance,
                              Configuration& reached) const {
  const float range = judge_.keeper() != nullptr ? kConstrainedRange : kRange;
  if (distance <= range) {
    std::copy(target, target + size_, reached.begin());
  } else {
    for (std::size_t j = 0; j < size_; ++j) reached[j] = from[j] + range / distance * (target[j] - from[j]);
  }
  if (judge_.keeper() == nullptr) return true;
  std::array<double, kMaxChainJoints> q{};
  std::copy(reached.begin(), reached.begin() + static_cast<std::ptrdiff_t>(size_), q.begin());
  const std::span<double> planned(q.data(), size_);
  if (judge_.keeper()->is_kept(planned)) return true;
  if (!judge_.keeper()->project(planned)) return false;
  float moved = 0.0F;
  float left = 0.0F;
  for (std::size_t j = 0; j < size_; ++j) {
    reached[j] = static_cast<float>(q[j]);
    moved += (reached[j] - from[j]) * (reached[j] - from[j]);
    left += (reached[j] - target[j]) * (reached[j] - target[j]);
  }
  // thrown back or aside
  return moved > 1e-4F && moved < 4.0F * range * range && std::sqrt(left) < distance;
}

PathSearch::Node PathSearch::extend(ConfigurationTree& tree, const ConfigurationTree::Found& from,
                                    const float* target, Configuration& reached) {
  if (tree.is_full()) return kNoNode;
  Configuration q{};
  tree.configuration(from.node, q.data());
  if (!step_towards(q.data(), target, from.distance, reached)) return kNoNode;
  if (!judge_.seems_clear(q.data(), reached.data())) return kNoNode;
  return tree.add(reached.data(), from.node);
}

// Grows towards `target` until it is reached or something is in the way.
PathSearch::Node PathSearch::connect(ConfigurationTree& tree, const Configuration& target) {
  ConfigurationTree::Found at = tree.nearest(target.data());
  Configuration reached{};
  while (at.distance > 0.0F) {
    const Node grown = extend(tree, at, target.data(), reached);
    if (grown == kNoNode) return kNoNode;
    if (equal(reached.data(), target.data(), size_)) return grown;
    float square = 0.0F;
    for (std::size_t j = 0; j < size_; ++j) square += (target[j] - reached[j]) * (target[j] - reached[j]);
    at = {.node = grown, .distance = std::sqrt(square)};
  }
  return at.node;
}

// From the root, so that the longest branch is cut.
bool PathSearch::prove_branch(ConfigurationTree& tree, Node leaf) {
  Configuration from{};
  Configuration to{};
  bool is_proven = true;
  for (Node node = leaf; tree.parent(node) != kNoNode; node = tree.parent(node)) {
    if (tree.is_proven(node)) continue;
    tree.configuration(node, to.data());
    tree.configuration(tree.parent(node), from.data());
    if (judge_.prove(from.data(), to.data())) {
      tree.set_proven(node);
    } else {
      tree.cut_off(node);
      is_proven = false;
    }
  }
  return is_proven;
}

// The corners that are left out need no proof. Where the shorter way cannot be proven, the branches say why.
bool PathSearch::prove(Node in_start, Node in_goal, Path& path) {
  write_path(in_start, in_goal, path);
  leave_corners_out(path);
  const auto is_proven = [&](std::size_t i) { return judge_.prove(path[i].data(), path[i + 1].data()); };
  std::size_t proven = 0;
  while (proven + 1 < path.size() && is_proven(proven)) ++proven;
  if (proven + 1 == path.size()) return true;
  const bool are_branches_proven = prove_branch(trees_[0], in_start) && prove_branch(trees_[1], in_goal);
  if (are_branches_proven) write_path(in_start, in_goal, path);
  return are_branches_proven;
}

void PathSearch::leave_corners_out(Path& path) {
  for (std::size_t from = 0; from + 2 < path.size(); ++from) {
    for (std::size_t to = path.size() - 1; to > from + 1; --to) {
      if (!judge_.seems_clear(path[from].data(), path[to].data())) continue;
      const auto at = path.begin() + static_cast<std::ptrdiff_t>(from) + 1;
      path.erase(at, path.begin() + static_cast<std::ptrdiff_t>(to));
      break;
    }
  }
}

void PathSearch::write_path(Node in_start, Node in_goal, Path& path) const {
  path.clear();
  Configuration q{};
  for (Node node = in_start; node != kNoNode; node = trees_[0].parent(node)) {
    trees_[0].configuration(node, q.data());
    path.push_back(q);
  }
  std::reverse(path.begin(), path.end());
  // both trees hold the configuration where they met
  for (Node node = trees_[1].parent(in_goal); node != kNoNode; node = trees_[1].parent(node)) {
    trees_[1].configuration(node, q.data());
    path.push_back(q);
  }
}

}  // namespace sinew::planning

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sinew/planning/configuration_tree.h"
#include "sinew/planning/even_sequence.h"
#include "sinew/planning/motion_judge.h"
#include "sinew/planning/tool_steps.h"

/// The search for a clear way. Inside this room only.
namespace sinew::planning {

/// Corners of a path in the planned joints.
using Path = std::vector<Configuration>;

/// With those that are found while it is searched, a search has at most so many goals.
inline constexpr std::size_t kMostGoalsEver = 256;

/// When to give up.
struct SearchLimits {
  std::size_t most_iterations = 1'000'000;
  std::int64_t deadline_ns = 0;  ///< On the monotonic clock; zero: none.
  /// Asked now and then; true ends the search.
  std::function<bool(std::size_t iterations)> is_cancelled{};
};

enum class SearchEnd : std::uint8_t { Found, Exhausted, TimedOut, Cancelled };

/// Where the joints may be.
struct JointBox {
  Configuration lower{};
  Configuration upper{};
};

/// Two trees, one from the start and one from the goals, that grow towards samples and towards each other
/// (RRT-Connect, Kuffner and LaValle 2000), the smaller first. The straight way is tried before anything is
/// drawn. Ways are looked at in samples while the trees grow, and proven once they join: what fails then is
/// cut off, and the search goes on. The same seed gives the same path, bit for bit.
class PathSearch {
 public:
  /// `judge` and `chain` must outlive this object. Takes all its memory here. With a chain, whose variables
  /// are the planned joints, narrow places are left by steps of its tool, too.
  PathSearch(MotionJudge& judge, std::size_t most_nodes, const SerialChain* chain = nullptr);

  struct Task {
    Configuration start{};
    std::span<const Configuration> goals{};  ///< At least one.
    JointBox box{};
    std::uint64_t seed = 1;
    /// Asked now and then for goals that were found meanwhile; empty: there are no others.
    std::function<std::span<const Configuration>()> more_goals{};
  };
  /// The path is written to `path`, from the start to one of the goals.
  SearchEnd run(const Task& task, const SearchLimits& limits, Path& path);

  std::size_t iterations() const noexcept { return iterations_; }
  std::size_t node_count() const noexcept { return trees_[0].node_count() + trees_[1].node_count(); }

 private:
  using Node = std::uint32_t;
  static constexpr Node kNoNode = ConfigurationTree::kNoNode;

  static constexpr std::size_t kCandidates = CollisionChecker::kLanes;
  /// A way by which the tree could grow.
  using Candidate = ToolSteps::Step;

  bool try_straight(const Task& task, Path& path);
  void plant(const Task& task, std::uint64_t seed);
  void take_more_goals(const Task& task);
  bool iterate(const JointBox& box, Path& path);
  bool is_tight() const;
  void propose(const JointBox& box);
  void propose_joints(const JointBox& box);
  void propose_tool(const JointBox& box);
  void drop_blocked();
  bool grow(const Candidate& candidate, Path& path);
  Configuration draw(const ConfigurationTree& tree, const JointBox& box);
  Node extend(ConfigurationTree& tree, const ConfigurationTree::Found& from, const float* target,
              Configuration& reached);
  Node connect(ConfigurationTree& tree, const Configuration& target);
  bool step_towards(const float* from, const float* target, float distance, Configuration& reached) const;
  bool prove(Node in_start, Node in_goal, Path& path);
  void leave_corners_out(Path& path);
  void write_path(Node in_start, Node in_goal, Path& path) const;
  bool prove_branch(ConfigurationTree& tree, Node leaf);
  bool is_over(const SearchLimits& limits, SearchEnd& end) const;

  MotionJudge& judge_;
  std::size_t size_;
  EvenSequence sequence_;
  std::array<ConfigurationTree, 2> trees_;  // from the start, from the goals
  std::optional<ToolSteps> tool_steps_;
  std::vector<Candidate> candidates_;
  std::vector<Configuration> goals_;  // of the task, and those that were found later
  std::size_t iterations_ = 0;
  std::size_t in_vain_ = 0;  // of these, since the last that led on
  std::size_t active_ = 0;
};

}  // namespace sinew::planning

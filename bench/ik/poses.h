// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/kinematics/serial_chain.h"

namespace sinew::bench {

/// Poses to solve, each with where to begin and, perhaps, the joints that made it.
struct PoseList {
  std::size_t joint_count = 0;
  std::vector<Pose> targets;                ///< X_BT
  std::vector<double> seeds;                ///< joint_count numbers for each target [rad, m].
  std::vector<double> joints;               ///< As many, the joints that made the targets; or none.
  std::vector<std::string> unused_columns;  ///< Of the file; they mean nothing here.

  std::span<const double> seed(std::size_t i) const { return row(seeds, i); }
  std::span<const double> joints_of(std::size_t i) const { return row(joints, i); }
  /// Keeps the first `count`.
  void shorten(std::size_t count);

 private:
  std::span<const double> row(const std::vector<double>& table, std::size_t i) const {
    return {table.data() + i * joint_count, joint_count};
  }
};

/// `count` poses by forward kinematics of joints drawn within limits, to be begun from the middle of all
/// ranges. The same `random_seed` gives the same poses.
PoseList draw_poses(const SerialChain& chain, std::size_t count, std::uint64_t random_seed);

/// Poses from a file of numbers with commas between. Its first line names the columns, in any order:
/// px py pz [m] qx qy qz qw, perhaps q1 … qN and seed_rand1 … seed_randN [rad, m]; without the latter, seeds
/// are the middle of all ranges. A refusal names file, line and column.
Result<PoseList> read_poses(const std::filesystem::path& path, const SerialChain& chain);

/// The same from text; `name` stands in messages.
Result<PoseList> poses_from_text(std::string_view text, std::string_view name, const SerialChain& chain);

/// How many poses their own joints miss by more than 1 µm or 1 µrad: a sign of another base, tip or robot.
std::size_t count_strange(const PoseList& poses, const SerialChain& chain);

}  // namespace sinew::bench

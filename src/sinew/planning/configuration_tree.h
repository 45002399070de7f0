// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/// The trees that a search grows. Inside this room only.
namespace sinew::planning {

/// Configurations that are joined by clear ways, from one or several roots. All memory is taken when it is
/// made. Looking at every node, eight at a time, beats a clever index up to many thousands.
class ConfigurationTree {
 public:
  static constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

  /// For configurations of `size` numbers.
  ConfigurationTree(std::size_t size, std::size_t most_nodes);

  void clear();
  std::size_t node_count() const noexcept { return parents_.size(); }
  bool is_full() const noexcept { return parents_.size() == most_nodes_; }

  /// A root has no parent: kNoNode. The tree must not be full, nor the parent cut off.
  std::uint32_t add(const float* q, std::uint32_t parent);
  /// The way from its parent.
  bool is_proven(std::uint32_t node) const { return is_proven_[node] != 0; }
  void set_proven(std::uint32_t node) { is_proven_[node] = 1; }

  struct Found {
    std::uint32_t node = kNoNode;
    float distance = 0.0F;  ///< Euclidean.
  };
  /// The tree must have a node.
  Found nearest(const float* q) const;

  void configuration(std::uint32_t node, float* q) const;
  std::uint32_t parent(std::uint32_t node) const { return parents_[node]; }

  /// A node that failed looks less far afterwards.
  float radius(std::uint32_t node) const { return radii_[node]; }
  void set_radius(std::uint32_t node, float radius) { radii_[node] = radius; }

  /// Cuts `node` off, with all that hangs on it: never found again.
  void cut_off(std::uint32_t node);
  bool is_cut_off(std::uint32_t node) const { return is_cut_[node] != 0; }

 private:
  std::size_t size_;
  std::size_t most_nodes_;
  std::vector<float> blocks_;  // [(block · size + joint) · 8 + lane]
  std::vector<std::uint32_t> parents_;
  std::vector<float> radii_;
  std::vector<char> is_proven_;
  std::vector<char> is_cut_;
};

}  // namespace sinew::planning

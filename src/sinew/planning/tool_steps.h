// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/kinematics/serial_chain.h"
#include "sinew/planning/configuration_tree.h"
#include "sinew/planning/even_sequence.h"
#include "sinew/planning/motion_judge.h"

/// Inside this room only.
namespace sinew::planning {

/// Steps of two trees by what the tool would do, not by what the joints would: a place anywhere within reach
/// is drawn, and the node whose tool is nearest takes a short step that leads the tool towards it. A hand
/// leaves a cage that way along a straight line, in three dimensions; of random steps of the joints few ever
/// do.
class ToolSteps {
 public:
  /// `chain` must outlive this object; its variables are the joints of the trees.
  ToolSteps(const SerialChain& chain, std::size_t most_nodes);

  /// For two trees with nothing but roots.
  void begin(std::uint64_t seed);

  struct Step {
    std::uint32_t parent = 0;
    Configuration from{};
    Configuration to{};  ///< Not yet within the limits of the joints.
  };
  /// The next step of `tree`, which is number `which`; nothing where the place that was drawn leads nowhere.
  std::optional<Step> draw(const ConfigurationTree& tree, std::size_t which);

 private:
  /// What is known of the nodes of a tree.
  struct Known {
    Known(std::size_t size, std::size_t most_nodes);
    ConfigurationTree places;  // where the tool is
    /// How the joints go for a way of the tool, from those nodes that were asked: two matrices of three
    /// columns each, turned as it is and however it likes.
    std::vector<float> leads;
    std::vector<std::uint32_t> lead_of;  // into them; kNoNode: not asked yet
  };
  void follow(const ConfigurationTree& tree, Known& known) const;
  const float* lead_from(std::uint32_t node, const Configuration& q, Known& known) const;

  const SerialChain& chain_;
  EvenSequence sequence_{3};
  std::array<Known, 2> known_;
  std::uint64_t drawn_ = 0;
};

}  // namespace sinew::planning

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/messages/grasp.h"
#include "sinew/simulation/physics.h"
#include "sinew/simulation/scene.h"

namespace sinew {

/// What touches what in a world of physics, and what its grippers hold. Allocates only when pairs begin or
/// cease to touch.
class TouchSense {
 public:
  TouchSense() = default;

  /// Finds fingers and things in a scene that was loaded, perhaps anew; what is known of touches is kept.
  void bind(const Scene& scene, const Physics& physics);

  /// Looks at the contacts of the step that was just taken, before positions are refreshed.
  void look(const Physics& physics, std::int64_t now_ns);

  /// Pairs that begin or cease to touch in that step.
  std::span<const ContactEvent> events() const { return events_; }

  /// What the grippers of a robot hold.
  const GraspState& grasp(std::size_t robot) const { return grasps_[robot]; }
  /// Whether something changed in that step.
  bool has_news(std::size_t robot) const { return has_news_[robot] != 0; }

  /// The hand of a gripper and what it holds, as bodies of MuJoCo; negative when it holds nothing.
  struct Hold {
    int hand = -1;
    int thing = -1;
  };
  Hold hold(std::size_t robot, std::size_t gripper) const;
  /// The simulator holds it fast from now on, or no longer.
  void note_assisted(std::size_t robot, std::size_t gripper, bool is_assisted);

 private:
  struct Finger {
    std::size_t robot = 0;
    std::size_t gripper = 0;
    int body = -1;
    int hand = -1;                    ///< The link that carries it.
    int thing = -1;                   ///< What presses on it hardest.
    Vector3 force = Vector3::Zero();  ///< [N] On that thing.
  };
  struct Pair {
    int a = 0;
    int b = 0;
    std::int64_t seen_ns = 0;

    friend bool operator==(const Pair& x, const Pair& y) { return x.a == y.a && x.b == y.b; }
  };

  void note_pair(const Physics& physics, int body_a, int body_b, std::int64_t now_ns);
  void drop_pairs(const Physics& physics, std::int64_t now_ns);
  void tell(const Physics& physics, const Pair& pair, bool is_touching, std::int64_t now_ns);
  void press(const Physics& physics, int contact);
  void judge(const Physics& physics, std::size_t robot, std::int64_t now_ns);
  GripperGrasp judge_gripper(const Physics& physics, std::size_t robot, std::size_t gripper) const;

  std::vector<Finger> fingers_;
  std::vector<char> is_free_;  ///< One per body: a thing that can be carried.
  std::vector<Pair> pairs_;    ///< That touch, or have done so a moment ago.
  std::vector<ContactEvent> events_;
  std::vector<GraspState> grasps_;
  std::vector<char> has_news_;
};

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sinew/messages/joints.h"

namespace sinew {

/// Which joints still follow their encoders: those that nobody else has commanded since. Their references
/// come again and again, so without this no other program could ever move such a joint. A value; knows no
/// channel.
class FollowedJoints {
 public:
  /// The joints of this reference were told to be where they are.
  void note_sent(const JointReference& reference);

  /// Of the joints in `mask`, those that no other program has commanded, by what the controller wants of
  /// them. To be asked of each command, in order.
  std::uint64_t still_followed(const JointCommand& command, std::uint64_t mask);

 private:
  static constexpr std::size_t kKept = 64;  // a reference is taken long before so many have followed it

  bool is_sent(std::size_t joint, double position) const;

  std::array<JointReference, kKept> sent_{};
  std::size_t count_ = 0;
  std::uint64_t obeyed_mask_ = 0;  // joints that were seen to be where we told them
  JointArray position_{};          // where the joints were sent in the command before
  std::uint64_t cycle_ = 0;        // and which that was
};

}  // namespace sinew

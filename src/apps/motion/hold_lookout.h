// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "sinew/base/result.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/jog.h"
#include "sinew/messages/schemas.h"
#include "sinew/motion/motion_service.h"

namespace sinew {

/// Keys that are held, from the channel `hold` to the motion service; also while something is planned, which
/// must not keep waiting what a key has let go. One thread.
class HoldLookout {
 public:
  /// `service` must outlive it. Makes the channel where it is missing: members of the group may hold.
  static Result<HoldLookout> open(const std::string& robot, const std::string& space, MotionService& service);

  /// Takes what has come. `now_ns`: robot time.
  void take(std::int64_t now_ns);

  /// Whether something moves on although its key was let go. Cheap.
  bool sees_letting_go();

 private:
  HoldLookout(Reader<HoldBeat> reader, MotionService& service)
      : reader_(std::move(reader)), service_(&service) {}

  Reader<HoldBeat> reader_;
  MotionService* service_;
  Frame<HoldBeat> frame_{};
  std::int64_t now_ns_ = 0;        // robot time when it was last told
  std::int64_t monotonic_ns_ = 0;  // that moment
};

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/motion/hold_lookout.h"

#include <utility>

#include "sinew/base/time.h"

namespace sinew {
namespace {

constexpr std::uint32_t kGroupMayHold = 0660;
constexpr std::uint32_t kBeatsKept = 64;
constexpr int kMostBeats = 64;  // taken at once

}  // namespace

Result<HoldLookout> HoldLookout::open(const std::string& robot, const std::string& space,
                                      MotionService& service) {
  auto reader = Reader<HoldBeat>::open({.name = robot + "/hold",
                                        .space = space,
                                        .sender = "motion",
                                        .depth = kBeatsKept,
                                        .mode = kGroupMayHold},
                                       SINEW_START_OLDEST);
  if (!reader) return reader.error();
  // a press that began before this service did is over
  Frame<HoldBeat> old{};
  while (reader->read_next(old) == SINEW_OK) {
    old.message.is_released = 1;
    service.take_beat(old.message, old.message.stamp_ns);
  }
  return HoldLookout(*std::move(reader), service);
}

void HoldLookout::take(std::int64_t now_ns) {
  now_ns_ = now_ns;
  monotonic_ns_ = monotonic_now_ns();
  for (int i = 0; i < kMostBeats && reader_.read_next(frame_) == SINEW_OK; ++i)
    service_->take_beat(frame_.message, now_ns);
}

bool HoldLookout::sees_letting_go() {
  // time passes for the robot as it does here, or more slowly where it is simulated
  take(now_ns_ + (monotonic_now_ns() - monotonic_ns_));
  return service_->lets_go(now_ns_);
}

}  // namespace sinew

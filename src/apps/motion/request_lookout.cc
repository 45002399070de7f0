// SPDX-License-Identifier: BSD-3-Clause
#include "apps/motion/request_lookout.h"

namespace sinew {
namespace {

bool is_urgent(RequestVerb verb) {
  return verb == RequestVerb::Stop || verb == RequestVerb::Pause || verb == RequestVerb::TakeControl;
}

}  // namespace

Result<RequestLookout> RequestLookout::open(const std::string& robot, const std::string& space) {
  auto reader = Reader<Request>::open({.name = robot + "/request", .space = space, .may_create = false},
                                      SINEW_START_OLDEST);
  if (!reader) return reader.error();
  RequestLookout lookout(*std::move(reader));
  // what is there already is looked at before anything is planned
  static_cast<void>(lookout.sees_urgent());
  lookout.urgent_ = 0;
  return lookout;
}

bool RequestLookout::sees_urgent() {
  while (reader_.read_next(frame_) == SINEW_OK)
    if (is_urgent(frame_.message.verb)) urgent_ = frame_.info.sequence;
  return urgent_ > taken_;
}

}  // namespace sinew

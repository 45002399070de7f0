// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/ownership.h"

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"

namespace sinew {

Status Ownership::allows(const Request& request) const {
  switch (request.verb) {
    case RequestVerb::Stop:         // from anybody, always
    case RequestVerb::Solve:        // moves nothing
    case RequestVerb::TakeControl:  // says so itself
      return Done{};
    default:
      return allows(text_of(request.who));
  }
}

Status Ownership::allows(std::string_view who) const {
  if (owner_.empty() || who == owner_) return Done{};
  return Error{ErrorCode::Denied,
               fmt::format("'{}' has control of the robot, and you are '{}': wait until it is left, or take "
                           "it over first ('take' at the console)",
                           owner_, who)};
}

}  // namespace sinew

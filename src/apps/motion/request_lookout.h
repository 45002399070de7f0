// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "sinew/base/result.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/requests.h"
#include "sinew/messages/schemas.h"

namespace sinew {

/// Looks ahead on the channel of requests while something is planned: whether one has come that must not
/// wait for it, a stop, a pause or a take-over. Takes nothing from the channel.
class RequestLookout {
 public:
  /// The channel must exist.
  static Result<RequestLookout> open(const std::string& robot, const std::string& space);

  /// Whether one such has come that is not taken yet. Cheap.
  bool sees_urgent();

  /// Request `number`, and so all before it, have been taken.
  void note_taken(std::uint64_t number) { taken_ = number; }

 private:
  explicit RequestLookout(Reader<Request> reader) : reader_(std::move(reader)) {}

  Reader<Request> reader_;
  Frame<Request> frame_{};
  std::uint64_t urgent_ = 0;  // the newest
  std::uint64_t taken_ = 0;
};

}  // namespace sinew

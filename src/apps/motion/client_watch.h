// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sinew/channels/channel.h"
#include "sinew/channels/process_key.h"
#include "sinew/messages/requests.h"

namespace sinew {

/// The process that asked for the program that runs. When it dies, its program ends, too; when it closes the
/// channel of requests and leaves, its program goes on by itself, as 'sinew run --detach' wants. One thread.
class ClientWatch {
 public:
  ClientWatch(const std::string& robot, std::string space)
      : channel_(robot + "/request"), space_(std::move(space)) {}

  /// `request` has begun a program; nobody else's is watched over any more.
  void follow(const Frame<Request>& request);

  /// Why the program must end; nothing: it need not. Looks at the client a few times a second.
  std::optional<std::string> death(std::int64_t monotonic_ns);

 private:
  std::string channel_;
  std::string space_;
  std::string who_;
  std::uint32_t place_ = 0;
  channels::ProcessKey client_ = 0;  ///< 0: none, or one that has left in order.
  std::int64_t next_look_ns_ = 0;
};

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/motion/client_watch.h"

#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/channels/inspect.h"

namespace sinew {
namespace {

constexpr std::int64_t kBetweenClientLooks_ns = 100 * kMillisecond_ns;

}  // namespace

void ClientWatch::follow(const Frame<Request>& request) {
  place_ = request.info.writer;
  who_ = text_of(request.message.who);
  next_look_ns_ = 0;
  client_ = channels::writer_at(space_, channel_, place_);
  // who has closed the channel already has left before we came to look
  if (channels::pid_of(client_) != request.info.sender_pid) client_ = 0;
}

std::optional<std::string> ClientWatch::death(std::int64_t monotonic_ns) {
  if (client_ == 0 || monotonic_ns < next_look_ns_) return std::nullopt;
  next_look_ns_ = monotonic_ns + kBetweenClientLooks_ns;
  if (channels::writer_at(space_, channel_, place_) != client_) {
    client_ = 0;
    return std::nullopt;
  }
  if (channels::life_of(client_) != channels::Life::Dead) return std::nullopt;
  return fmt::format(
      "the program's client '{}' (pid {}) has died; start it with --detach if it is to go on alone", who_,
      channels::pid_of(std::exchange(client_, 0)));
}

}  // namespace sinew

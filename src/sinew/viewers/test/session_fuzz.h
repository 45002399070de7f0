// SPDX-License-Identifier: BSD-3-Clause
// What must hold of any session, whatever its client sends.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sinew/base/assert.h"
#include "sinew/viewers/session.h"
#include "sinew/viewers/test/robot_fixture.h"

namespace sinew::viewers {

/// What is sent as text is a JSON object; what is wanted of the robot can be.
inline void check(const Messages& messages) {
  for (const Message& message : messages)
    SINEW_ASSERT(!message.is_text || nlohmann::json::parse(message.bytes, nullptr, false).is_object());
}

inline void check(const Taken& taken, bool may_command) {
  SINEW_ASSERT(taken.answers.size() <= 2);
  check(taken.answers);
  if (!taken.wish) return;
  const auto* wish = std::get_if<JointWish>(&*taken.wish);
  if (wish == nullptr) return;
  SINEW_ASSERT(may_command && !wish->names.empty() && wish->names.size() <= 2);
  SINEW_ASSERT(wish->names.size() == wish->positions.size());
  for (const double position : wish->positions) SINEW_ASSERT(std::isfinite(position));
}

/// The bytes as messages, one after another, each ended by a byte 0xff that says no more than that; the first
/// byte of each says whether it is text, and whether its client may command.
template <class Session>
void run_session(std::string_view bytes) {
  const RobotFacts facts = small_robot();
  Telemetry sample = small_sample();
  Session session(facts);
  std::int64_t now_ns = 1;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\xff'), bytes.size());
    const char kind = bytes.front();
    const bool may_command = (kind & 2) != 0;
    const Message message{.is_text = (kind & 1) != 0, .bytes = std::string(bytes.substr(1, end - 1))};
    check(session.take(message, {.may_command = may_command}, now_ns), may_command);
    now_ns += 10 * kMillisecond_ns;
    sample.number += 1;
    Edition edition(facts, sample);
    const Messages published = session.publish(edition, now_ns);
    SINEW_ASSERT(published.size() <= kTopicCount + 1);
    check(published);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
}

}  // namespace sinew::viewers

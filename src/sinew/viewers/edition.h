// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "sinew/viewers/telemetry.h"
#include "sinew/viewers/topics.h"

namespace sinew::viewers {

/// One sample as text for all who listen: each topic is written once, when somebody first wants it.
/// One thread.
class Edition {
 public:
  /// Both must outlive this object.
  Edition(const RobotFacts& facts, const Telemetry& telemetry) : facts_(facts), telemetry_(telemetry) {}

  /// Another one whenever text() has something new to say.
  std::uint64_t version(Topic topic) const;

  /// What is said on `topic`: one JSON object.
  const std::string& text(Topic topic, Dialect dialect);

  /// When the sample was taken, since 1970.
  std::int64_t stamp_ns() const { return telemetry_.stamp_ns; }

 private:
  std::string written(Topic topic, Dialect dialect) const;

  const RobotFacts& facts_;
  const Telemetry& telemetry_;
  std::array<std::array<std::optional<std::string>, kTopicCount>, 2> texts_;
};

}  // namespace sinew::viewers

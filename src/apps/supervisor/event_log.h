// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace sinew::supervisor {

/// The time of day for people: "2026-01-31 12:00:00.123".
std::string time_text();

/// One line an event, on stderr, which is the supervisor's log.
template <class... Values>
void tell(fmt::format_string<Values...> text, Values&&... values) {
  const std::string line =
      fmt::format("{} {}\n", time_text(), fmt::format(text, std::forward<Values>(values)...));
  // not fmt::print, which throws when the disk is full
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace sinew::supervisor

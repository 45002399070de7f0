// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sinew {

/// An angle [rad] for people: "-90.0 deg".
std::string angle_text(double angle);

/// A length [m] for people: "12.3 mm" below a metre, "1.234 m" above.
std::string length_text(double length);

/// A duration [ns] for people, in the unit that suits it: "850 ns", "12.3 us", "4.5 ms", "2.0 s", "3 min".
std::string duration_text(std::int64_t duration_ns);

/// A number of bytes for people: "64 B", "16 KiB", "1.5 MiB".
std::string bytes_text(std::uint64_t bytes);

/// What somebody else wrote, cut short and fit for an answer, a log or a terminal.
std::string shown_text(std::string_view text, std::size_t most = 60);

/// The candidate most like `word`, when one is near enough to be what was meant.
std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string> candidates);

/// " (did you mean 'X'?)" when a candidate is near, else nothing: to put into an error message.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inside the room: what the names of links and joints tell.

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace sinew {

/// Of names that say nothing.
inline constexpr std::size_t kNoRank = std::numeric_limits<std::size_t>::max();

std::string lower_case(std::string_view text);

/// Whether `word` stands in `name` between what is no letter or digit; upper and lower case are alike.
bool has_word(std::string_view name, std::string_view word);

/// How usual a link's name is for the place of a tool: "tool0" comes first. kNoRank: not at all.
std::size_t flange_rank(std::string_view link);

/// Finger, thumb, jaw and the like.
bool is_name_of_finger(std::string_view name);

/// Cameras, lamps, measuring and drawing aids.
bool is_name_of_extra(std::string_view name);

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/channels/process_key.h"
#include "sinew/channels/ring.h"

namespace sinew::channels {

/// Beside whom a writer may stand.
enum class Company {
  Any,   ///< Any others, but nobody who writes alone.
  None,  ///< Nobody: it writes alone while it lives.
};

/// Takes a place for a writer: a free one, or one whose owner is proven dead. Answers its number. Refused
/// while somebody else writes alone, and with Company::None while anybody else writes: of any number who ask
/// for that at one instant, one gets it. What a dead one held is free at once.
Result<std::uint32_t> claim_place(const RingMemory& memory, ProcessKey self, std::string_view name,
                                  Company company = Company::Any);

/// Gives a place back, and with it the right to write alone, if they are still `self`'s.
void release_place(const RingMemory& memory, std::uint32_t place, ProcessKey self);

/// Whether the writer of this place is the one who writes alone.
bool is_sole(const RingMemory& memory, std::uint32_t place);

}  // namespace sinew::channels

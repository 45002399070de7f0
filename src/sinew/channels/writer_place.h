// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/channels/process_key.h"
#include "sinew/channels/ring.h"

namespace sinew::channels {

/// Takes a place for a writer: a free one, or one whose owner is proven dead. Answers its number.
Result<std::uint32_t> claim_place(const RingMemory& memory, ProcessKey self, std::string_view name);

/// Gives a place back, if it is still `self`'s.
void release_place(const RingMemory& memory, std::uint32_t place, ProcessKey self);

}  // namespace sinew::channels

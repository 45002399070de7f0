// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace sinew::channels {

/// How many forks lie between the first process of this program and the calling one. A handle that remembers
/// it can tell, for the price of one memory access, that it was inherited: a child must not use its parent's
/// place in a channel, and its parent's threads are not there.
std::uint64_t fork_count() noexcept;

}  // namespace sinew::channels

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "sinew/base/realtime.h"
#include "sinew/channels/layout.h"

namespace sinew::channels {

// Copies between private memory and memory that another process may be writing or reading at the same time.
// Each word is moved by a relaxed atomic access, so the race that ring.h then detects is defined behaviour.

/// `to` must have room for `size` rounded up to whole words; the last word is filled up with zeros.
void copy_to_shared(AtomicU64* to, const void* from, std::size_t size) SINEW_REALTIME;

/// Copies exactly `size` bytes.
void copy_from_shared(void* to, const AtomicU64* from, std::size_t size) SINEW_REALTIME;

}  // namespace sinew::channels

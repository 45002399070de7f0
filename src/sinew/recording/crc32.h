// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::recording {

/// The CRC-32 of zip, PNG and MCAP (polynomial 0x04C11DB7, reflected). `before` is the CRC of the bytes in
/// front of these, so that a long run may be summed in pieces.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace sinew::recording

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sinew/base/result.h"

namespace sinew::accounts {

// All that is done by cryptography; secrets.cc is the only file that knows libsodium. Every function may be
// called by any thread.

/// Fills memory with bytes that nobody can foresee.
using Randomness = std::function<void(std::span<std::byte>)>;

/// The system's randomness: the one source of all that is random here.
void fill_random(std::span<std::byte> bytes);

/// 32 random bytes as 43 letters, digits, '-' and '_' (base64url).
std::string random_token(const Randomness& randomness);

/// What is kept of a token instead of the token (BLAKE2b).
using Digest = std::array<std::byte, 32>;
Digest digest_of(std::string_view text);

/// Whether two texts are the same, in a time that tells nothing of where they differ.
bool is_same_secret(std::string_view a, std::string_view b);

/// Overwrites a secret that is no longer needed.
void wipe(std::string& secret);

/// What it costs to try one password (Argon2id).
struct PasswordCost {
  std::uint64_t passes = 3;
  std::size_t memory = 256UL << 20U;  ///< [bytes]

  bool operator==(const PasswordCost&) const = default;
};

/// Costs that a stored hash may ask for; one that a stranger wrote shall not stop this machine.
inline constexpr PasswordCost kMostPasswordCost{.passes = 16, .memory = 1024UL << 20U};

/// Refused, with the bound: a password of less than 8 or more than 256 bytes.
Status check_new_password(std::string_view password);
inline constexpr std::size_t kLeastPassword = 8;
inline constexpr std::size_t kMostPassword = 256;

/// The hash to be kept of a password, with its salt and cost. Takes long, on purpose: half a second or so.
/// Refused when there is not enough memory.
Result<std::string> hash_password(std::string_view password, const PasswordCost& cost);

/// Whether a password is the one that `hash` was made of; takes as long as making it. Refused when there is
/// not enough memory to know.
Result<bool> is_password(std::string_view password, const std::string& hash);

/// Refused: what is no Argon2id hash, or one that costs more than kMostPasswordCost.
Status check_password_hash(std::string_view hash);

}  // namespace sinew::accounts

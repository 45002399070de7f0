// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/secrets.h"

#include <sodium.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::accounts {
namespace {

void start_sodium() {
  // thread-safe, and at once done when it was done before; without randomness there is nothing to go on with
  const bool is_started = sodium_init() >= 0;
  SINEW_ASSERT(is_started);
}

// Takes "m=65536," or the like from the beginning of `text`; nothing when it is not there.
std::optional<std::uint64_t> take_number(std::string_view& text, std::string_view before, char after) {
  if (!text.starts_with(before)) return std::nullopt;
  std::uint64_t number = 0;
  const char* first = text.data() + before.size();
  const char* end = text.data() + text.size();
  const auto [last, problem] = std::from_chars(first, end, number);
  if (problem != std::errc() || last == end || *last != after) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(last - text.data()) + 1);
  return number;
}

bool is_base64(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
  });
}

Error no_memory(std::size_t memory) {
  return {ErrorCode::SystemFailure,
          fmt::format("there is no memory to check a password, which takes {}; free some, then try again",
                      bytes_text(memory))};
}

// What a hash says that it costs; nothing when it is none.
std::optional<PasswordCost> cost_of(std::string_view hash) {
  if (hash.size() >= crypto_pwhash_STRBYTES || !hash.starts_with("$argon2id$v=19$")) return std::nullopt;
  hash.remove_prefix(std::string_view("$argon2id$v=19$").size());
  const auto kibibytes = take_number(hash, "m=", ',');
  const auto passes = take_number(hash, "t=", ',');
  const auto lanes = take_number(hash, "p=", '$');
  const std::size_t middle = hash.find('$');
  if (!kibibytes || !passes || lanes != 1 || middle == std::string_view::npos) return std::nullopt;
  if (!is_base64(hash.substr(0, middle)) || !is_base64(hash.substr(middle + 1))) return std::nullopt;
  if (*kibibytes > (kMostPasswordCost.memory >> 10U) + 1)
    return PasswordCost{.passes = *passes, .memory = SIZE_MAX};
  return PasswordCost{.passes = *passes, .memory = static_cast<std::size_t>(*kibibytes) << 10U};
}

}  // namespace

void fill_random(std::span<std::byte> bytes) {
  start_sodium();
  randombytes_buf(bytes.data(), bytes.size());
}

std::string random_token(const Randomness& randomness) {
  std::array<std::byte, 32> bytes{};
  randomness(bytes);
  constexpr int kForm = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::array<char, sodium_base64_ENCODED_LEN(32, kForm)> text{};
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kForm);
  sodium_memzero(bytes.data(), bytes.size());
  return text.data();
}

Digest digest_of(std::string_view text) {
  Digest digest{};
  crypto_generichash(reinterpret_cast<unsigned char*>(digest.data()), digest.size(),
                     reinterpret_cast<const unsigned char*>(text.data()), text.size(), nullptr, 0);
  return digest;
}

bool is_same_secret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

void wipe(std::string& secret) {
  sodium_memzero(secret.data(), secret.size());
  secret.clear();
}

Status check_new_password(std::string_view password) {
  if (password.size() >= kLeastPassword && password.size() <= kMostPassword) return Done{};
  return Error{ErrorCode::OutOfLimits, fmt::format("the password has {} letters and must have {} to {}",
                                                   password.size(), kLeastPassword, kMostPassword)};
}

Result<std::string> hash_password(std::string_view password, const PasswordCost& cost) {
  start_sodium();
  std::array<char, crypto_pwhash_STRBYTES> hash{};
  if (crypto_pwhash_str_alg(hash.data(), password.data(), password.size(), cost.passes, cost.memory,
                            crypto_pwhash_ALG_ARGON2ID13) != 0)
    return no_memory(cost.memory);
  return std::string(hash.data());
}

Result<bool> is_password(std::string_view password, const std::string& hash) {
  start_sodium();
  const auto cost = cost_of(hash);
  if (const Status known = check_password_hash(hash); !known) return known.error();
  errno = 0;
  if (crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0) return true;
  // the library says "no" and "cannot" with the same value, and errno tells them apart
  if (errno == ENOMEM) return no_memory(cost->memory);
  return false;
}

Status check_password_hash(std::string_view hash) {
  const auto cost = cost_of(hash);
  if (!cost) return Error{ErrorCode::Damaged, "it is no Argon2id hash of a password"};
  if (cost->passes <= kMostPasswordCost.passes && cost->memory <= kMostPasswordCost.memory) return Done{};
  return Error{ErrorCode::OutOfLimits,
               fmt::format("the hash asks for {} passes over {}; at most {} over {}", cost->passes,
                           cost->memory == SIZE_MAX ? "too much memory" : bytes_text(cost->memory),
                           kMostPasswordCost.passes, bytes_text(kMostPasswordCost.memory))};
}

}  // namespace sinew::accounts

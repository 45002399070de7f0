// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/base/hash.h"

namespace sinew {

/// The fingerprint of a schema text: every line up to its " : ", so that explaining a field better does not
/// make programs strangers to each other, while a new name, type, place or unit does. Empty text has hash 0.
constexpr std::uint64_t schema_hash(std::string_view text) {
  if (text.empty()) return 0;
  std::uint64_t hash = kHashStart;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    hash = fnv1a("\n", fnv1a(line.substr(0, line.find(" : ")), hash));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return hash;
}

/// What a program knows of a message type at compile time.
struct MessageSchema {
  std::string_view name;      ///< Of the struct, such as "JointState".
  std::uint32_t version = 0;  ///< Its kVersion.
  std::uint32_t size = 0;     ///< Its sizeof [bytes].
  std::uint64_t hash = 0;     ///< schema_hash(text).
  std::string_view text;      ///< The whole schema; parse_schema() in schema.h reads it.
};

/// SchemaOf<JointState>::kSchema: written for every message by tools/generate_messages.py into
/// "sinew/messages/schemas.h".
template <class Message>
struct SchemaOf;

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/schema.h"

namespace sinew {

/// A place inside a message: a whole field, one element of an array, or the message itself.
struct FieldPath {
  std::string text;   ///< As given: "position[3]", "pose.x".
  SchemaField field;  ///< What stands there, with its offset from the start of the message.
};

/// Finds "name", "name[index]" or "outer.inner[index]" in a message.
Result<FieldPath> find_field(const Schema& schema, std::string_view path);

/// Paths for a comma-separated list such as "stamp_ns,position[0]".
Result<std::vector<FieldPath>> find_fields(const Schema& schema, std::string_view list);

/// The message as one JSON object with all its fields in order; with `only`, just those, keyed by path.
/// Numbers keep every digit; what JSON has no number for (NaN, infinity) is null. Bytes beyond the end of a
/// short message are left out, so a message of any size may be given.
std::string json_of(const Schema& schema, std::span<const std::byte> message,
                    std::span<const FieldPath> only = {});

/// The message for people: a line per field, with units; zeros at the end of an array are counted, not
/// listed.
std::string text_of_message(const Schema& schema, std::span<const std::byte> message,
                            std::span<const FieldPath> only = {});

/// Sets one field from text, as in "position[2]" and "0.5", "smoothing" and "Direct", or a list "1,2,3" for
/// an array. A value that the field cannot hold is refused, and the message stays as it was.
Status set_field(const Schema& schema, std::span<std::byte> message, std::string_view path,
                 std::string_view value);

/// `text` between quotes as JSON has it; bytes that are not UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

}  // namespace sinew

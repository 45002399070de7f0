// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

/// The longest schema text that is read [bytes].
inline constexpr std::size_t kMaxSchemaText = 64 * 1024;

/// What one element of a field is.
enum class FieldKind { Integer, Unsigned, Float, Character, Enumerator, Struct };

/// One member of a message, as its schema describes it.
struct SchemaField {
  std::string name;
  std::string type;  ///< As written: "float64", "JointState".
  FieldKind kind = FieldKind::Integer;
  std::uint32_t width = 0;     ///< Bytes of one element.
  std::uint32_t count = 0;     ///< Elements of an array; 0 for a single value.
  std::uint32_t offset = 0;    ///< Bytes from the start of its struct.
  std::size_t type_index = 0;  ///< Into Schema::structs or Schema::enums, where kind says so.
  std::string unit;            ///< Such as "rad, m"; empty where there is none.
  std::string text;            ///< What it means.
};

/// A struct inside a schema.
struct SchemaStruct {
  std::string name;
  std::uint32_t version = 0;
  std::uint32_t size = 0;  ///< [bytes]
  std::string text;
  std::vector<SchemaField> fields;
};

/// Named values of an integer.
struct SchemaEnum {
  struct Value {
    std::uint64_t number = 0;
    std::string name;
  };
  std::string name;
  std::uint32_t width = 0;  ///< Bytes.
  std::vector<Value> values;
};

/// A schema text, understood. The last struct is the message itself; those before it are its parts.
struct Schema {
  std::vector<SchemaStruct> structs;
  std::vector<SchemaEnum> enums;

  const SchemaStruct& message() const { return structs.back(); }
};

/// Reads a schema text that may come from anybody: every field is checked to lie inside its struct and after
/// the field above it, and every refusal names the line.
Result<Schema> parse_schema(std::string_view text);

}  // namespace sinew

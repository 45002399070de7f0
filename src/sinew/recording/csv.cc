// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/csv.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace sinew::recording {
namespace {

constexpr std::size_t kMostColumns = 10'000;

using Columns = std::vector<FieldPath>;

// Appends the columns of a field that begins at `field.offset` of the message; false when there are too many.
bool add_columns(const Schema& schema, const std::string& path, SchemaField field, Columns& columns) {
  // an array of characters is one text
  const std::uint32_t count = field.kind == FieldKind::Character ? 0 : field.count;
  if (count > 0) {
    field.count = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!add_columns(schema, fmt::format("{}[{}]", path, i), field, columns)) return false;
      field.offset += field.width;
    }
    return true;
  }
  if (field.kind != FieldKind::Struct) {
    if (columns.size() == kMostColumns) return false;
    columns.push_back({.text = path, .field = std::move(field)});
    return true;
  }
  for (SchemaField inner : schema.structs[field.type_index].fields) {
    inner.offset += field.offset;
    if (!add_columns(schema, path + "." + inner.name, inner, columns)) return false;
  }
  return true;
}

std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string enumerator_text(const SchemaEnum& type, std::uint64_t number) {
  const auto found =
      std::find_if(type.values.begin(), type.values.end(), [&](const auto& v) { return v.number == number; });
  return found == type.values.end() ? std::to_string(number) : quoted(found->name);
}

std::string value_text(const Schema& schema, const SchemaField& field, std::span<const std::byte> message) {
  const std::size_t width = field.width;
  const std::size_t size = width * std::max(field.count, 1U);
  if (field.offset > message.size() || size > message.size() - field.offset) return "";
  const std::byte* place = message.data() + field.offset;
  if (field.kind == FieldKind::Character) {
    const std::string_view text(reinterpret_cast<const char*>(place), size);
    return quoted(text.substr(0, text.find('\0')));
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, place, width);
  if (field.kind == FieldKind::Float && width == 8) return fmt::format("{}", std::bit_cast<double>(bits));
  if (field.kind == FieldKind::Float)
    return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (field.kind == FieldKind::Enumerator) return enumerator_text(schema.enums[field.type_index], bits);
  if (field.kind == FieldKind::Unsigned) return fmt::format("{}", bits);
  const auto unused = static_cast<unsigned>(64 - 8 * width);
  return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace

Result<Columns> csv_columns(const Schema& schema, std::span<const FieldPath> fields) {
  Columns columns;
  for (const FieldPath& path : fields) {
    if (!add_columns(schema, path.text, path.field, columns))
      return Error{ErrorCode::OutOfLimits,
                   fmt::format("'{}' has more than {} numbers; choose some with --fields",
                               schema.message().name, kMostColumns)};
  }
  return columns;
}

Result<Columns> csv_columns(const Schema& schema) {
  std::vector<FieldPath> fields;
  for (const SchemaField& field : schema.message().fields)
    fields.push_back({.text = field.name, .field = field});
  return csv_columns(schema, fields);
}

std::string csv_head(std::span<const FieldPath> columns) {
  std::string out;
  for (const FieldPath& column : columns) out += fmt::format("{}{}", out.empty() ? "" : ",", column.text);
  return out;
}

std::string csv_row(const Schema& schema, std::span<const FieldPath> columns,
                    std::span<const std::byte> message) {
  std::string out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out += ',';
    out += value_text(schema, columns[i].field, message);
  }
  return out;
}

}  // namespace sinew::recording

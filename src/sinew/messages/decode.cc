// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/messages/decode.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "sinew/base/text.h"

static_assert(std::endian::native == std::endian::little,
              "messages are read in place; a big-endian machine would have to swap");

namespace sinew {
namespace {

using Bytes = std::span<const std::byte>;
using Out = std::back_insert_iterator<fmt::memory_buffer>;

std::uint64_t load_bits(Bytes bytes, std::size_t offset, std::uint32_t width) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + offset, width);
  return bits;
}

std::int64_t load_signed(Bytes bytes, std::size_t offset, std::uint32_t width) {
  const unsigned unused = 64 - 8 * width;
  return static_cast<std::int64_t>(load_bits(bytes, offset, width) << unused) >> unused;
}

double load_float(Bytes bytes, std::size_t offset, std::uint32_t width) {
  const std::uint64_t bits = load_bits(bytes, offset, width);
  return width == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                    : std::bit_cast<double>(bits);
}

const std::string* name_of_value(const SchemaEnum& type, std::uint64_t number) {
  const auto found =
      std::find_if(type.values.begin(), type.values.end(), [&](const auto& v) { return v.number == number; });
  return found == type.values.end() ? nullptr : &found->name;
}

// Length of the UTF-8 character at the start of `text`, or 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80         ? 1
                             : first >> 5 == 0x6  ? 2
                             : first >> 4 == 0xE  ? 3
                             : first >> 3 == 0x1E ? 4
                                                  : 0;
  if (length == 0 || length > text.size()) return 0;
  std::uint32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 0x2) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  // overlong forms, halves of UTF-16 pairs and what lies beyond Unicode are no characters
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return 0;
  return length;
}

std::string_view load_text(Bytes bytes, const SchemaField& field) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()) + field.offset,
                             std::max(field.count, 1U));
  return all.substr(0, all.find('\0'));
}

void write_json_struct(Out out, const Schema& schema, const SchemaStruct& type, Bytes bytes);

void write_json_element(Out out, const Schema& schema, const SchemaField& field, Bytes bytes,
                        std::size_t offset) {
  switch (field.kind) {
    case FieldKind::Integer:
      fmt::format_to(out, "{}", load_signed(bytes, offset, field.width));
      return;
    case FieldKind::Unsigned:
      fmt::format_to(out, "{}", load_bits(bytes, offset, field.width));
      return;
    case FieldKind::Float: {
      const double number = load_float(bytes, offset, field.width);
      if (!std::isfinite(number)) {
        fmt::format_to(out, "null");
      } else if (field.width == 4) {
        fmt::format_to(out, "{}", static_cast<float>(number));
      } else {
        fmt::format_to(out, "{}", number);
      }
      return;
    }
    case FieldKind::Enumerator: {
      const std::uint64_t number = load_bits(bytes, offset, field.width);
      const std::string* name = name_of_value(schema.enums[field.type_index], number);
      if (name != nullptr) {
        fmt::format_to(out, "\"{}\"", *name);
      } else {
        fmt::format_to(out, "{}", number);
      }
      return;
    }
    case FieldKind::Struct:
      write_json_struct(out, schema, schema.structs[field.type_index], bytes.subspan(offset));
      return;
    case FieldKind::Character:
      break;  // text is written whole, by write_json_value
  }
}

bool is_within(const SchemaField& field, Bytes bytes) {
  return field.offset + std::uint64_t{field.width} * std::max(field.count, 1U) <= bytes.size();
}

void write_json_value(Out out, const Schema& schema, const SchemaField& field, Bytes bytes) {
  if (field.kind == FieldKind::Character) {
    fmt::format_to(out, "{}", json_text(load_text(bytes, field)));
    return;
  }
  if (field.count == 0) return write_json_element(out, schema, field, bytes, field.offset);
  fmt::format_to(out, "[");
  for (std::uint32_t i = 0; i < field.count; ++i) {
    if (i > 0) fmt::format_to(out, ", ");
    write_json_element(out, schema, field, bytes, field.offset + std::size_t{i} * field.width);
  }
  fmt::format_to(out, "]");
}

void write_json_struct(Out out, const Schema& schema, const SchemaStruct& type, Bytes bytes) {
  fmt::format_to(out, "{{");
  bool is_first = true;
  for (const SchemaField& field : type.fields) {
    if (!is_within(field, bytes)) continue;
    fmt::format_to(out, "{}\"{}\": ", is_first ? "" : ", ", field.name);
    write_json_value(out, schema, field, bytes);
    is_first = false;
  }
  fmt::format_to(out, "}}");
}

// an array without the zeros at its end, which are only counted
void write_text_value(Out out, const Schema& schema, SchemaField field, Bytes bytes) {
  const std::uint32_t whole = field.count;
  if (field.count > 0 && field.kind != FieldKind::Character) {
    const auto is_zero = [&](std::uint32_t i) {
      const auto element = bytes.subspan(field.offset + std::size_t{i} * field.width, field.width);
      return std::all_of(element.begin(), element.end(), [](std::byte b) { return b == std::byte{0}; });
    };
    while (field.count > 1 && is_zero(field.count - 1)) --field.count;
  }
  write_json_value(out, schema, field, bytes);
  if (field.count < whole) fmt::format_to(out, " and {} zeros", whole - field.count);
  if (!field.unit.empty()) fmt::format_to(out, " [{}]", field.unit);
}

Error refuse(std::string_view path, std::string message) {
  return {ErrorCode::InvalidInput, fmt::format("field '{}': {}", path, std::move(message))};
}

std::vector<std::string> names_of(const SchemaStruct& type) {
  std::vector<std::string> names;
  for (const SchemaField& field : type.fields) names.push_back(field.name);
  return names;
}

template <class Number>
std::optional<Number> parse_whole(std::string_view text) {
  int base = 10;
  if constexpr (std::unsigned_integral<Number>) {
    if (text.starts_with("0x")) {
      text.remove_prefix(2);
      base = 16;
    }
  }
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> parse_float(std::string_view text) {
  double number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

// The bits that `text` means for one element of `field`.
Result<std::uint64_t> element_bits(const Schema& schema, const SchemaField& field, std::string_view path,
                                   std::string_view text) {
  const unsigned bit_count = 8 * field.width;
  const std::uint64_t largest = bit_count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bit_count) - 1;
  if (field.kind == FieldKind::Float) {
    const auto number = parse_float(text);
    if (!number) return refuse(path, fmt::format("'{}' is no finite number", text));
    if (field.width == 8) return std::bit_cast<std::uint64_t>(*number);
    if (std::abs(*number) > static_cast<double>(std::numeric_limits<float>::max()))
      return refuse(path, fmt::format("{} is beyond {}", text, field.type));
    return std::bit_cast<std::uint32_t>(static_cast<float>(*number));
  }
  if (field.kind == FieldKind::Integer) {
    const auto number = parse_whole<std::int64_t>(text);
    const std::int64_t highest = static_cast<std::int64_t>(largest >> 1);
    if (!number || *number > highest || *number < -highest - 1)
      return refuse(path, fmt::format("'{}' is no {}", text, field.type));
    return static_cast<std::uint64_t>(*number) & largest;
  }
  if (field.kind == FieldKind::Enumerator) {
    const SchemaEnum& type = schema.enums[field.type_index];
    std::vector<std::string> names;
    for (const auto& value : type.values) {
      if (value.name == text) return value.number;
      names.push_back(value.name);
    }
    return refuse(
        path, fmt::format("'{}' is none of {}{}", text, fmt::join(names, ", "), did_you_mean(text, names)));
  }
  const auto number = parse_whole<std::uint64_t>(text);
  if (!number || *number > largest) return refuse(path, fmt::format("'{}' is no {}", text, field.type));
  return *number;
}

Status set_text_field(const FieldPath& path, std::span<std::byte> message, std::string_view value) {
  const std::size_t size = std::max(path.field.count, 1U);
  if (value.size() > size)
    return refuse(path.text, fmt::format("{} bytes of text do not fit into {}", value.size(), size));
  const auto place = message.subspan(path.field.offset, size);
  std::fill(place.begin(), place.end(), std::byte{0});
  std::memcpy(place.data(), value.data(), value.size());
  return Done{};
}

std::vector<std::string_view> split(std::string_view list, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = list.find(separator);
    parts.push_back(list.substr(0, end));
    if (end == std::string_view::npos) return parts;
    list.remove_prefix(end + 1);
  }
}

}  // namespace

Result<FieldPath> find_field(const Schema& schema, std::string_view path) {
  if (path.size() > 512) return refuse(path.substr(0, 32), "the path is too long");
  const SchemaStruct* type = &schema.message();
  std::uint32_t offset = 0;
  SchemaField found;
  const auto parts = split(path, '.');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t bracket = parts[i].find('[');
    const std::string_view name = parts[i].substr(0, bracket);
    const auto field =
        std::find_if(type->fields.begin(), type->fields.end(), [&](const auto& f) { return f.name == name; });
    if (field == type->fields.end()) {
      return refuse(path, fmt::format("'{}' has no field '{}'{}", type->name, name,
                                      did_you_mean(name, names_of(*type))));
    }
    found = *field;
    if (bracket != std::string_view::npos) {
      const auto index =
          parts[i].back() == ']'
              ? parse_whole<std::uint32_t>(parts[i].substr(bracket + 1, parts[i].size() - bracket - 2))
              : std::nullopt;
      if (!index || *index >= found.count)
        return refuse(path, fmt::format("'{}' has elements 0 to {}", name, std::max(found.count, 1U) - 1));
      found.offset += *index * found.width;
      found.count = 0;
    }
    offset += found.offset;
    if (i + 1 == parts.size()) break;
    if (found.kind != FieldKind::Struct || found.count > 0)
      return refuse(path, fmt::format("'{}' has no parts", parts[i]));
    type = &schema.structs[found.type_index];
  }
  found.offset = offset;
  return FieldPath{.text = std::string(path), .field = std::move(found)};
}

Result<std::vector<FieldPath>> find_fields(const Schema& schema, std::string_view list) {
  std::vector<FieldPath> paths;
  for (const std::string_view part : split(list, ',')) {
    auto path = find_field(schema, part);
    if (!path) return std::move(path).error();
    paths.push_back(*std::move(path));
  }
  return paths;
}

std::string json_of(const Schema& schema, Bytes message, std::span<const FieldPath> only) {
  fmt::memory_buffer buffer;
  const Out out(buffer);
  if (only.empty()) {
    write_json_struct(out, schema, schema.message(), message);
    return fmt::to_string(buffer);
  }
  fmt::format_to(out, "{{");
  bool is_first = true;
  for (const FieldPath& path : only) {
    if (!is_within(path.field, message)) continue;
    fmt::format_to(out, "{}\"{}\": ", is_first ? "" : ", ", path.text);
    write_json_value(out, schema, path.field, message);
    is_first = false;
  }
  fmt::format_to(out, "}}");
  return fmt::to_string(buffer);
}

std::string text_of_message(const Schema& schema, Bytes message, std::span<const FieldPath> only) {
  fmt::memory_buffer buffer;
  const Out out(buffer);
  const auto write_line = [&](std::string_view name, const SchemaField& field) {
    if (!is_within(field, message)) return;
    fmt::format_to(out, "  {:<24} ", name);
    write_text_value(out, schema, field, message);
    fmt::format_to(out, "\n");
  };
  for (const FieldPath& path : only) write_line(path.text, path.field);
  if (only.empty()) {
    for (const SchemaField& field : schema.message().fields) write_line(field.name, field);
  }
  return fmt::to_string(buffer);
}

Status set_field(const Schema& schema, std::span<std::byte> message, std::string_view path_text,
                 std::string_view value) {
  const auto path = find_field(schema, path_text);
  if (!path) return path.error();
  const SchemaField& field = path->field;
  if (!is_within(field, message)) return refuse(path_text, "it lies beyond the end of the message");
  if (field.kind == FieldKind::Struct) return refuse(path_text, "name one of its parts");
  if (field.kind == FieldKind::Character) return set_text_field(*path, message, value);

  const auto parts = split(value, ',');
  const std::size_t count = std::max(field.count, 1U);
  if (parts.size() > count)
    return refuse(path_text, fmt::format("{} values do not fit into {}", parts.size(), count));
  std::vector<std::uint64_t> bits;
  for (const std::string_view part : parts) {
    const auto element = element_bits(schema, field, path_text, part);
    if (!element) return element.error();
    bits.push_back(*element);
  }
  for (std::size_t i = 0; i < bits.size(); ++i)
    std::memcpy(message.data() + field.offset + i * field.width, &bits[i], field.width);
  return Done{};
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char first = text.front();
    if (length == 0) {
      out += "\\ufffd";
    } else if (first == '"' || first == '\\') {
      out += '\\';
      out += first;
    } else if (static_cast<unsigned char>(first) < 0x20 || first == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(first));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + "\"";
}

}  // namespace sinew

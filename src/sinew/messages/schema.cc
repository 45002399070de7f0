// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/messages/schema.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr std::size_t kMaxTypes = 256;
constexpr std::size_t kMaxFields = 4096;
constexpr std::uint32_t kMaxMessageSize = 1U << 30;
constexpr std::size_t kMaxNesting = 8;

struct Scalar {
  std::string_view name;
  FieldKind kind;
  std::uint32_t width;
};
constexpr Scalar kScalars[] = {
    {"int8", FieldKind::Integer, 1},    {"int16", FieldKind::Integer, 2},
    {"int32", FieldKind::Integer, 4},   {"int64", FieldKind::Integer, 8},
    {"uint8", FieldKind::Unsigned, 1},  {"uint16", FieldKind::Unsigned, 2},
    {"uint32", FieldKind::Unsigned, 4}, {"uint64", FieldKind::Unsigned, 8},
    {"float32", FieldKind::Float, 4},   {"float64", FieldKind::Float, 8},
    {"char", FieldKind::Character, 1},
};

const Scalar* find_scalar(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kScalars), std::end(kScalars), [&](const Scalar& s) { return s.name == name; });
  return found == std::end(kScalars) ? nullptr : found;
}

bool is_name(std::string_view word) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !word.empty() && word.size() <= 63 && is_letter(word.front()) &&
         std::all_of(word.begin(), word.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

template <class Number>
std::optional<Number> parse_number(std::string_view word) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

// Takes the next word of `line`, up to a blank.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

// Reads a schema line by line into `schema`; each read_… answers an empty text or what is wrong.
class SchemaReader {
 public:
  Result<Schema> read(std::string_view text) {
    if (text.size() > kMaxSchemaText)
      return refuse(fmt::format("{} bytes are too long; the bound is {}", text.size(), kMaxSchemaText));
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      if (std::string complaint = read_line(text.substr(0, end)); !complaint.empty())
        return refuse(complaint);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (schema_.structs.empty()) return refuse("it describes no struct");
    return std::move(schema_);
  }

 private:
  Error refuse(std::string_view complaint) const {
    return {ErrorCode::Damaged, fmt::format("schema line {}: {}", line_number_, complaint)};
  }

  std::string read_line(std::string_view line) {
    ++line_number_;
    if (line_number_ == 1) return line == "sinew-schema 1" ? "" : "it must begin with 'sinew-schema 1'";
    const std::size_t colon = line.find(" : ");
    const std::string text(colon == std::string_view::npos ? std::string_view() : line.substr(colon + 3));
    line = line.substr(0, colon);
    if (line.starts_with("  ")) return current_ == Block::Enum ? read_value(line) : read_field(line, text);
    const std::string_view word = take_word(line);
    if (schema_.structs.size() + schema_.enums.size() >= kMaxTypes)
      return fmt::format("more than {} types", kMaxTypes);
    if (word == "struct") return read_struct(line, text);
    if (word == "enum") return read_enum(line);
    return fmt::format("'{}' is neither 'struct' nor 'enum'", word);
  }

  std::string read_struct(std::string_view line, const std::string& text) {
    const std::string_view name = take_word(line);
    const std::string_view version_word = take_word(line);
    const auto version = parse_number<std::uint32_t>(take_word(line));
    const std::string_view size_word = take_word(line);
    const auto size = parse_number<std::uint32_t>(take_word(line));
    if (!is_name(name) || version_word != "version" || !version || size_word != "size" || !size) {
      return "a struct reads 'struct NAME version N size N'";
    }
    if (*size == 0 || *size > kMaxMessageSize)
      return fmt::format("size {} is not within 1 to {}", *size, kMaxMessageSize);
    if (!type_names_.insert(std::string(name)).second) return fmt::format("type '{}' is defined twice", name);
    schema_.structs.push_back(
        {.name = std::string(name), .version = *version, .size = *size, .text = text, .fields = {}});
    field_names_.clear();
    end_of_last_ = 0;
    nesting_.push_back(0);
    current_ = Block::Struct;
    return "";
  }

  std::string read_enum(std::string_view line) {
    const std::string_view name = take_word(line);
    const Scalar* base = find_scalar(take_word(line));
    if (!is_name(name) || base == nullptr || base->kind != FieldKind::Unsigned)
      return "an enum reads 'enum NAME uintN'";
    if (!type_names_.insert(std::string(name)).second) return fmt::format("type '{}' is defined twice", name);
    schema_.enums.push_back({.name = std::string(name), .width = base->width, .values = {}});
    current_ = Block::Enum;
    return "";
  }

  std::string read_value(std::string_view line) {
    const auto number = parse_number<std::uint64_t>(take_word(line));
    const std::string_view name = take_word(line);
    if (!number || !is_name(name)) return "an enum value reads '  NUMBER NAME'";
    if (++field_count_ > kMaxFields) return fmt::format("more than {} fields and values", kMaxFields);
    const std::uint32_t width = schema_.enums.back().width;
    if (width < 8 && *number >> (8 * width) != 0)
      return fmt::format("value {} does not fit into {} bytes", *number, width);
    schema_.enums.back().values.push_back({.number = *number, .name = std::string(name)});
    return "";
  }

  std::string read_field(std::string_view line, const std::string& text) {
    if (current_ != Block::Struct) return "a field stands outside any struct";
    SchemaField field{.text = text};
    const std::string_view type = take_word(line);
    const std::string_view name = take_word(line);
    const std::string_view at_word = take_word(line);
    const auto offset = parse_number<std::uint32_t>(take_word(line));
    if (!is_name(name) || at_word != "at" || !offset)
      return "a field reads '  TYPE[COUNT] NAME at OFFSET [UNIT]'";
    field.name = name;
    field.offset = *offset;
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.size() > 2 && line.front() == '[' && line.back() == ']')
      field.unit = line.substr(1, line.size() - 2);
    if (std::string complaint = set_type(field, type); !complaint.empty()) return complaint;
    return append(std::move(field));
  }

  std::string set_type(SchemaField& field, std::string_view type) {
    const std::size_t bracket = type.find('[');
    if (bracket != std::string_view::npos) {
      const std::string_view count_text = type.substr(bracket + 1, type.size() - bracket - 2);
      const auto count = parse_number<std::uint32_t>(count_text);
      if (type.back() != ']' || !count || *count == 0) return fmt::format("'{}' is no array type", type);
      field.count = *count;
      type = type.substr(0, bracket);
    }
    field.type = type;
    if (const Scalar* scalar = find_scalar(type)) {
      field.kind = scalar->kind;
      field.width = scalar->width;
      return "";
    }
    return set_defined_type(field);
  }

  // only types described further up can be used, so no type can contain itself
  std::string set_defined_type(SchemaField& field) {
    const auto named = [&](const auto& type) { return type.name == field.type; };
    const auto an_enum = std::find_if(schema_.enums.begin(), schema_.enums.end(), named);
    if (an_enum != schema_.enums.end()) {
      field.kind = FieldKind::Enumerator;
      field.width = an_enum->width;
      field.type_index = static_cast<std::size_t>(an_enum - schema_.enums.begin());
      return "";
    }
    const auto a_struct = std::find_if(schema_.structs.begin(), schema_.structs.end() - 1, named);
    if (a_struct == schema_.structs.end() - 1)
      return fmt::format("type '{}' is not defined above", field.type);
    field.kind = FieldKind::Struct;
    field.width = a_struct->size;
    field.type_index = static_cast<std::size_t>(a_struct - schema_.structs.begin());
    nesting_.back() = std::max(nesting_.back(), nesting_[field.type_index] + 1);
    if (nesting_.back() > kMaxNesting) return fmt::format("structs nested more than {} deep", kMaxNesting);
    return "";
  }

  std::string append(SchemaField field) {
    SchemaStruct& owner = schema_.structs.back();
    const std::uint64_t end = field.offset + std::uint64_t{field.width} * std::max(field.count, 1U);
    if (end > owner.size) {
      return fmt::format("field '{}' ends at byte {}, beyond the {} bytes of '{}'", field.name, end,
                         owner.size, owner.name);
    }
    // in order and apart from each other, so that a short text cannot stand for more values than the message
    // has bytes
    if (field.offset < end_of_last_) {
      return fmt::format("field '{}' begins at byte {}, before the end of the field above it at {}",
                         field.name, field.offset, end_of_last_);
    }
    end_of_last_ = end;
    if (++field_count_ > kMaxFields) return fmt::format("more than {} fields and values", kMaxFields);
    if (!field_names_.insert(field.name).second)
      return fmt::format("field '{}' is defined twice", field.name);
    owner.fields.push_back(std::move(field));
    return "";
  }

  enum class Block { None, Struct, Enum };

  Schema schema_;
  Block current_ = Block::None;
  std::set<std::string> type_names_;
  std::set<std::string> field_names_;
  std::uint64_t end_of_last_ = 0;     ///< Of the current struct's fields so far.
  std::vector<std::size_t> nesting_;  ///< For each struct, how deep others lie in it.
  std::size_t field_count_ = 0;
  std::size_t line_number_ = 0;
};

}  // namespace

Result<Schema> parse_schema(std::string_view text) {
  return SchemaReader().read(text);
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/json_schema.h"

#include <string_view>

#include <fmt/format.h>

#include "sinew/messages/decode.h"

namespace sinew::recording {
namespace {

std::string struct_schema(const Schema& schema, const SchemaStruct& type, std::string_view more);

std::string element_schema(const Schema& schema, const SchemaField& field, std::string_view more) {
  switch (field.kind) {
    case FieldKind::Integer:
    case FieldKind::Unsigned:
      return fmt::format("{{\"type\": \"integer\"{}}}", more);
    case FieldKind::Float:
      return fmt::format("{{\"type\": \"number\"{}}}", more);
    case FieldKind::Character:
    case FieldKind::Enumerator:
      return fmt::format("{{\"type\": \"string\"{}}}", more);
    case FieldKind::Struct:
      break;
  }
  return struct_schema(schema, schema.structs[field.type_index], more);
}

std::string field_schema(const Schema& schema, const SchemaField& field) {
  std::string text = field.text;
  if (!field.unit.empty()) text = fmt::format("[{}]{}{}", field.unit, text.empty() ? "" : " ", text);
  const std::string about = text.empty() ? "" : fmt::format(", \"description\": {}", json_text(text));
  // an array of characters is one text
  if (field.count == 0 || field.kind == FieldKind::Character) return element_schema(schema, field, about);
  return fmt::format("{{\"type\": \"array\", \"items\": {}{}}}", element_schema(schema, field, ""), about);
}

std::string struct_schema(const Schema& schema, const SchemaStruct& type, std::string_view more) {
  std::string fields;
  for (const SchemaField& field : type.fields)
    fields += fmt::format("{}{}: {}", fields.empty() ? "" : ", ", json_text(field.name),
                          field_schema(schema, field));
  return fmt::format("{{\"type\": \"object\", \"properties\": {{{}}}{}}}", fields, more);
}

}  // namespace

std::string json_schema_of(const Schema& schema) {
  const SchemaStruct& message = schema.message();
  return struct_schema(
      schema, message,
      fmt::format(", \"title\": {}, \"description\": {}", json_text(message.name), json_text(message.text)));
}

}  // namespace sinew::recording

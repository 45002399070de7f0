// SPDX-License-Identifier: BSD-3-Clause
// Any text as schema, and any bytes as message, path and value.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/assert.h"
#include "sinew/messages/decode.h"
#include "sinew/messages/schema.h"

// The input is schema, message, path and value with a zero byte between; the schema's first line is given.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto take = [&] {
    const std::string_view part = input.substr(0, input.find('\0'));
    input.remove_prefix(std::min(input.size(), part.size() + 1));
    return part;
  };
  const std::string text = "sinew-schema 1\n" + std::string(take());
  const std::string_view path = take();
  const std::string_view value = take();
  const auto schema = sinew::parse_schema(text);
  SINEW_ASSERT(schema || !schema.error().message.empty());
  if (!schema) return 0;

  std::vector<std::byte> message(std::min<std::size_t>(schema->message().size, 4096));
  for (std::size_t i = 0; i < message.size() && !input.empty(); ++i)
    message[i] = static_cast<std::byte>(input[i % input.size()]);
  static_cast<void>(sinew::set_field(*schema, message, path, value));
  sinew::json_of(*schema, message);
  sinew::text_of_message(*schema, message);
  if (const auto found = sinew::find_field(*schema, path)) {
    SINEW_ASSERT(found->field.offset < schema->message().size);
    sinew::json_of(*schema, message, std::span(&*found, 1));
    sinew::text_of_message(*schema, message, std::span(&*found, 1));
  }
  return 0;
}

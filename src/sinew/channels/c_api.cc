// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/c_api.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "sinew/channels/ring.h"
#include "sinew/messages/schemas.h"

namespace sinew::channels {
namespace {

std::string text_or(const char* text, std::string_view fallback) {
  // the bound keeps a text without end from being read far beyond its memory's
  return text != nullptr ? std::string(text, strnlen(text, 1U << 20)) : std::string(fallback);
}

}  // namespace

ChannelOptions options_from(const sinew_options& options) {
  const ChannelOptions defaults;
  return {.space = text_or(options.space, kDefaultSpace),
          .name = text_or(options.name, ""),
          .schema = text_or(options.schema, ""),
          .sender = text_or(options.sender, ""),
          .capacity = options.capacity,
          .depth = options.depth != 0 ? options.depth : defaults.depth,
          .writers = options.writers != 0 ? options.writers : defaults.writers,
          .mode = options.mode != 0 ? options.mode : defaults.mode,
          .may_create = options.may_create != 0};
}

int status_from(ErrorCode code) {
  switch (code) {
    case ErrorCode::InvalidInput:
    case ErrorCode::OutOfLimits:
      return SINEW_INVALID;
    case ErrorCode::NotFound:
      return SINEW_NOT_FOUND;
    case ErrorCode::AlreadyExists:
      return SINEW_EXISTS;
    case ErrorCode::Denied:
      return SINEW_DENIED;
    case ErrorCode::Mismatch:
      return SINEW_MISMATCH;
    case ErrorCode::Damaged:
      return SINEW_DAMAGED;
    case ErrorCode::Full:
      return SINEW_FULL;
    case ErrorCode::Gone:
      return SINEW_GONE;
    case ErrorCode::TimedOut:
      return SINEW_TIMED_OUT;
    case ErrorCode::NothingNew:
      return SINEW_NOTHING_NEW;
    case ErrorCode::Interrupted:
      return SINEW_INTERRUPTED;
    case ErrorCode::SystemFailure:
      return SINEW_SYSTEM;
  }
  return SINEW_SYSTEM;
}

int report(const Error& error, sinew_error* out) {
  const int status = status_from(error.code);
  if (out != nullptr) {
    *out = {};
    out->status = status;
    std::memcpy(out->text, error.message.data(), std::min(error.message.size(), sizeof out->text - 1));
  }
  return status;
}

int report(const Status& status, sinew_error* out) {
  if (!status) return report(status.error(), out);
  if (out != nullptr) *out = {};
  return SINEW_OK;
}

void describe(const ChannelFile& file, sinew_description& out) {
  const ChannelHeader& header = file.header();
  out = {};
  out.channel_id = header.channel_id;
  out.schema_hash = header.schema_hash;
  out.newest_sequence = RingReader(file.memory()).newest_sequence();
  out.capacity = file.memory().layout.capacity;
  out.depth = file.memory().layout.depth;
  out.writers = file.memory().layout.writers;
  out.message_version = header.message_version;
  std::memcpy(out.message_name, header.message_name.data(), sizeof out.message_name - 1);
}

}  // namespace sinew::channels

using sinew::channels::ChannelFile;

void sinew_options_init(sinew_options* options) {
  *options = {};
}

int sinew_create(const sinew_options* options, sinew_error* error) {
  return sinew::channels::report(ChannelFile::create(sinew::channels::options_from(*options)), error);
}

int sinew_remove(const char* space, const char* name, sinew_error* error) {
  const std::string_view where = space != nullptr ? space : sinew::channels::kDefaultSpace;
  return sinew::channels::report(ChannelFile::remove(where, name != nullptr ? name : ""), error);
}

const char* sinew_schema_of(const char* message_name) {
  for (const sinew::MessageSchema* schema : sinew::kAllMessages) {
    if (message_name != nullptr && schema->name == message_name) return schema->text.data();
  }
  return nullptr;
}

const char* sinew_message_name(size_t index) {
  return index < sinew::kAllMessages.size() ? sinew::kAllMessages[index]->name.data() : nullptr;
}

const char* sinew_status_text(int status) {
  static constexpr const char* kTexts[] = {
      "ok",      "nothing new",  "timed out",        "interrupted",  "buffer too small", "message too large",
      "gone",    "removed",      "not found",        "exists",       "denied",           "mismatch",
      "damaged", "writers full", "invalid argument", "system error",
  };
  constexpr int kCount = sizeof kTexts / sizeof kTexts[0];
  return status >= 0 && status < kCount ? kTexts[status] : "unknown status";
}

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/channel.h"

#include <fmt/format.h>

namespace sinew {
namespace {

ErrorCode code_from(int status) {
  switch (status) {
    case SINEW_NOTHING_NEW:
      return ErrorCode::NothingNew;
    case SINEW_TIMED_OUT:
      return ErrorCode::TimedOut;
    case SINEW_INTERRUPTED:
      return ErrorCode::Interrupted;
    case SINEW_TOO_LARGE:
    case SINEW_TOO_SMALL:
      return ErrorCode::OutOfLimits;
    case SINEW_GONE:
    case SINEW_REMOVED:
      return ErrorCode::Gone;
    case SINEW_NOT_FOUND:
      return ErrorCode::NotFound;
    case SINEW_EXISTS:
      return ErrorCode::AlreadyExists;
    case SINEW_DENIED:
      return ErrorCode::Denied;
    case SINEW_MISMATCH:
      return ErrorCode::Mismatch;
    case SINEW_DAMAGED:
      return ErrorCode::Damaged;
    case SINEW_FULL:
      return ErrorCode::Full;
    case SINEW_INVALID:
      return ErrorCode::InvalidInput;
    default:
      return ErrorCode::SystemFailure;
  }
}

}  // namespace

Error error_from(const sinew_error& error) {
  return {code_from(error.status), error.text};
}

Error error_from_status(int status, std::string_view doing) {
  return {code_from(status), fmt::format("{}: {}", doing, sinew_status_text(status))};
}

namespace channels {

sinew_options options_for(const ChannelPlace& place, const MessageSchema& schema) {
  sinew_options options{};
  options.space = place.space.c_str();
  options.name = place.name.c_str();
  options.schema = schema.text.data();  // a literal, ended by a zero byte
  options.sender = place.sender.empty() ? nullptr : place.sender.c_str();
  options.depth = place.depth;
  options.mode = place.mode;
  options.writers = place.writers;
  options.may_create = place.may_create ? 1 : 0;
  return options;
}

}  // namespace channels
}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/base/result.h"

namespace sinew {

std::string_view error_code_text(ErrorCode code) {
  switch (code) {
    case ErrorCode::InvalidInput:
      return "invalid input";
    case ErrorCode::OutOfLimits:
      return "out of limits";
    case ErrorCode::NotFound:
      return "not found";
    case ErrorCode::AlreadyExists:
      return "already exists";
    case ErrorCode::Denied:
      return "denied";
    case ErrorCode::Mismatch:
      return "mismatch";
    case ErrorCode::Damaged:
      return "damaged";
    case ErrorCode::Full:
      return "full";
    case ErrorCode::Gone:
      return "gone";
    case ErrorCode::TimedOut:
      return "timed out";
    case ErrorCode::NothingNew:
      return "nothing new";
    case ErrorCode::Interrupted:
      return "interrupted";
    case ErrorCode::SystemFailure:
      return "system failure";
  }
  return "unknown";
}

}  // namespace sinew

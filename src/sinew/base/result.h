// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "sinew/base/assert.h"

namespace sinew {

/// What kind of refusal an Error is. Programs branch on this; people read Error::message.
enum class ErrorCode {
  InvalidInput,   ///< An argument or a file says something that cannot be.
  OutOfLimits,    ///< A value is beyond a stated bound.
  NotFound,       ///< The thing named does not exist.
  AlreadyExists,  ///< The thing to be made exists.
  Denied,         ///< The rights do not allow it.
  Mismatch,       ///< Two sides disagree on a format or version.
  Damaged,        ///< The content is not what its format promises.
  Full,           ///< No room is left.
  Gone,           ///< It was there and has been taken away.
  TimedOut,       ///< The deadline passed.
  NothingNew,     ///< There is nothing that the caller has not seen.
  Interrupted,    ///< A signal or another thread asked to stop waiting.
  SystemFailure,  ///< The operating system refused; the message carries its reason.
};

/// A short name for `code`, such as "not found".
std::string_view error_code_text(ErrorCode code);

/// A refusal. The message says what, where, the value, the bound, and what to do next.
struct Error {
  ErrorCode code = ErrorCode::InvalidInput;
  std::string message;
};

/// The value of a Status that went well.
struct Done {};

/// A value or the reason why there is none. Member names are those of std::expected.
///
/// Reading the value of a refusal is a bug and ends the process.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = Error;

  template <class U = T>
    requires(std::is_constructible_v<T, U &&> && !std::is_same_v<std::remove_cvref_t<U>, Result> &&
             !std::is_same_v<std::remove_cvref_t<U>, Error>)
  Result(U&& value)
      : content_(std::in_place_index<0>, std::forward<U>(value)) {}            // NOLINT: converts by design
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: converts by design

  bool has_value() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  T& value() & { return checked(); }
  const T& value() const& { return const_cast<Result*>(this)->checked(); }
  T&& value() && { return std::move(checked()); }

  T& operator*() & { return checked(); }
  const T& operator*() const& { return const_cast<Result*>(this)->checked(); }
  T&& operator*() && { return std::move(checked()); }
  T* operator->() { return &checked(); }
  const T* operator->() const { return &const_cast<Result*>(this)->checked(); }

  const Error& error() const& {
    SINEW_ASSERT(!has_value());
    return *std::get_if<1>(&content_);
  }
  Error&& error() && {
    SINEW_ASSERT(!has_value());
    return std::move(*std::get_if<1>(&content_));
  }

  template <class U>
  T value_or(U&& fallback) const& {
    return has_value() ? **this : static_cast<T>(std::forward<U>(fallback));
  }

 private:
  T& checked() {
    SINEW_ASSERT(has_value());
    return *std::get_if<0>(&content_);
  }

  std::variant<T, Error> content_;
};

/// Success, or the reason why not.
using Status = Result<Done>;

}  // namespace sinew

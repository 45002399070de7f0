// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "sinew/accounts/secrets.h"

namespace sinew::accounts {

/// The code that lets somebody make the first account: two groups of four letters and digits, "K7QM-3XPA",
/// none of which looks like another. It is worth one account, and so many tries.
class FirstCode {
 public:
  static constexpr int kMostTries = 10;

  /// A code that has been used up.
  FirstCode() = default;
  /// A new one.
  static FirstCode random(const Randomness& randomness);
  /// One that was written down; used up when it is none.
  static FirstCode from(std::string_view text);

  /// For the terminal; empty once it is used up.
  const std::string& text() const { return text_; }
  bool is_used_up() const { return text_.empty(); }

  /// Whether this is the code; small letters and a missing '-' do not matter. Ten wrong ones use it up. It
  /// stays good until use_up(), so that what follows may fail.
  bool accepts(std::string_view code);
  void use_up();

 private:
  std::string text_;
  int tries_ = 0;
};

}  // namespace sinew::accounts

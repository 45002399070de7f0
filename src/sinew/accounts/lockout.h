// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "sinew/base/time.h"

namespace sinew::accounts {

/// Makes guessing passwords slow: five wrong ones for a name from an address, or twenty from an address, and
/// that address has to wait half a minute, for that name or for all; every further one doubles that, up to a
/// quarter of an hour. Nobody's guesses keep anybody at another address from logging in. Who makes no mistake
/// for an hour has made none.
///
/// A try counts as wrong until it is known to be right, so that a hundred tries at once are a hundred. One
/// thread.
class Lockout {
 public:
  struct Options {
    int most_for_name = 5;
    int most_from_address = 20;
    std::int64_t first_wait_ns = 30 * kSecond_ns;
    std::int64_t longest_wait_ns = 15 * 60 * kSecond_ns;
    std::int64_t forgotten_after_ns = 3600 * kSecond_ns;
    std::size_t most_remembered = 1024;  ///< Names with addresses, and as many addresses.
  };

  Lockout() : Lockout(Options{}) {}
  explicit Lockout(const Options& options) : options_(options) {}

  /// Begins a try of a password. Answers how long to wait [ns] before one may be made; zero: this one counts,
  /// as a wrong one until was_right() or take_back().
  std::int64_t begin(std::string_view name, std::string_view address, std::int64_t now_ns);
  /// The try was right: the name has made no mistake, and the address one less.
  void was_right(std::string_view name, std::string_view address);
  /// The try was not made.
  void take_back(std::string_view name, std::string_view address);

  std::size_t remembered() const { return names_.size() + addresses_.size(); }

 private:
  struct Record {
    int wrong = 0;
    std::int64_t last_ns = 0;
    std::int64_t locked_until_ns = 0;
  };
  using Records = std::map<std::string, Record, std::less<>>;

  static std::int64_t wait_of(const Records& records, const std::string& key, std::int64_t now_ns);
  void count(Records& records, const std::string& key, int most, std::int64_t now_ns);
  static void uncount(Records& records, std::string_view key);
  void forget(Records& records, std::int64_t now_ns) const;

  Options options_;
  Records names_;  // each with an address
  Records addresses_;
};

/// What counts as one address: of version 6 the first half, which is what a customer of a network has; a
/// version 4 address in the dress of version 6 is itself.
std::string address_group(std::string_view address);

}  // namespace sinew::accounts

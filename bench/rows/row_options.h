// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sinew/base/result.h"

namespace sinew::bench {

/// What a benchmark that prints rows is asked for.
struct RowOptions {
  std::size_t count = 0;  ///< Cases of each kind.
  std::uint64_t seed = 1;
  bool is_json = false;
  std::string csv;  ///< File to write the rows to, too; empty: none.
  bool is_help = false;
  bool is_own_flag = false;  ///< The program's own flag was given.
};

/// Reads --count N, --seed S, --json, --csv FILE, --help, and `own_flag` where the program has one; what is
/// not said stays as in `usual`.
Result<RowOptions> row_options_from(std::span<const char* const> words, const RowOptions& usual,
                                    std::string_view own_flag = "");

/// Writes `text` to the file of --csv; nothing without one.
Status write_csv(const RowOptions& options, const std::string& text);

}  // namespace sinew::bench

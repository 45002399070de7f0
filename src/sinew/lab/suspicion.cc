// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/lab/suspicion.h"

#include <algorithm>

namespace sinew::lab {

std::string explanation(std::span<const Suspicion> suspicions, std::span<const std::size_t> wrong) {
  if (wrong.empty()) return {};
  const auto found = std::ranges::find_if(
      suspicions, [&](const Suspicion& suspicion) { return std::ranges::all_of(wrong, suspicion.explains); });
  return found == suspicions.end() ? std::string() : found->words;
}

}  // namespace sinew::lab

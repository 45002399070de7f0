// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sinew::lab {

/// A way to be wrong that many have gone before: what would be answered by one who made that mistake.
struct Suspicion {
  std::string words;                                   ///< For the student: what was done, and what is right.
  std::function<bool(std::size_t question)> explains;  ///< Whether it explains the answer to a question.
};

/// The first suspicion that explains every one of `wrong`, the questions answered wrongly; empty when none
/// does or there are no wrong answers.
std::string explanation(std::span<const Suspicion> suspicions, std::span<const std::size_t> wrong);

}  // namespace sinew::lab

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/play_progress.h"

#include <algorithm>
#include <iterator>

namespace sinew {

void PlayProgress::cut(std::int64_t at_ns) {
  while (marks_.size() > 1 && marks_.back().at_ns > at_ns) marks_.pop_back();
}

void PlayProgress::forget_before(std::int64_t now_ns) {
  const auto next = std::ranges::upper_bound(marks_, now_ns, {}, &Mark::at_ns);
  if (next - marks_.begin() > 1) marks_.erase(marks_.begin(), std::prev(next));
}

double PlayProgress::nominal_at(std::int64_t now_ns) const {
  if (marks_.empty()) return 0.0;
  const auto next = std::ranges::upper_bound(marks_, now_ns, {}, &Mark::at_ns);
  if (next == marks_.begin()) return next->nominal;
  const Mark& before = *std::prev(next);
  if (next == marks_.end()) return before.nominal;
  const double share =
      static_cast<double>(now_ns - before.at_ns) / static_cast<double>(next->at_ns - before.at_ns);
  return before.nominal + share * (next->nominal - before.nominal);
}

std::size_t PlayProgress::pieces_after(std::int64_t now_ns) const {
  const auto ahead = std::ranges::upper_bound(marks_, now_ns, {}, &Mark::at_ns);
  const auto pieces = static_cast<std::size_t>(marks_.end() - ahead);
  // the first mark is a begin, and the end of no piece
  return ahead == marks_.begin() && pieces > 0 ? pieces - 1 : pieces;
}

}  // namespace sinew

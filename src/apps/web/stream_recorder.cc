// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/stream_recorder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/time.h"

namespace sinew {

void StreamRecorder::begin(Stream about) {
  stream_ = std::move(about);
  stream_.rows.clear();
  last_.clear();
  is_recording_ = true;
}

void StreamRecorder::take(std::int64_t stamp_ns, std::span<const double> q) {
  const bool is_number = std::ranges::all_of(q, [](double value) { return std::isfinite(value); });
  if (!is_recording_ || is_full() || q.size() != stream_.joints.size() || !is_number) return;
  if (last_.empty()) {
    first_ns_ = stamp_ns;
    stream_.rows.emplace_back(q.begin(), q.end());
  } else if (stamp_ns < last_ns_) {
    // the robot was started anew: what comes is another motion
    is_recording_ = false;
    return;
  }
  // who looks does so when it has time; rows are where the joints were between two looks
  while (!last_.empty() && !is_full()) {
    const std::int64_t due_ns =
        first_ns_ + nanoseconds_from_seconds(Stream::kPeriod * static_cast<double>(stream_.rows.size()));
    if (due_ns > stamp_ns) break;
    const auto share = static_cast<double>(due_ns - last_ns_) / static_cast<double>(stamp_ns - last_ns_);
    std::vector<double>& row = stream_.rows.emplace_back(q.size());
    for (std::size_t j = 0; j < q.size(); ++j) row[j] = std::lerp(last_[j], q[j], share);
  }
  last_.assign(q.begin(), q.end());
  last_ns_ = stamp_ns;
}

Stream StreamRecorder::end() {
  is_recording_ = false;
  // since the last row it may have gone on: it ends where it was seen last
  if (!last_.empty() && !is_full() && last_ != stream_.rows.back()) stream_.rows.push_back(last_);
  last_.clear();
  stream_.first = 0;
  stream_.last = stream_.rows.empty() ? 0 : stream_.rows.size() - 1;
  return std::exchange(stream_, {});
}

}  // namespace sinew

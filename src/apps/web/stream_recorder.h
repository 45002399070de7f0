// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/web/stream.h"

namespace sinew {

/// Puts where the joints are, seen whenever somebody looks, into rows that are Stream::kPeriod apart. One
/// thread.
class StreamRecorder {
 public:
  bool is_recording() const { return is_recording_; }
  /// True when no more fits; what is there can be kept.
  bool is_full() const { return stream_.rows.size() >= most_rows_of(stream_.joints.size()); }
  const Stream& stream() const { return stream_; }

  /// `about`: its name, who records, when, and the joints.
  void begin(Stream about);
  /// `stamp_ns`: robot time, when the joints were at `q` [rad, m]. Ends it when the robot's time goes back.
  void take(std::int64_t stamp_ns, std::span<const double> q);
  /// What was recorded; as long as it is.
  Stream end();

 private:
  Stream stream_;
  bool is_recording_ = false;
  std::int64_t first_ns_ = 0;
  std::int64_t last_ns_ = 0;
  std::vector<double> last_;  // empty: none has come yet
};

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinew {

/// How far a motion has come at any time up to the end of what has been sent of it: the time of the motion as
/// planned, piece by piece. One thread; allocates.
class PlayProgress {
 public:
  /// Nothing of it is played before `start_ns`.
  void begin(std::int64_t start_ns) { marks_.assign(1, {.at_ns = start_ns}); }
  /// At `at_ns` it will have come to `nominal` [s]. In the order of time.
  void add(std::int64_t at_ns, double nominal) { marks_.push_back({.at_ns = at_ns, .nominal = nominal}); }
  /// Forgets what comes after `at_ns`: it was taken back.
  void cut(std::int64_t at_ns);
  /// Forgets what is not needed for times from `now_ns` on.
  void forget_before(std::int64_t now_ns);

  /// Time of the motion as planned [s]; beyond the ends as there.
  double nominal_at(std::int64_t now_ns) const;
  /// The pieces that end after `now_ns`.
  std::size_t pieces_after(std::int64_t now_ns) const;

 private:
  struct Mark {
    std::int64_t at_ns = 0;
    double nominal = 0.0;
  };
  std::vector<Mark> marks_;  // the begin, then the end of each piece
};

}  // namespace sinew

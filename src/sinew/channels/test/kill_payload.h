// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include <fmt/format.h>

#include "sinew/channels/sinew_channel.h"

namespace sinew::channels {

/// A message of changing size that proves itself: who, how many before, and a sum over all of it.
struct KillPayload {
  static constexpr std::size_t kMostWords = 1200;

  std::uint64_t writer = 0;   ///< One number per life of a writer process.
  std::uint64_t counter = 0;  ///< 1, 2, 3, … for each writer.
  std::uint64_t words = 0;    ///< Of `filler` in use.
  std::uint64_t sum = 0;
  std::array<std::uint64_t, kMostWords> filler{};

  std::size_t size() const { return 32 + 8 * static_cast<std::size_t>(words); }

  std::uint64_t sum_of_all() const {
    std::uint64_t total = writer * 31 + counter * 17 + words;
    for (std::size_t i = 0; i < words; ++i) total = (total << 1 | total >> 63) ^ filler[i];
    return total;
  }

  void fill() {
    words = (counter * 37 + writer) % kMostWords;
    for (std::size_t i = 0; i < words; ++i) filler[i] = (counter << 20) + writer + i;
    sum = sum_of_all();
  }
};

/// Checks everything that a reader of these messages can know.
class FrameChecker {
 public:
  /// Empty, or what is wrong.
  std::string complaint_about(const KillPayload& payload, const sinew_frame& frame) {
    if (frame.size < 32 || payload.words > KillPayload::kMostWords || payload.size() != frame.size)
      return fmt::format("frame {} has {} bytes and claims {} words", frame.sequence, frame.size,
                         payload.words);
    if (payload.sum != payload.sum_of_all()) return fmt::format("frame {} is torn", frame.sequence);
    if (frame.stamp_ns < stamp_ns_)
      return fmt::format("frame {} is stamped before its predecessor", frame.sequence);
    if (seen_ != 0 && frame.sequence <= seen_)
      return fmt::format("frame {} came after {}", frame.sequence, seen_);
    if (seen_ != 0 && frame.missed != frame.sequence - seen_ - 1)
      return fmt::format("frame {} after {} says {} missed", frame.sequence, seen_, frame.missed);
    missed_ += frame.missed;
    seen_ = frame.sequence;
    stamp_ns_ = frame.stamp_ns;
    return complaint_about_writer(payload, frame);
  }

 private:
  struct Known {
    std::uint64_t counter = 0;
    std::uint64_t missed = 0;
  };

  // a gap in one writer's counter must be explained by frames that this reader has missed since
  std::string complaint_about_writer(const KillPayload& payload, const sinew_frame& frame) {
    const auto [known, is_new] = writers_.try_emplace(payload.writer);
    const Known before = known->second;
    known->second = {.counter = payload.counter, .missed = missed_};
    if (is_new) return "";
    if (payload.counter <= before.counter)
      return fmt::format("frame {}: writer {} goes back from {} to {}", frame.sequence, payload.writer,
                         before.counter, payload.counter);
    if (payload.counter - before.counter - 1 > missed_ - before.missed)
      return fmt::format("frame {}: writer {} lost messages between {} and {}", frame.sequence,
                         payload.writer, before.counter, payload.counter);
    return "";
  }

  std::uint64_t seen_ = 0;
  std::uint64_t missed_ = 0;
  std::int64_t stamp_ns_ = 0;
  std::map<std::uint64_t, Known> writers_;
};

}  // namespace sinew::channels

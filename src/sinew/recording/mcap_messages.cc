// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>
#include <utility>

#include "sinew/recording/mcap_reader.h"

namespace sinew::recording {
namespace {

// Chunks of one time that are held in memory at once; a file with more is read a little out of order.
constexpr std::size_t kMostLoaded = 64;

}  // namespace

McapMessages::McapMessages(const McapReader& reader, std::set<std::uint16_t> channels)
    : reader_(reader), channels_(std::move(channels)), order_(reader.contents().places.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  const auto& places = reader.contents().places;
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return places[a].start_ns < places[b].start_ns; });
}

void McapMessages::load_next_place() {
  const std::size_t order = order_[next_place_++];
  auto bytes = reader_.load(reader_.contents().places[order]);
  if (!bytes) {
    problems_.push_back(bytes.error().message);
    return;
  }
  Loaded loaded{.bytes = *std::move(bytes), .order = order};
  loaded.messages = messages_of(loaded.bytes);
  if (!channels_.empty())
    std::erase_if(loaded.messages, [&](const McapMessage& m) { return !channels_.contains(m.channel_id); });
  std::stable_sort(loaded.messages.begin(), loaded.messages.end(),
                   [](const McapMessage& a, const McapMessage& b) { return a.log_ns < b.log_ns; });
  if (!loaded.messages.empty()) loaded_.push_back(std::move(loaded));
}

McapMessages::Loaded* McapMessages::earliest() {
  const auto found = std::min_element(loaded_.begin(), loaded_.end(), [](const Loaded& a, const Loaded& b) {
    return std::pair(a.first().log_ns, a.order) < std::pair(b.first().log_ns, b.order);
  });
  return found == loaded_.end() ? nullptr : &*found;
}

std::optional<McapMessage> McapMessages::next() {
  std::erase_if(loaded_, [](const Loaded& l) { return l.position == l.messages.size(); });
  Loaded* from = earliest();
  while (
      next_place_ < order_.size() && loaded_.size() < kMostLoaded &&
      (from == nullptr || reader_.contents().places[order_[next_place_]].start_ns <= from->first().log_ns)) {
    load_next_place();
    from = earliest();
  }
  if (from == nullptr) return std::nullopt;
  return from->messages[from->position++];
}

}  // namespace sinew::recording

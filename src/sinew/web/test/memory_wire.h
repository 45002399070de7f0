// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sinew/web/wire.h"

namespace sinew::web {

/// A connection without a network: tests put in what the client sends, and look at what it is sent.
class MemoryWire : public Wire {
 public:
  void read(std::span<char> room, Then then) override {
    room_ = room;
    read_then_ = std::move(then);
  }
  void write(std::string_view bytes, Then then) override {
    writing_ = bytes;
    write_then_ = std::move(then);
  }
  void finish(Then then) override { read_then_ = std::move(then); }
  void close() override { is_closed_ = true; }
  void close_after(std::int64_t) override {}
  void keep_short() override {}
  bool is_secure() const override { return false; }
  const WirePeer& peer() const override { return peer_; }

  /// Hands over bytes as the client sends them, as many at a time as there is room for, or `piece`.
  void client_sends(std::string_view bytes, std::size_t piece = 4096) {
    while (!bytes.empty() && read_then_ && !is_closed_) {
      const std::size_t size = std::min({bytes.size(), piece, room_.size()});
      std::copy_n(bytes.begin(), size, room_.begin());
      bytes.remove_prefix(size);
      std::exchange(read_then_, nullptr)(true, size);
    }
    settle();
  }
  /// The client takes what is being sent to it; false: nothing is.
  bool client_takes() {
    if (!write_then_ || is_closed_) return false;
    taken_ += writing_;
    std::exchange(write_then_, nullptr)(true, writing_.size());
    settle();
    return true;
  }
  /// What is under way on a closed wire ends, as it does on a real one; also what a lost connection does.
  void settle() {
    if (!is_closed_) return;
    if (read_then_) std::exchange(read_then_, nullptr)(false, 0);
    if (write_then_) std::exchange(write_then_, nullptr)(false, 0);
  }
  void lose() {
    is_closed_ = true;
    settle();
  }

  bool is_closed() const { return is_closed_; }
  bool is_writing() const { return write_then_ != nullptr; }
  const std::string& taken() const { return taken_; }

 private:
  std::span<char> room_;
  std::string_view writing_;
  Then read_then_;
  Then write_then_;
  std::string taken_;
  bool is_closed_ = false;
  WirePeer peer_{.address = "127.0.0.1"};
};

}  // namespace sinew::web

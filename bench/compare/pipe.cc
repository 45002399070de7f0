// SPDX-License-Identifier: BSD-3-Clause
// What a shell would do: one pipe for each reader. First in, first out; a slow reader holds the writer up.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "compare/transport.h"

namespace sinew::bench {
namespace {

class Pipe final : public Transport {
 public:
  ~Pipe() override { Pipe::clean_up(); }
  std::string_view name() const override { return "pipe"; }

  Status prepare(const Cell& cell) override {
    clean_up();
    for (int i = 0; i < cell.readers; ++i) {
      std::array<int, 2> ends{};
      if (pipe2(ends.data(), O_CLOEXEC) != 0) return Error{ErrorCode::SystemFailure, "pipe: no descriptors"};
      read_ends_.push_back(ends[0]);
      write_ends_.push_back(ends[1]);
    }
    return Done{};
  }

  void clean_up() override {
    for (const int end : read_ends_) ::close(end);
    for (const int end : write_ends_) ::close(end);
    read_ends_.clear();
    write_ends_.clear();
  }

  Status open_publisher(const Cell&) override { return Done{}; }

  Status open_subscriber(const Cell& cell, int reader) override {
    read_end_ = read_ends_[static_cast<std::size_t>(reader)];
    if (cell.mode == WaitMode::Spin) fcntl(read_end_, F_SETFL, O_NONBLOCK);
    return Done{};
  }

  void send(std::span<const std::byte> message) override {
    for (const int end : write_ends_) {
      for (std::size_t done = 0; done < message.size();) {
        const ssize_t count = write(end, message.data() + done, message.size() - done);
        if (count > 0) done += static_cast<std::size_t>(count);
      }
    }
  }

  bool receive_blocking(std::span<std::byte> message) override { return receive_spinning(message); }

  // a large message arrives in parts; what is there stays until the rest has come
  bool receive_spinning(std::span<std::byte> message) override {
    while (filled_ < message.size()) {
      const ssize_t count = read(read_end_, message.data() + filled_, message.size() - filled_);
      if (count <= 0) return false;
      filled_ += static_cast<std::size_t>(count);
    }
    filled_ = 0;
    return true;
  }

 private:
  std::vector<int> read_ends_;
  std::vector<int> write_ends_;
  int read_end_ = -1;
  std::size_t filled_ = 0;  ///< Bytes of the message that have come [bytes].
};

}  // namespace

std::unique_ptr<Transport> make_pipe() {
  return std::make_unique<Pipe>();
}

}  // namespace sinew::bench

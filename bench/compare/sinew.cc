// SPDX-License-Identifier: BSD-3-Clause
// Our channels as any program uses them: the C interface, default depth and places for writers.
#include <unistd.h>

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "sinew/channels/place_name.h"
#include "sinew_channel.h"

#include "compare/transport.h"

namespace sinew::bench {
namespace {

constexpr const char* kName = "latency";

Error refusal(const sinew_error& error) {
  return {ErrorCode::SystemFailure, fmt::format("sinew: {}", error.text)};
}

class Sinew final : public Transport {
 public:
  ~Sinew() override { Sinew::clean_up(); }
  std::string_view name() const override { return "sinew"; }

  Status prepare(const Cell& cell) override {
    clean_up();
    space_ = fmt::format("bench-{}", getpid());
    const sinew_options options = options_for(cell);
    sinew_error error;
    if (sinew_create(&options, &error) != SINEW_OK) return refusal(error);
    return Done{};
  }

  void clean_up() override {
    if (space_.empty()) return;
    sinew_remove(space_.c_str(), kName, nullptr);
    if (const auto folder = channels::space_folder(space_)) rmdir(folder->c_str());
    space_.clear();
  }

  Status open_publisher(const Cell& cell) override {
    const sinew_options options = options_for(cell);
    sinew_error error;
    writer_ = sinew_writer_open(&options, &error);
    if (writer_ == nullptr) return refusal(error);
    return Done{};
  }

  Status open_subscriber(const Cell& cell, int) override {
    const sinew_options options = options_for(cell);
    sinew_error error;
    reader_ = sinew_reader_open(&options, SINEW_START_NOW, &error);
    if (reader_ == nullptr) return refusal(error);
    return Done{};
  }

  void send(std::span<const std::byte> message) override {
    sinew_put(writer_, message.data(), message.size(), nullptr);
  }

  bool receive_blocking(std::span<std::byte> message) override {
    if (sinew_wait(reader_, INT64_MAX) != SINEW_OK) return false;
    return sinew_read_newest(reader_, message.data(), message.size(), nullptr) == SINEW_OK;
  }

  bool receive_spinning(std::span<std::byte> message) override {
    return sinew_read_fresh(reader_, message.data(), message.size(), nullptr) == SINEW_OK;
  }

  void close() override {
    sinew_writer_close(writer_);
    sinew_reader_close(reader_);
  }

 private:
  sinew_options options_for(const Cell& cell) const {
    sinew_options options;
    sinew_options_init(&options);
    options.space = space_.c_str();
    options.name = kName;
    options.capacity = cell.size;
    return options;
  }

  std::string space_;
  sinew_writer* writer_ = nullptr;
  sinew_reader* reader_ = nullptr;
};

}  // namespace

std::unique_ptr<Transport> make_sinew() {
  return std::make_unique<Sinew>();
}

}  // namespace sinew::bench

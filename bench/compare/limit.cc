// SPDX-License-Identifier: BSD-3-Clause
// The least that a newest-first channel between processes can do without tearing: one writer, a ring of
// slots, each with a sequence word around it, and a futex to sleep on. No names, no rights, no second writer,
// no stamps, no recovery. What it takes is what everything else is measured against.
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <cstring>

#include "compare/transport.h"

namespace sinew::bench {
namespace {

constexpr std::uint32_t kSlots = 16;

struct LimitHeader {
  alignas(128) std::atomic<std::uint32_t> newest;  ///< Number of the newest message; readers sleep on it.
};

struct alignas(64) LimitSlot {
  std::atomic<std::uint32_t> sequence;  ///< Number of the message here; 0 while it is written.
  std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }
};

class Limit final : public Transport {
 public:
  ~Limit() override { Limit::clean_up(); }
  std::string_view name() const override { return "limit"; }

  Status prepare(const Cell& cell) override {
    clean_up();
    stride_ = sizeof(LimitSlot) + (cell.size + 63) / 64 * 64;
    wakes_ = cell.mode == WaitMode::Block;
    length_ = sizeof(LimitHeader) + kSlots * stride_;
    void* memory = mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return Error{ErrorCode::SystemFailure, "limit: no shared memory"};
    memory_ = static_cast<std::byte*>(memory);
    return Done{};
  }

  void clean_up() override {
    if (memory_ != nullptr) munmap(memory_, length_);
    memory_ = nullptr;
  }

  Status open_publisher(const Cell&) override { return Done{}; }
  Status open_subscriber(const Cell&, int) override { return Done{}; }

  void send(std::span<const std::byte> message) override {
    const std::uint32_t number = newest().load(std::memory_order_relaxed) + 1;
    LimitSlot& slot = slot_of(number);
    slot.sequence.store(0, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    std::memcpy(slot.payload(), message.data(), message.size());
    slot.sequence.store(number, std::memory_order_release);
    newest().store(number, std::memory_order_release);
    if (wakes_) syscall(SYS_futex, &newest(), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }

  bool receive_blocking(std::span<std::byte> message) override {
    while (!receive_spinning(message)) {
      if (syscall(SYS_futex, &newest(), FUTEX_WAIT, seen_, nullptr, nullptr, 0) != 0 && errno == EINTR)
        return false;
    }
    return true;
  }

  bool receive_spinning(std::span<std::byte> message) override {
    while (true) {
      const std::uint32_t number = newest().load(std::memory_order_acquire);
      if (number == seen_) return false;
      LimitSlot& slot = slot_of(number);
      if (slot.sequence.load(std::memory_order_acquire) != number) continue;
      std::memcpy(message.data(), slot.payload(), message.size());
      std::atomic_thread_fence(std::memory_order_acquire);
      if (slot.sequence.load(std::memory_order_relaxed) != number) continue;
      seen_ = number;
      return true;
    }
  }

 private:
  std::atomic<std::uint32_t>& newest() { return reinterpret_cast<LimitHeader*>(memory_)->newest; }
  LimitSlot& slot_of(std::uint32_t number) {
    return *reinterpret_cast<LimitSlot*>(memory_ + sizeof(LimitHeader) + number % kSlots * stride_);
  }

  std::byte* memory_ = nullptr;
  std::size_t length_ = 0;
  std::size_t stride_ = 0;
  bool wakes_ = true;
  std::uint32_t seen_ = 0;
};

}  // namespace

std::unique_ptr<Transport> make_limit() {
  return std::make_unique<Limit>();
}

}  // namespace sinew::bench

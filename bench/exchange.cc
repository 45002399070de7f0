// SPDX-License-Identifier: BSD-3-Clause
#include "exchange.h"

#include <time.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/time.h"

namespace sinew::bench {
namespace {

constexpr std::uint64_t kWarmUp = 10;  // messages that every reader must have had
constexpr std::int64_t kWarmUpLimit_ns = 10 * kSecond_ns;
constexpr std::int64_t kBurstGap_ns = 5 * kMicrosecond_ns;

// What a message begins with; its last eight bytes are the sequence once more.
struct MessageHead {
  std::uint64_t sequence;
  std::int64_t stamp_ns;
};

std::vector<std::byte> make_message(std::uint32_t size) {
  return std::vector<std::byte>(size, std::byte{0x5a});
}

std::uint64_t tail_of(std::span<const std::byte> message) {
  std::uint64_t tail = 0;
  std::memcpy(&tail, message.data() + message.size() - sizeof tail, sizeof tail);
  return tail;
}

// Stamps and sends numbered messages.
class Sender {
 public:
  Sender(Transport& transport, std::uint32_t size) : transport_(transport), message_(make_message(size)) {}

  std::uint64_t next() const { return head_.sequence + 1; }

  /// Answers the stamp, taken just before the send.
  std::int64_t send() {
    ++head_.sequence;
    std::memcpy(message_.data() + message_.size() - sizeof head_.sequence, &head_.sequence,
                sizeof head_.sequence);
    head_.stamp_ns = monotonic_now_ns();
    std::memcpy(message_.data(), &head_, sizeof head_);
    transport_.send(message_);
    return head_.stamp_ns;
  }

 private:
  Transport& transport_;
  std::vector<std::byte> message_;
  MessageHead head_{};
};

void sleep_until(std::int64_t time_ns) {
  const timespec time{static_cast<time_t>(time_ns / kSecond_ns), static_cast<long>(time_ns % kSecond_ns)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

bool is_heard_by_all(const Exchange& exchange, int readers) {
  return std::all_of(exchange.readers.begin(), exchange.readers.begin() + readers,
                     [](const ReaderRecord& record) { return record.received.load() >= kWarmUp; });
}

bool warm_up(Sender& sender, int readers, const Exchange& exchange) {
  const std::int64_t deadline_ns = monotonic_now_ns() + kWarmUpLimit_ns;
  while (!is_heard_by_all(exchange, readers)) {
    const std::int64_t sent_ns = sender.send();
    if (exchange.is_over || sent_ns > deadline_ns) return false;
    sleep_until(sent_ns + kMillisecond_ns);
  }
  return true;
}

void send_at_rate(Sender& sender, const RunPlan& plan, Exchange& exchange, std::int64_t end_ns) {
  const std::int64_t period_ns = kSecond_ns / plan.cell.rate_hz;
  std::int64_t next_ns = monotonic_now_ns();
  while (next_ns < end_ns && !exchange.is_over.load(std::memory_order_relaxed)) {
    next_ns += period_ns;
    sleep_until(next_ns);
    for (int i = 0; i < plan.burst; ++i) {
      const std::int64_t sent_ns = sender.send();
      const std::int64_t done_ns = monotonic_now_ns();
      exchange.sends.add(done_ns - sent_ns);
      while (i + 1 < plan.burst && monotonic_now_ns() < done_ns + kBurstGap_ns) continue;
    }
    // after a gap of the machine, no burst to catch up
    next_ns = std::max(next_ns, monotonic_now_ns() - period_ns);
  }
}

void send_flat_out(Sender& sender, const Exchange& exchange, std::int64_t end_ns) {
  while (sender.send() < end_ns && !exchange.is_over.load(std::memory_order_relaxed)) continue;
}

}  // namespace

void Exchange::complain(std::string_view why) {
  if (has_complaint.exchange(true)) return;
  why.copy(complaint.data(), complaint.size() - 1);
}

std::string Exchange::complaint_text() const {
  return has_complaint ? complaint.data() : "one of its processes ended early";
}

bool publish(Transport& transport, const RunPlan& plan, Exchange& exchange) {
  Sender sender(transport, plan.cell.size);
  if (!warm_up(sender, plan.cell.readers, exchange)) {
    exchange.complain("not every reader heard the writer within 10 s");
    return false;
  }
  const std::uint64_t first = sender.next();
  exchange.first_measured = first;
  const std::int64_t start_ns = monotonic_now_ns();
  const std::int64_t end_ns = start_ns + nanoseconds_from_seconds(plan.seconds);
  if (plan.cell.rate_hz > 0) {
    send_at_rate(sender, plan, exchange, end_ns);
  } else {
    send_flat_out(sender, exchange, end_ns);
  }
  exchange.duration_ns = monotonic_now_ns() - start_ns;
  exchange.sent = sender.next() - first;
  return true;
}

void receive(Transport& transport, const Cell& cell, Exchange& exchange, int reader) {
  ReaderRecord& record = exchange.readers[static_cast<std::size_t>(reader)];
  std::vector<std::byte> message = make_message(cell.size);
  const bool is_blocking = cell.mode == WaitMode::Block;
  while (!exchange.is_over.load(std::memory_order_relaxed)) {
    if (!(is_blocking ? transport.receive_blocking(message) : transport.receive_spinning(message))) continue;
    const std::int64_t now_ns = monotonic_now_ns();
    MessageHead head;
    std::memcpy(&head, message.data(), sizeof head);
    if (head.sequence != tail_of(message)) ++record.torn;
    if (head.sequence >= exchange.first_measured.load(std::memory_order_relaxed))
      record.latency.add(now_ns - head.stamp_ns);
    record.received.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace sinew::bench

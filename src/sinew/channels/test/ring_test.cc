// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/ring.h"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/channels/test/shared_ring.h"

namespace sinew::channels {
namespace {

using Random = std::mt19937_64;

template <class Number>
Number pick(Random& random, Number below) {
  return static_cast<Number>(random() % below);
}

// What a ring has to do, in the plainest way: it remembers everything.
struct PlainMessage {
  std::vector<char> bytes;
  std::int64_t stamp_ns = 0;
  std::uint32_t writer = 0;
};

class PlainRing {
 public:
  explicit PlainRing(std::uint32_t depth) : depth_(depth) {}

  void put(PlainMessage message) {
    if (!all_.empty()) message.stamp_ns = std::max(message.stamp_ns, all_.back().stamp_ns);
    all_.push_back(std::move(message));
  }
  std::uint64_t newest() const { return all_.size(); }
  std::uint64_t oldest() const { return all_.size() > depth_ ? all_.size() - depth_ + 1 : 1; }
  const PlainMessage& at(std::uint64_t sequence) const {
    return all_[static_cast<std::size_t>(sequence - 1)];
  }
  ReadOutcome outcome_of(std::uint64_t sequence) const {
    if (sequence > newest()) return ReadOutcome::NotYet;
    return sequence < oldest() ? ReadOutcome::Gone : ReadOutcome::Ok;
  }

 private:
  std::uint32_t depth_;
  std::vector<PlainMessage> all_;
};

// A ring, the plain one beside it, and what must hold between the two.
class ComparedRings {
 public:
  ComparedRings(const Layout& layout, Random& random)
      : random_(random),
        ring_(layout),
        reader_(ring_.memory()),
        plain_(layout.depth),
        capacity_(layout.capacity) {
    for (std::uint32_t i = 0; i < layout.writers; ++i) writers_.emplace_back(ring_.memory(), i, 100 + i);
  }

  void put() {
    PlainMessage message;
    message.bytes.resize(1 + pick(random_, std::size_t{capacity_}));
    for (char& byte : message.bytes) byte = static_cast<char>(random_());
    message.writer = static_cast<std::uint32_t>(pick(random_, writers_.size()));
    // clocks that lag and jump back
    message.stamp_ns = static_cast<std::int64_t>(10 * plain_.newest() + pick(random_, 100));
    const std::uint64_t sequence = writers_[message.writer].put(message.bytes.data(), message.bytes.size(),
                                                                {.monotonic_ns = message.stamp_ns});
    plain_.put(std::move(message));
    ASSERT_EQ(sequence, plain_.newest());
  }

  void reopen_a_writer() {
    const auto place = static_cast<std::uint32_t>(pick(random_, writers_.size()));
    writers_[place] = RingWriter(ring_.memory(), place, 100 + place);
  }

  void read_newest() {
    const ReadOutcome outcome = reader_.read_newest(buffer_, sizeof buffer_, frame_);
    expect(plain_.newest() == 0 ? ReadOutcome::NotYet : ReadOutcome::Ok, outcome, plain_.newest());
  }

  void read_sequence() {
    const std::uint64_t wanted = pick(random_, plain_.newest() + 3);
    expect(plain_.outcome_of(wanted), reader_.read_sequence(wanted, buffer_, sizeof buffer_, frame_), wanted);
  }

  void read_after() {
    const std::uint64_t seen = pick(random_, plain_.newest() + 2);
    const std::uint64_t wanted = std::max(seen + 1, plain_.oldest());
    expect(wanted > plain_.newest() ? ReadOutcome::NotYet : ReadOutcome::Ok,
           reader_.read_after(seen, buffer_, sizeof buffer_, frame_), wanted);
  }

  void read_at() {
    const auto stamp_ns = static_cast<std::int64_t>(pick(random_, 10 * plain_.newest() + 150));
    std::uint64_t wanted = plain_.newest();
    while (wanted >= plain_.oldest() && plain_.at(wanted).stamp_ns > stamp_ns) --wanted;
    const ReadOutcome expected = plain_.newest() == 0       ? ReadOutcome::NotYet
                                 : wanted < plain_.oldest() ? ReadOutcome::Gone
                                                            : ReadOutcome::Ok;
    expect(expected, reader_.read_at(stamp_ns, buffer_, sizeof buffer_, frame_), wanted);
  }

  void read_into_too_little() {
    if (plain_.newest() == 0) return;
    const PlainMessage& newest = plain_.at(plain_.newest());
    ASSERT_EQ(reader_.read_newest(buffer_, newest.bytes.size() - 1, frame_), ReadOutcome::TooSmall);
    ASSERT_EQ(frame_.size, newest.bytes.size());
  }

 private:
  void expect(ReadOutcome expected, ReadOutcome outcome, std::uint64_t sequence) {
    ASSERT_EQ(outcome, expected) << "message " << sequence << " of " << plain_.newest();
    if (outcome != ReadOutcome::Ok) return;
    const PlainMessage& message = plain_.at(sequence);
    ASSERT_EQ(frame_.sequence, sequence);
    ASSERT_EQ(frame_.stamp_ns, message.stamp_ns);
    ASSERT_EQ(frame_.writer, message.writer);
    ASSERT_EQ(frame_.sender_pid, 100 + message.writer);
    ASSERT_EQ(std::vector<char>(buffer_, buffer_ + frame_.size), message.bytes);
  }

  Random& random_;
  SharedRing ring_;
  RingReader reader_;
  PlainRing plain_;
  std::uint32_t capacity_;
  std::vector<RingWriter> writers_;
  char buffer_[256]{};
  RingFrame frame_;
};

TEST(RingTest, AgreesWithAPlainModelWhateverIsDone) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Layout layout{.depth = 1U << pick(random, 4),
                        .writers = 1 + static_cast<std::uint32_t>(pick(random, 4)),
                        .capacity = 1 + static_cast<std::uint32_t>(pick(random, 100))};
    ComparedRings rings(layout, random);
    using Action = void (ComparedRings::*)();
    constexpr Action kActions[] = {&ComparedRings::put,
                                   &ComparedRings::put,
                                   &ComparedRings::put,
                                   &ComparedRings::read_newest,
                                   &ComparedRings::read_after,
                                   &ComparedRings::read_sequence,
                                   &ComparedRings::read_at,
                                   &ComparedRings::read_into_too_little,
                                   &ComparedRings::reopen_a_writer};
    for (int step = 0; step < 600 && !::testing::Test::HasFatalFailure(); ++step)
      (rings.*kActions[pick(random, std::size(kActions))])();
  }
}

// the newest message must stay readable in every way while its successor is published but not announced
TEST(RingTest, NewestIsReadableByEveryWayWhenItsSuccessorsWriterStopsBeforeAnnouncing) {
  for (const std::uint32_t depth : {1U, 2U, 4U}) {
    SharedRing ring({.depth = depth, .writers = 2, .capacity = sizeof(Uniform)});
    RingWriter first(ring.memory(), 0, 1);
    RingWriter second(ring.memory(), 1, 2);
    const RingReader reader(ring.memory());
    for (std::uint64_t n = 1; n <= 9; ++n) {
      const Uniform payload(n);
      first.put(&payload, sizeof payload, {});
    }
    const Uniform last(10);
    second.put(&last, sizeof last, {}, [&](PutStep step) {
      if (step != PutStep::Indexed) return;
      Uniform found;
      RingFrame frame;
      EXPECT_EQ(reader.read_newest(&found, sizeof found, frame), ReadOutcome::Ok) << "depth " << depth;
      EXPECT_EQ(frame.sequence, 9U);
      EXPECT_EQ(reader.read_after(8, &found, sizeof found, frame), ReadOutcome::Ok) << "depth " << depth;
      EXPECT_EQ(frame.sequence, 9U);
      EXPECT_EQ(reader.read_sequence(9, &found, sizeof found, frame), ReadOutcome::Ok) << "depth " << depth;
      EXPECT_EQ(reader.read_at(0, &found, sizeof found, frame), ReadOutcome::Ok) << "depth " << depth;
      EXPECT_EQ(frame.sequence, 9U);
    });
  }
}

TEST(RingTest, SpoiledWordsMakeAPutFailInsteadOfLoopingForEver) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    SharedRing ring({.depth = 4, .writers = 2, .capacity = sizeof(Uniform)});
    const RingMemory& memory = ring.memory();
    const auto any_word = [&] {
      return pick(random, 2) == 0 ? pack(pick(random, 12), static_cast<std::uint32_t>(pick(random, 12)))
                                  : random();
    };
    memory.header().head = any_word();
    for (std::uint64_t i = 0; i < 4; ++i) memory.index(i) = any_word();
    RingWriter writer(memory, static_cast<std::uint32_t>(pick(random, 2)), 1);
    const RingReader reader(memory);
    Uniform payload(seed);
    RingFrame frame;
    for (int i = 0; i < 8; ++i) {
      writer.put(&payload, sizeof payload, {});
      reader.read_newest(&payload, sizeof payload, frame);
      reader.read_after(pick(random, 12), &payload, sizeof payload, frame);
      reader.read_at(0, &payload, sizeof payload, frame);
    }
  }
}

}  // namespace
}  // namespace sinew::channels

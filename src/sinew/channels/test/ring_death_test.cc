// SPDX-License-Identifier: BSD-3-Clause
// A writer that dies or is stopped at each step of a put, and what the others see of it.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include <gtest/gtest.h>

#include "sinew/channels/process_key.h"
#include "sinew/channels/ring.h"
#include "sinew/channels/test/shared_ring.h"
#include "sinew/channels/writer_place.h"

namespace sinew::channels {
namespace {

constexpr std::uint32_t kVictimsPid = 77;
constexpr std::uint64_t kVictimsMark = 1'000'000;
constexpr PutStep kSteps[] = {PutStep::SlotMarked, PutStep::HalfCopied, PutStep::Copied,
                              PutStep::Numbered,   PutStep::Indexed,    PutStep::Published};

bool is_published_at(PutStep step) {
  return step == PutStep::Indexed || step == PutStep::Published;
}

// Reads everything once, in order, and checks that it is whole and without a gap but for what was
// overwritten.
class OrderlyReader {
 public:
  explicit OrderlyReader(const RingMemory& memory) : reader_(memory) {}

  void read_all() {
    Uniform payload;
    RingFrame frame;
    while (reader_.read_after(seen_, &payload, sizeof payload, frame) == ReadOutcome::Ok) {
      ASSERT_TRUE(payload.is_whole()) << "message " << frame.sequence << " is torn";
      ASSERT_GT(frame.sequence, seen_);
      ASSERT_GE(frame.stamp_ns, stamp_ns_);
      seen_ = frame.sequence;
      stamp_ns_ = frame.stamp_ns;
      if (payload.value() >= kVictimsMark) from_victim.push_back(payload.value());
    }
  }
  std::uint64_t seen() const { return seen_; }

  std::vector<std::uint64_t> from_victim;

 private:
  RingReader reader_;
  std::uint64_t seen_ = 0;
  std::int64_t stamp_ns_ = 0;
};

struct DeathCase {
  std::uint32_t depth = 2;
  PutStep step = PutStep::SlotMarked;
  int puts_before = 0;  ///< Messages that the victim gets through before.
};

std::vector<DeathCase> all_cases() {
  std::vector<DeathCase> cases;
  for (const std::uint32_t depth : {1U, 2U, 4U}) {
    for (const PutStep step : kSteps) {
      for (const int puts_before : {0, 1, 3, 6}) cases.push_back({depth, step, puts_before});
    }
  }
  return cases;
}

std::string text_of(const DeathCase& c) {
  return "depth " + std::to_string(c.depth) + ", step " + std::to_string(static_cast<int>(c.step)) +
         ", after " + std::to_string(c.puts_before) + " puts";
}

// The victim takes place 1, puts, and calls `at_step` in the middle of its last put.
template <class AtStep>
void be_the_victim(const RingMemory& memory, const DeathCase& c, AtStep at_step) {
  const auto place = claim_place(memory, own_process_key(), "victim");
  if (!place || *place != 1) _exit(2);
  RingWriter writer(memory, *place, kVictimsPid);
  for (int i = 0; i < c.puts_before; ++i) {
    const Uniform payload(kVictimsMark + static_cast<std::uint64_t>(i));
    writer.put(&payload, sizeof payload, {});
  }
  const Uniform payload(kVictimsMark + static_cast<std::uint64_t>(c.puts_before));
  bool is_past = false;  // a number that somebody else was faster to take is tried for again
  writer.put(&payload, sizeof payload, {}, [&](PutStep step) {
    if (step != c.step || is_past) return;
    is_past = true;
    at_step();
  });
}

void put_many(RingWriter& writer, int count, OrderlyReader& reader) {
  for (int i = 0; i < count && !::testing::Test::HasFatalFailure(); ++i) {
    const Uniform payload(static_cast<std::uint64_t>(i));
    ASSERT_NE(writer.put(&payload, sizeof payload, {}), 0U);
    reader.read_all();
  }
}

TEST(RingDeathTest, SurvivorsSeeNothingTornAndNoGapWhereverTheWriterDies) {
  for (const DeathCase& c : all_cases()) {
    SCOPED_TRACE(text_of(c));
    SharedRing ring({.depth = c.depth, .writers = 2, .capacity = sizeof(Uniform)});
    const RingMemory& memory = ring.memory();
    ASSERT_EQ(*claim_place(memory, own_process_key(), "survivor"), 0U);
    RingWriter survivor(memory, 0, 1);
    OrderlyReader reader(memory);
    put_many(survivor, 3, reader);

    const pid_t child = fork();
    if (child == 0) {
      be_the_victim(memory, c, [] { _exit(3); });
      _exit(4);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(WEXITSTATUS(status), 3);

    const auto published = static_cast<std::uint64_t>(c.puts_before) + (is_published_at(c.step) ? 1 : 0);
    const Uniform next(1);
    ASSERT_EQ(survivor.put(&next, sizeof next, {}), 3 + published + 1) << "a gap, or a lost message";
    reader.read_all();
    EXPECT_EQ(reader.seen(), 3 + published + 1);

    // the dead writer's place serves its successor from the first message on
    const auto place = claim_place(memory, own_process_key(), "successor");
    ASSERT_TRUE(place) << place.error().message;
    ASSERT_EQ(*place, 1U);
    RingWriter successor(memory, *place, 1);
    for (int i = 0; i < 5; ++i) {
      put_many(successor, 3, reader);
      put_many(survivor, 1, reader);
    }
    EXPECT_EQ(reader.seen(), 3 + published + 1 + 20);
  }
}

TEST(RingDeathTest, NewestStaysReadableWhileASuccessorBegins) {
  for (const DeathCase& c : all_cases()) {
    SCOPED_TRACE(text_of(c));
    SharedRing ring({.depth = c.depth, .writers = 2, .capacity = sizeof(Uniform)});
    const RingMemory& memory = ring.memory();
    ASSERT_EQ(*claim_place(memory, own_process_key(), "survivor"), 0U);
    const pid_t child = fork();
    if (child == 0) {
      be_the_victim(memory, c, [] { _exit(3); });
      _exit(4);
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);

    RingWriter successor(memory, 1, 1);
    const RingReader reader(memory);
    const Uniform next(1);
    successor.put(&next, sizeof next, {}, [&](PutStep step) {
      Uniform found;
      RingFrame frame;
      const bool is_any = c.puts_before > 0 || is_published_at(c.step) || step == PutStep::Published;
      EXPECT_EQ(reader.read_newest(&found, sizeof found, frame),
                is_any ? ReadOutcome::Ok : ReadOutcome::NotYet)
          << "successor at step " << static_cast<int>(step);
    });
  }
}

TEST(RingDeathTest, StoppedWriterSpoilsNothingWhenItGoesOnAfterTheRingHasWrapped) {
  for (const DeathCase& c : all_cases()) {
    SCOPED_TRACE(text_of(c));
    SharedRing ring({.depth = c.depth, .writers = 2, .capacity = sizeof(Uniform)});
    const RingMemory& memory = ring.memory();
    ASSERT_EQ(*claim_place(memory, own_process_key(), "survivor"), 0U);
    RingWriter survivor(memory, 0, 1);
    OrderlyReader reader(memory);
    put_many(survivor, 3, reader);

    const pid_t child = fork();
    if (child == 0) {
      be_the_victim(memory, c, [] { kill(getpid(), SIGSTOP); });
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
    ASSERT_TRUE(WIFSTOPPED(status));
    reader.read_all();

    const auto refused = claim_place(memory, own_process_key(), "thief");
    EXPECT_FALSE(refused) << "a stopped writer's place was taken";
    put_many(survivor, static_cast<int>(5 * c.depth), reader);
    kill(child, SIGCONT);
    // goes on while the other writer puts
    while (waitpid(child, &status, WNOHANG) == 0) put_many(survivor, 1, reader);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_EQ(WEXITSTATUS(status), 0);

    const auto all = static_cast<std::uint64_t>(c.puts_before) + 1;
    put_many(survivor, 1, reader);
    for (std::size_t i = 1; i < reader.from_victim.size(); ++i)
      EXPECT_GT(reader.from_victim[i], reader.from_victim[i - 1]);
    EXPECT_LE(reader.from_victim.size(), all);
  }
}

}  // namespace
}  // namespace sinew::channels

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/writer_place.h"

#include <unistd.h>

#include <ctime>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"

namespace sinew::channels {
namespace {

// how long somebody who came too late may take to leave again
constexpr int kMostLooks = 50;
constexpr unsigned kBetweenLooks_us = 1000;

std::string time_words(std::int64_t wall_ns) {
  const auto seconds = static_cast<std::time_t>(wall_ns / kSecond_ns);
  std::tm parts{};
  char text[32] = "";
  if (localtime_r(&seconds, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  return text;
}

bool try_take(WriterPlace& place, ProcessKey expected, ProcessKey self, std::string_view name) {
  if (!place.owner.compare_exchange_strong(expected, self, std::memory_order_seq_cst)) return false;
  place.puts.store(0, std::memory_order_relaxed);
  place.since_wall_ns = wall_now_ns();
  set_text(place.name, name);
  return true;
}

Result<std::uint32_t> take_any_place(const RingMemory& memory, ProcessKey self, std::string_view name) {
  std::string holders;
  // free places first: asking whether an owner lives costs system calls
  for (const bool also_of_the_dead : {false, true}) {
    for (std::uint32_t i = 0; i < memory.layout.writers; ++i) {
      WriterPlace& place = memory.place(i);
      const ProcessKey owner = place.owner.load(std::memory_order_acquire);
      const bool is_free = owner == 0 || (also_of_the_dead && life_of(owner) == Life::Dead);
      if (is_free && try_take(place, owner, self, name)) return i;
      if (also_of_the_dead && i < 8)
        holders += fmt::format("{}{} (pid {})", i > 0 ? ", " : "", text_of(place.name), pid_of(owner));
    }
  }
  return Error{
      ErrorCode::Full,
      fmt::format(
          "all {} places for writers are taken: {}{}; end one of them, or make the channel with more places",
          memory.layout.writers, holders, memory.layout.writers > 8 ? ", …" : "")};
}

// The place of somebody else who lives, or may; none when there is nobody.
std::optional<std::uint32_t> other_writer(const RingMemory& memory, std::uint32_t own_place) {
  for (std::uint32_t i = 0; i < memory.layout.writers; ++i) {
    const ProcessKey owner = memory.place(i).owner.load(std::memory_order_seq_cst);
    if (i != own_place && owner != 0 && life_of(owner) != Life::Dead) return i;
  }
  return std::nullopt;
}

// Who it is, since when, and what to do: pid and program are what the remedy takes.
std::string words_about(const RingMemory& memory, ProcessKey key) {
  const std::uint32_t pid = pid_of(key);
  std::string words = fmt::format("pid {}", pid);
  for (std::uint32_t i = 0; i < memory.layout.writers; ++i) {
    const WriterPlace& place = memory.place(i);
    if (place.owner.load(std::memory_order_acquire) != key) continue;
    words = fmt::format("{} (pid {}, program {}, since {})", text_of(place.name), pid, program_name(pid),
                        time_words(place.since_wall_ns));
    break;
  }
  const bool is_known = life_of(key) == Life::Alive;
  return words + (is_known ? fmt::format(" lives; end it first, with 'sinew stop' or 'kill {}'", pid)
                           : " may live, where this process cannot look; end it there, or remove the channel "
                             "with 'sinew channel rm' if it is dead");
}

Error refuse_beside(const RingMemory& memory, ProcessKey key) {
  return {ErrorCode::Full, fmt::format("it has one writer at a time, and {}", words_about(memory, key))};
}

// The right to write alone: a word that changes hands in one step, from nobody or from the dead.
Status take_alone(const RingMemory& memory, ProcessKey self) {
  AtomicU64& sole = memory.header().sole_writer;
  while (true) {
    ProcessKey holder = sole.load(std::memory_order_seq_cst);
    if (holder != 0 && life_of(holder) != Life::Dead) return refuse_beside(memory, holder);
    if (sole.compare_exchange_strong(holder, self, std::memory_order_seq_cst)) return Done{};
  }
}

void give_up_alone(const RingMemory& memory, ProcessKey self) {
  ProcessKey expected = self;
  memory.header().sole_writer.compare_exchange_strong(expected, 0, std::memory_order_seq_cst);
}

// Others who are there already stay; those who come now see the word and leave.
Status await_solitude(const RingMemory& memory, std::uint32_t own_place) {
  auto other = other_writer(memory, own_place);
  for (int i = 0; other && i < kMostLooks; ++i) {
    usleep(kBetweenLooks_us);
    other = other_writer(memory, own_place);
  }
  if (!other) return Done{};
  return refuse_beside(memory, memory.place(*other).owner.load(std::memory_order_acquire));
}

Result<std::uint32_t> claim_alone(const RingMemory& memory, ProcessKey self, std::string_view name) {
  if (Status taken = take_alone(memory, self); !taken) return taken.error();
  const auto place = take_any_place(memory, self, name);
  if (!place) {
    give_up_alone(memory, self);
    return place;
  }
  const Status alone = await_solitude(memory, *place);
  if (alone) return place;
  release_place(memory, *place, self);
  return alone.error();
}

}  // namespace

Result<std::uint32_t> claim_place(const RingMemory& memory, ProcessKey self, std::string_view name,
                                  Company company) {
  if (company == Company::None) return claim_alone(memory, self, name);
  const auto place = take_any_place(memory, self, name);
  if (!place) return place;
  // looked at after the place was taken: whoever came to write alone meanwhile sees us, or we see him
  const ProcessKey holder = memory.header().sole_writer.load(std::memory_order_seq_cst);
  if (holder == 0 || life_of(holder) == Life::Dead) return place;
  WriterPlace& taken = memory.place(*place);
  ProcessKey expected = self;
  taken.owner.compare_exchange_strong(expected, 0, std::memory_order_seq_cst);
  return refuse_beside(memory, holder);
}

void release_place(const RingMemory& memory, std::uint32_t place, ProcessKey self) {
  const bool was_sole = is_sole(memory, place);
  ProcessKey expected = self;
  // the place first: who writes alone next must not find us in it
  if (memory.place(place).owner.compare_exchange_strong(expected, 0, std::memory_order_seq_cst) && was_sole)
    give_up_alone(memory, self);
}

bool is_sole(const RingMemory& memory, std::uint32_t place) {
  const ProcessKey sole = memory.header().sole_writer.load(std::memory_order_acquire);
  return sole != 0 && sole == memory.place(place).owner.load(std::memory_order_acquire);
}

}  // namespace sinew::channels

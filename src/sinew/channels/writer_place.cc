// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/writer_place.h"

#include <string>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"

namespace sinew::channels {
namespace {

bool try_take(WriterPlace& place, ProcessKey expected, ProcessKey self, std::string_view name) {
  if (!place.owner.compare_exchange_strong(expected, self, std::memory_order_acq_rel)) return false;
  place.puts.store(0, std::memory_order_relaxed);
  place.since_wall_ns = wall_now_ns();
  set_text(place.name, name);
  return true;
}

}  // namespace

Result<std::uint32_t> claim_place(const RingMemory& memory, ProcessKey self, std::string_view name) {
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

void release_place(const RingMemory& memory, std::uint32_t place, ProcessKey self) {
  ProcessKey expected = self;
  memory.place(place).owner.compare_exchange_strong(expected, 0, std::memory_order_acq_rel);
}

}  // namespace sinew::channels

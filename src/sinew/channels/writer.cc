// SPDX-License-Identifier: BSD-3-Clause
// The writing half of sinew_channel.h.
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "sinew/base/time.h"
#include "sinew/channels/c_api.h"
#include "sinew/channels/fork_mark.h"
#include "sinew/channels/futex.h"
#include "sinew/channels/process_key.h"
#include "sinew/channels/ring.h"
#include "sinew/channels/writer_place.h"

using sinew::Result;
using sinew::channels::Access;
using sinew::channels::ChannelFile;
using sinew::channels::ChannelOptions;
using sinew::channels::ForkMark;
using sinew::channels::ProcessKey;
using sinew::channels::RingMemory;
using sinew::channels::RingWriter;

struct sinew_writer {
  ChannelFile file;
  RingWriter ring;
  ForkMark fork_mark;
  std::string name;
  ProcessKey self = 0;
  std::uint32_t place = 0;
  std::uint64_t puts = 0;
};

namespace {

// Touches every page of the place's slots, so that no put has to wait for memory.
void fault_in_slots(const RingMemory& memory, std::uint32_t place) {
  const std::uint32_t first = place * memory.layout.slots_per_writer();
  std::byte* start = reinterpret_cast<std::byte*>(&memory.slot(first));
  const std::uint64_t size = memory.layout.slots_per_writer() * memory.layout.slot_stride();
  for (std::uint64_t offset = 0; offset < size; offset += 4096) {
    // adding zero writes the page and changes nothing, also under the eyes of a reader
    reinterpret_cast<sinew::channels::AtomicU64*>(start + offset)->fetch_add(0, std::memory_order_relaxed);
  }
}

int take_place(sinew_writer& writer, sinew_error* error) {
  const RingMemory& memory = writer.file.memory();
  writer.self = sinew::channels::own_process_key();
  const auto pid = static_cast<std::uint32_t>(getpid());
  const auto place = sinew::channels::claim_place(
      memory, writer.self, writer.name.empty() ? sinew::channels::process_name(pid) : writer.name);
  if (!place) return sinew::channels::report(place.error(), error);
  writer.place = *place;
  writer.puts = 0;
  writer.ring = RingWriter(memory, *place, pid);
  fault_in_slots(memory, *place);
  writer.fork_mark.set();
  return SINEW_OK;
}

}  // namespace

sinew_writer* sinew_writer_open(const sinew_options* options, sinew_error* error) {
  const ChannelOptions wanted = sinew::channels::options_from(*options);
  auto file = ChannelFile::open(wanted, Access::Write);
  if (!file) {
    sinew::channels::report(file.error(), error);
    return nullptr;
  }
  auto writer = std::make_unique<sinew_writer>();
  writer->file = *std::move(file);
  writer->name = wanted.sender;
  if (take_place(*writer, error) != SINEW_OK) return nullptr;
  if (error != nullptr) *error = {};
  return writer.release();
}

void sinew_writer_close(sinew_writer* writer) {
  if (writer == nullptr) return;
  // a forked child leaves its parent's place alone
  if (!writer->fork_mark.is_forked())
    sinew::channels::release_place(writer->file.memory(), writer->place, writer->self);
  delete writer;
}

int sinew_put(sinew_writer* writer, const void* data, size_t size, uint64_t* sequence) {
  const RingMemory& memory = writer->file.memory();
  if (size > memory.layout.capacity) return SINEW_TOO_LARGE;
  if (size == 0) return SINEW_INVALID;
  if (memory.header().removed.load(std::memory_order_relaxed) != 0) return SINEW_REMOVED;
  if (writer->fork_mark.is_forked()) {
    if (const int status = take_place(*writer, nullptr); status != SINEW_OK) return status;
  }
  writer->ring.fill(data, size);
  const sinew::channels::Stamps stamps{.monotonic_ns = sinew::monotonic_now_ns(),
                                       .wall_ns = sinew::wall_now_ns()};
  const std::uint64_t number = writer->ring.publish(stamps);
  if (number == 0) return SINEW_DAMAGED;
  sinew::channels::wake_all(memory.header().head);
  memory.place(writer->place).puts.store(++writer->puts, std::memory_order_relaxed);
  if (sequence != nullptr) *sequence = number;
  return SINEW_OK;
}

void sinew_describe_writer(const sinew_writer* writer, sinew_description* description) {
  sinew::channels::describe(writer->file, *description);
}

const char* sinew_writer_schema(const sinew_writer* writer) {
  return writer->file.memory().schema();
}

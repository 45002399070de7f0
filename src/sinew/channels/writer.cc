// SPDX-License-Identifier: BSD-3-Clause
// The writing half of sinew_channel.h.
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/channels/c_api.h"
#include "sinew/channels/fork_count.h"
#include "sinew/channels/futex.h"
#include "sinew/channels/process_key.h"
#include "sinew/channels/ring.h"
#include "sinew/channels/writer_place.h"

using sinew::Error;
using sinew::ErrorCode;
using sinew::Status;
using sinew::channels::Access;
using sinew::channels::ChannelFile;
using sinew::channels::ChannelOptions;
using sinew::channels::Company;
using sinew::channels::ProcessKey;
using sinew::channels::RingMemory;
using sinew::channels::RingWriter;

namespace {

constexpr std::int64_t kBetweenComparisons_ns = 100 * sinew::kMillisecond_ns;

}  // namespace

struct sinew_writer {
  ChannelFile file;
  RingWriter ring;
  std::string name;
  ProcessKey self = 0;
  Company company = Company::Any;
  std::uint32_t place = 0;
  std::uint64_t puts = 0;
  std::uint64_t forks = 0;  ///< fork_count() when the place was taken.

  std::int64_t wall_ahead_ns = 0;                      ///< Of the monotonic clock.
  std::int64_t compared_ns = -kBetweenComparisons_ns;  ///< When that was last measured.

  // reading one clock instead of two shortens every put; a wall clock that was set shows within a tenth of a
  // second
  void compare_clocks(std::int64_t now_ns) {
    if (now_ns - compared_ns < kBetweenComparisons_ns) return;
    wall_ahead_ns = sinew::wall_now_ns() - sinew::monotonic_now_ns();
    compared_ns = now_ns;
  }

  bool is_inherited() const { return forks != sinew::channels::fork_count(); }
};

namespace {

// The bytes of the place's slots, from the start of the file.
struct Span {
  std::uint64_t start = 0;
  std::uint64_t size = 0;
};
Span slots_of(const RingMemory& memory, std::uint32_t place) {
  const std::uint64_t size = memory.layout.slots_per_writer() * memory.layout.slot_stride();
  return {.start = memory.layout.slots_offset() + place * size, .size = size};
}

// Gets memory for the place's slots, or the reason why there is none. Without this, writing to a full
// /dev/shm would end the process by a signal.
Status reserve_slots(const ChannelFile& file, std::uint32_t place) {
  const Span slots = slots_of(file.memory(), place);
  const int reason =
      posix_fallocate(file.descriptor(), static_cast<off_t>(slots.start), static_cast<off_t>(slots.size));
  if (reason == 0) return sinew::Done{};
  return Error{
      ErrorCode::SystemFailure,
      fmt::format("no memory for the {} bytes of a writer's place in {}: {}; remove channels, make this one "
                  "with a smaller depth or capacity, or enlarge /dev/shm",
                  slots.size, file.path(), std::strerror(reason))};
}

// Touches every page of the place's slots, so that no put has to wait for memory.
void fault_in_slots(const RingMemory& memory, std::uint32_t place) {
  const Span slots = slots_of(memory, place);
  for (std::uint64_t offset = slots.start / 4096 * 4096; offset < slots.start + slots.size; offset += 4096) {
    // adding zero writes the page and changes nothing, also under the eyes of others
    reinterpret_cast<sinew::channels::AtomicU64*>(memory.start + offset)
        ->fetch_add(0, std::memory_order_relaxed);
  }
}

int take_place(sinew_writer& writer, sinew_error* error) {
  const RingMemory& memory = writer.file.memory();
  writer.self = sinew::channels::own_process_key();
  const auto pid = static_cast<std::uint32_t>(getpid());
  const auto place = sinew::channels::claim_place(
      memory, writer.self, writer.name.empty() ? sinew::channels::process_name(pid) : writer.name,
      writer.company);
  if (!place) {
    return sinew::channels::report(
        Error{place.error().code,
              fmt::format("{} cannot be opened to put: {}", writer.file.path(), place.error().message)},
        error);
  }
  if (const Status reserved = reserve_slots(writer.file, *place); !reserved) {
    sinew::channels::release_place(memory, *place, writer.self);
    return sinew::channels::report(reserved.error(), error);
  }
  writer.place = *place;
  writer.puts = 0;
  writer.ring = RingWriter(memory, *place, pid);
  fault_in_slots(memory, *place);
  writer.forks = sinew::channels::fork_count();
  writer.compare_clocks(sinew::monotonic_now_ns());
  return SINEW_OK;
}

sinew_writer* open_writer(const sinew_options* options, Company company, sinew_error* error) {
  const ChannelOptions wanted = sinew::channels::options_from(*options);
  auto file = ChannelFile::open(wanted, Access::Write);
  if (!file) {
    sinew::channels::report(file.error(), error);
    return nullptr;
  }
  auto writer = std::make_unique<sinew_writer>();
  writer->file = *std::move(file);
  writer->name = wanted.sender;
  writer->company = company;
  if (take_place(*writer, error) != SINEW_OK) return nullptr;
  if (error != nullptr) *error = {};
  return writer.release();
}

}  // namespace

sinew_writer* sinew_writer_open(const sinew_options* options, sinew_error* error) {
  return open_writer(options, Company::Any, error);
}

sinew_writer* sinew_writer_open_alone(const sinew_options* options, sinew_error* error) {
  return open_writer(options, Company::None, error);
}

void sinew_writer_close(sinew_writer* writer) {
  if (writer == nullptr) return;
  // a forked child leaves its parent's place alone
  if (!writer->is_inherited())
    sinew::channels::release_place(writer->file.memory(), writer->place, writer->self);
  delete writer;
}

int sinew_put(sinew_writer* writer, const void* data, size_t size, uint64_t* sequence) {
  const RingMemory& memory = writer->file.memory();
  if (size > memory.layout.capacity) return SINEW_TOO_LARGE;
  if (size == 0) return SINEW_INVALID;
  if (memory.header().removed.load(std::memory_order_relaxed) != 0) return SINEW_REMOVED;
  if (writer->is_inherited()) {
    if (const int status = take_place(*writer, nullptr); status != SINEW_OK) return status;
  }
  writer->ring.fill(data, size);
  const std::int64_t now_ns = sinew::monotonic_now_ns();
  const std::uint64_t number =
      writer->ring.publish({.monotonic_ns = now_ns, .wall_ns = now_ns + writer->wall_ahead_ns});
  if (number == 0) return SINEW_DAMAGED;
  sinew::channels::wake_all(memory.header().head);
  writer->compare_clocks(now_ns);
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

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/untyped_channel.h"

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "sinew/base/time.h"

namespace sinew::cli {
namespace {

std::atomic<bool> stop_flag{false};

void note_stop(int) {
  stop_flag.store(true);
}

}  // namespace

Result<UntypedReader> UntypedReader::open(const std::string& space, const std::string& name,
                                          sinew_start start) {
  sinew_options options{};
  options.space = space.c_str();
  options.name = name.c_str();
  sinew_error error{};
  UntypedReader reader;
  reader.handle_.reset(sinew_reader_open(&options, start, &error));
  if (reader.handle_ == nullptr) return error_from(error);
  sinew_describe_reader(reader.handle(), &reader.description_);
  reader.buffer_.resize(reader.description_.capacity);
  if (reader.description_.schema_hash != 0) {
    auto schema = parse_schema(sinew_reader_schema(reader.handle()));
    if (!schema) return schema.error();
    reader.schema_ = *std::move(schema);
  }
  return reader;
}

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = note_stop;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool stop_requested() {
  return stop_flag.load();
}

Result<bool> wait_for_message(const UntypedReader& reader, std::int64_t deadline_ns) {
  // a signal between the look at the flag and the wait wakes nobody: none lasts long
  constexpr std::int64_t kLongestWait_ns = kSecond_ns / 10;
  while (!stop_requested()) {
    const std::int64_t look_ns = std::min(deadline_ns, monotonic_now_ns() + kLongestWait_ns);
    const int status = sinew_wait(reader.handle(), look_ns);
    if (status == SINEW_OK) return true;
    if (status == SINEW_TIMED_OUT && look_ns == deadline_ns) return false;
    if (status != SINEW_INTERRUPTED && status != SINEW_TIMED_OUT)
      return error_from_status(status, "waiting for a message");
  }
  return false;
}

}  // namespace sinew::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/channels/sinew_channel.h"
#include "sinew/messages/message_schema.h"

namespace sinew {

/// Which channel, and what it is to be when it has to be made. Zeros stand for the defaults of
/// sinew_channel.h.
struct ChannelPlace {
  std::string name;               ///< Such as "mds/state".
  std::string space = "default";  ///< The system it belongs to.
  std::string sender;             ///< Who opens it, for people to see; empty: the program's name.
  std::uint32_t depth = 0;        ///< Messages kept.
  std::uint32_t mode = 0;         ///< Rights of its file.
  std::uint32_t writers = 0;      ///< Places for writers; each takes memory for the whole depth.
  bool may_create = true;
  /// For writers: nobody else who lives may write, now or while this one is open.
  bool is_alone = false;
};

/// A message and what goes with it.
template <class Message>
struct Frame {
  Message message;
  sinew_frame info;  ///< Sequence, stamps, sender, and the exact number missed.
};

/// Turns what C reports into an Error.
Error error_from(const sinew_error& error);
Error error_from_status(int status, std::string_view doing);

namespace channels {

struct CloseWriter {
  void operator()(sinew_writer* writer) const noexcept { sinew_writer_close(writer); }
};
struct CloseReader {
  void operator()(sinew_reader* reader) const noexcept { sinew_reader_close(reader); }
};

/// Options for the C interface; `place` and `schema` must outlive them.
sinew_options options_for(const ChannelPlace& place, const MessageSchema& schema);

}  // namespace channels

/// Puts messages of one type on a channel. One thread. put() may run in the control cycle.
template <class Message>
class Writer {
  static_assert(std::is_trivially_copyable_v<Message>);

 public:
  static Result<Writer> open(const ChannelPlace& place) {
    const sinew_options options = channels::options_for(place, SchemaOf<Message>::kSchema);
    sinew_error error{};
    sinew_writer* handle =
        place.is_alone ? sinew_writer_open_alone(&options, &error) : sinew_writer_open(&options, &error);
    if (handle == nullptr) return error_from(error);
    return Writer(handle);
  }

  /// Answers a sinew_status: SINEW_OK, or why the message was not put.
  [[nodiscard]] int put(const Message& message, std::uint64_t* sequence = nullptr) SINEW_REALTIME {
    return sinew_put(handle_.get(), &message, sizeof message, sequence);
  }

  /// Puts only the first `size` bytes of `message`, which must not be more than there are.
  [[nodiscard]] int put_first(std::size_t size, const Message& message) SINEW_REALTIME {
    return sinew_put(handle_.get(), &message, size, nullptr);
  }

 private:
  explicit Writer(sinew_writer* handle) : handle_(handle) {}
  std::unique_ptr<sinew_writer, channels::CloseWriter> handle_;
};

/// Reads messages of one type from a channel. One thread. All but open() and wait() may run in the control
/// cycle; each read answers a sinew_status and fills `frame` when that is SINEW_OK. A message of another size
/// is SINEW_MISMATCH, and counts as seen.
template <class Message>
class Reader {
  static_assert(std::is_trivially_copyable_v<Message>);

 public:
  static Result<Reader> open(const ChannelPlace& place, sinew_start start = SINEW_START_NEWEST) {
    const sinew_options options = channels::options_for(place, SchemaOf<Message>::kSchema);
    sinew_error error{};
    sinew_reader* handle = sinew_reader_open(&options, start, &error);
    if (handle == nullptr) return error_from(error);
    return Reader(handle);
  }

  /// The newest message, seen before or not.
  [[nodiscard]] int read_newest(Frame<Message>& frame) SINEW_REALTIME {
    return whole(sinew_read_newest(handle_.get(), &frame.message, sizeof frame.message, &frame.info), frame);
  }

  /// The newest message if it has not been seen.
  [[nodiscard]] int read_fresh(Frame<Message>& frame) SINEW_REALTIME {
    return whole(sinew_read_fresh(handle_.get(), &frame.message, sizeof frame.message, &frame.info), frame);
  }

  /// The oldest message that has not been seen.
  [[nodiscard]] int read_next(Frame<Message>& frame) SINEW_REALTIME {
    return whole(sinew_read_next(handle_.get(), &frame.message, sizeof frame.message, &frame.info), frame);
  }

  [[nodiscard]] int read_sequence(std::uint64_t sequence, Frame<Message>& frame) SINEW_REALTIME {
    return whole(
        sinew_read_sequence(handle_.get(), sequence, &frame.message, sizeof frame.message, &frame.info),
        frame);
  }

  /// The last message put at or before `stamp_ns`.
  [[nodiscard]] int read_at(std::int64_t stamp_ns, Frame<Message>& frame) SINEW_REALTIME {
    return whole(sinew_read_at(handle_.get(), stamp_ns, &frame.message, sizeof frame.message, &frame.info),
                 frame);
  }

  /// Waits for an unseen message until `deadline_ns` (monotonic).
  [[nodiscard]] int wait(std::int64_t deadline_ns) noexcept { return sinew_wait(handle_.get(), deadline_ns); }

  /// A descriptor for poll(), readable while there are unseen messages; see sinew_reader_fd().
  int descriptor() { return sinew_reader_fd(handle_.get()); }

 private:
  explicit Reader(sinew_reader* handle) : handle_(handle) {}
  // what a message that is too short leaves of the buffer would be of an earlier one
  static int whole(int status, const Frame<Message>& frame) SINEW_REALTIME {
    return status == SINEW_OK && frame.info.size != sizeof(Message) ? SINEW_MISMATCH : status;
  }
  std::unique_ptr<sinew_reader, channels::CloseReader> handle_;
};

}  // namespace sinew

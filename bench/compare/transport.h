// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "sinew/base/result.h"

#include "cell.h"

namespace sinew::bench {

/// A system that carries messages from one writer process to several reader processes.
///
/// The main process calls start(), then for each cell prepare(), forks the writer and the readers, waits for
/// them and calls clean_up(); at the end stop(). A child calls open_publisher() and send(), or
/// open_subscriber() and one of the receive functions, then close(), on its own copy of the object. Each
/// process has one thread that calls.
class Transport {
 public:
  virtual ~Transport() = default;

  /// As in the table and in `--systems`.
  virtual std::string_view name() const = 0;

  /// Brings up what all cells share. A refusal leaves the system out.
  virtual Status start() { return Done{}; }
  virtual void stop() {}

  /// Makes what must exist before the processes of a cell are forked.
  virtual Status prepare(const Cell& cell) = 0;
  virtual void clean_up() {}

  virtual Status open_publisher(const Cell& cell) = 0;

  /// Sends the whole of `message` to every reader.
  virtual void send(std::span<const std::byte> message) = 0;

  /// `reader` counts from 0.
  virtual Status open_subscriber(const Cell& cell, int reader) = 0;

  /// Waits for a message that this reader has not had, the newest where the system knows such a thing, and
  /// copies all of it. False when a signal or some tens of milliseconds without a message ended the wait.
  virtual bool receive_blocking(std::span<std::byte> message) = 0;

  /// The same without waiting. False when there is nothing new.
  virtual bool receive_spinning(std::span<std::byte> message) = 0;

  /// Whether receive_blocking() comes back by itself after a while, and no signal need end it.
  virtual bool looks_up_by_itself() const { return false; }

  /// Ends a child's part.
  virtual void close() {}
};

/// The yardstick: a ring of seqlocks and a futex, and nothing else.
std::unique_ptr<Transport> make_limit();

/// Our channels, through their C interface.
std::unique_ptr<Transport> make_sinew();

/// One pipe for each reader.
std::unique_ptr<Transport> make_pipe();

/// Null when iceoryx was not there at build time.
std::unique_ptr<Transport> make_iceoryx();

/// Null when Cyclone DDS was not there at build time.
std::unique_ptr<Transport> make_cyclonedds();

}  // namespace sinew::bench

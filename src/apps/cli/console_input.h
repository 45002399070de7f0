// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <termios.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "apps/cli/typed_ahead.h"

namespace sinew::cli {

/// Stdin of the console, read also while a command waits. One thread, one at a time.
class ConsoleInput {
 public:
  enum class From {
    Nowhere,    ///< Nothing is read.
    Terminal,   ///< Keys, while somebody listens; lines come from elsewhere.
    Pipe,       ///< Lines, as they come: `stop` counts before what was sent before it.
    File,       ///< Lines in their order; nothing is read ahead.
    OthersPipe  ///< Belongs to whoever started this program: only a `stop` that comes next is taken from it.
  };

  /// What stdin is, for a console that takes its commands from it, or one that has a command already.
  static From stdin_kind(bool takes_commands);

  explicit ConsoleInput(From from);
  ~ConsoleInput();
  ConsoleInput(const ConsoleInput&) = delete;
  ConsoleInput& operator=(const ConsoleInput&) = delete;

  /// While it lives, keys are read as they are pressed.
  class Listening {
   public:
    explicit Listening(ConsoleInput& input);
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

   private:
    ConsoleInput& input_;
    termios before_{};
  };

  /// Whether somebody wants a stop: looks at what has come, and never waits. What is typed is shown.
  bool asks_to_stop();

  /// The next line of a pipe or a file, waited for; nothing at its end.
  std::optional<std::string> next_line();
  /// What was typed ahead at a terminal: a whole line, and what has been begun.
  std::optional<std::string> typed_line() { return ahead_.next_line(); }
  std::string take_begun() { return ahead_.take_begun(); }
  /// How many commands were dropped by the last stop.
  std::size_t dropped() const { return ahead_.dropped(); }

  /// Whether a person can be asked: a terminal at both ends.
  bool can_ask() const;
  /// Waits for a line of the terminal: whether it begins with y. Ctrl-C is a no.
  bool answers_yes();

 private:
  bool take_some();
  bool peek_at_stop();

  From from_;
  TypedAhead ahead_;
  bool is_listening_ = false;
  bool has_ended_ = false;
  std::array<int, 2> copy_{-1, -1};  // of another's pipe
};

}  // namespace sinew::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <termios.h>

#include <memory>
#include <string>

namespace sinew::cli {

/// While one of these lives, Ctrl-C and a polite kill are noted instead of ending the program. One may
/// live within another.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  bool has_come() const { return which() != 0; }
  /// The signal that came last; 0: none.
  int which() const;
  void forget();

 private:
  struct Before;
  std::unique_ptr<Before> before_;
};

struct TerminalSize {
  int rows = 24;
  int columns = 80;
};

/// Of the terminal on stdout; 24 x 80 when it does not say.
TerminalSize terminal_size();

/// True when a person sits at both ends: stdin and stdout are terminals.
bool is_at_terminal();

/// Keys that have no letter.
inline constexpr int kKeyUp = 256;
inline constexpr int kKeyDown = 257;
inline constexpr int kKeyPageUp = 258;
inline constexpr int kKeyPageDown = 259;

/// Single keys without Enter while it lives, where stdin is a terminal in the foreground.
class Keys {
 public:
  Keys();
  ~Keys();
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  bool is_terminal() const { return is_terminal_; }

  /// The key that was pressed; zero when none was.
  char next() const;

 private:
  bool is_terminal_ = false;
  termios before_{};
};

/// A screen of its own on the terminal, keys as they are pressed. Gives the terminal back as it was, also
/// when the program is ended politely: keep a SignalWatch beside it.
class Screen {
 public:
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// The key pressed within `wait_ms`, or 0.
  int key(int wait_ms);

 private:
  int next_typed();

  std::string typed_;  // not yet answered
  termios before_{};
};

}  // namespace sinew::cli

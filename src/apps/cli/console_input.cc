// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/console_input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apps/cli/terminal.h"

namespace sinew::cli {
namespace {

constexpr std::size_t kReadAtOnce = 4096;

bool has_come(int descriptor) {
  pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&waiting, 1, 0) > 0;
}

// Keys of a terminal in the background belong to others; of one that is not this session's, nobody says so.
bool is_in_foreground() {
  const pid_t group = tcgetpgrp(STDIN_FILENO);
  return isatty(STDIN_FILENO) == 1 && (group < 0 || group == getpgrp());
}

// How many bytes of `text` are a first line that says stop; zero: none.
std::size_t length_of_stop(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end != std::string_view::npos && is_stop_line(text.substr(0, end)) ? end + 1 : 0;
}

}  // namespace

ConsoleInput::From ConsoleInput::stdin_kind(bool takes_commands) {
  struct stat file {};
  if (fstat(STDIN_FILENO, &file) != 0) return From::Nowhere;
  if (isatty(STDIN_FILENO) == 1) return is_at_terminal() || !takes_commands ? From::Terminal : From::File;
  const bool is_pipe = S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode);
  if (takes_commands) return is_pipe ? From::Pipe : From::File;
  return S_ISFIFO(file.st_mode) ? From::OthersPipe : From::Nowhere;
}

ConsoleInput::ConsoleInput(From from) : from_(from), ahead_(from == From::Terminal) {
  if (from == From::OthersPipe && pipe2(copy_.data(), O_NONBLOCK | O_CLOEXEC) != 0) from_ = From::Nowhere;
}

ConsoleInput::~ConsoleInput() {
  for (const int end : copy_)
    if (end >= 0) close(end);
}

ConsoleInput::Listening::Listening(ConsoleInput& input) : input_(input) {
  if (input.from_ != From::Terminal || !is_in_foreground() || tcgetattr(STDIN_FILENO, &before_) != 0) return;
  termios single = before_;
  // shown by us, so that a word can be corrected; Ctrl-C stays a signal
  single.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  single.c_cc[VMIN] = 1;
  single.c_cc[VTIME] = 0;
  input.is_listening_ = tcsetattr(STDIN_FILENO, TCSANOW, &single) == 0;
}

ConsoleInput::Listening::~Listening() {
  if (std::exchange(input_.is_listening_, false)) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

bool ConsoleInput::asks_to_stop() {
  switch (from_) {
    case From::Terminal:
      while (is_listening_ && has_come(STDIN_FILENO) && take_some()) {
      }
      break;
    case From::Pipe:
      while (has_come(STDIN_FILENO) && take_some()) {
      }
      break;
    case From::OthersPipe:
      return peek_at_stop();
    case From::File:
    case From::Nowhere:
      return false;
  }
  return ahead_.take_stop();
}

// False at the end of what comes.
bool ConsoleInput::take_some() {
  std::array<char, kReadAtOnce> bytes{};
  const ssize_t count = has_ended_ ? 0 : read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) {
    has_ended_ = true;
    return false;
  }
  ahead_.take({bytes.data(), static_cast<std::size_t>(count)});
  const std::string echo = ahead_.take_echo();
  if (is_listening_ && !echo.empty()) {
    fmt::print("{}", echo);
    std::fflush(stdout);
  }
  return true;
}

// A copy of what comes next; it stays where it is, for whoever else reads it, unless it says stop.
bool ConsoleInput::peek_at_stop() {
  std::array<char, kReadAtOnce> bytes{};
  if (has_ended_ || tee(STDIN_FILENO, copy_[1], bytes.size(), SPLICE_F_NONBLOCK) <= 0) return false;
  const ssize_t count = read(copy_[0], bytes.data(), bytes.size());
  if (count <= 0) return false;
  const std::size_t length = length_of_stop({bytes.data(), static_cast<std::size_t>(count)});
  return length > 0 && read(STDIN_FILENO, bytes.data(), length) > 0;
}

std::optional<std::string> ConsoleInput::next_line() {
  while (true) {
    if (auto line = ahead_.next_line()) return line;
    if (from_ == From::Nowhere || has_ended_) break;
    if (!take_some() && has_ended_) break;
  }
  std::string rest = ahead_.take_begun();
  return rest.empty() ? std::nullopt : std::optional(std::move(rest));
}

bool ConsoleInput::answers_yes() {
  const SignalWatch signals;
  std::string line;
  while (!signals.has_come() && !line.ends_with('\n')) {
    char byte = 0;
    const ssize_t count = read(STDIN_FILENO, &byte, 1);
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
    if (count == 1) line += byte;
  }
  return !signals.has_come() && (line[0] == 'y' || line[0] == 'Y');
}

bool ConsoleInput::can_ask() const {
  return from_ == From::Terminal && is_at_terminal() && is_in_foreground();
}

}  // namespace sinew::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/terminal.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string_view>

namespace sinew::cli {
namespace {

constexpr std::array<int, 3> kWatched{SIGINT, SIGTERM, SIGHUP};

std::atomic<int> noted_signal{0};

void note_signal(int signal) {
  noted_signal.store(signal);
}

void say(std::string_view text) {
  static_cast<void>(!write(STDOUT_FILENO, text.data(), text.size()));
}

/// A key without a letter, as a terminal sends it.
struct NamedKey {
  std::string_view bytes;
  int key = 0;
};
constexpr std::array<NamedKey, 4> kNamedKeys{
    {{"\033[A", kKeyUp}, {"\033[B", kKeyDown}, {"\033[5~", kKeyPageUp}, {"\033[6~", kKeyPageDown}}};

}  // namespace

struct SignalWatch::Before {
  std::array<struct sigaction, kWatched.size()> actions{};
};

SignalWatch::SignalWatch() : before_(std::make_unique<Before>()) {
  struct sigaction action {};
  sigaction(kWatched.front(), nullptr, &action);
  // one within another sees what came before it
  if (action.sa_handler != note_signal) forget();
  action = {};
  action.sa_handler = note_signal;
  for (std::size_t i = 0; i < kWatched.size(); ++i) sigaction(kWatched[i], &action, &before_->actions[i]);
}

SignalWatch::~SignalWatch() {
  for (std::size_t i = 0; i < kWatched.size(); ++i) sigaction(kWatched[i], &before_->actions[i], nullptr);
}

int SignalWatch::which() const {
  return noted_signal.load();
}

void SignalWatch::forget() {
  noted_signal.store(0);
}

TerminalSize terminal_size() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return {};
  return {.rows = size.ws_row, .columns = size.ws_col};
}

bool is_at_terminal() {
  return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

Keys::Keys() {
  is_terminal_ = isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp() &&
                 tcgetattr(STDIN_FILENO, &before_) == 0;
  if (!is_terminal_) return;
  termios single = before_;
  single.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  tcsetattr(STDIN_FILENO, TCSANOW, &single);
}

Keys::~Keys() {
  if (is_terminal_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

char Keys::next() const {
  pollfd waiting{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  char key = 0;
  if (!is_terminal_ || poll(&waiting, 1, 0) <= 0 || read(STDIN_FILENO, &key, 1) != 1) return 0;
  return key;
}

Screen::Screen() {
  tcgetattr(STDIN_FILENO, &before_);
  termios raw = before_;
  // keys at once and unseen; Ctrl-C stays a signal
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  // a screen aside, no cursor
  say("\033[?1049h\033[?25l\033[2J");
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
}

Screen::~Screen() {
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
  say("\033[?25h\033[?1049l");
}

int Screen::key(int wait_ms) {
  if (!typed_.empty()) return next_typed();
  pollfd stdin_ready{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (poll(&stdin_ready, 1, wait_ms) <= 0) return 0;
  std::array<char, 64> bytes{};
  const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
  // the terminal is gone
  if (count <= 0) return 'q';
  typed_.assign(bytes.data(), static_cast<std::size_t>(count));
  return next_typed();
}

int Screen::next_typed() {
  for (const NamedKey& named : kNamedKeys) {
    if (!typed_.starts_with(named.bytes)) continue;
    typed_.erase(0, named.bytes.size());
    return named.key;
  }
  const int key = static_cast<unsigned char>(typed_.front());
  typed_.erase(0, 1);
  return key;
}

}  // namespace sinew::cli

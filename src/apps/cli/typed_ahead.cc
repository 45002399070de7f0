// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/typed_ahead.h"

#include <algorithm>
#include <utility>

#include "apps/cli/console_session.h"

namespace sinew::cli {
namespace {

constexpr char kEscapeKey = '\033';
constexpr char kBackspace = '\b';
constexpr char kDelete = '\177';
constexpr char kEraseLine = '\025';  // Ctrl-U

bool is_control(char byte) {
  return static_cast<unsigned char>(byte) < 0x20;
}

}  // namespace

bool is_stop_line(std::string_view line) {
  const auto words = console_words(line);
  return words.size() == 1 && words[0] == "stop";
}

void TypedAhead::take(std::string_view bytes) {
  for (const char byte : bytes) {
    if (skips(byte)) continue;
    if (sees_keys_ && byte == kStopKey && begun_.empty()) {
      has_stop_key_ = true;
    } else if (byte == '\n' || byte == '\r') {
      end_line();
    } else {
      take_key(byte);
    }
  }
}

bool TypedAhead::take_stop() {
  const auto last = std::find_if(lines_.rbegin(), lines_.rend(), is_stop_line);
  const bool has_key = std::exchange(has_stop_key_, false);
  if (!has_key && last == lines_.rend()) return false;
  // after the key nothing more is wanted of what came before it; after the word, what follows it is
  const auto end = has_key ? lines_.end() : last.base();
  dropped_ = static_cast<std::size_t>(end - lines_.begin()) - (has_key ? 0 : 1);
  lines_.erase(lines_.begin(), end);
  return true;
}

// Arrows and their kin, which mean nothing here.
bool TypedAhead::skips(char byte) {
  if (!sees_keys_) return false;
  switch (escape_) {
    case Escape::None:
      if (byte == kEscapeKey) escape_ = Escape::Begun;
      return byte == kEscapeKey;
    case Escape::Begun:
      escape_ = byte == '[' || byte == 'O' ? Escape::Sequence : Escape::None;
      return true;
    case Escape::Sequence:
      if (byte >= '@' && byte <= '~') escape_ = Escape::None;
      return true;
  }
  return true;
}

void TypedAhead::take_key(char byte) {
  if (sees_keys_ && (byte == kBackspace || byte == kDelete)) return rub_out();
  if (sees_keys_ && byte == kEraseLine) {
    while (!begun_.empty()) rub_out();
    return;
  }
  if (sees_keys_ && is_control(byte)) return;
  begun_ += byte;
  echo_ += byte;
}

void TypedAhead::rub_out() {
  if (begun_.empty()) return;
  begun_.pop_back();
  echo_ += "\b \b";
}

void TypedAhead::end_line() {
  std::string line = std::exchange(begun_, {});
  if (console_words(line).empty()) return;
  echo_ += '\n';
  lines_.push_back(std::move(line));
}

std::optional<std::string> TypedAhead::next_line() {
  if (lines_.empty()) return std::nullopt;
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

std::string TypedAhead::take_begun() {
  return std::exchange(begun_, {});
}

std::string TypedAhead::take_echo() {
  return std::exchange(echo_, {});
}

}  // namespace sinew::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/frames.h"

#include <algorithm>

namespace sinew::web {
namespace {

constexpr unsigned kLastBit = 0x80;
constexpr unsigned kReservedBits = 0x70;
constexpr unsigned kKindBits = 0x0F;
constexpr unsigned kMaskBit = 0x80;
constexpr unsigned kLengthBits = 0x7F;
// lengths that say that the length follows, in two or eight bytes
constexpr unsigned kShortFollows = 126;
constexpr unsigned kLongFollows = 127;
constexpr std::size_t kMostControlBytes = 125;
constexpr std::size_t kMaskSize = 4;

bool is_control(FrameKind kind) {
  return static_cast<unsigned>(kind) >= static_cast<unsigned>(FrameKind::Close);
}

bool is_known(unsigned kind) {
  return kind <= static_cast<unsigned>(FrameKind::Binary) ||
         (kind >= static_cast<unsigned>(FrameKind::Close) && kind <= static_cast<unsigned>(FrameKind::Pong));
}

// How many bytes of length follow the second byte.
std::size_t length_size(unsigned second) {
  const unsigned length = second & kLengthBits;
  return length == kShortFollows ? 2 : length == kLongFollows ? 8 : 0;
}

// Whether a client may say so.
bool is_close_code(unsigned code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

}  // namespace

std::string frame_text(FrameKind kind, std::string_view payload) {
  const std::uint64_t size = payload.size();
  std::string text;
  text.reserve(payload.size() + 10);
  text += static_cast<char>(kLastBit | static_cast<unsigned>(kind));
  const std::size_t digits = size < kShortFollows ? 0 : size <= 0xFFFF ? 2 : 8;
  text += static_cast<char>(digits == 0 ? size : digits == 2 ? kShortFollows : kLongFollows);
  for (std::size_t i = digits; i-- > 0;) text += static_cast<char>((size >> (8 * i)) & 0xFFU);
  text += payload;
  return text;
}

std::string close_frame_text(CloseCode code, std::string_view reason) {
  if (code == CloseCode::NothingSaid) return frame_text(FrameKind::Close, {});
  const auto number = static_cast<unsigned>(code);
  std::string payload{static_cast<char>(number >> 8U), static_cast<char>(number & 0xFFU)};
  reason = reason.substr(0, kMostControlBytes - payload.size());
  // not in the middle of a letter
  while (!reason.empty() && !is_utf8(reason)) reason.remove_suffix(1);
  return frame_text(FrameKind::Close, payload.append(reason));
}

std::optional<Incoming> FrameReader::next(std::string_view& bytes) {
  if (is_message_out_) message_.clear();
  is_message_out_ = false;
  if (!head_)
    if (auto wrong = take_head(bytes)) return wrong;
  return head_ ? take_payload(bytes) : std::nullopt;
}

// Takes bytes until the head is whole; only a mistake comes back.
std::optional<Incoming> FrameReader::take_head(std::string_view& bytes) {
  while (!bytes.empty()) {
    head_bytes_.at(head_size_++) = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    const unsigned first = head_bytes_[0];
    const unsigned second = head_bytes_[1];
    if (head_size_ == 1 && (first & kReservedBits) != 0)
      return mistake(CloseCode::Protocol, "a reserved bit is set");
    if (head_size_ == 1 && !is_known(first & kKindBits))
      return mistake(CloseCode::Protocol, "no such kind of frame");
    if (head_size_ == 2 && (second & kMaskBit) == 0)
      return mistake(CloseCode::Protocol, "the frame is not masked");
    if (head_size_ < 2 || head_size_ < 2 + length_size(second) + kMaskSize) continue;
    return check_head();
  }
  return std::nullopt;
}

std::optional<Incoming> FrameReader::check_head() {
  const std::size_t digits = length_size(head_bytes_[1]);
  Head head{.is_last = (head_bytes_[0] & kLastBit) != 0,
            .kind = static_cast<FrameKind>(head_bytes_[0] & kKindBits),
            .left = digits == 0 ? head_bytes_[1] & kLengthBits : 0};
  for (std::size_t i = 0; i < digits; ++i) head.left = (head.left << 8U) | head_bytes_.at(2 + i);
  for (std::size_t i = 0; i < kMaskSize; ++i)
    head.mask.at(i) = static_cast<char>(head_bytes_.at(2 + digits + i));
  head_size_ = 0;
  const std::uint64_t least = digits == 0 ? 0 : digits == 2 ? kShortFollows : 0x10000;
  if (head.left < least || (head.left >> 63U) != 0)
    return mistake(CloseCode::Protocol, "the length is written in a wrong way");
  if (is_control(head.kind)) {
    if (!head.is_last || head.left > kMostControlBytes)
      return mistake(CloseCode::Protocol, "a control frame is whole and short");
    control_.clear();
  } else {
    if ((head.kind == FrameKind::Continuation) != message_kind_.has_value())
      return mistake(CloseCode::Protocol,
                     message_kind_ ? "the message before is not whole" : "there is nothing to continue");
    if (head.left > most_bytes_ - message_.size())
      return mistake(CloseCode::TooBig, "the message is too big");
    if (!message_kind_) message_kind_ = head.kind;
  }
  head_ = head;
  return std::nullopt;
}

std::optional<Incoming> FrameReader::take_payload(std::string_view& bytes) {
  std::string& content = is_control(head_->kind) ? control_ : message_;
  const std::size_t begin = content.size();
  const std::size_t size = std::min<std::uint64_t>(head_->left, bytes.size());
  content.append(bytes.substr(0, size));
  bytes.remove_prefix(size);
  head_->left -= size;
  for (std::size_t i = begin; i < content.size(); ++i)
    content[i] = static_cast<char>(content[i] ^ head_->mask.at(head_->turn++ % kMaskSize));
  if (!is_control(head_->kind) && message_kind_ == FrameKind::Text &&
      !text_.takes(std::string_view(content).substr(begin)))
    return mistake(CloseCode::NotUtf8, "the text is no UTF-8");
  if (head_->left > 0) return std::nullopt;
  return finish();
}

Incoming FrameReader::finish() {
  const Head head = *head_;
  head_.reset();
  if (head.kind == FrameKind::Ping) return {.kind = Incoming::Kind::Ping, .payload = control_};
  if (head.kind == FrameKind::Pong) return {.kind = Incoming::Kind::Pong, .payload = control_};
  if (head.kind == FrameKind::Close) return finish_close();
  return head.is_last ? finish_message() : Incoming{};
}

Incoming FrameReader::finish_message() {
  const FrameKind kind = *message_kind_;
  message_kind_.reset();
  is_message_out_ = true;
  if (kind == FrameKind::Binary) return {.kind = Incoming::Kind::Binary, .payload = message_};
  if (!text_.is_whole()) return mistake(CloseCode::NotUtf8, "the text ends in the middle of a letter");
  return {.kind = Incoming::Kind::Text, .payload = message_};
}

Incoming FrameReader::finish_close() {
  if (control_.empty()) return {.kind = Incoming::Kind::Close, .code = CloseCode::NothingSaid};
  if (control_.size() == 1) return mistake(CloseCode::Protocol, "half of a code is none");
  const unsigned code =
      (static_cast<unsigned char>(control_[0]) << 8U) | static_cast<unsigned char>(control_[1]);
  if (!is_close_code(code)) return mistake(CloseCode::Protocol, "no such code");
  const std::string_view reason = std::string_view(control_).substr(2);
  if (!is_utf8(reason)) return mistake(CloseCode::NotUtf8, "the reason is no UTF-8");
  return {.kind = Incoming::Kind::Close, .payload = reason, .code = static_cast<CloseCode>(code)};
}

Incoming FrameReader::mistake(CloseCode code, std::string_view words) {
  head_.reset();
  return {.kind = Incoming::Kind::Mistake, .payload = words, .code = code};
}

}  // namespace sinew::web

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/web/socket.h"
#include "sinew/web/utf8.h"

namespace sinew::web {

/// The kinds of frames that WebSockets send (RFC 6455, section 5.2).
enum class FrameKind : std::uint8_t {
  Continuation = 0,
  Text = 1,
  Binary = 2,
  Close = 8,
  Ping = 9,
  Pong = 10,
};

/// One unmasked frame that is a whole message, as servers send it.
std::string frame_text(FrameKind kind, std::string_view payload);
/// The frame that ends a socket. A reason that is no UTF-8, or too long for it, is cut or left out.
std::string close_frame_text(CloseCode code, std::string_view reason);

/// What has come whole.
struct Incoming {
  enum class Kind : std::uint8_t {
    Piece,   ///< A frame of a message that is not whole yet, its content kept.
    Text,    ///< A message.
    Binary,  ///< A message.
    Ping,    ///< To be answered with the same payload.
    Pong,
    Close,    ///< `code` and `payload`, the reason.
    Mistake,  ///< Against the rules: nothing may be read after it. `code` and `payload` say which.
  };
  Kind kind = Kind::Piece;
  std::string_view payload;  ///< Until the next call.
  CloseCode code = CloseCode::Normal;
};

/// Reads the frames that clients send, strictly: masked, no reserved bits, lengths in their shortest form,
/// control frames whole and short, text in UTF-8. Holds no more than one message of `most_bytes`.
class FrameReader {
 public:
  explicit FrameReader(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// Takes from the front of `bytes` up to the end of one frame; nothing when the frame goes on after them.
  std::optional<Incoming> next(std::string_view& bytes);

 private:
  struct Head {
    bool is_last = false;
    FrameKind kind = FrameKind::Continuation;
    std::uint64_t left = 0;  ///< Bytes of the payload still to come.
    std::array<char, 4> mask{};
    std::size_t turn = 0;  ///< Which byte of the mask is next.
  };
  std::optional<Incoming> take_head(std::string_view& bytes);
  std::optional<Incoming> check_head();
  std::optional<Incoming> take_payload(std::string_view& bytes);
  Incoming finish();
  Incoming finish_message();
  Incoming finish_close();
  Incoming mistake(CloseCode code, std::string_view words);

  std::size_t most_bytes_;
  std::array<unsigned char, 14> head_bytes_{};
  std::size_t head_size_ = 0;
  std::optional<Head> head_;
  std::string message_;                    // of one or more frames
  std::string control_;                    // of the control frame that may stand between them
  std::optional<FrameKind> message_kind_;  // while a message is not whole
  bool is_message_out_ = false;            // the content of message_ has been told
  Utf8Check text_;
};

}  // namespace sinew::web

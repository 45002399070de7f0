// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/open_socket.h"

#include <utility>

#include "sinew/base/time.h"

namespace sinew::web {

OpenSocket::OpenSocket(std::shared_ptr<Wire> wire, std::string answer, const SocketBounds& bounds,
                       Events events)
    : wire_(std::move(wire)),
      bounds_(bounds),
      events_(std::move(events)),
      reader_(bounds.most_message_bytes),
      rate_(bounds.frames_per_second, bounds.frames_per_second),
      answer_(std::move(answer)),
      heard_ns_(monotonic_now_ns()),
      pinged_ns_(heard_ns_) {}

OpenSocket::~OpenSocket() {
  events_.gone();
}

void OpenSocket::begin(std::string_view already) {
  // looked at by look() from here on
  wire_->close_after(-1);
  wire_->keep_short();
  write();
  take(already);
  read();
}

void OpenSocket::send(SocketMessage message, std::uint32_t stream) {
  if (is_over_) return;
  if (!queue_.push(std::move(message), stream)) return fail(CloseCode::Policy, "too much waits to be read");
  write();
}

void OpenSocket::close(CloseCode code, std::string_view reason) {
  if (is_over_) return;
  farewell_ = close_frame_text(code, reason);
  tell_over(code, "");
  write();
}

void OpenSocket::look(std::int64_t now_ns) {
  if (is_cut_) return;
  if (is_over_ && now_ns - over_since_ns_ > bounds_.farewell_within_ns) return cut("");
  if (is_writing_ && now_ns - writing_since_ns_ > bounds_.take_within_ns) return cut("it does not read");
  if (now_ns - heard_ns_ > bounds_.gone_after_ns) return cut("it is silent");
  if (is_over_ || now_ns - pinged_ns_ < bounds_.ping_every_ns) return;
  pinged_ns_ = now_ns;
  is_ping_due_ = true;
  write();
}

void OpenSocket::read() {
  if (is_cut_) return;
  wire_->read(room_, [self = shared_from_this()](bool is_well, std::size_t size) {
    if (!is_well) return self->cut("");
    self->take(std::string_view(self->room_.data(), size));
    self->read();
  });
}

void OpenSocket::take(std::string_view bytes) {
  while (!bytes.empty() && !is_deaf_) {
    const auto incoming = reader_.next(bytes);
    if (!incoming) return;
    take(*incoming);
  }
}

void OpenSocket::take(const Incoming& incoming) {
  // who sends a frame without end is not heard of
  heard_ns_ = monotonic_now_ns();
  // counted by frames: a message in a thousand pieces is a thousand
  if (!is_over_ && !rate_.allows(heard_ns_)) return fail(CloseCode::Policy, "too many messages");
  switch (incoming.kind) {
    case Incoming::Kind::Piece:
    case Incoming::Kind::Pong:
      return;
    case Incoming::Kind::Text:
    case Incoming::Kind::Binary:
      if (!is_over_) events_.message({incoming.kind == Incoming::Kind::Text, std::string(incoming.payload)});
      return;
    case Incoming::Kind::Ping:
      if (is_over_) return;
      pong_ = incoming.payload;
      return write();
    case Incoming::Kind::Close:
      is_answered_ = true;
      return fail(incoming.code, "");
    case Incoming::Kind::Mistake:
      return fail(incoming.code, incoming.payload);
  }
}

void OpenSocket::write() {
  if (is_writing_ || is_cut_) return;
  out_ = next_frame();
  if (out_.empty()) {
    // both have said goodbye, and ours is out: the server hangs up first
    if (is_over_ && is_answered_ && farewell_.empty()) cut("");
    return;
  }
  is_writing_ = true;
  writing_since_ns_ = monotonic_now_ns();
  wire_->write(out_, [self = shared_from_this()](bool is_well, std::size_t) {
    self->is_writing_ = false;
    if (!is_well) return self->cut("");
    self->write();
  });
}

std::string OpenSocket::next_frame() {
  if (!answer_.empty()) return std::exchange(answer_, {});
  if (auto payload = std::exchange(pong_, std::nullopt)) return frame_text(FrameKind::Pong, *payload);
  if (std::exchange(is_ping_due_, false)) return frame_text(FrameKind::Ping, {});
  if (const auto message = queue_.pop())
    return frame_text(message->is_text ? FrameKind::Text : FrameKind::Binary, message->bytes);
  return std::exchange(farewell_, {});
}

void OpenSocket::fail(CloseCode code, std::string_view reason) {
  is_deaf_ = true;
  queue_.clear();
  pong_.reset();
  if (!is_over_) farewell_ = close_frame_text(code, reason);
  tell_over(code, reason);
  write();
}

void OpenSocket::cut(std::string_view wrong) {
  if (std::exchange(is_cut_, true)) return;
  is_deaf_ = true;
  wire_->close();
  tell_over(CloseCode::NothingSaid, wrong);
}

void OpenSocket::tell_over(CloseCode code, std::string_view wrong) {
  if (std::exchange(is_over_, true)) return;
  over_since_ns_ = monotonic_now_ns();
  events_.over(code, wrong);
}

}  // namespace sinew::web

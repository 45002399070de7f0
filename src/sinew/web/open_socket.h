// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/web/frames.h"
#include "sinew/web/rate_limit.h"
#include "sinew/web/send_queue.h"
#include "sinew/web/socket.h"
#include "sinew/web/wire.h"

namespace sinew::web {

/// One WebSocket from its upgrade to its end. Lives as long as its wire has something under way.
class OpenSocket : public std::enable_shared_from_this<OpenSocket> {
 public:
  struct Events {
    std::function<void(const SocketMessage&)> message;
    /// Once; no message comes after it. `wrong` is what the client has done against the rules, if it has.
    std::function<void(CloseCode, std::string_view wrong)> over;
    std::function<void()> gone;  ///< It exists no longer.
  };

  /// Before all else, `answer` is sent: it is what lets the socket be opened.
  OpenSocket(std::shared_ptr<Wire> wire, std::string answer, const SocketBounds& bounds, Events events);
  ~OpenSocket();
  OpenSocket(const OpenSocket&) = delete;
  OpenSocket& operator=(const OpenSocket&) = delete;

  /// Begins to read; `already` are the bytes that came with the request.
  void begin(std::string_view already);
  /// See Server::send().
  void send(SocketMessage message, std::uint32_t stream);
  /// Sends what waits, then says that it is over. Without an answer to that, it is over all the same.
  void close(CloseCode code, std::string_view reason);
  /// Pings, and ends what takes too long; to be called about once a second.
  void look(std::int64_t now_ns);

 private:
  void read();
  void take(std::string_view bytes);
  void take(const Incoming& incoming);
  void write();
  std::string next_frame();
  /// Says why and that it is over, whatever waits.
  void fail(CloseCode code, std::string_view reason);
  void cut(std::string_view wrong);
  void tell_over(CloseCode code, std::string_view wrong);

  std::shared_ptr<Wire> wire_;
  SocketBounds bounds_;
  Events events_;
  FrameReader reader_;
  RateLimit rate_;
  SendQueue queue_;
  std::array<char, 4096> room_{};
  std::string out_;                  // being written
  std::string answer_;               // to the upgrade, before all else
  std::optional<std::string> pong_;  // to the last ping; the ones before it need none
  std::string farewell_;             // the frame that closes, once what waits has gone
  bool is_ping_due_ = false;
  bool is_writing_ = false;
  bool is_over_ = false;      // nothing more is told to whoever uses it
  bool is_deaf_ = false;      // nothing more of what comes is understood
  bool is_answered_ = false;  // both have said that it is over
  bool is_cut_ = false;
  std::int64_t heard_ns_ = 0;  // a whole frame
  std::int64_t pinged_ns_ = 0;
  std::int64_t writing_since_ns_ = 0;
  std::int64_t over_since_ns_ = 0;
};

}  // namespace sinew::web

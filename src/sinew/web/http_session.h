// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "sinew/web/http.h"
#include "sinew/web/request_parser.h"
#include "sinew/web/socket.h"
#include "sinew/web/upgrade.h"
#include "sinew/web/wire.h"

namespace sinew::web {

class HttpSession;

/// What all HTTP connections of a server share. Must outlive them.
struct HttpDesk {
  using Answer = std::function<void(const HttpAnswer&)>;
  std::int64_t request_within_ns = 0;
  std::int64_t answer_within_ns = 0;
  std::size_t most_answer_bytes = 0;  ///< See Server::Options.
  std::function<void(HttpRequest, Answer)> handle;
  std::function<void(const WirePeer&, std::string_view wrong)>
      notice;                                              ///< Who has done what against the rules.
  std::function<bool(const HttpRequest&)> has_large_body;  ///< See Server::Options; may be empty.
  /// Tells, perhaps later, whether a request may become a WebSocket. Empty: there are none.
  using Opening = std::function<void(const SocketVerdict&)>;
  std::function<void(const HttpRequest&, const UpgradeHeaders&, Opening)> may_open;
  /// Hands over a connection: what is to be sent first, the request, whether it is known who asks, and what
  /// came along with it.
  std::function<void(std::shared_ptr<Wire>, std::string answer, const HttpRequest&, bool is_known,
                     std::string_view already)>
      open;

  std::list<std::weak_ptr<HttpSession>> sessions;  ///< Who has been waited for longest first.
  std::size_t large_bodies = 0;                    ///< Under way.
  std::size_t answer_bytes = 0;                    ///< Of all answers that clients have not taken yet.
};

/// One connection: a request, its answer, the next request; or a WebSocket, for which it makes way. Lives as
/// long as its wire has something under way, or an answer is owed.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(HttpDesk& desk, std::shared_ptr<Wire> wire);
  ~HttpSession();
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  /// Takes its place in the list and waits for requests.
  void begin();
  /// Whether the client is waited for, to ask.
  bool is_reading() const { return is_reading_; }
  /// Whether the client is waited for, to take its answer.
  bool is_sending() const { return is_sent_; }
  /// No answer will come any more.
  void give_up() { waiting_.reset(); }
  void close();

 private:
  void await_request();
  void read_on();
  /// Bounds the body, once it is known what it is for.
  void take_head();
  void take_request();
  void ask_for_socket(const UpgradeHeaders& upgrade);
  void become_socket(const UpgradeHeaders& upgrade, const SocketVerdict& verdict);
  void refuse(unsigned status, const std::string& words);
  void send(const HttpAnswer& answer, bool is_last);
  void go_on(bool is_well);
  /// Whether an answer of that size may wait to be taken, with those that do already.
  bool fits(std::size_t bytes) const;
  /// The answer is taken, or nobody takes it any more: its memory is free.
  void release_answer();
  /// The request is over, and what it held.
  void release_request();

  HttpDesk& desk_;
  std::shared_ptr<Wire> wire_;  // until it is a socket's
  RequestParser parser_;
  HttpRequest request_;
  std::string out_;
  std::size_t counted_ = 0;  // of out_, in the desk's sum
  std::list<std::weak_ptr<HttpSession>>::iterator place_;
  std::uint64_t request_count_ = 0;
  std::shared_ptr<HttpSession> waiting_;  // itself, while nobody else holds it: an answer is owed
  bool is_large_ = false;                 // holds one of the places for large bodies
  bool is_reading_ = false;
  bool is_sent_ = false;
  bool keeps_alive_ = true;
};

}  // namespace sinew::web

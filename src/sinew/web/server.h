// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/web/http.h"
#include "sinew/web/listen_address.h"
#include "sinew/web/loop.h"
#include "sinew/web/socket.h"

namespace sinew::web {

/// HTTP/1.1 and WebSockets on one port: takes requests and sends answers, which may come later, and keeps
/// open sockets. Everything is bounded: the number of connections and sockets, the size of requests and
/// messages, the time that a request may take to come and an answer to go, and what waits for a client. When
/// all places are taken, whoever has been waited for longest makes room; when all of them wait for answers,
/// nobody else is taken.
///
/// One thread, inside run(); all functions that it calls are called there, unless some requests are answered
/// at once: see Options::at_once. Then this object may be used there, and by the functions that it calls.
class Server {
 public:
  struct Options {
    ListenAddress address;
    std::optional<TlsFiles> tls;                       ///< With it, all is encrypted.
    std::size_t most_connections = 64;                 ///< Besides sockets.
    std::int64_t request_within_ns = 10 * kSecond_ns;  ///< From the end of the last one, or the connection.
    std::int64_t answer_within_ns =
        10 * kSecond_ns;  ///< For the client to take it, and 10 s for each megabyte.
    /// That wait in all for clients to take them. What would be beyond is refused (503), unless it is
    /// small (64 KiB), or nothing else waits.
    std::size_t most_answer_bytes = 64U << 20U;
    /// Asked about a request whose body has not come yet; true: it may have 16 MiB instead of 64 KiB, and a
    /// minute to come. Two at a time.
    std::function<bool(const HttpRequest&)> large_bodies;
    std::size_t most_sockets = 100;
    std::size_t most_unknown_sockets = 50;  ///< Of those, by whom nobody knows: see SocketVerdict.
    /// Told in a line who was refused and for what, for a log; a few at once, then one in a second. May be
    /// empty.
    std::function<void(const std::string&)> notice;
    SocketBounds socket;
    /// What must not wait for anything else: asked first about each request and each message of a socket, in
    /// the thread that waits for bytes, which nothing else keeps busy. An answer, or true, is all there is to
    /// it. With them, all other functions are called in a thread of their own, one at a time.
    struct AtOnce {
      std::function<std::optional<HttpAnswer>(const HttpRequest&)> request;
      std::function<bool(const HttpRequest& opened_by, const SocketMessage&)> message;
    };
    std::optional<AtOnce> at_once;
  };
  /// Sends the answer; to be called once, at any time. Who has gone meanwhile is not told.
  using Answer = std::function<void(const HttpAnswer&)>;
  using Handler = std::function<void(const HttpRequest&, Answer)>;

  Server(const Options& options, Handler handler);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Who decides about WebSockets, all four functions; without it, none is opened. To be called before run().
  void on_sockets(SocketHandler handler);
  /// Sends a message to who has opened a socket; who has gone is not told. Of stream 0, all are kept in
  /// order, at most 256 messages or 4 MiB waiting; beyond that the socket is closed (1008). Of stream n > 0
  /// the newest counts: it replaces one of the same stream that has not begun to go out.
  void send(SocketNumber socket, SocketMessage message, std::uint32_t stream = 0);
  /// Ends a socket when what waits for it has been sent. Nothing that comes from it is told any more.
  void close(SocketNumber socket, std::uint16_t code, const std::string& reason);

  /// Begins to listen; may be tried again. Refused, with the address: when it is taken, or not of this
  /// machine.
  Status listen();
  bool is_listening() const;
  /// With the port that was found, when any was asked for.
  ListenAddress address() const;

  /// Calls `look` again and again, each time after the pause [ns] that it answered with last; at once first.
  void repeat(std::function<std::int64_t()> look);

  /// Serves until SIGTERM or SIGINT, or stop().
  void run();
  /// May be called by another thread.
  void stop();

  /// Tells Options::notice of something that was refused to an address, as often as that is told.
  void note(const std::string& address, std::string_view wrong);

  std::size_t connection_count() const;
  std::size_t socket_count() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::web

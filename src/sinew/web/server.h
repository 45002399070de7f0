// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/web/http.h"
#include "sinew/web/listen_address.h"

namespace sinew::web {

/// One request out of its bytes, as the server would take it, with its bounds; for tests and fuzzers.
Result<HttpRequest> http_request_from(std::string_view bytes);

/// HTTP/1.1 on one port: takes requests and sends answers, which may come later. Everything is bounded: the
/// number of connections, the size of requests, and the time that a request may take to come and an answer
/// to go. When all places are taken, whoever has been waited for longest makes room; when all of them wait
/// for answers, nobody else is taken.
///
/// One thread, inside run(); all functions that it calls are called there.
class Server {
 public:
  struct Options {
    ListenAddress address;
    std::size_t most_connections = 64;
    std::int64_t request_within_ns = 10 * kSecond_ns;  ///< From the end of the last one, or the connection.
    std::int64_t answer_within_ns = 10 * kSecond_ns;   ///< For the client to take it.
  };
  /// Sends the answer; to be called once, at any time. Who has gone meanwhile is not told.
  using Answer = std::function<void(const HttpAnswer&)>;
  using Handler = std::function<void(const HttpRequest&, Answer)>;

  Server(const Options& options, Handler handler);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

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

  std::size_t connection_count() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::web

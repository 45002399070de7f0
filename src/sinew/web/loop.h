// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sinew/base/result.h"
#include "sinew/web/listen_address.h"
#include "sinew/web/wire.h"

namespace sinew::web {

/// Files by which a server proves who it is: PEM, the certificate with those that vouch for it, and its key.
struct TlsFiles {
  std::string certificate;
  std::string key;
};

/// All that a server waits for: connections and their bytes, times, signals. One thread, inside run(). The
/// only part that knows Boost.Asio.
class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Begins to listen; may be tried again. Whoever connects is handed to `accepted`. With `tls` all is
  /// encrypted, TLS 1.2 or newer, and who speaks plainly is told so. Refused, with the address: when it is
  /// taken, or not of this machine; and files that are no certificate with its key.
  Status listen(const ListenAddress& address, const std::optional<TlsFiles>& tls,
                std::function<void(std::shared_ptr<Wire>)> accepted);
  bool is_listening() const;
  void stop_listening();
  /// The port that was found; zero: it does not listen.
  std::uint16_t port() const;

  /// Calls `look` again and again, each time after the pause [ns] that it answered with last; at once first.
  void repeat(std::function<std::int64_t()> look);
  /// Calls `task` soon, not inside this call.
  void later(std::function<void()> task);

  /// Until SIGTERM or SIGINT, or stop().
  void run();
  /// May be called by another thread.
  void stop();
  /// After run(): does what can be done without waiting, in no more than so many steps.
  void finish(std::size_t most_steps);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::web

// SPDX-License-Identifier: BSD-3-Clause
// The only file that knows Boost.Asio.
#include "sinew/web/loop.h"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <csignal>
#include <list>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "sinew/web/answer_text.h"
#include "sinew/web/peer.h"

namespace sinew::web {
namespace {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using boost::system::error_code;
using tcp = asio::ip::tcp;

// what may wait unsent in the system while the client takes its time
constexpr int kMostUnsent = 32 << 10;
// with which all that TLS clients say begins
constexpr char kTlsGreeting = 0x16;

// For who does not know that this is TLS.
std::string speaks_tls() {
  return answer_text({.status = 400,
                      .type = "text/plain",
                      .body = "this port speaks HTTPS: write https:// before its name\n"},
                     {.keeps_alive = false});
}

std::chrono::nanoseconds as_time(std::int64_t duration_ns) {
  return std::chrono::nanoseconds(duration_ns);
}

// The digits of version 4 also where a socket of version 6 has taken it.
std::string digits_of(const asio::ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address.to_string();
  return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
}

// Asked once, when it connects.
WirePeer peer_of(const tcp::socket& socket) {
  error_code error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return {};
  const tcp::endpoint own = socket.local_endpoint(error);
  if (error) return {};
  const std::string address = digits_of(peer.address());
  return {address, user_of_peer({address, peer.port()}, {digits_of(own.address()), own.port()})};
}

/// A TCP connection's socket, and a time when it is over.
class Line : public std::enable_shared_from_this<Line> {
 public:
  Line(tcp::socket& socket, const asio::any_io_executor& executor) : socket_(socket), timer_(executor) {
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
  }
  void close() {
    error_code ignored;
    timer_.cancel();
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }
  void close_after(std::int64_t pause_ns) {
    if (pause_ns < 0) {
      timer_.expires_at(std::chrono::steady_clock::time_point::max());
      return;
    }
    timer_.expires_after(as_time(pause_ns));
    timer_.async_wait([weak = weak_from_this()](error_code error) {
      const auto self = weak.lock();
      // a time that was put off meanwhile may be told all the same
      if (error || self == nullptr || self->timer_.expiry() > std::chrono::steady_clock::now()) return;
      self->close();
    });
  }
  void keep_short() {
    setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kMostUnsent, sizeof kMostUnsent);
  }

 private:
  tcp::socket& socket_;  // of the wire, which has this as its only owner
  asio::steady_timer timer_;
};

auto told_to(Wire::Then then) {
  return [then = std::move(then)](error_code error, std::size_t size) { then(!error, size); };
}

class TcpWire : public Wire, public std::enable_shared_from_this<TcpWire> {
 public:
  explicit TcpWire(tcp::socket socket)
      : socket_(std::move(socket)),
        peer_(peer_of(socket_)),
        line_(std::make_shared<Line>(socket_, socket_.get_executor())) {}

  void read(std::span<char> room, Then then) override {
    socket_.async_read_some(asio::buffer(room.data(), room.size()), told_to(std::move(then)));
  }
  void write(std::string_view bytes, Then then) override {
    asio::async_write(socket_, asio::buffer(bytes.data(), bytes.size()), told_to(std::move(then)));
  }
  void finish(Then then) override {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    drain(std::move(then));
  }
  void close() override { line_->close(); }
  void close_after(std::int64_t pause_ns) override { line_->close_after(pause_ns); }
  void keep_short() override { line_->keep_short(); }
  bool is_secure() const override { return false; }
  const WirePeer& peer() const override { return peer_; }

 private:
  void drain(Then then) {
    read(room_, [self = shared_from_this(), then = std::move(then)](bool is_well, std::size_t) mutable {
      return is_well ? self->drain(std::move(then)) : then(true, 0);
    });
  }

  tcp::socket socket_;
  WirePeer peer_;
  std::shared_ptr<Line> line_;
  std::array<char, 4096> room_{};
};

class TlsWire : public Wire, public std::enable_shared_from_this<TlsWire> {
 public:
  TlsWire(tcp::socket socket, ssl::context& context)
      : stream_(std::move(socket), context),
        peer_(peer_of(stream_.next_layer())),
        line_(std::make_shared<Line>(stream_.next_layer(), stream_.get_executor())) {}

  void read(std::span<char> room, Then then) override {
    if (!is_greeted_) return greet(room, std::move(then));
    stream_.async_read_some(asio::buffer(room.data(), room.size()), told_to(std::move(then)));
  }
  void write(std::string_view bytes, Then then) override {
    asio::async_write(stream_, asio::buffer(bytes.data(), bytes.size()), told_to(std::move(then)));
  }
  void finish(Then then) override {
    stream_.async_shutdown([then = std::move(then)](error_code) { then(true, 0); });
  }
  void close() override { line_->close(); }
  void close_after(std::int64_t pause_ns) override { line_->close_after(pause_ns); }
  void keep_short() override { line_->keep_short(); }
  bool is_secure() const override { return true; }
  const WirePeer& peer() const override { return peer_; }

 private:
  // The first bytes tell who does not know that this is TLS.
  void greet(std::span<char> room, Then then) {
    stream_.next_layer().async_read_some(asio::buffer(greeting_),
                                         [self = shared_from_this(), room, then = std::move(then)](
                                             error_code error, std::size_t size) mutable {
                                           if (error) return then(false, 0);
                                           if (self->greeting_[0] != kTlsGreeting)
                                             return self->refuse(std::move(then));
                                           self->shake_hands(size, room, std::move(then));
                                         });
  }
  void shake_hands(std::size_t size, std::span<char> room, Then then) {
    stream_.async_handshake(
        ssl::stream_base::server, asio::buffer(greeting_.data(), size),
        [self = shared_from_this(), room, then = std::move(then)](error_code error, std::size_t) mutable {
          if (error) return then(false, 0);
          self->is_greeted_ = true;
          self->read(room, std::move(then));
        });
  }
  void refuse(Then then) {
    refusal_ = speaks_tls();
    asio::async_write(stream_.next_layer(), asio::buffer(refusal_),
                      [then = std::move(then)](error_code, std::size_t) { then(false, 0); });
  }

  ssl::stream<tcp::socket> stream_;
  WirePeer peer_;
  std::shared_ptr<Line> line_;
  std::array<char, 4096> greeting_{};
  std::string refusal_;
  bool is_greeted_ = false;
};

Status load(ssl::context& context, const TlsFiles& files) {
  error_code error;
  const auto refuse = [&](const std::string& file) {
    return Error{ErrorCode::InvalidInput, fmt::format("cannot use '{}' for TLS: {}", file, error.message())};
  };
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
  SSL_CTX_set_mode(context.native_handle(), SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context.native_handle(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context.native_handle(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  if (context.use_certificate_chain_file(files.certificate, error)) return refuse(files.certificate);
  if (context.use_private_key_file(files.key, ssl::context::pem, error)) return refuse(files.key);
  return Done{};
}

}  // namespace

class Loop::Impl {
 public:
  Impl() : acceptor_(context_), signals_(context_) {}

  Status listen(const ListenAddress& address, const std::optional<TlsFiles>& tls,
                std::function<void(std::shared_ptr<Wire>)> accepted);
  bool is_listening() const { return acceptor_.is_open(); }
  void stop_listening() {
    error_code ignored;
    acceptor_.close(ignored);
  }
  std::uint16_t port() const {
    error_code error;
    const tcp::endpoint endpoint = acceptor_.local_endpoint(error);
    return error ? std::uint16_t{0} : endpoint.port();
  }
  void repeat(std::function<std::int64_t()> look) {
    wait_for(timers_.emplace_back(asio::steady_timer(context_), std::move(look)), 0);
  }
  void later(std::function<void()> task) { asio::post(context_, std::move(task)); }
  void run();
  void stop() { context_.stop(); }
  void finish(std::size_t most_steps) {
    context_.restart();
    for (std::size_t i = 0; i < most_steps && context_.poll_one() > 0; ++i) continue;
  }

 private:
  using Repeated = std::pair<asio::steady_timer, std::function<std::int64_t()>>;
  void accept();
  std::shared_ptr<Wire> wire_on(tcp::socket socket);
  void wait_for(Repeated& repeated, std::int64_t pause_ns);

  std::optional<ssl::context> tls_;
  std::function<void(std::shared_ptr<Wire>)> accepted_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  std::list<Repeated> timers_;
};

Status Loop::Impl::listen(const ListenAddress& address, const std::optional<TlsFiles>& tls,
                          std::function<void(std::shared_ptr<Wire>)> accepted) {
  accepted_ = std::move(accepted);
  tls_.reset();
  if (tls) {
    const Status loaded = load(tls_.emplace(ssl::context::tls_server), *tls);
    if (!loaded) return loaded;
  }
  error_code error;
  const auto give_up = [&](std::string_view doing) {
    stop_listening();
    return Error{ErrorCode::SystemFailure,
                 fmt::format("cannot {} {}: {}", doing, url_of(address, tls.has_value()), error.message())};
  };
  const tcp::endpoint endpoint(asio::ip::make_address(address.host, error), address.port);
  if (error) return give_up("understand");
  if (acceptor_.open(endpoint.protocol(), error)) return give_up("open a socket for");
  acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (acceptor_.bind(endpoint, error)) return give_up("listen at");
  if (acceptor_.listen(asio::socket_base::max_listen_connections, error)) return give_up("listen at");
  accept();
  return Done{};
}

void Loop::Impl::accept() {
  if (!acceptor_.is_open()) return;
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) accepted_(wire_on(std::move(socket)));
    if (!error || error == asio::error::connection_aborted) return accept();
    // out of descriptors or memory: nothing can be taken until something is given back
    auto pause = std::make_shared<asio::steady_timer>(context_, std::chrono::milliseconds(100));
    pause->async_wait([this, pause](error_code) { accept(); });
  });
}

std::shared_ptr<Wire> Loop::Impl::wire_on(tcp::socket socket) {
  if (tls_) return std::make_shared<TlsWire>(std::move(socket), *tls_);
  return std::make_shared<TcpWire>(std::move(socket));
}

void Loop::Impl::wait_for(Repeated& repeated, std::int64_t pause_ns) {
  repeated.first.expires_after(as_time(pause_ns));
  repeated.first.async_wait([this, &repeated](error_code error) {
    if (!error) wait_for(repeated, repeated.second());
  });
}

void Loop::Impl::run() {
  error_code ignored;
  signals_.add(SIGTERM, ignored);
  signals_.add(SIGINT, ignored);
  signals_.async_wait([this](error_code error, int) {
    if (!error) context_.stop();
  });
  const auto work = asio::make_work_guard(context_);
  context_.run();
}

Loop::Loop() : impl_(std::make_unique<Impl>()) {}
Loop::~Loop() = default;

Status Loop::listen(const ListenAddress& address, const std::optional<TlsFiles>& tls,
                    std::function<void(std::shared_ptr<Wire>)> accepted) {
  return impl_->listen(address, tls, std::move(accepted));
}
bool Loop::is_listening() const {
  return impl_->is_listening();
}
void Loop::stop_listening() {
  impl_->stop_listening();
}
std::uint16_t Loop::port() const {
  return impl_->port();
}
void Loop::repeat(std::function<std::int64_t()> look) {
  impl_->repeat(std::move(look));
}
void Loop::later(std::function<void()> task) {
  impl_->later(std::move(task));
}
void Loop::run() {
  impl_->run();
}
void Loop::stop() {
  impl_->stop();
}
void Loop::finish(std::size_t most_steps) {
  impl_->finish(most_steps);
}

}  // namespace sinew::web

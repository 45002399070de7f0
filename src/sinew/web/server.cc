// SPDX-License-Identifier: BSD-3-Clause
// The only file that knows Boost.Beast.
#include "sinew/web/server.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <list>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>

#include "sinew/web/peer.h"

namespace sinew::web {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;

constexpr std::uint32_t kMostHeaderBytes = 8U << 10U;
constexpr std::uint64_t kMostBodyBytes = 64U << 10U;
// what is read at once; more waits in the system's own buffer
constexpr std::size_t kMostBuffered = 16U << 10U;

using Parser = http::request_parser<http::string_body>;
using Message = http::request<http::string_body>;

void bound(Parser& parser) {
  parser.header_limit(kMostHeaderBytes);
  parser.body_limit(kMostBodyBytes);
}

std::optional<std::string> header_in(const Message& message, beast::string_view name) {
  std::optional<std::string> joined;
  const auto [begin, end] = message.equal_range(name);
  for (auto field = begin; field != end; ++field) {
    if (joined) *joined += ", ";
    if (!joined) joined.emplace();
    joined->append(field->value().data(), field->value().size());
  }
  return joined;
}

HttpRequest request_from(const Message& message) {
  const auto text = [](beast::string_view view) { return std::string(view.data(), view.size()); };
  HttpRequest request{.method = text(message.method_string()),
                      .target = text(message.target()),
                      .headers = {.host = header_in(message, "Host"),
                                  .origin = header_in(message, "Origin"),
                                  .referer = header_in(message, "Referer"),
                                  .fetch_site = header_in(message, "Sec-Fetch-Site"),
                                  .purpose = header_in(message, "Sec-Purpose"),
                                  .user_agent = header_in(message, "User-Agent")},
                      .body = message.body()};
  for (const char* older : {"Purpose", "X-Moz", "X-Purpose"})
    if (!request.headers.purpose) request.headers.purpose = header_in(message, older);
  return request;
}

http::response<http::string_body> response_from(const HttpAnswer& answer, const Message& request) {
  http::response<http::string_body> response(http::int_to_status(answer.status), request.version());
  response.set(http::field::content_type, answer.type);
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  if (answer.retry_after > 0) response.set(http::field::retry_after, fmt::format("{}", answer.retry_after));
  if (answer.status == 405) response.set(http::field::allow, "GET");
  response.keep_alive(request.keep_alive());
  response.body() = answer.body;
  response.prepare_payload();
  // its length is told, and nothing of it sent
  if (request.method() == http::verb::head) response.body().clear();
  return response;
}

// Asked once, when it connects.
std::optional<std::uint32_t> user_behind(const tcp::socket& socket) {
  beast::error_code error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return std::nullopt;
  const tcp::endpoint own = socket.local_endpoint(error);
  if (error) return std::nullopt;
  return user_of_peer({peer.address().to_string(), peer.port()}, {own.address().to_string(), own.port()});
}

std::chrono::nanoseconds as_time(std::int64_t duration_ns) {
  return std::chrono::nanoseconds(duration_ns);
}

}  // namespace

Result<HttpRequest> http_request_from(std::string_view bytes) {
  Parser parser;
  bound(parser);
  parser.eager(true);
  beast::error_code error;
  parser.put(asio::buffer(bytes.data(), bytes.size()), error);
  if (!error && !parser.is_done()) parser.put_eof(error);
  if (error) return Error{ErrorCode::InvalidInput, error.message()};
  return request_from(parser.get());
}

class Server::Impl {
 public:
  Impl(const Options& options, Handler handler)
      : options_(options), handler_(std::move(handler)), acceptor_(context_), signals_(context_) {}
  ~Impl();

  Status listen();
  ListenAddress address() const;
  bool is_listening() const { return acceptor_.is_open(); }
  void repeat(std::function<std::int64_t()> look);
  void run();
  void stop() { context_.stop(); }
  std::size_t connection_count() const { return sessions_.size(); }

 private:
  class Session;
  using Repeated = std::pair<asio::steady_timer, std::function<std::int64_t()>>;
  void accept();
  bool make_room();
  void wait_for(Repeated& repeated, std::int64_t pause_ns);

  Options options_;
  Handler handler_;
  // these two before all that works with them, so that they go last
  std::list<std::weak_ptr<Session>> sessions_;  // who has been waited for longest first
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  std::list<Repeated> timers_;
};

/// One connection: a request, its answer, the next request.
class Server::Impl::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Impl& server, tcp::socket socket)
      : server_(server), user_(user_behind(socket)), stream_(std::move(socket)) {}
  ~Session() { server_.sessions_.erase(place_); }

  void begin(std::list<std::weak_ptr<Session>>::iterator place) {
    place_ = place;
    read();
  }

  bool is_reading() const { return is_reading_; }

  /// No answer will come any more.
  void give_up() { waiting_.reset(); }

  void close() {
    is_reading_ = false;
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.close();
  }

 private:
  void read() {
    parser_.emplace();
    bound(*parser_);
    is_reading_ = true;
    // one time for the whole of it: who sends a letter a second is not waited for
    stream_.expires_after(as_time(server_.options_.request_within_ns));
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](beast::error_code error, std::size_t) { self->take(error); });
  }

  void take(beast::error_code error) {
    is_reading_ = false;
    if (error) return refuse(error);
    stream_.expires_never();
    waiting_ = shared_from_this();
    // whoever is asked may answer when the server is gone
    HttpRequest request = request_from(parser_->get());
    request.user = user_;
    server_.handler_(request, [weak = weak_from_this(), number = ++request_count_](const HttpAnswer& answer) {
      const auto self = weak.lock();
      // an answer given twice is none to the request that came after
      if (self != nullptr && self->request_count_ == number) self->send(answer, false);
    });
  }

  // What can still be told to who sent something that is no request.
  void refuse(beast::error_code error) {
    const bool is_too_large = error == http::error::header_limit || error == http::error::body_limit ||
                              error == http::error::buffer_overflow;
    const bool is_gone = error == http::error::end_of_stream || error == http::error::partial_message ||
                         error.category() != http::make_error_code(http::error::bad_target).category();
    if (is_gone) return close();
    HttpAnswer answer{.status = is_too_large ? 413U : 400U, .type = "text/plain"};
    answer.body = is_too_large ? "the request is too large\n" : "this is no HTTP request\n";
    send(answer, true);
  }

  void send(const HttpAnswer& answer, bool is_last) {
    const auto self = std::exchange(waiting_, nullptr);
    if (is_sent_) return;
    is_sent_ = true;
    response_ = response_from(answer, parser_->get());
    if (is_last) response_.keep_alive(false);
    stream_.expires_after(as_time(server_.options_.answer_within_ns));
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      self->go_on(error);
    });
  }

  void go_on(beast::error_code error) {
    is_sent_ = false;
    if (error || response_.need_eof() || !response_.keep_alive()) return close();
    server_.sessions_.splice(server_.sessions_.end(), server_.sessions_, place_);
    read();
  }

  Impl& server_;
  std::optional<std::uint32_t> user_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{kMostBuffered};
  std::optional<Parser> parser_;
  http::response<http::string_body> response_;
  std::list<std::weak_ptr<Session>>::iterator place_;
  std::uint64_t request_count_ = 0;
  std::shared_ptr<Session> waiting_;  // itself, while nobody else holds it: an answer is owed
  bool is_reading_ = false;
  bool is_sent_ = false;
};

Server::Impl::~Impl() {
  // each goes with the last that holds it, and takes itself out of the list
  for (auto place = sessions_.begin(); place != sessions_.end();) {
    const auto session = (place++)->lock();
    if (session != nullptr) session->give_up();
  }
}

Status Server::Impl::listen() {
  beast::error_code error;
  const auto give_up = [&](std::string_view doing) {
    beast::error_code ignored;
    acceptor_.close(ignored);
    return Error{ErrorCode::SystemFailure,
                 fmt::format("cannot {} {}: {}", doing, url_of(options_.address), error.message())};
  };
  const tcp::endpoint endpoint(asio::ip::make_address(options_.address.host, error), options_.address.port);
  if (error) return give_up("understand");
  if (acceptor_.open(endpoint.protocol(), error)) return give_up("open a socket for");
  acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (acceptor_.bind(endpoint, error)) return give_up("listen at");
  if (acceptor_.listen(asio::socket_base::max_listen_connections, error)) return give_up("listen at");
  accept();
  return Done{};
}

ListenAddress Server::Impl::address() const {
  ListenAddress address = options_.address;
  beast::error_code error;
  const tcp::endpoint endpoint = acceptor_.local_endpoint(error);
  if (!error) address.port = endpoint.port();
  return address;
}

void Server::Impl::accept() {
  acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error && make_room()) {
      const auto session = std::make_shared<Session>(*this, std::move(socket));
      session->begin(sessions_.insert(sessions_.end(), session));
    }
    if (error != asio::error::no_descriptors) return accept();
    // nothing can be taken until something is given back
    auto pause = std::make_shared<asio::steady_timer>(context_, std::chrono::milliseconds(100));
    pause->async_wait([this, pause](beast::error_code) { accept(); });
  });
}

// Whether one more may be taken. Who waits for an answer is left in peace.
bool Server::Impl::make_room() {
  if (sessions_.size() < options_.most_connections) return true;
  for (const auto& place : sessions_) {
    const auto session = place.lock();
    if (session == nullptr || !session->is_reading()) continue;
    session->close();
    return true;
  }
  return false;
}

void Server::Impl::repeat(std::function<std::int64_t()> look) {
  wait_for(timers_.emplace_back(asio::steady_timer(context_), std::move(look)), 0);
}

void Server::Impl::wait_for(Repeated& repeated, std::int64_t pause_ns) {
  repeated.first.expires_after(as_time(pause_ns));
  repeated.first.async_wait([this, &repeated](beast::error_code error) {
    if (!error) wait_for(repeated, repeated.second());
  });
}

void Server::Impl::run() {
  beast::error_code ignored;
  signals_.add(SIGTERM, ignored);
  signals_.add(SIGINT, ignored);
  signals_.async_wait([this](beast::error_code error, int) {
    if (!error) context_.stop();
  });
  const auto work = asio::make_work_guard(context_);
  context_.run();
}

Server::Server(const Options& options, Handler handler)
    : impl_(std::make_unique<Impl>(options, std::move(handler))) {}
Server::~Server() = default;

Status Server::listen() {
  return impl_->listen();
}
bool Server::is_listening() const {
  return impl_->is_listening();
}
ListenAddress Server::address() const {
  return impl_->address();
}
void Server::repeat(std::function<std::int64_t()> look) {
  impl_->repeat(std::move(look));
}
void Server::run() {
  impl_->run();
}
void Server::stop() {
  impl_->stop();
}
std::size_t Server::connection_count() const {
  return impl_->connection_count();
}

}  // namespace sinew::web

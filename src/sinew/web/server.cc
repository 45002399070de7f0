// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/server.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "sinew/web/http_session.h"
#include "sinew/web/open_socket.h"
#include "sinew/web/rate_limit.h"

namespace sinew::web {
namespace {

constexpr std::int64_t kBetweenLooks_ns = 500 * kMillisecond_ns;
// steps that a server still takes when it ends: more than all its connections need
constexpr std::size_t kMostFarewells = 4096;

}  // namespace

class Server::Impl {
 public:
  Impl(const Options& options, Handler handler);
  ~Impl();

  Status listen();
  ListenAddress address() const;
  bool is_listening() const { return loop_.is_listening(); }
  void repeat(std::function<std::int64_t()> look) { loop_.repeat(std::move(look)); }
  void run();
  void stop() { loop_.stop(); }
  std::size_t connection_count() const { return desk_.sessions.size(); }
  std::size_t socket_count() const { return sockets_.size(); }
  void on_sockets(SocketHandler handler);
  std::shared_ptr<OpenSocket> socket(SocketNumber number) const;
  void notice(const std::string& address, std::string_view wrong);

 private:
  bool make_room();
  /// The answer to who wants a socket: why not, or the subprotocol.
  SocketVerdict may_open(const HttpRequest& request, const UpgradeHeaders& headers) const;
  void open(std::shared_ptr<Wire> wire, std::string answer, const HttpRequest& request,
            std::string_view already);
  std::int64_t look_at_sockets();
  void close_sockets();

  Options options_;
  SocketHandler socket_handler_;
  SocketNumber last_socket_ = 0;
  RateLimit notices_{20, 1};
  // before the loop, so that they go after all that is under way there
  HttpDesk desk_;
  std::map<SocketNumber, std::weak_ptr<OpenSocket>> sockets_;
  Loop loop_;
};

Server::Impl::Impl(const Options& options, Handler handler) : options_(options) {
  desk_.request_within_ns = options.request_within_ns;
  desk_.answer_within_ns = options.answer_within_ns;
  desk_.most_answer_bytes = options.most_answer_bytes;
  desk_.handle = std::move(handler);
  desk_.has_large_body = options.large_bodies;
  desk_.notice = [this](const WirePeer& peer, std::string_view wrong) { notice(peer.address, wrong); };
  loop_.repeat([this] { return look_at_sockets(); });
}

Server::Impl::~Impl() {
  // each goes with the last that holds it, and takes itself out of the list
  for (auto place = desk_.sessions.begin(); place != desk_.sessions.end();) {
    const auto session = (place++)->lock();
    if (session != nullptr) session->give_up();
  }
}

Status Server::Impl::listen() {
  return loop_.listen(options_.address, options_.tls, [this](std::shared_ptr<Wire> wire) {
    if (make_room()) std::make_shared<HttpSession>(desk_, std::move(wire))->begin();
  });
}

ListenAddress Server::Impl::address() const {
  ListenAddress address = options_.address;
  if (loop_.is_listening()) address.port = loop_.port();
  return address;
}

// Whether one more may be taken. Who waits for an answer is left in peace; who does not ask goes before who
// does not take the answer.
bool Server::Impl::make_room() {
  if (desk_.sessions.size() < options_.most_connections) return true;
  for (const auto is_idle : {&HttpSession::is_reading, &HttpSession::is_sending}) {
    for (const auto& place : desk_.sessions) {
      const auto session = place.lock();
      if (session == nullptr || !((*session).*is_idle)()) continue;
      session->close();
      return true;
    }
  }
  return false;
}

void Server::Impl::on_sockets(SocketHandler handler) {
  socket_handler_ = std::move(handler);
  desk_.may_open = [this](const HttpRequest& request, const UpgradeHeaders& headers) {
    return may_open(request, headers);
  };
  desk_.open = [this](std::shared_ptr<Wire> wire, std::string answer, const HttpRequest& request,
                      std::string_view already) {
    open(std::move(wire), std::move(answer), request, already);
  };
}

std::shared_ptr<OpenSocket> Server::Impl::socket(SocketNumber number) const {
  const auto found = sockets_.find(number);
  return found == sockets_.end() ? nullptr : found->second.lock();
}

SocketVerdict Server::Impl::may_open(const HttpRequest& request, const UpgradeHeaders& headers) const {
  if (auto refusal = upgrade_refusal(headers)) return {.refusal = std::move(refusal)};
  if (sockets_.size() >= options_.most_sockets)
    return {.refusal = HttpAnswer{.status = 503,
                                  .type = "text/plain",
                                  .body = fmt::format("{} sockets are open, and no more\n", sockets_.size()),
                                  .retry_after = 5}};
  return socket_handler_.may_open(request);
}

void Server::Impl::open(std::shared_ptr<Wire> wire, std::string answer, const HttpRequest& request,
                        std::string_view already) {
  const SocketNumber number = ++last_socket_;
  const auto socket = std::make_shared<OpenSocket>(
      std::move(wire), std::move(answer), options_.socket,
      OpenSocket::Events{
          .message = [this,
                      number](const SocketMessage& message) { socket_handler_.message(number, message); },
          // later: it may be told while somebody goes through all sockets to send something
          .over =
              [this, number, address = request.peer](CloseCode, std::string_view wrong) {
                loop_.later([this, number] { socket_handler_.closed(number); });
                if (!wrong.empty()) notice(address, fmt::format("socket closed: {}", wrong));
              },
          .gone = [this, number] { sockets_.erase(number); }});
  sockets_.emplace(number, socket);
  socket_handler_.opened(number, request);
  socket->begin(already);
}

void Server::Impl::notice(const std::string& address, std::string_view wrong) {
  if (options_.notice && notices_.allows(monotonic_now_ns()))
    options_.notice(fmt::format("{}: {}", address, wrong));
}

std::int64_t Server::Impl::look_at_sockets() {
  const std::int64_t now_ns = monotonic_now_ns();
  // a socket may go while it is looked at, and takes itself out of the map
  for (auto place = sockets_.begin(); place != sockets_.end();) {
    const auto socket = (place++)->second.lock();
    if (socket != nullptr) socket->look(now_ns);
  }
  return kBetweenLooks_ns;
}

void Server::Impl::close_sockets() {
  for (auto place = sockets_.begin(); place != sockets_.end();) {
    const auto socket = (place++)->second.lock();
    if (socket != nullptr) socket->close(CloseCode::GoingAway, "the server ends");
  }
}

void Server::Impl::run() {
  loop_.run();
  loop_.stop_listening();
  close_sockets();
  // what can go out without waiting does, and who used the sockets is told
  loop_.finish(kMostFarewells);
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
void Server::note(const std::string& address, std::string_view wrong) {
  impl_->notice(address, wrong);
}
std::size_t Server::connection_count() const {
  return impl_->connection_count();
}
std::size_t Server::socket_count() const {
  return impl_->socket_count();
}
void Server::on_sockets(SocketHandler handler) {
  impl_->on_sockets(std::move(handler));
}
void Server::send(SocketNumber socket, SocketMessage message, std::uint32_t stream) {
  if (const auto open = impl_->socket(socket)) open->send(std::move(message), stream);
}
void Server::close(SocketNumber socket, std::uint16_t code, const std::string& reason) {
  if (const auto open = impl_->socket(socket)) open->close(static_cast<CloseCode>(code), reason);
}

}  // namespace sinew::web

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/server.h"

#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "sinew/web/http_session.h"
#include "sinew/web/open_socket.h"
#include "sinew/web/rate_limit.h"
#include "sinew/web/serving_thread.h"

namespace sinew::web {
namespace {

constexpr std::int64_t kBetweenLooks_ns = 500 * kMillisecond_ns;
// steps that a server still takes when it ends: more than all its connections need
constexpr std::size_t kMostFarewells = 4096;
// of messages that wait to be served; whoever sends more than is served ends
constexpr std::size_t kMostWaitingBytes = 16U << 20U;
constexpr std::size_t kMostWaitingMessages = 8192;
// connections beyond all places, for those who ask for what is answered at once
constexpr std::size_t kMostExtraConnections = 16;
constexpr auto kBetweenGlances = std::chrono::milliseconds(20);

}  // namespace

class Server::Impl {
 public:
  Impl(const Options& options, Handler handler);
  ~Impl();

  Status listen();
  ListenAddress address() const;
  bool is_listening() const { return loop_.is_listening(); }
  void repeat(std::function<std::int64_t()> look) {
    is_apart() ? serving_.repeat(std::move(look)) : loop_.repeat(std::move(look));
  }
  void run();
  void stop() { loop_.stop(); }
  std::size_t connection_count() const { return desk_.sessions.size(); }
  std::size_t socket_count() const { return sockets_.size(); }
  /// Does it in the loop's thread: soon when another one asks, else at once.
  void in_loop(std::function<void()> task);
  /// The same for a question, which is waited for; `over` when the loop has ended.
  template <class Said>
  Said ask_loop(std::function<Said()> question, Said over);
  void on_sockets(SocketHandler handler);
  std::shared_ptr<OpenSocket> socket(SocketNumber number) const;
  void notice(const std::string& address, std::string_view wrong);

 private:
  bool make_room();
  /// Whether all but what is answered at once is served in a thread of its own.
  bool is_apart() const { return options_.at_once.has_value(); }
  bool is_elsewhere() const { return has_begun_ && std::this_thread::get_id() != loop_thread_; }
  /// Does it in the thread that serves.
  void serve(std::function<void()> task);
  void handle(HttpRequest request, const Answer& answer);
  /// Tells who wants a socket why not, or the subprotocol.
  void may_open(const HttpRequest& request, const UpgradeHeaders& headers, const HttpDesk::Opening& opening);
  /// For one more; of whom nobody knows, only some are taken.
  std::optional<HttpAnswer> no_place(bool is_known) const;
  void tell_opening(SocketVerdict verdict, const HttpDesk::Opening& opening) const;
  void take_message(SocketNumber number, const HttpRequest& opened_by, const SocketMessage& message);
  void open(std::shared_ptr<Wire> wire, std::string answer, const HttpRequest& request, bool is_known,
            std::string_view already);
  std::int64_t look_at_sockets();
  void close_sockets();

  Options options_;
  Handler handler_;
  SocketHandler socket_handler_;
  SocketNumber last_socket_ = 0;
  RateLimit notices_{20, 1};
  // before the loop, so that they go after all that is under way there
  HttpDesk desk_;
  std::map<SocketNumber, std::weak_ptr<OpenSocket>> sockets_;
  std::set<SocketNumber> unknown_;  // of those, opened by whom nobody knows
  Loop loop_;
  std::thread::id loop_thread_;
  std::atomic<bool> has_begun_{false};  // and with it loop_thread_ is known
  std::atomic<bool> is_running_{false};
  std::shared_ptr<std::atomic<std::size_t>> waiting_requests_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::atomic<std::size_t> waiting_bytes_{0};
  std::atomic<std::size_t> waiting_messages_{0};
  ServingThread serving_;
  std::shared_ptr<int> alive_ = std::make_shared<int>();  // answers that come later look for it
};

Server::Impl::Impl(const Options& options, Handler handler)
    : options_(options), handler_(std::move(handler)) {
  desk_.request_within_ns = options.request_within_ns;
  desk_.answer_within_ns = options.answer_within_ns;
  desk_.most_answer_bytes = options.most_answer_bytes;
  desk_.handle = [this](HttpRequest request, const Answer& answer) { handle(std::move(request), answer); };
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
  // all wait for answers, and what is answered at once waits for none of them
  return is_apart() && desk_.sessions.size() < options_.most_connections + kMostExtraConnections;
}

void Server::Impl::serve(std::function<void()> task) {
  is_apart() ? serving_.post(std::move(task)) : task();
}

void Server::Impl::in_loop(std::function<void()> task) {
  is_elsewhere() ? loop_.later(std::move(task)) : task();
}

template <class Said>
Said Server::Impl::ask_loop(std::function<Said()> question, Said over) {
  if (!is_elsewhere()) return question();
  const auto promised = std::make_shared<std::promise<Said>>();
  auto answer = promised->get_future();
  loop_.later([promised, question = std::move(question)] { promised->set_value(question()); });
  // a loop that has ended answers nothing any more
  while (answer.wait_for(kBetweenGlances) != std::future_status::ready)
    if (!is_running_) return over;
  return answer.get();
}

void Server::Impl::handle(HttpRequest request, const Answer& answer) {
  if (!is_apart()) return handler_(request, answer);
  if (const auto now = options_.at_once->request(request)) return answer(*now);
  if (waiting_requests_->load() >= options_.most_connections)
    return answer({.status = 503,
                   .body = "{\"error\": \"all places are taken by others; ask again in a moment\"}\n",
                   .retry_after = 1});
  // gone with the last who could still answer
  ++*waiting_requests_;
  const std::shared_ptr<void> place(nullptr, [waiting = waiting_requests_](void*) { --*waiting; });
  const Answer later = [this, answer, place, weak = std::weak_ptr(alive_)](const HttpAnswer& said) {
    if (!weak.expired()) loop_.later([answer, place, said] { answer(said); });
  };
  serving_.post([this, later, shared = std::make_shared<const HttpRequest>(std::move(request))] {
    handler_(*shared, later);
  });
}

void Server::Impl::on_sockets(SocketHandler handler) {
  socket_handler_ = std::move(handler);
  desk_.may_open = [this](const HttpRequest& request, const UpgradeHeaders& headers,
                          const HttpDesk::Opening& opening) { may_open(request, headers, opening); };
  desk_.open = [this](std::shared_ptr<Wire> wire, std::string answer, const HttpRequest& request,
                      bool is_known, std::string_view already) {
    open(std::move(wire), std::move(answer), request, is_known, already);
  };
}

std::shared_ptr<OpenSocket> Server::Impl::socket(SocketNumber number) const {
  const auto found = sockets_.find(number);
  return found == sockets_.end() ? nullptr : found->second.lock();
}

std::optional<HttpAnswer> Server::Impl::no_place(bool is_known) const {
  const bool is_full = sockets_.size() >= options_.most_sockets;
  if (!is_full && (is_known || unknown_.size() < options_.most_unknown_sockets)) return std::nullopt;
  return HttpAnswer{.status = 503,
                    .type = "text/plain",
                    .body = is_full
                                ? fmt::format("{} sockets are open, and no more\n", sockets_.size())
                                : fmt::format("{} sockets are open without a session, and no more: log in\n",
                                              unknown_.size()),
                    .retry_after = 5};
}

void Server::Impl::tell_opening(SocketVerdict verdict, const HttpDesk::Opening& opening) const {
  if (!verdict.refusal) verdict.refusal = no_place(verdict.is_known);
  opening(verdict);
}

void Server::Impl::may_open(const HttpRequest& request, const UpgradeHeaders& headers,
                            const HttpDesk::Opening& opening) {
  if (auto refusal = upgrade_refusal(headers)) return opening({.refusal = std::move(refusal)});
  if (auto full = no_place(true)) return opening({.refusal = std::move(full)});
  if (!is_apart()) return tell_opening(socket_handler_.may_open(request), opening);
  serving_.post([this, request, opening] {
    loop_.later([this, opening, verdict = socket_handler_.may_open(request)] {
      // others may have come meanwhile
      tell_opening(verdict, opening);
    });
  });
}

void Server::Impl::take_message(SocketNumber number, const HttpRequest& opened_by,
                                const SocketMessage& message) {
  if (!is_apart()) return socket_handler_.message(number, message);
  if (options_.at_once->message(opened_by, message)) return;
  const std::size_t bytes = message.bytes.size();
  if (waiting_bytes_ + bytes > kMostWaitingBytes || waiting_messages_ >= kMostWaitingMessages)
    return loop_.later([this, number] {
      if (const auto open = socket(number)) open->close(CloseCode::Policy, "more comes than is served");
    });
  waiting_bytes_ += bytes;
  ++waiting_messages_;
  serving_.post([this, number, message] {
    socket_handler_.message(number, message);
    waiting_bytes_ -= message.bytes.size();
    --waiting_messages_;
  });
}

void Server::Impl::open(std::shared_ptr<Wire> wire, std::string answer, const HttpRequest& request,
                        bool is_known, std::string_view already) {
  const SocketNumber number = ++last_socket_;
  const auto opened_by = std::make_shared<const HttpRequest>(request);
  const auto socket = std::make_shared<OpenSocket>(
      std::move(wire), std::move(answer), options_.socket,
      OpenSocket::Events{
          .message = [this, number,
                      opened_by](const SocketMessage& message) { take_message(number, *opened_by, message); },
          // later: it may be told while somebody goes through all sockets to send something
          .over =
              [this, number, address = request.peer](CloseCode, std::string_view wrong) {
                loop_.later([this, number] { serve([this, number] { socket_handler_.closed(number); }); });
                if (!wrong.empty()) notice(address, fmt::format("socket closed: {}", wrong));
              },
          .gone =
              [this, number] {
                sockets_.erase(number);
                unknown_.erase(number);
              }});
  if (!is_known) unknown_.insert(number);
  sockets_.emplace(number, socket);
  serve([this, number, opened_by] { socket_handler_.opened(number, *opened_by); });
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
  loop_thread_ = std::this_thread::get_id();
  has_begun_ = true;
  is_running_ = true;
  if (is_apart()) serving_.start();
  loop_.run();
  is_running_ = false;
  loop_.stop_listening();
  close_sockets();
  // what can go out without waiting does, and who used the sockets is told
  loop_.finish(kMostFarewells);
  if (!is_apart()) return;
  serving_.finish();
  loop_.finish(kMostFarewells);
}

Server::Server(const Options& options, Handler handler)
    : impl_(std::make_unique<Impl>(options, std::move(handler))) {}
Server::~Server() = default;

Status Server::listen() {
  return impl_->ask_loop<Status>([this] { return impl_->listen(); },
                                 Error{ErrorCode::Interrupted, "the server ends"});
}
bool Server::is_listening() const {
  return impl_->ask_loop<bool>([this] { return impl_->is_listening(); }, false);
}
ListenAddress Server::address() const {
  return impl_->ask_loop<ListenAddress>([this] { return impl_->address(); }, {});
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
  impl_->in_loop([this, address, wrong = std::string(wrong)] { impl_->notice(address, wrong); });
}
std::size_t Server::connection_count() const {
  return impl_->ask_loop<std::size_t>([this] { return impl_->connection_count(); }, 0);
}
std::size_t Server::socket_count() const {
  return impl_->ask_loop<std::size_t>([this] { return impl_->socket_count(); }, 0);
}
void Server::on_sockets(SocketHandler handler) {
  impl_->on_sockets(std::move(handler));
}
void Server::send(SocketNumber socket, SocketMessage message, std::uint32_t stream) {
  impl_->in_loop([this, socket, message = std::move(message), stream]() mutable {
    if (const auto open = impl_->socket(socket)) open->send(std::move(message), stream);
  });
}
void Server::close(SocketNumber socket, std::uint16_t code, const std::string& reason) {
  impl_->in_loop([this, socket, code, reason] {
    if (const auto open = impl_->socket(socket)) open->close(static_cast<CloseCode>(code), reason);
  });
}

}  // namespace sinew::web

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/http_session.h"

#include <algorithm>
#include <utility>

#include "sinew/base/time.h"
#include "sinew/web/answer_text.h"

namespace sinew::web {
namespace {

constexpr std::size_t kMostLargeBodies = 2;
constexpr std::int64_t kLargeBodyWithin_ns = 60 * kSecond_ns;
// for the client to hang up after its last answer
constexpr std::int64_t kFarewellWithin_ns = kSecond_ns;
// [ns] For each byte of an answer, besides the time that every answer has: 100 kB/s
constexpr std::int64_t kByteWithin_ns = 10'000;
// an answer that is always sent: such as these tell of a stop, a refusal, the state
constexpr std::size_t kSmallAnswer = 64U << 10U;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

HttpSession::HttpSession(HttpDesk& desk, std::shared_ptr<Wire> wire)
    : desk_(desk), wire_(std::move(wire)), place_(desk.sessions.end()) {}

HttpSession::~HttpSession() {
  if (is_large_) --desk_.large_bodies;
  release_answer();
  if (place_ != desk_.sessions.end()) desk_.sessions.erase(place_);
}

void HttpSession::begin() {
  place_ = desk_.sessions.insert(desk_.sessions.end(), weak_from_this());
  await_request();
}

void HttpSession::close() {
  is_reading_ = false;
  if (wire_ != nullptr) wire_->close();
}

void HttpSession::await_request() {
  release_request();
  is_reading_ = true;
  // one time for the whole of it: who sends a letter a second is not waited for
  wire_->close_after(desk_.request_within_ns);
  // the next request may have come along with the last one
  read_on();
}

void HttpSession::read_on() {
  switch (parser_.next()) {
    case RequestParser::Step::More:
      return wire_->read(parser_.room(), [self = shared_from_this()](bool is_well, std::size_t size) {
        if (!is_well) return self->close();
        self->parser_.add(size);
        self->read_on();
      });
    case RequestParser::Step::Head:
      return take_head();
    case RequestParser::Step::Whole:
      return take_request();
    case RequestParser::Step::TooLarge:
      return refuse(413, "the request is too large");
    case RequestParser::Step::Mistake:
      return refuse(400, "this is no HTTP request");
  }
}

void HttpSession::take_head() {
  request_ = std::move(parser_.request());
  request_.user = wire_->peer().user;
  request_.peer = wire_->peer().address;
  request_.is_secure = wire_->is_secure();
  is_large_ = desk_.large_bodies < kMostLargeBodies && desk_.has_large_body && desk_.has_large_body(request_);
  if (is_large_) {
    ++desk_.large_bodies;
    parser_.bound_body(RequestParser::kMostLargeBodyBytes);
    wire_->close_after(std::max(kLargeBodyWithin_ns, desk_.request_within_ns));
  }
  if (!parser_.manner().waits_for_leave) return read_on();
  wire_->write(kContinue, [self = shared_from_this()](bool is_well, std::size_t) {
    return is_well ? self->read_on() : self->close();
  });
}

void HttpSession::take_request() {
  is_reading_ = false;
  request_.body = std::move(parser_.request().body);
  wire_->close_after(-1);
  const UpgradeHeaders upgrade = parser_.manner().upgrade;
  if (request_.method == "GET" && desk_.may_open && wants_socket(upgrade)) return ask_for_socket(upgrade);
  waiting_ = shared_from_this();
  // whoever is asked may answer when the server is gone
  desk_.handle(std::move(request_),
               [weak = weak_from_this(), number = ++request_count_](const HttpAnswer& answer) {
                 const auto self = weak.lock();
                 // an answer given twice is none to the request that came after
                 if (self != nullptr && self->request_count_ == number) self->send(answer, false);
               });
}

void HttpSession::ask_for_socket(const UpgradeHeaders& upgrade) {
  waiting_ = shared_from_this();
  desk_.may_open(request_, upgrade,
                 [weak = weak_from_this(), number = ++request_count_, upgrade](const SocketVerdict& verdict) {
                   const auto self = weak.lock();
                   if (self != nullptr && self->request_count_ == number)
                     self->become_socket(upgrade, verdict);
                 });
}

void HttpSession::become_socket(const UpgradeHeaders& upgrade, const SocketVerdict& verdict) {
  if (wire_ == nullptr) return;
  if (verdict.refusal) {
    desk_.notice(wire_->peer(), "no socket for it: " + std::to_string(verdict.refusal->status));
    return send(*verdict.refusal, true);
  }
  const auto self = std::exchange(waiting_, nullptr);
  desk_.open(std::exchange(wire_, nullptr), answer_text(upgrade_answer(upgrade, verdict.subprotocol), {}),
             request_, verdict.is_known, parser_.rest());
}

// What can still be told to who sent something that is no request.
void HttpSession::refuse(unsigned status, const std::string& words) {
  is_reading_ = false;
  desk_.notice(wire_->peer(), words);
  send({.status = status, .type = "text/plain", .body = words + "\n"}, true);
}

void HttpSession::send(const HttpAnswer& answer, bool is_last) {
  const auto self = std::exchange(waiting_, nullptr);
  if (is_sent_) return;
  is_sent_ = true;
  const RequestParser::Manner manner = parser_.manner();
  keeps_alive_ = !is_last && manner.keeps_alive;
  const AnswerTo how{
      .is_version_1_0 = manner.is_version_1_0, .keeps_alive = keeps_alive_, .is_head = manner.is_head};
  out_ = answer_text(answer, how);
  if (!fits(out_.size())) {
    desk_.notice(wire_->peer(), "too many large answers are under way");
    out_ = answer_text({.status = 503,
                        .body = "{\"error\": \"too much is being sent to others; ask again in a moment\"}\n",
                        .retry_after = 2},
                       how);
  }
  desk_.answer_bytes += counted_ = out_.size();
  wire_->close_after(desk_.answer_within_ns + kByteWithin_ns * static_cast<std::int64_t>(out_.size()));
  wire_->write(out_, [self = shared_from_this()](bool is_well, std::size_t) { self->go_on(is_well); });
}

// One alone may be of any size that a program gives.
bool HttpSession::fits(std::size_t bytes) const {
  return bytes <= kSmallAnswer || desk_.answer_bytes + bytes <= desk_.most_answer_bytes ||
         desk_.answer_bytes <= kSmallAnswer;
}

void HttpSession::release_answer() {
  desk_.answer_bytes -= std::exchange(counted_, 0);
  // a connection that is kept would keep room for the largest of its answers
  std::string().swap(out_);
}

void HttpSession::go_on(bool is_well) {
  is_sent_ = false;
  release_answer();
  if (!is_well) return close();
  desk_.sessions.splice(desk_.sessions.end(), desk_.sessions, place_);
  if (keeps_alive_) return await_request();
  is_reading_ = true;
  wire_->close_after(kFarewellWithin_ns);
  wire_->finish([self = shared_from_this()](bool, std::size_t) { self->close(); });
}

void HttpSession::release_request() {
  if (std::exchange(is_large_, false)) --desk_.large_bodies;
  request_ = {};
  parser_.restart();
}

}  // namespace sinew::web

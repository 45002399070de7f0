// SPDX-License-Identifier: BSD-3-Clause
// The only file that knows Boost.Beast.
#include "sinew/web/request_parser.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "sinew/web/header_value.h"

namespace sinew::web {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::uint32_t kMostHeaderBytes = 8U << 10U;
// what is read at once; more waits in the system's own buffer
constexpr std::size_t kMostBuffered = 16U << 10U;

using Parser = http::request_parser<http::string_body>;
using Message = http::request<http::string_body>;

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
                                  .user_agent = header_in(message, "User-Agent"),
                                  .cookie = header_in(message, "Cookie"),
                                  .authorization = header_in(message, "Authorization"),
                                  .content_type = header_in(message, "Content-Type"),
                                  .control = header_in(message, "X-Sinew-Control"),
                                  .websocket_protocol = header_in(message, "Sec-WebSocket-Protocol"),
                                  .if_none_match = header_in(message, "If-None-Match"),
                                  .accept_encoding = header_in(message, "Accept-Encoding")}};
  for (const char* older : {"Purpose", "X-Moz", "X-Purpose"})
    if (!request.headers.purpose) request.headers.purpose = header_in(message, older);
  return request;
}

UpgradeHeaders upgrade_headers_from(const Message& message) {
  return {.connection = header_in(message, "Connection").value_or(""),
          .upgrade = header_in(message, "Upgrade").value_or(""),
          .version = header_in(message, "Sec-WebSocket-Version").value_or(""),
          .key = header_in(message, "Sec-WebSocket-Key").value_or("")};
}

}  // namespace

class RequestParser::Impl {
 public:
  Impl() { restart(); }

  void restart() {
    parser_.emplace();
    parser_->header_limit(kMostHeaderBytes);
    // of whatever body; bound_body() narrows it once it is known what it is for
    parser_->body_limit(kMostLargeBodyBytes);
    request_ = {};
    is_head_told_ = false;
    is_too_large_ = false;
  }

  std::span<char> room() { return std::span(buffer_).subspan(filled_); }
  void add(std::size_t size) { filled_ += size; }
  std::string_view rest() const { return {buffer_.data(), filled_}; }

  Step next() {
    while (!parser_->is_done()) {
      if (is_too_large_) return Step::TooLarge;
      if (filled_ == 0) return Step::More;
      beast::error_code error;
      drop(parser_->put(boost::asio::buffer(buffer_.data(), filled_), error));
      if (error == http::error::need_more) return filled_ < buffer_.size() ? Step::More : Step::TooLarge;
      if (error == http::error::header_limit || error == http::error::body_limit) return Step::TooLarge;
      if (error) return Step::Mistake;
      if (parser_->is_header_done() && !std::exchange(is_head_told_, true)) return take_head();
    }
    request_.body = std::move(parser_->get().body());
    return Step::Whole;
  }

  void bound_body(std::uint64_t most) {
    if (parser_->is_done()) return;
    is_too_large_ = parser_->content_length().value_or(0) > most;
    // of what comes in chunks
    parser_->body_limit(most);
  }

  HttpRequest& request() { return request_; }

  Manner manner() const {
    const Message& message = parser_->get();
    return {.is_version_1_0 = message.version() == 10,
            .keeps_alive = message.keep_alive(),
            .is_head = message.method() == http::verb::head,
            .waits_for_leave = is_same(header_in(message, "Expect").value_or(""), "100-continue"),
            .upgrade = upgrade_headers_from(message)};
  }

 private:
  Step take_head() {
    request_ = request_from(parser_->get());
    bound_body(kMostBodyBytes);
    return Step::Head;
  }

  // What has been read is moved out of the way.
  void drop(std::size_t size) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(size),
              buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
    filled_ -= size;
  }

  std::vector<char> buffer_ = std::vector<char>(kMostBuffered);
  std::size_t filled_ = 0;
  std::optional<Parser> parser_;
  HttpRequest request_;
  bool is_head_told_ = false;
  bool is_too_large_ = false;
};

RequestParser::RequestParser() : impl_(std::make_unique<Impl>()) {}
RequestParser::~RequestParser() = default;

std::span<char> RequestParser::room() {
  return impl_->room();
}
void RequestParser::add(std::size_t size) {
  impl_->add(size);
}
RequestParser::Step RequestParser::next() {
  return impl_->next();
}
void RequestParser::bound_body(std::uint64_t most) {
  impl_->bound_body(most);
}
HttpRequest& RequestParser::request() {
  return impl_->request();
}
RequestParser::Manner RequestParser::manner() const {
  return impl_->manner();
}
std::string_view RequestParser::rest() const {
  return impl_->rest();
}
void RequestParser::restart() {
  impl_->restart();
}

Result<HttpRequest> http_request_from(std::string_view bytes) {
  RequestParser parser;
  while (true) {
    const RequestParser::Step step = parser.next();
    if (step == RequestParser::Step::Whole) return parser.request();
    if (step == RequestParser::Step::TooLarge) return Error{ErrorCode::Full, "the request is too large"};
    if (step == RequestParser::Step::Mistake)
      return Error{ErrorCode::InvalidInput, "this is no HTTP request"};
    if (step == RequestParser::Step::Head) continue;
    if (bytes.empty()) return Error{ErrorCode::InvalidInput, "the request is not whole"};
    const std::span<char> room = parser.room();
    const std::size_t size = std::min(room.size(), bytes.size());
    std::copy_n(bytes.begin(), size, room.begin());
    parser.add(size);
    bytes.remove_prefix(size);
  }
}

}  // namespace sinew::web

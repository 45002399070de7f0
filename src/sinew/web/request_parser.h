// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/web/http.h"
#include "sinew/web/upgrade.h"

namespace sinew::web {

/// Reads HTTP/1.1 requests, one after the other, out of bytes that come in pieces; bounded. Only its .cc
/// knows Boost.Beast.
class RequestParser {
 public:
  static constexpr std::uint64_t kMostBodyBytes = 64U << 10U;
  static constexpr std::uint64_t kMostLargeBodyBytes = 16U << 20U;

  enum class Step : std::uint8_t {
    More,      ///< More bytes are needed.
    Head,      ///< All but the body is known, told once for each request.
    Whole,     ///< The request is whole.
    TooLarge,  ///< Its head or body is beyond the bounds.
    Mistake,   ///< This is no request.
  };
  /// The rest of what a request says about how it is to be answered.
  struct Manner {
    bool is_version_1_0 = false;
    bool keeps_alive = true;
    bool is_head = false;
    bool waits_for_leave = false;  ///< "Expect: 100-continue": the body comes when it is asked for.
    UpgradeHeaders upgrade;
  };

  RequestParser();
  ~RequestParser();
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  /// Where the next bytes are to be put; never empty after Step::More.
  std::span<char> room();
  /// So many have been put there.
  void add(std::size_t size);
  /// Reads on, up to the next thing to be told.
  Step next();
  /// Since Step::Head. `most` is the bound of the body, 64 KiB unless said otherwise.
  void bound_body(std::uint64_t most);

  /// Since Step::Head, its body since Step::Whole; may be moved away.
  HttpRequest& request();
  /// What is known of it at any time.
  Manner manner() const;
  /// Bytes that came after the request.
  std::string_view rest() const;
  /// Begins the next request, with the rest.
  void restart();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// One request out of its bytes, as the server would take it, with its bounds; for tests and fuzzers.
Result<HttpRequest> http_request_from(std::string_view bytes);

}  // namespace sinew::web

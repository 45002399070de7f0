// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/visitor.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "sinew/web/header_value.h"
#include "sinew/web/listen_address.h"
#include "sinew/web/shown_text.h"

namespace sinew::web {
namespace {

// "name" of "name:8080", "::1" of "[::1]:8080"; nothing when it is no host with a port.
std::optional<std::string_view> name_in(std::string_view host) {
  const std::size_t end = host.starts_with('[') ? host.find(']') : host.find(':');
  if (host.starts_with('[') && end == std::string_view::npos) return std::nullopt;
  std::string_view port = end == std::string_view::npos ? "" : host.substr(end);
  if (port.starts_with(']')) port.remove_prefix(1);
  const bool is_port =
      port.empty() || (port.size() > 1 && port.size() <= 6 && port.front() == ':' &&
                       std::ranges::all_of(port.substr(1), [](char c) { return c >= '0' && c <= '9'; }));
  if (!is_port) return std::nullopt;
  return host.starts_with('[') ? host.substr(1, end - 1) : host.substr(0, end);
}

// Whether a URL such as an Origin or a Referer has this authority.
bool is_at(std::string_view url, std::string_view host) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!url.starts_with(scheme)) continue;
    const std::string_view rest = url.substr(scheme.size());
    return is_same(rest.substr(0, rest.find_first_of("/?#")), host);
  }
  return false;
}

Error stranger(std::string_view header, std::string_view value) {
  return {ErrorCode::Denied,
          fmt::format("{} '{}': another page asks for this, and only pages of this server may move the robot",
                      header, shown_text(value))};
}

}  // namespace

Status check_host(const HttpHeaders& headers, const std::vector<std::string>& names) {
  if (!headers.host) return Error{ErrorCode::InvalidInput, "the request has no Host; use HTTP/1.1"};
  const auto name = name_in(*headers.host);
  const bool is_known =
      name && (is_address(*name) || is_same(*name, "localhost") ||
               std::ranges::any_of(names, [&](const std::string& known) { return is_same(known, *name); }));
  if (is_known) return Done{};
  return Error{ErrorCode::Denied,
               fmt::format("Host '{}' is not this server: use its address in digits, or localhost",
                           shown_text(*headers.host))};
}

Status check_mover(const HttpHeaders& headers) {
  const std::string host = headers.host.value_or("");
  if (headers.origin && !is_at(*headers.origin, host)) return stranger("Origin", *headers.origin);
  if (headers.referer && !is_at(*headers.referer, host)) return stranger("Referer", *headers.referer);
  if (headers.purpose)
    return Error{ErrorCode::Denied,
                 fmt::format("'{}' is no wish to move the robot: it is what a browser fetches ahead",
                             shown_text(*headers.purpose))};
  if (headers.fetch_site) {
    // "none": typed, or a bookmark
    if (*headers.fetch_site == "same-origin" || *headers.fetch_site == "none") return Done{};
    return stranger("Sec-Fetch-Site", *headers.fetch_site);
  }
  // all browsers begin so, and those that keep silent about the page cannot be told from a strange page
  if (headers.user_agent && headers.user_agent->starts_with("Mozilla/") && !headers.origin)
    return Error{ErrorCode::Denied,
                 "this browser does not say which page asks (Sec-Fetch-Site; browsers send it to localhost "
                 "and over HTTPS): use localhost, or curl"};
  return Done{};
}

}  // namespace sinew::web

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/listen_address.h"

#include <arpa/inet.h>

#include <charconv>

#include <fmt/format.h>

namespace sinew::web {
namespace {

bool is_version_6(std::string_view host) {
  in6_addr address{};
  return inet_pton(AF_INET6, std::string(host).c_str(), &address) == 1;
}

bool is_version_4(std::string_view host) {
  in_addr address{};
  return inet_pton(AF_INET, std::string(host).c_str(), &address) == 1;
}

Error refuse(std::string_view text) {
  return {ErrorCode::InvalidInput,
          fmt::format("'{}' is no place to listen: write ADDRESS:PORT, such as 127.0.0.1:8080, "
                      "[::1]:8080 or 0.0.0.0:8080 (all of the network)",
                      text.substr(0, 80))};
}

}  // namespace

bool is_address(std::string_view host) {
  // a zero byte would hide what follows it
  return host.size() <= 64 && host.find('\0') == std::string_view::npos &&
         (is_version_4(host) || is_version_6(host));
}

bool is_loopback(std::string_view host) {
  return is_address(host) && (host.starts_with("127.") || host == "::1");
}

Result<ListenAddress> listen_address_from(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return refuse(text);
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (has_brackets) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  if (!is_address(host) || has_brackets != (host.find(':') != std::string_view::npos)) return refuse(text);
  ListenAddress address{.host = std::string(host)};
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (port.empty() || error != std::errc() || end != port.data() + port.size()) return refuse(text);
  return address;
}

std::string url_of(const ListenAddress& address, bool is_secure) {
  const bool has_colons = address.host.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}", is_secure ? "https" : "http", has_colons ? "[" : "", address.host,
                     has_colons ? "]" : "", address.port);
}

}  // namespace sinew::web

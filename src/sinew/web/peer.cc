// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/peer.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "sinew/web/listen_address.h"

namespace sinew::web {
namespace {

constexpr std::string_view kEstablished = "01";
// columns of the table, separated by blanks
constexpr std::size_t kLocal = 1;
constexpr std::size_t kRemote = 2;
constexpr std::size_t kState = 3;
constexpr std::size_t kUser = 7;

// "0100007F:1F90": the address as words of this machine, the port as a number; empty: no address.
std::string table_text(const Endpoint& endpoint) {
  std::array<unsigned char, 16> bytes{};
  std::size_t size = 0;
  if (inet_pton(AF_INET, endpoint.address.c_str(), bytes.data()) == 1) size = 4;
  if (size == 0 && inet_pton(AF_INET6, endpoint.address.c_str(), bytes.data()) == 1) size = 16;
  std::string text;
  for (std::size_t i = 0; i < size; i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + i, sizeof word);
    text += fmt::format("{:08X}", word);
  }
  return text.empty() ? text : fmt::format("{}:{:04X}", text, endpoint.port);
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (words.size() <= kUser) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find(' ')));
    line.remove_prefix(words.back().size());
  }
  return words;
}

}  // namespace

std::optional<std::uint32_t> user_in_table(std::string_view table, const Endpoint& peer,
                                           const Endpoint& own) {
  const std::string local = table_text(peer);
  const std::string remote = table_text(own);
  while (!table.empty()) {
    const std::string_view line = table.substr(0, table.find('\n'));
    table.remove_prefix(std::min(table.size(), line.size() + 1));
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() <= kUser || local.empty() || words[kLocal] != local || words[kRemote] != remote ||
        words[kState] != kEstablished)
      continue;
    std::uint32_t user = 0;
    const std::string_view digits = words[kUser];
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), user);
    if (error == std::errc() && end == digits.data() + digits.size()) return user;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> user_of_peer(const Endpoint& peer, const Endpoint& own) {
  if (!is_loopback(peer.address)) return std::nullopt;
  const bool is_version_6 = peer.address.find(':') != std::string::npos;
  std::ifstream file(is_version_6 ? "/proc/net/tcp6" : "/proc/net/tcp");
  const std::string table{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return user_in_table(table, peer, own);
}

}  // namespace sinew::web

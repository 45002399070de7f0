// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/peer.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
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

struct DiagRequest {
  nlmsghdr header;
  inet_diag_req_v2 body;
};

// An address as the system's tables have it; false: it is none.
bool put_address(const std::string& digits, bool is_version_6, std::span<__be32, 4> words) {
  return inet_pton(is_version_6 ? AF_INET6 : AF_INET, digits.c_str(), words.data()) == 1;
}

std::optional<DiagRequest> diag_request(const Endpoint& peer, const Endpoint& own) {
  const bool is_version_6 = peer.address.find(':') != std::string::npos;
  DiagRequest request{};
  request.header = {
      .nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST};
  request.body.sdiag_family = is_version_6 ? AF_INET6 : AF_INET;
  request.body.sdiag_protocol = IPPROTO_TCP;
  request.body.idiag_states = 1U << TCP_ESTABLISHED;
  inet_diag_sockid& id = request.body.id;
  id.idiag_sport = htons(peer.port);
  id.idiag_dport = htons(own.port);
  id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
  id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (!put_address(peer.address, is_version_6, id.idiag_src) ||
      !put_address(own.address, is_version_6, id.idiag_dst))
    return std::nullopt;
  return request;
}

// Of a connection that is still one: a socket that listens at the peer's port may be found in its place.
std::optional<std::uint32_t> user_in(const inet_diag_msg& message, const Endpoint& own) {
  const bool is_it = message.idiag_state == TCP_ESTABLISHED && message.id.idiag_dport == htons(own.port);
  return is_it ? std::optional(message.idiag_uid) : std::nullopt;
}

}  // namespace

std::optional<PeerUser> user_by_lookup(const Endpoint& peer, const Endpoint& own) {
  const auto request = diag_request(peer, own);
  if (!request) return PeerUser{};
  const int descriptor = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
  if (descriptor < 0) return std::nullopt;
  std::array<char, 4096> answer{};
  ssize_t size = send(descriptor, &*request, sizeof *request, 0);
  // answered at once, inside the call before
  if (size == sizeof *request) size = recv(descriptor, answer.data(), answer.size(), 0);
  close(descriptor);
  nlmsghdr header{};
  std::memcpy(&header, answer.data(), sizeof header);
  const ssize_t content = size - static_cast<ssize_t>(NLMSG_HDRLEN);
  if (header.nlmsg_type == SOCK_DIAG_BY_FAMILY && content >= static_cast<ssize_t>(sizeof(inet_diag_msg))) {
    inet_diag_msg message{};
    std::memcpy(&message, answer.data() + NLMSG_HDRLEN, sizeof message);
    return PeerUser{user_in(message, own)};
  }
  nlmsgerr error{};
  if (header.nlmsg_type == NLMSG_ERROR && content >= static_cast<ssize_t>(sizeof error))
    std::memcpy(&error, answer.data() + NLMSG_HDRLEN, sizeof error);
  return error.error == -ENOENT ? std::optional<PeerUser>(PeerUser{}) : std::nullopt;
}

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
  // the table has a line for each connection of the machine, also for those that have ended: the longer it
  // is, the longer everybody waits for who connects
  if (const auto found = user_by_lookup(peer, own)) return found->user;
  const bool is_version_6 = peer.address.find(':') != std::string::npos;
  std::ifstream file(is_version_6 ? "/proc/net/tcp6" : "/proc/net/tcp");
  const std::string table{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return user_in_table(table, peer, own);
}

}  // namespace sinew::web

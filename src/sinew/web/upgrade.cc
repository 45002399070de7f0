// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/upgrade.h"

#include <algorithm>
#include <array>

#include <openssl/evp.h>
#include <openssl/sha.h>

#include "sinew/web/header_value.h"

namespace sinew::web {
namespace {

// any 16 bytes in base 64: 21 letters, one of which only four bits count, and the padding
bool is_key(std::string_view key) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return key.size() == 24 && key.ends_with("==") &&
         key.substr(0, 22).find_first_not_of(kLetters) == std::string_view::npos;
}

}  // namespace

bool wants_socket(const UpgradeHeaders& headers) {
  return has_word(headers.upgrade, "websocket") && has_word(headers.connection, "upgrade");
}

std::optional<HttpAnswer> upgrade_refusal(const UpgradeHeaders& headers) {
  if (headers.version != "13")
    return HttpAnswer{.status = 426,
                      .type = "text/plain",
                      .body = "WebSockets are spoken here in version 13\n",
                      .headers = {{"Sec-WebSocket-Version", "13"}, {"Upgrade", "websocket"}}};
  if (!is_key(headers.key))
    return HttpAnswer{
        .status = 400, .type = "text/plain", .body = "Sec-WebSocket-Key is 16 bytes in base 64\n"};
  return std::nullopt;
}

std::string accept_key(std::string_view key) {
  // the constant of RFC 6455
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::array<unsigned char, 4 * ((SHA_DIGEST_LENGTH + 2) / 3) + 1> letters{};
  const int size = EVP_EncodeBlock(letters.data(), digest.data(), SHA_DIGEST_LENGTH);
  return {letters.begin(), letters.begin() + size};
}

HttpAnswer upgrade_answer(const UpgradeHeaders& headers, const std::string& subprotocol) {
  HttpAnswer answer{.status = 101,
                    .headers = {{"Upgrade", "websocket"},
                                {"Connection", "Upgrade"},
                                {"Sec-WebSocket-Accept", accept_key(headers.key)}}};
  if (!subprotocol.empty()) answer.headers.emplace_back("Sec-WebSocket-Protocol", subprotocol);
  return answer;
}

}  // namespace sinew::web

// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as users.json, as a cookie, as a bearer token, as a hash, as a name, as a code. What is taken for
// users is written as it was read; nobody gets in; no text reaches a log or a terminal with control
// characters.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/accounts/audit_log.h"
#include "sinew/accounts/first_code.h"
#include "sinew/accounts/gate.h"
#include "sinew/accounts/lockout.h"
#include "sinew/accounts/secrets.h"
#include "sinew/accounts/strict_json.h"
#include "sinew/accounts/user_file.h"
#include "sinew/base/assert.h"

namespace {

void check_printable(std::string_view text) {
  for (const char letter : text) SINEW_ASSERT(letter >= ' ' && letter <= '~');
}

void check_users(std::string_view bytes) {
  const auto users = sinew::accounts::users_from(bytes);
  if (!users) return check_printable(users.error().message);
  const std::string text = sinew::accounts::users_text(*users);
  const auto again = sinew::accounts::users_from(text);
  SINEW_ASSERT(again && sinew::accounts::users_text(*again) == text);
}

void check_gate(std::string_view bytes) {
  const sinew::accounts::Users users;
  sinew::accounts::Sessions sessions;
  const sinew::accounts::ControlDesk desk;
  static_cast<void>(sessions.open("ada", 0));
  sinew::accounts::Gate gate(users, sessions, desk, {});
  const std::string text(bytes);
  SINEW_ASSERT(gate.check({.cookie = text, .authorization = text, .control = text}, {}, 1).status == 401);
  if (const auto value = sinew::accounts::cookie_value(bytes, "sinew_session"))
    SINEW_ASSERT(value->find(';') == std::string_view::npos);
}

// What is read is what the parser's own builder reads, and it is in the same order.
void check_json(std::string_view bytes) {
  using sinew::accounts::Json;
  const auto strict = sinew::accounts::strict_json(bytes, 32);
  if (!strict) return;
  const Json plain = Json::parse(bytes.begin(), bytes.end(), nullptr, false);
  SINEW_ASSERT(!plain.is_discarded() && plain == *strict);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_users(bytes);
  check_json(bytes);
  check_gate(bytes);
  static_cast<void>(sinew::accounts::check_password_hash(bytes));
  static_cast<void>(sinew::accounts::address_group(bytes));
  sinew::accounts::FirstCode code = sinew::accounts::FirstCode::from("K7QM-3XPA");
  if (code.accepts(bytes)) SINEW_ASSERT(sinew::accounts::FirstCode::from(bytes).text() == "K7QM-3XPA");
  if (const auto name = sinew::accounts::user_name_from(bytes)) check_printable(*name);
  check_printable(sinew::accounts::audit_line({.user = std::string(bytes), .what = std::string(bytes)}));
  return 0;
}

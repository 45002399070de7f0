// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as the body of every request about accounts, and as its target, from somebody who may do all:
// each is answered once, with JSON in one line, and an expert is left.
#include <stdlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/accounts/accounts_api.h"
#include "sinew/base/assert.h"

namespace {

using sinew::accounts::Accounts;
using sinew::accounts::AccountsApi;
using sinew::accounts::ApiAnswer;

struct Folder {
  std::string path = "/tmp/sinew-api-fuzz-XXXXXX";

  Folder() { SINEW_ASSERT(mkdtemp(path.data()) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
};

// no accounts, so that who comes from this machine is an expert and every request reaches its end
Accounts& accounts() {
  static const Folder kFolder;
  static Accounts made({.folder = kFolder.path,
                        .gate = {.has_accounts = false, .owner = 1000},
                        .cost = {.passes = 1, .memory = 8192}},
                       {});
  return made;
}

void check_answer(const ApiAnswer& answer) {
  SINEW_ASSERT(answer.status >= 200 && answer.status < 600);
  SINEW_ASSERT(answer.body.starts_with('{') && answer.body.ends_with("}\n"));
  SINEW_ASSERT(std::ranges::count(answer.body, '\n') == 1);
  SINEW_ASSERT(answer.set_cookie.find_first_of("\r\n") == std::string::npos);
}

void ask(std::string_view method, std::string_view target, std::string_view body) {
  AccountsApi api(accounts(), [](std::string_view, const sinew::accounts::Identity&) { return true; });
  int answers = 0;
  api.answer({.method = std::string(method),
              .target = std::string(target),
              .body = std::string(body),
              .content_type = "application/json",
              .credentials = {.is_loopback = true, .system_user = 1000}},
             [&](const ApiAnswer& answer) {
               ++answers;
               check_answer(answer);
             });
  while (answers == 0 || !accounts().worker().is_idle()) accounts().look({});
  SINEW_ASSERT(answers == 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::string_view target :
       {"/api/login", "/api/first", "/api/users", "/api/control/take", "/api/logout"})
    ask("POST", target, bytes);
  for (const std::string_view target : {"/api/users/ada", "/api/password"}) ask("PUT", target, bytes);
  ask("GET", bytes, "");
  ask("DELETE", "/api/users/" + std::string(bytes), "");
  return 0;
}

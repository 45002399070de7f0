// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/accounts_api.h"

#include <unistd.h>

#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/accounts/test/accounts_bench.h"

namespace sinew::accounts {
namespace {

using nlohmann::json;

class AccountsApiTest : public testing::Test {
 protected:
  AccountsApiTest() { start(); }

  // as a restart of the server does
  void start(bool has_accounts = true) {
    api_.reset();
    accounts_ = std::make_unique<Accounts>(
        Accounts::Options{.folder = folder_.path(),
                          .gate = {.has_accounts = has_accounts, .owner = 1000},
                          .cost = kTestCost,
                          .on_control = [this](const ControlChange& change) { changes_.push_back(change); }},
        now_);
    api_ = std::make_unique<AccountsApi>(*accounts_, [](std::string_view client, const Identity&) {
      return client == "c1" || client == "c2";
    });
  }

  void pass(std::int64_t duration_ns) {
    now_.now_ns += duration_ns;
    now_.wall_ns += duration_ns;
    accounts_->look(now_);
  }

  ApiAnswer ask(const std::string& method, const std::string& target, const std::string& body = "",
                const std::string& token = "", const std::string& control = "") {
    ApiRequest request{.method = method, .target = target, .body = body};
    if (!body.empty()) request.content_type = "application/json";
    if (!token.empty()) request.credentials.authorization = "Bearer " + token;
    if (!control.empty()) request.credentials.control = control;
    request.credentials.peer = peer_;
    return ask(request);
  }

  ApiAnswer ask(const ApiRequest& request) {
    std::optional<ApiAnswer> answer;
    api_->answer(request, [&](const ApiAnswer& given) {
      EXPECT_FALSE(answer) << "answered twice";
      answer = given;
    });
    while (!answer) {
      usleep(100);
      accounts_->look(now_);
    }
    EXPECT_TRUE(json::accept(answer->body)) << answer->body;
    return *answer;
  }

  std::string error_of(const ApiAnswer& answer) { return json::parse(answer.body).value("error", ""); }

  std::string log_in(const std::string& name, const std::string& password = "correct horse") {
    const ApiAnswer answer = ask("POST", "/api/login", json{{"name", name}, {"password", password}}.dump());
    return answer.status == 200 ? json::parse(answer.body)["token"].get<std::string>() : "";
  }

  // the first expert, and one of each role
  std::string ada_with_all() {
    const std::string code = accounts_->first_code().text();
    const ApiAnswer first = ask("POST", "/api/first",
                                json{{"code", code}, {"name", "Ada"}, {"password", "correct horse"}}.dump());
    EXPECT_EQ(first.status, 200U) << first.body;
    const std::string ada = json::parse(first.body)["token"];
    for (const std::string role : {"viewer", "operator", "programmer"})
      EXPECT_EQ(ask("POST", "/api/users",
                    json{{"name", "the-" + role}, {"role", role}, {"password", "correct horse"}}.dump(), ada)
                    .status,
                200U);
    return ada;
  }

  TestFolder folder_;
  Moment now_{.now_ns = kSecond_ns, .wall_ns = 1'700'000'000 * kSecond_ns};
  std::string peer_ = "10.0.0.1";
  std::vector<ControlChange> changes_;
  std::unique_ptr<Accounts> accounts_;
  std::unique_ptr<AccountsApi> api_;
};

TEST_F(AccountsApiTest, TheCodeMakesTheFirstExpertOnce) {
  EXPECT_EQ(json::parse(ask("GET", "/api/session").body),
            json::parse(R"({"user":null,"role":null,"accounts":"on","needs_first":true})"));
  const std::string code = accounts_->first_code().text();
  EXPECT_EQ(text_of_file(folder_.file("first_code")), code + "\n");
  const auto body = [&](const std::string& typed, const std::string& name) {
    return json{{"code", typed}, {"name", name}, {"password", "correct horse"}}.dump();
  };
  EXPECT_EQ(ask("POST", "/api/first", body("AAAA-AAAA", "ada")).status, 403U);
  EXPECT_EQ(ask("POST", "/api/first", body(code, "a b")).status, 422U);
  const ApiAnswer made = ask("POST", "/api/first", body(code, "ada"));
  ASSERT_EQ(made.status, 200U) << made.body;
  const json answer = json::parse(made.body);
  EXPECT_EQ(answer["user"], "ada");
  EXPECT_EQ(answer["role"], "expert");
  EXPECT_EQ(made.set_cookie, fmt::format("sinew_session={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200",
                                         answer["token"].get<std::string>()));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("first_code")));
  const ApiAnswer again = ask("POST", "/api/first", body(code, "eve"));
  EXPECT_EQ(again.status, 422U);
  EXPECT_EQ(json::parse(ask("GET", "/api/session", "", answer["token"]).body)["user"], "ada");
  EXPECT_EQ(json::parse(ask("GET", "/api/session").body)["needs_first"], false);
}

TEST_F(AccountsApiTest, TwoWhoComeAtOnceWithTheCodeAreOneExpert) {
  const std::string code = accounts_->first_code().text();
  int made = 0;
  int answered = 0;
  for (const std::string name : {"ada", "eve"}) {
    ApiRequest request{.method = "POST",
                       .target = "/api/first",
                       .body = json{{"code", code}, {"name", name}, {"password", "correct horse"}}.dump(),
                       .content_type = "application/json"};
    api_->answer(request, [&](const ApiAnswer& answer) {
      ++answered;
      made += answer.status == 200 ? 1 : 0;
    });
  }
  while (answered < 2) {
    usleep(100);
    accounts_->look(now_);
  }
  EXPECT_EQ(made, 1);
  EXPECT_EQ(accounts_->users().all().size(), 1U);
}

TEST_F(AccountsApiTest, TenWrongCodesUseItUpUntilTheOwnerMakesANewOne) {
  const std::string code = accounts_->first_code().text();
  const auto with = [&](const std::string& typed) {
    return ask("POST", "/api/first",
               json{{"code", typed}, {"name", "ada"}, {"password", "correct horse"}}.dump());
  };
  for (int i = 0; i < FirstCode::kMostTries; ++i) EXPECT_EQ(with("AAAA-AAAA").status, 403U);
  const ApiAnswer late = with(code);
  EXPECT_EQ(late.status, 403U);
  EXPECT_EQ(error_of(late), "the code is used up: 'sinew web code' makes a new one");
  EXPECT_FALSE(std::filesystem::exists(folder_.file("first_code")));
  const auto renewed = first_code_in(folder_.path(), fill_random);
  ASSERT_TRUE(renewed);
  pass(2 * kSecond_ns);
  EXPECT_EQ(with(renewed->text()).status, 200U);
}

TEST_F(AccountsApiTest, LoginIsByNameAndPasswordAndSaysNotWhichWasWrong) {
  static_cast<void>(ada_with_all());
  EXPECT_FALSE(log_in("ADA").empty());
  const ApiAnswer wrong = ask("POST", "/api/login", R"({"name":"ada","password":"wrong"})");
  const ApiAnswer unknown = ask("POST", "/api/login", R"({"name":"nobody","password":"wrong"})");
  const ApiAnswer no_name = ask("POST", "/api/login", R"({"name":"no name\u001b","password":"wrong"})");
  for (const ApiAnswer& answer : {wrong, unknown, no_name}) {
    EXPECT_EQ(answer.status, 401U);
    EXPECT_EQ(answer.body, "{\"error\":\"wrong name or password\"}\n");
    EXPECT_TRUE(answer.set_cookie.empty());
  }
}

TEST_F(AccountsApiTest, SessionsOutliveNeitherLogoutNorRestart) {
  const std::string ada = ada_with_all();
  const std::string other = log_in("ada");
  const ApiAnswer out = ask("POST", "/api/logout", "", other);
  EXPECT_EQ(out.status, 200U);
  EXPECT_EQ(out.set_cookie, "sinew_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
  EXPECT_EQ(ask("GET", "/api/users", "", other).status, 401U);
  EXPECT_EQ(ask("GET", "/api/users", "", ada).status, 200U);
  start();
  EXPECT_EQ(ask("GET", "/api/users", "", ada).status, 401U);
  EXPECT_FALSE(log_in("ada").empty());
}

TEST_F(AccountsApiTest, GuessersAreLockedOutAndTheRightPasswordToo) {
  static_cast<void>(ada_with_all());
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(ask("POST", "/api/login", R"({"name":"ada","password":"wrong"})").status, 401U);
  const ApiAnswer locked = ask("POST", "/api/login", R"({"name":"ada","password":"correct horse"})");
  EXPECT_EQ(locked.status, 429U);
  EXPECT_EQ(locked.retry_after, 30U);
  EXPECT_EQ(error_of(locked), "too many wrong passwords: try again in 30 s");
  EXPECT_FALSE(log_in("the-viewer").empty());
  pass(30 * kSecond_ns);
  EXPECT_FALSE(log_in("ada").empty());
}

// all hundred come before the first is known to be wrong
TEST_F(AccountsApiTest, AHundredGuessesAtOnceAreNotAHundredGuesses) {
  static_cast<void>(ada_with_all());
  int tried = 0;
  int answered = 0;
  for (int i = 0; i < 100; ++i) {
    api_->answer({.method = "POST",
                  .target = "/api/login",
                  .body = fmt::format(R"({{"name":"ada","password":"guess{}"}})", i),
                  .content_type = "application/json"},
                 [&](const ApiAnswer& answer) {
                   ++answered;
                   tried += answer.status == 401 ? 1 : 0;
                 });
  }
  while (answered < 100) {
    usleep(100);
    accounts_->look(now_);
  }
  EXPECT_GE(tried, 1);
  EXPECT_LE(tried, 5);
}

TEST_F(AccountsApiTest, EachRoleIsRefusedWhatIsAboveIt) {
  const std::string ada = ada_with_all();
  const std::vector<std::pair<std::string, std::string>> for_experts{{"GET", "/api/users"},
                                                                     {"POST", "/api/users"},
                                                                     {"PUT", "/api/users/ada"},
                                                                     {"DELETE", "/api/users/ada"},
                                                                     {"GET", "/api/audit"}};
  for (const auto& [method, target] : for_experts) {
    EXPECT_EQ(ask(method, target).status, 401U) << target;
    for (const std::string role : {"viewer", "operator", "programmer"})
      EXPECT_EQ(ask(method, target, "", log_in("the-" + role)).status, 403U) << target;
  }
  EXPECT_EQ(ask("POST", "/api/control/take", "", log_in("the-viewer")).status, 403U);
  EXPECT_EQ(ask("POST", "/api/control/take").status, 401U);
  EXPECT_EQ(ask("POST", "/api/control/take", "", log_in("the-operator")).status, 200U);
  EXPECT_EQ(ask("DELETE", "/api/users/the-viewer", "", ada).status, 200U);
}

TEST_F(AccountsApiTest, TheLastExpertCannotBeRemovedOrDemoted) {
  const std::string ada = ada_with_all();
  EXPECT_EQ(ask("DELETE", "/api/users/ada", "", ada).status, 422U);
  const ApiAnswer demoted = ask("PUT", "/api/users/ada", R"({"role":"viewer"})", ada);
  EXPECT_EQ(demoted.status, 422U);
  EXPECT_EQ(error_of(demoted), "'ada' is the last expert, and somebody must be; make another one first");
  EXPECT_EQ(ask("PUT", "/api/users/the-operator", R"({"role":"expert"})", ada).status, 200U);
  EXPECT_EQ(ask("PUT", "/api/users/ada", R"({"role":"viewer"})", ada).status, 200U);
  EXPECT_EQ(ask("GET", "/api/users", "", ada).status, 403U);
}

TEST_F(AccountsApiTest, WhoIsRemovedOrGetsANewPasswordIsOutAtOnce) {
  const std::string ada = ada_with_all();
  const std::string viewer = log_in("the-viewer");
  EXPECT_EQ(ask("DELETE", "/api/users/the-viewer", "", ada).status, 200U);
  EXPECT_EQ(json::parse(ask("GET", "/api/session", "", viewer).body)["user"], nullptr);
  const std::string operator_before = log_in("the-operator");
  EXPECT_EQ(ask("PUT", "/api/users/the-operator", R"({"password":"new password"})", ada).status, 200U);
  EXPECT_EQ(json::parse(ask("GET", "/api/session", "", operator_before).body)["user"], nullptr);
  EXPECT_TRUE(log_in("the-operator").empty());
  EXPECT_FALSE(log_in("the-operator", "new password").empty());
}

TEST_F(AccountsApiTest, OnesOwnPasswordNeedsTheOldOneAndKeepsThisSessionOnly) {
  static_cast<void>(ada_with_all());
  const std::string here = log_in("the-viewer");
  const std::string elsewhere = log_in("the-viewer");
  EXPECT_EQ(ask("PUT", "/api/password", R"({"old":"wrong one","password":"a new password"})", here).status,
            403U);
  EXPECT_EQ(ask("PUT", "/api/password", R"({"old":"correct horse","password":"short"})", here).status, 422U);
  EXPECT_EQ(ask("PUT", "/api/password", R"({"old":"correct horse","password":"a new password"})").status,
            401U);
  EXPECT_EQ(
      ask("PUT", "/api/password", R"({"old":"correct horse","password":"a new password"})", here).status,
      200U);
  EXPECT_EQ(json::parse(ask("GET", "/api/session", "", here).body)["user"], "the-viewer");
  EXPECT_EQ(json::parse(ask("GET", "/api/session", "", elsewhere).body)["user"], nullptr);
  EXPECT_FALSE(log_in("the-viewer", "a new password").empty());
}

TEST_F(AccountsApiTest, ControlIsTakenLeftAndTakenOver) {
  const std::string ada = ada_with_all();
  const std::string otto = log_in("the-operator");
  const ApiAnswer taken = ask("POST", "/api/control/take", R"({"client":"c1"})", otto);
  ASSERT_EQ(taken.status, 200U);
  const std::string token = json::parse(taken.body)["token"];

  const ApiAnswer held = ask("POST", "/api/control/take", R"({"force":false})", ada);
  EXPECT_EQ(held.status, 409U);
  EXPECT_EQ(json::parse(held.body)["holder"], "the-operator");
  EXPECT_EQ(ask("POST", "/api/control/leave", "", ada, token).status, 409U);

  const ApiAnswer forced = ask("POST", "/api/control/take", R"({"force":true,"client":"c2"})", ada);
  ASSERT_EQ(forced.status, 200U);
  EXPECT_EQ(ask("POST", "/api/control/leave", "", otto, token).status, 409U);
  ASSERT_EQ(changes_.size(), 2U);
  EXPECT_EQ(changes_[1].before->client, "c1");
  EXPECT_EQ(changes_[1].now->user, "ada");
  EXPECT_EQ(ask("POST", "/api/control/leave", "", ada, json::parse(forced.body)["token"]).status, 200U);
  EXPECT_FALSE(changes_[2].now);
}

TEST_F(AccountsApiTest, ControlHangsOnAConnectionThatIsThere) {
  const std::string ada = ada_with_all();
  const ApiAnswer answer = ask("POST", "/api/control/take", R"({"client":"c99"})", ada);
  EXPECT_EQ(answer.status, 422U);
  EXPECT_EQ(error_of(answer), "'c99' is no live connection of yours");
  for (const std::string body : {R"({"client":7})", R"({"force":"yes"})", R"({"forse":true})", "[]", "{"})
    EXPECT_EQ(ask("POST", "/api/control/take", body, ada).status, 422U) << body;
  ASSERT_EQ(ask("POST", "/api/control/take", R"({"client":"c1"})", ada).status, 200U);
  accounts_->client_gone("c2");
  EXPECT_TRUE(accounts_->desk().who());
  accounts_->client_gone("c1");
  EXPECT_FALSE(accounts_->desk().who());
  EXPECT_FALSE(changes_.back().now);
}

TEST_F(AccountsApiTest, ControlEndsWithSessionRoleAndAccount) {
  const std::string ada = ada_with_all();
  const auto take = [&](const std::string& token) {
    EXPECT_EQ(ask("POST", "/api/control/take", "", token).status, 200U);
    EXPECT_TRUE(accounts_->desk().who());
  };
  std::string otto = log_in("the-operator");
  take(otto);
  EXPECT_EQ(ask("POST", "/api/logout", "", otto).status, 200U);
  EXPECT_FALSE(accounts_->desk().who());

  otto = log_in("the-operator");
  take(otto);
  EXPECT_EQ(ask("PUT", "/api/users/the-operator", R"({"role":"viewer"})", ada).status, 200U);
  EXPECT_FALSE(accounts_->desk().who());
  EXPECT_EQ(ask("PUT", "/api/users/the-operator", R"({"role":"operator"})", ada).status, 200U);
  take(otto);
  EXPECT_EQ(ask("DELETE", "/api/users/the-operator", "", ada).status, 200U);
  EXPECT_FALSE(accounts_->desk().who());

  take(log_in("the-programmer"));
  pass(29 * 60 * kSecond_ns);
  EXPECT_TRUE(accounts_->desk().who());
  pass(60 * kSecond_ns);
  EXPECT_FALSE(accounts_->desk().who());
}

TEST_F(AccountsApiTest, StrangePagesNeitherLogInNorOut) {
  const std::string ada = ada_with_all();
  for (const std::string target :
       {"/api/login", "/api/logout", "/api/first", "/api/users", "/api/control/take"}) {
    ApiRequest request{.method = "POST", .target = target};
    request.credentials = {.authorization = "Bearer " + ada, .is_own_page = false};
    EXPECT_EQ(ask(request).status, 403U) << target;
  }
  EXPECT_EQ(ask("GET", "/api/users", "", ada).status, 200U);
}

TEST_F(AccountsApiTest, BodiesAreJsonAndSmall) {
  ApiRequest request{.method = "POST", .target = "/api/login", .body = R"({"name":"ada","password":"x"})"};
  EXPECT_EQ(ask(request).status, 415U);
  request.content_type = "text/plain";
  EXPECT_EQ(ask(request).status, 415U);
  request.content_type = "Application/JSON; charset=utf-8";
  EXPECT_EQ(ask(request).status, 401U);
  request.body = std::string(5000, ' ');
  EXPECT_EQ(ask(request).status, 413U);
  for (const std::string body : {"", "{", "[]", "null", R"({"name":"ada"})", R"({"name":"ada","password":7})",
                                 R"({"name":"ada","password":"x","password":"y"})",
                                 R"({"name":"ada","password":"x","role":"expert"})", "\xff"})
    EXPECT_EQ(ask("POST", "/api/login", body).status, 422U) << body;
}

TEST_F(AccountsApiTest, OnlyItsOwnTargetsAndMethods) {
  for (const std::string target : {"/api/session", "/api/users/ada", "/api/control/take", "/api/audit"})
    EXPECT_TRUE(AccountsApi::is_target(target)) << target;
  for (const std::string target : {"/api/state", "/api/sessions", "/api/session/", "/api/usersx", "/"})
    EXPECT_FALSE(AccountsApi::is_target(target)) << target;
  const ApiAnswer wrong = ask("DELETE", "/api/session");
  EXPECT_EQ(wrong.status, 405U);
  EXPECT_EQ(error_of(wrong), "'/api/session' takes GET only");
  EXPECT_EQ(error_of(ask("PATCH", "/api/users")), "'/api/users' takes GET, POST only");
  EXPECT_EQ(ask("GET", "/api/nothing").status, 404U);
  const std::string ada = ada_with_all();
  for (const std::string name : {"", "..", "nobody", "ada/", "%61da"})
    EXPECT_EQ(ask("DELETE", "/api/users/" + name, "", ada).status, 404U) << name;
}

TEST_F(AccountsApiTest, WhatWasDoneIsInTheLogAndPasswordsAreNot) {
  const std::string ada = ada_with_all();
  static_cast<void>(ask("POST", "/api/login", R"({"name":"ada","password":"secret-one"})"));
  static_cast<void>(ask("POST", "/api/login", R"({"name":"secret-two","password":"ada"})"));
  EXPECT_EQ(
      ask("PUT", "/api/users/the-viewer", R"({"password":"secret-three","role":"operator"})", ada).status,
      200U);
  const ApiAnswer audit = ask("GET", "/api/audit", "", ada);
  const json events = json::parse(audit.body)["events"];
  EXPECT_EQ(events.back()["what"], "users/the-viewer: role operator new password");
  EXPECT_EQ(events.back()["user"], "ada");
  EXPECT_EQ(events.back()["address"], "10.0.0.1");
  EXPECT_EQ(events.front()["what"], "first account");
  EXPECT_EQ(events[events.size() - 2]["outcome"], "wrong name or password");
  for (const std::string file : {"audit.log", "users.json"})
    EXPECT_EQ(text_of_file(folder_.file(file)).find("secret"), std::string::npos);
  EXPECT_EQ(audit.body.find("secret"), std::string::npos);
}

TEST_F(AccountsApiTest, ADamagedFileLetsNobodyBeFirst) {
  static_cast<void>(ada_with_all());
  write_file(folder_.file("users.json"), "{");
  // those who are known stay so
  pass(2 * kSecond_ns);
  EXPECT_NE(accounts_->problem(), "");
  EXPECT_FALSE(log_in("ada").empty());

  start();
  EXPECT_NE(accounts_->problem().find("line 1"), std::string::npos);
  EXPECT_EQ(json::parse(ask("GET", "/api/session").body)["needs_first"], false);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("first_code")));
  EXPECT_EQ(ask("POST", "/api/first", R"({"code":"","name":"eve","password":"correct horse"})").status, 422U);
  EXPECT_EQ(ask("POST", "/api/login", R"({"name":"ada","password":"correct horse"})").status, 503U);
  EXPECT_EQ(text_of_file(folder_.file("users.json")), "{");
}

TEST_F(AccountsApiTest, SeesWhatOthersChangeInTheFile) {
  const std::string ada = ada_with_all();
  const std::string viewer = log_in("the-viewer");
  const UserFile file(folder_.file("users.json"));
  ASSERT_TRUE(file.change([](Users& users) { return users.remove("the-viewer"); }));
  ASSERT_TRUE(file.change([](Users& users) { return users.add(test_user("grace", Role::Operator)); }));
  pass(2 * kSecond_ns);
  EXPECT_EQ(json::parse(ask("GET", "/api/session", "", viewer).body)["user"], nullptr);
  EXPECT_EQ(json::parse(ask("GET", "/api/session", "", ada).body)["user"], "ada");
  EXPECT_FALSE(log_in("grace").empty());
}

TEST_F(AccountsApiTest, WithoutAccountsTheOwnerIsLocal) {
  std::filesystem::remove(folder_.file("first_code"));
  start(false);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("first_code")));
  ApiRequest request{.method = "GET", .target = "/api/session"};
  EXPECT_EQ(json::parse(ask(request).body)["user"], nullptr);
  request.credentials = {.is_loopback = true, .system_user = 1000};
  EXPECT_EQ(json::parse(ask(request).body),
            json::parse(R"({"user":"local","role":"expert","accounts":"off","needs_first":false})"));
  request.method = "POST";
  request.target = "/api/control/take";
  EXPECT_EQ(ask(request).status, 200U);
  pass(24 * 3600 * kSecond_ns);
  EXPECT_EQ(accounts_->desk().who()->user, "local");
  EXPECT_EQ(ask("POST", "/api/login", R"({"name":"ada","password":"correct horse"})").status, 422U);
  EXPECT_EQ(ask("POST", "/api/first", R"({"code":"","name":"eve","password":"correct horse"})").status, 422U);
}

// accounts may be made before they are switched on
TEST_F(AccountsApiTest, WithoutAccountsTheOwnerMakesThem) {
  start(false);
  ApiRequest request{.method = "POST", .target = "/api/users", .content_type = "application/json"};
  request.credentials = {.is_loopback = true, .system_user = 1000};
  request.body = R"({"name":"otto","role":"operator","password":"correct horse"})";
  EXPECT_EQ(ask(request).status, 422U);
  request.body = R"({"name":"ada","role":"expert","password":"correct horse"})";
  EXPECT_EQ(ask(request).status, 200U);
  start(false);
  request.body = R"({"name":"otto","role":"operator","password":"correct horse"})";
  EXPECT_EQ(ask(request).status, 200U);
  start(true);
  EXPECT_FALSE(log_in("otto").empty());
}

TEST_F(AccountsApiTest, OverTlsTheCookieIsSecure) {
  static_cast<void>(ada_with_all());
  ApiRequest request{.method = "POST",
                     .target = "/api/login",
                     .body = R"({"name":"ada","password":"correct horse"})",
                     .content_type = "application/json"};
  request.credentials.is_secure = true;
  EXPECT_TRUE(ask(request).set_cookie.ends_with("; Secure"));
}

}  // namespace
}  // namespace sinew::accounts

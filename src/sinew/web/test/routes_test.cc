// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/routes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"

namespace sinew::web {
namespace {

constexpr const char* kTarget = "/0.336/0.0/0.2/0.0/1.57079633/0.065/0";

HttpRequest get(const std::string& target) {
  return {.method = "GET", .target = target, .headers = {.host = "127.0.0.1:8080"}};
}

class RoutesTest : public testing::Test {
 protected:
  Route route(const HttpRequest& request) { return routes_.route(request, now_ns_); }
  HttpAnswer refusal(const HttpRequest& request) {
    const Route found = route(request);
    EXPECT_TRUE(std::holds_alternative<HttpAnswer>(found)) << request.target;
    return std::holds_alternative<HttpAnswer>(found) ? std::get<HttpAnswer>(found) : HttpAnswer{.status = 0};
  }

  std::int64_t now_ns_ = kSecond_ns;
  Routes routes_{{.has_arm_url = true}};
};

TEST_F(RoutesTest, EachPathLeadsSomewhere) {
  EXPECT_TRUE(std::holds_alternative<PageFile>(route(get("/"))));
  EXPECT_TRUE(std::holds_alternative<PageFile>(route(get("/assets/index-B2x4c6d8.js"))));
  EXPECT_TRUE(std::holds_alternative<ApiPath>(route(get("/api/state"))));
  EXPECT_TRUE(std::holds_alternative<ApiPath>(route(get("/metrics"))));
  EXPECT_TRUE(std::holds_alternative<ArmTarget>(route(get(kTarget))));
}

// where files are found by their exact names only, and calls likewise
TEST_F(RoutesTest, PathTricksLeadNeitherToTheArmNorToCalls) {
  for (const char* target :
       {"//", "/%2e%2e/", "/../../etc/shadow", "*", "http://127.0.0.1:8080/api/state", "", "/API/STATE",
        "/%61pi/state", "/api", "/metrics/", "/./api/state", "//api/state"})
    EXPECT_TRUE(std::holds_alternative<PageFile>(route(get(target)))) << target;
}

TEST_F(RoutesTest, OnlyGetMoves) {
  for (const char* method : {"HEAD", "POST", "PUT", "OPTIONS", "DELETE", "get", ""}) {
    HttpRequest request = get(kTarget);
    request.method = method;
    EXPECT_EQ(refusal(request).status, 405U) << method;
  }
  HttpRequest head = get("/index.html");
  head.method = "HEAD";
  EXPECT_TRUE(std::holds_alternative<PageFile>(route(head)));
  head.method = "POST";
  EXPECT_EQ(refusal(head).status, 405U);
  // calls have methods of their own
  head.target = "/api/stop";
  EXPECT_TRUE(std::holds_alternative<ApiPath>(route(head)));
}

TEST_F(RoutesTest, AnotherPageNeitherMovesNorLearnsWhatIsWrong) {
  HttpRequest request = get("/nonsense/b/c/d/e/f/g");
  request.headers.origin = "http://evil.example";
  const HttpAnswer answer = refusal(request);
  EXPECT_EQ(answer.status, 403U);
  EXPECT_EQ(answer.body.find("nonsense"), std::string::npos);
}

TEST_F(RoutesTest, ANameThatWasLedHereIsRefusedEverywhere) {
  for (const char* target : {"/", "/api/state", kTarget}) {
    HttpRequest request = get(target);
    request.headers.host = "evil.example:8080";
    EXPECT_EQ(refusal(request).status, 403U) << target;
    request.headers.host.reset();
    EXPECT_EQ(refusal(request).status, 400U) << target;
  }
}

TEST_F(RoutesTest, WithoutTheUrlApiNothingMoves) {
  Routes closed({.has_arm_url = false, .why_no_arm_url = "switch it on"});
  const Route found = closed.route(get(kTarget), now_ns_);
  ASSERT_TRUE(std::holds_alternative<HttpAnswer>(found));
  EXPECT_EQ(std::get<HttpAnswer>(found).status, 403U);
  EXPECT_NE(std::get<HttpAnswer>(found).body.find("switch it on"), std::string::npos);
}

TEST_F(RoutesTest, AnotherUserOfTheMachineMovesNothing) {
  Routes owned({.has_arm_url = true, .owner = 1000});
  const auto moves = [&](std::optional<std::uint32_t> user) {
    HttpRequest request = get(kTarget);
    request.user = user;
    return std::holds_alternative<ArmTarget>(owned.route(request, now_ns_));
  };
  EXPECT_TRUE(moves(1000));
  EXPECT_TRUE(moves(0));
  EXPECT_FALSE(moves(1001));
  EXPECT_FALSE(moves(std::nullopt));
}

TEST_F(RoutesTest, ManyMovesAtOnceAreSlowedDownAndTimeForgives) {
  int passed = 0;
  HttpAnswer last;
  for (int i = 0; i < 40; ++i) {
    const Route found = route(get(kTarget));
    if (std::holds_alternative<ArmTarget>(found)) ++passed;
    if (std::holds_alternative<HttpAnswer>(found)) last = std::get<HttpAnswer>(found);
  }
  EXPECT_EQ(passed, 20);
  EXPECT_EQ(last.status, 429U);
  EXPECT_EQ(last.retry_after, 1U);
  now_ns_ += 101 * kMillisecond_ns;
  EXPECT_TRUE(std::holds_alternative<ArmTarget>(route(get(kTarget))));
  EXPECT_EQ(refusal(get(kTarget)).status, 429U);
  // a clock that goes back gives nothing
  now_ns_ -= 10 * kSecond_ns;
  EXPECT_EQ(refusal(get(kTarget)).status, 429U);
}

TEST_F(RoutesTest, ACrowdSlowsDownNobodyElseAndNoStop) {
  const auto is_refused = [this](const HttpRequest& request) {
    const Route found = route(request);
    return std::holds_alternative<HttpAnswer>(found) && std::get<HttpAnswer>(found).status == 429;
  };
  HttpRequest crowd = get("/api/state");
  crowd.peer = "192.0.2.1";
  int refused = 0;
  for (int i = 0; i < 300; ++i) refused += is_refused(crowd) ? 1 : 0;
  EXPECT_EQ(refused, 100);
  HttpRequest other = crowd;
  other.peer = "192.0.2.2";
  EXPECT_FALSE(is_refused(other)) << "it has asked for nothing yet";
  HttpRequest stop = crowd;
  stop.method = "POST";
  stop.target = "/api/stop";
  EXPECT_FALSE(is_refused(stop)) << "whoever asks, and however often";
  HttpRequest page = crowd;
  page.target = "/assets/index.js";
  EXPECT_FALSE(is_refused(page));
  stop.target = "/api/reset";
  EXPECT_TRUE(is_refused(stop));
}

TEST_F(RoutesTest, ManyAddressesTakeNoMoreThanTheirRoom) {
  AddressLimits limits(1, 1);
  EXPECT_TRUE(limits.allows("first", now_ns_));
  EXPECT_FALSE(limits.allows("first", now_ns_));
  for (std::size_t i = 0; i < AddressLimits::kMostAddresses; ++i)
    EXPECT_TRUE(limits.allows(std::to_string(i), now_ns_ + 1));
  EXPECT_TRUE(limits.allows("first", now_ns_ + 2)) << "it was forgotten";
  EXPECT_FALSE(limits.allows("200", now_ns_ + 2)) << "these were not";
}

TEST_F(RoutesTest, ABadTargetCostsNoMoveAndSaysWhatIsWrong) {
  for (int i = 0; i < 30; ++i) EXPECT_EQ(refusal(get("/nan/0/0/0/0/0/0")).status, 400U);
  EXPECT_TRUE(std::holds_alternative<ArmTarget>(route(get(kTarget))));
  const auto json = nlohmann::json::parse(refusal(get("/nan/0/0/0/0/0/0")).body);
  EXPECT_EQ(json["reached"], false);
  EXPECT_EQ(json["status"], "refused");
  EXPECT_TRUE(json["reason"].get<std::string>().starts_with("x 'nan' is no finite number"));
}

TEST_F(RoutesTest, TheAnswerTellsHowTheMotionFared) {
  const ArmTarget target{.x = 0.336, .z = 0.2, .hand_width = 0.065};
  Reply reply{.request = 12, .status = ReplyStatus::Done, .position_error = 1e-5};
  set_text(reply.reason, "reached");
  HttpAnswer answer = arm_answer(target, reply, 1.23456);
  EXPECT_EQ(answer.status, 200U);
  auto json = nlohmann::json::parse(answer.body);
  EXPECT_EQ(json["reached"], true);
  EXPECT_EQ(json["request"], 12);
  EXPECT_EQ(json["seconds"], 1.235);
  EXPECT_EQ(json["target"]["handWidth"], 0.065);

  const std::vector<std::pair<ReplyStatus, unsigned>> all{
      {ReplyStatus::Unreachable, 422}, {ReplyStatus::Blocked, 422}, {ReplyStatus::Refused, 409},
      {ReplyStatus::Aborted, 409},     {ReplyStatus::Strayed, 409}, {ReplyStatus::Accepted, 504}};
  for (const auto& [status, code] : all) {
    reply.status = status;
    answer = arm_answer(target, reply, 1.0);
    EXPECT_EQ(answer.status, code);
    EXPECT_EQ(nlohmann::json::parse(answer.body)["reached"], false);
  }
}

TEST_F(RoutesTest, AReasonThatIsNoUtf8StillMakesJson) {
  Reply reply{.status = ReplyStatus::Refused};
  set_text(reply.reason, "\xff\xfe\"");
  EXPECT_TRUE(nlohmann::json::accept(arm_answer({}, reply, 0.0).body));
}

TEST_F(RoutesTest, TheMotionServiceIsAskedForTheSameInItsOwnWords) {
  const Request request =
      motion_request({.x = 1, .y = 2, .z = 3, .roll = 0.1, .pitch = 1.5, .hand_width = 0.04, .time = 7});
  EXPECT_EQ(request.verb, RequestVerb::MoveTarget);
  EXPECT_EQ(request.position, (std::array{1.0, 2.0, 3.0}));
  EXPECT_EQ(request.rpy[0], 0.1);
  EXPECT_EQ(request.rpy[1], 1.5);
  EXPECT_EQ(request.value, 0.04);
  EXPECT_EQ(request.duration, 7.0);
}

}  // namespace
}  // namespace sinew::web

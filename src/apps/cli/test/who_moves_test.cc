// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/who_moves.h"

#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/model/load_robot.h"

namespace sinew::cli {
namespace {

Request request_of(std::string_view who, RequestVerb verb, std::string_view arm = "") {
  Request request{.verb = verb};
  set_text(request.who, who);
  set_text(request.arm, arm);
  return request;
}

TEST(WhoMovesTest, WhatHasNotBeenAnsweredForGoodIsOpen) {
  const auto robot = load_robot("mds");
  ASSERT_TRUE(robot) << robot.error().message;
  const RobotModel& model = robot->model;
  const std::vector<std::uint64_t> numbers{7, 8, 9, 10};
  std::vector<Request> requests{
      request_of("a", RequestVerb::MoveTool, "left"), request_of("b", RequestVerb::AddObject),
      request_of("c", RequestVerb::MoveLine, "right"), request_of("d", RequestVerb::MoveJoints)};
  requests[3].joint_mask = 4;
  const std::vector<Reply> replies{{.request = 7, .status = ReplyStatus::Accepted},
                                   {.request = 7, .status = ReplyStatus::Done},
                                   {.request = 9, .status = ReplyStatus::Accepted}};
  const auto open = open_requests(model, numbers, requests, replies);
  ASSERT_EQ(open.size(), 2U) << "an object of the world moves nothing, and what was done is over";
  EXPECT_EQ(open[0].who, "c");
  EXPECT_EQ(open[0].joint_mask, joints_of_arm(model, "right"));
  EXPECT_EQ(open[0].joint_mask & joints_of_arm(model, "left"), 0U);
  EXPECT_EQ(open[1].who, "d");
  EXPECT_EQ(open[1].joint_mask, 4U);
}

}  // namespace
}  // namespace sinew::cli

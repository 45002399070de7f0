// SPDX-License-Identifier: BSD-3-Clause
#include "apps/motion/request_lookout.h"

#include <optional>

#include "sinew/channels/test/channel_fixture.h"

namespace sinew {
namespace {

class RequestLookoutTest : public channels::ChannelTest {
 protected:
  void SetUp() override {
    ChannelTest::SetUp();
    auto made = Writer<Request>::open({.name = "arm/request", .space = space(), .depth = 16});
    ASSERT_TRUE(made) << made.error().message;
    writer_.emplace(*std::move(made));
  }

  RequestLookout look() {
    auto made = RequestLookout::open("arm", space());
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return *std::move(made);
  }
  std::uint64_t put(RequestVerb verb) {
    std::uint64_t number = 0;
    EXPECT_EQ(writer_->put({.verb = verb}, &number), SINEW_OK);
    return number;
  }

  std::optional<Writer<Request>> writer_;
};

TEST_F(RequestLookoutTest, SeesAStopAPauseAndATakeOverUntilTheyAreTaken) {
  RequestLookout lookout = look();
  EXPECT_FALSE(lookout.sees_urgent());
  for (const RequestVerb verb : {RequestVerb::Stop, RequestVerb::Pause, RequestVerb::TakeControl}) {
    const std::uint64_t number = put(verb);
    put(RequestVerb::Solve);
    EXPECT_TRUE(lookout.sees_urgent());
    EXPECT_TRUE(lookout.sees_urgent()) << "as long as nobody has taken it";
    lookout.note_taken(number);
    EXPECT_FALSE(lookout.sees_urgent());
  }
}

TEST_F(RequestLookoutTest, OthersMayWait) {
  RequestLookout lookout = look();
  for (const RequestVerb verb : {RequestVerb::MoveTool, RequestVerb::Resume, RequestVerb::AddObject})
    put(verb);
  EXPECT_FALSE(lookout.sees_urgent());
}

TEST_F(RequestLookoutTest, WhatWasThereBeforeDoesNotCount) {
  put(RequestVerb::Stop);
  RequestLookout lookout = look();
  EXPECT_FALSE(lookout.sees_urgent());
  put(RequestVerb::Stop);
  EXPECT_TRUE(lookout.sees_urgent());
}

TEST_F(RequestLookoutTest, AFloodThatOverwritesIsSeenToItsEnd) {
  RequestLookout lookout = look();
  for (int i = 0; i < 100; ++i) put(RequestVerb::Solve);
  EXPECT_FALSE(lookout.sees_urgent());
  put(RequestVerb::Stop);
  EXPECT_TRUE(lookout.sees_urgent());
}

}  // namespace
}  // namespace sinew

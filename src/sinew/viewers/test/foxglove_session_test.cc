// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/viewers/foxglove_session.h"

#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/viewers/test/robot_fixture.h"

namespace sinew::viewers {
namespace {

std::string number_text(std::uint64_t number, int width) {
  std::string text;
  for (int i = 0; i < width; ++i) text += static_cast<char>(number >> (8 * i));
  return text;
}

class FoxgloveTest : public ::testing::Test {
 protected:
  Taken take(const std::string& text, const Permit& permit = {}) {
    return session_.take({.bytes = text}, permit, now_ns_);
  }
  Taken take_binary(const std::string& bytes, const Permit& permit = {}) {
    return session_.take({.is_text = false, .bytes = bytes}, permit, now_ns_);
  }
  // The only word that comes back, an error.
  std::string complaint(const Taken& taken) {
    if (taken.answers.size() != 1 || taken.wish) return fmt::format("{} answers", taken.answers.size());
    const auto status = nlohmann::json::parse(taken.answers[0].bytes);
    return status["op"] == "status" && status["level"] == 2 ? status["message"].get<std::string>()
                                                            : status.dump();
  }
  Messages publish() {
    Edition edition(facts_, sample_);
    return session_.publish(edition, now_ns_);
  }
  void advertise(const std::string& topic) {
    const Taken taken = take(fmt::format(
        R"({{"op":"advertise","channels":[{{"id":9,"topic":"{}","encoding":"json","schemaName":""}}]}})",
        topic));
    ASSERT_TRUE(taken.answers.empty());
  }
  Taken send(const std::string& payload, const Permit& permit = {}) {
    return take_binary("\x01" + number_text(9, 4) + payload, permit);
  }

  RobotFacts facts_ = small_robot();
  Telemetry sample_ = small_sample();
  FoxgloveSession session_{facts_};
  std::int64_t now_ns_ = 1;
};

TEST_F(FoxgloveTest, GreetsWithWhoItIs) {
  const Messages greeting = session_.greeting();
  ASSERT_EQ(greeting.size(), 2);
  EXPECT_TRUE(greeting[0].is_text);
  EXPECT_EQ(
      greeting[0].bytes,
      R"({"op":"serverInfo","name":"Sinew: arm","capabilities":["assets","clientPublish","parameters","time"],)"
      R"("supportedEncodings":["json"],"metadata":{"robot":"arm","version":"1.2.3"},"sessionId":"run-7"})");
}

TEST_F(FoxgloveTest, AdvertisesEveryTopicWithItsSchema) {
  const auto advertise = nlohmann::json::parse(session_.greeting()[1].bytes);
  EXPECT_EQ(advertise["op"], "advertise");
  ASSERT_EQ(advertise["channels"].size(), kTopicCount);
  for (std::size_t i = 0; i < kTopicCount; ++i) {
    const auto& channel = advertise["channels"][i];
    EXPECT_EQ(channel["id"], i + 1);
    EXPECT_EQ(channel["topic"], topics()[i].name);
    EXPECT_EQ(channel["encoding"], "json");
    EXPECT_EQ(channel["schemaName"], topics()[i].foxglove_type);
    EXPECT_EQ(channel["schemaEncoding"], "jsonschema");
    EXPECT_EQ(channel["schema"], schema_of(topics()[i].topic));
  }
}

TEST_F(FoxgloveTest, SendsNothingUnasked) {
  EXPECT_TRUE(publish().empty());
}

TEST_F(FoxgloveTest, FramesMessagesAsTheProtocolSays) {
  EXPECT_TRUE(
      take(R"({"op":"subscribe","subscriptions":[{"id":4294967295,"channelId":4}]})").answers.empty());
  const Messages messages = publish();
  ASSERT_EQ(messages.size(), 2);
  EXPECT_FALSE(messages[0].is_text);
  EXPECT_EQ(messages[0].bytes, std::string("\x02\x05\x00\x2a\x36\xfe\x9c\x97\x17", 9));
  EXPECT_FALSE(messages[1].is_text);
  EXPECT_EQ(messages[1].bytes, std::string("\x01\xff\xff\xff\xff\x05\x00\x2a\x36\xfe\x9c\x97\x17", 13) +
                                   R"({"data":"<robot name=\"arm\"/>\u000a"})");
}

// for any number, time and text, the frame holds them where the protocol says
TEST_F(FoxgloveTest, EveryFrameCanBeReadBack) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    FoxgloveSession session(facts_);
    const auto id = static_cast<std::uint32_t>(random());
    const std::uint64_t channel = 1 + random() % kTopicCount;
    sample_.stamp_ns = static_cast<std::int64_t>(random() >> 1);
    session.take({.bytes = fmt::format(R"({{"op":"subscribe","subscriptions":[{{"id":{},"channelId":{}}}]}})",
                                       id, channel)},
                 {}, 1);
    Edition edition(facts_, sample_);
    const Messages messages = session.publish(edition, 1);
    ASSERT_EQ(messages.size(), 2);
    const std::string stamp = number_text(static_cast<std::uint64_t>(sample_.stamp_ns), 8);
    EXPECT_EQ(messages[0].bytes, "\x02" + stamp);
    EXPECT_EQ(messages[1].bytes, "\x01" + number_text(id, 4) + stamp +
                                     edition.text(topics()[channel - 1].topic, Dialect::Foxglove));
  }
}

TEST_F(FoxgloveTest, SaysEachThingOnce) {
  take(R"({"op":"subscribe","subscriptions":[{"id":0,"channelId":1},{"id":1,"channelId":7}]})");
  EXPECT_EQ(publish().size(), 3);
  EXPECT_TRUE(publish().empty());
  sample_.number += 1;
  EXPECT_EQ(publish().size(), 2) << "the world has not changed";
  sample_.world_number += 1;
  EXPECT_EQ(publish().size(), 2);
}

// so that a slow client loses old telemetry of a topic, and no other
TEST_F(FoxgloveTest, EachTopicHasAStreamOfItsOwn) {
  for (std::size_t i = 0; i < kTopicCount; ++i)
    take(fmt::format(R"({{"op":"subscribe","subscriptions":[{{"id":{},"channelId":{}}}]}})", i, i + 1));
  std::set<std::uint32_t> streams;
  for (const Message& message : publish()) streams.insert(message.stream);
  EXPECT_EQ(streams.size(), kTopicCount + 1);
  EXPECT_FALSE(streams.contains(0));
  EXPECT_EQ(session_.greeting()[0].stream, 0);
}

TEST_F(FoxgloveTest, UnsubscribedIsSilent) {
  take(R"({"op":"subscribe","subscriptions":[{"id":3,"channelId":1}]})");
  EXPECT_TRUE(session_.has_subscriptions());
  EXPECT_TRUE(take(R"({"op":"unsubscribe","subscriptionIds":[3]})").answers.empty());
  EXPECT_TRUE(publish().empty());
  EXPECT_FALSE(session_.has_subscriptions());
  EXPECT_EQ(complaint(take(R"({"op":"unsubscribe","subscriptionIds":[3]})")), "there is no subscription 3");
}

TEST_F(FoxgloveTest, RefusesSubscriptionsThatCannotBe) {
  take(R"({"op":"subscribe","subscriptions":[{"id":3,"channelId":1}]})");
  const auto refused = [&](const std::string& entry) {
    return complaint(take(fmt::format(R"({{"op":"subscribe","subscriptions":[{}]}})", entry)));
  };
  EXPECT_EQ(refused(R"({"id":3,"channelId":2})"), "subscription 3 is there already");
  EXPECT_EQ(refused(R"({"id":4,"channelId":1})"), "channel 1 is subscribed to already");
  EXPECT_EQ(refused(R"({"id":4,"channelId":8})"), "there is no channel 8: they are numbered 1 to 7");
  EXPECT_EQ(refused(R"({"id":4,"channelId":0})"), "there is no channel 0: they are numbered 1 to 7");
  for (const char* bad :
       {R"({"id":-1,"channelId":1})", R"({"id":4294967296,"channelId":1})", R"({"id":1.5,"channelId":1})",
        R"({"id":"1","channelId":1})", R"({"id":1})", "7", "null"})
    EXPECT_EQ(refused(bad), "a subscription has an 'id' and a 'channelId', whole numbers of 32 bits") << bad;
}

TEST_F(FoxgloveTest, AnswersNonsenseWithAStatus) {
  EXPECT_EQ(complaint(take("{\"op\":")), "'{\"op\":' is no JSON object");
  EXPECT_EQ(complaint(take("[1]")), "'[1]' is no JSON object");
  EXPECT_EQ(complaint(take(R"({"op":"dance"})")),
            "'dance' is not among what this server does: see its capabilities");
  EXPECT_EQ(complaint(take("{}")), "'' is not among what this server does: see its capabilities");
  EXPECT_EQ(complaint(take("{\"op\":\"\xff\"}")), "'{\"op\":\"?\"}' is no JSON object");
  EXPECT_EQ(complaint(take(std::string(kLargestMessage + 1, ' '))),
            "a message of 65537 bytes is too long: at most 65536");
  EXPECT_EQ(complaint(take(std::string(40, '[') + std::string(40, ']'))),
            "brackets within brackets: at most 32");
  EXPECT_EQ(complaint(take(R"({"op":"subscribe"})")), "'subscribe' wants a list 'subscriptions'");
  EXPECT_EQ(complaint(take_binary("")), "an empty message");
  EXPECT_EQ(complaint(take_binary("\x09")), "there is no binary message of kind 9");
  EXPECT_EQ(complaint(take_binary(std::string("\x01\x00", 2))), "a message is cut short before its channel");
  EXPECT_EQ(complaint(send("{}")), "you have no channel 9: advertise it first");
}

// who errs without end is not answered without end
TEST_F(FoxgloveTest, ComplaintsAreBounded) {
  std::size_t answers = 0;
  for (int i = 0; i < 1000; ++i) answers += take("nonsense").answers.size();
  EXPECT_EQ(answers, ComplaintLimit::kMostPerSecond);
  now_ns_ += kSecond_ns;
  EXPECT_EQ(take("nonsense").answers.size(), 1);
}

TEST_F(FoxgloveTest, ServiceCallsFailWithAReason) {
  const Taken taken =
      take_binary(std::string("\x02\x07\x00\x00\x00\x08\x00\x00\x00\x04\x00\x00\x00json{}", 19));
  ASSERT_EQ(taken.answers.size(), 1);
  EXPECT_EQ(taken.answers[0].bytes,
            R"({"op":"serviceCallFailure","serviceId":7,"callId":8,"message":"there are no services here"})");
}

TEST_F(FoxgloveTest, ParametersAreRead) {
  const Taken all = take(R"({"op":"getParameters","parameterNames":[],"id":"p1"})");
  ASSERT_EQ(all.answers.size(), 1);
  EXPECT_EQ(
      all.answers[0].bytes,
      R"({"op":"parameterValues","parameters":[{"name":"/robot_description","value":"<robot name=\"arm\"/>\u000a"},)"
      R"({"name":"/robot_name","value":"arm"}],"id":"p1"})");
  const Taken one = take(R"({"op":"getParameters","parameterNames":["/robot_name","/other"]})");
  EXPECT_EQ(one.answers[0].bytes,
            R"({"op":"parameterValues","parameters":[{"name":"/robot_name","value":"arm"}]})");
}

TEST_F(FoxgloveTest, ParametersAreNotSet) {
  const Taken taken =
      take(R"({"op":"setParameters","parameters":[{"name":"/robot_name","value":"x"}],"id":"p2"})");
  ASSERT_EQ(taken.answers.size(), 2);
  EXPECT_NE(taken.answers[0].bytes.find("parameters are only read here"), std::string::npos);
  EXPECT_EQ(taken.answers[1].bytes,
            R"({"op":"parameterValues","parameters":[{"name":"/robot_name","value":"arm"}],"id":"p2"})");
}

TEST_F(FoxgloveTest, CommandsNeedTheControlToken) {
  advertise("/joint_command");
  const std::string command = R"({"name":["elbow"],"position":[0.25]})";
  EXPECT_EQ(complaint(send(command)), "this client may not move 'arm': it does not have the control token");
  EXPECT_EQ(complaint(send(command, {.may_command = false, .why_not = "ada controls"})),
            "this client may not move 'arm': ada controls");
  const Taken taken = send(command, may_command());
  EXPECT_TRUE(taken.answers.empty());
  ASSERT_TRUE(taken.wish);
  const auto& wish = std::get<JointWish>(*taken.wish);
  EXPECT_EQ(wish.names, std::vector<std::string>{"elbow"});
  EXPECT_EQ(wish.positions, std::vector<double>{0.25});
}

TEST_F(FoxgloveTest, CommandsAreChecked) {
  advertise("/joint_command");
  const auto refused = [&](const std::string& command) { return complaint(send(command, may_command())); };
  EXPECT_EQ(refused(R"({"name":["elbov"],"position":[0.25]})"),
            "robot 'arm' has no joint 'elbov' (did you mean 'elbow'?)");
  EXPECT_EQ(refused(R"({"name":["elbow","elbow"],"position":[1,2]})"), "joint 'elbow' is named twice");
  EXPECT_EQ(refused(R"({"name":["elbow"],"position":[null]})"),
            "the position of joint 'elbow' is no number: null");
  EXPECT_EQ(refused(R"({"name":["elbow"],"position":["NaN"]})"),
            "the position of joint 'elbow' is no number: \"NaN\"");
  EXPECT_NE(refused(R"({"name":["elbow"],"position":[]})").find("they have 1 and 0 entries"),
            std::string::npos);
  EXPECT_NE(refused("{}").find("they have 0 and 0 entries"), std::string::npos);
  EXPECT_NE(refused(R"({"name":["elbow"],"position":[1e999]})").find("is no JSON object"), std::string::npos);
}

TEST_F(FoxgloveTest, AnybodyMayStop) {
  advertise("/stop");
  const Taken taken = send("{}");
  ASSERT_TRUE(taken.wish);
  EXPECT_TRUE(std::holds_alternative<StopWish>(*taken.wish));
}

TEST_F(FoxgloveTest, HandsCredentialsOn) {
  advertise("/sinew/auth");
  const Taken taken = send(R"({"session":"abc","control":"def"})");
  ASSERT_TRUE(taken.wish);
  const auto& credentials = std::get<Credentials>(*taken.wish);
  EXPECT_EQ(credentials.session, "abc");
  EXPECT_EQ(credentials.control, "def");
}

TEST_F(FoxgloveTest, FetchesFiles) {
  const Taken taken = take(R"({"op":"fetchAsset","uri":"package://sinew/0/a.stl","requestId":258})");
  ASSERT_TRUE(taken.wish);
  const auto& wish = std::get<AssetWish>(*taken.wish);
  EXPECT_EQ(wish.uri, "package://sinew/0/a.stl");
  EXPECT_EQ(session_.give(wish, std::string("solid")).front().bytes,
            std::string("\x04\x02\x01\x00\x00\x00\x00\x00\x00\x00solid", 15));
  EXPECT_EQ(session_.give(wish, Error{ErrorCode::NotFound, "none"}).front().bytes,
            std::string("\x04\x02\x01\x00\x00\x01\x04\x00\x00\x00none", 14));
  EXPECT_EQ(complaint(take(R"({"op":"fetchAsset","uri":"x"})")),
            "'fetchAsset' wants a 'uri' and a 'requestId', a whole number of 32 bits");
}

TEST_F(FoxgloveTest, SaysThatNobodyListens) {
  advertise("/cmd_vel");
  EXPECT_EQ(complaint(send("{}", may_command())),
            "nobody listens to '/cmd_vel'; clients may publish on /joint_command, /stop and /sinew/auth");
}

TEST_F(FoxgloveTest, ChannelsOfClientsAreBounded) {
  const auto advertised = [&](std::size_t id, const char* encoding) {
    return take(fmt::format(
        R"({{"op":"advertise","channels":[{{"id":{},"topic":"/stop","encoding":"{}"}}]}})", id, encoding));
  };
  for (std::size_t id = 0; id < FoxgloveSession::kMostClientChannels; ++id)
    EXPECT_TRUE(advertised(id, "json").answers.empty());
  EXPECT_EQ(complaint(advertised(3, "json")), "your channel 3 is there already");
  EXPECT_EQ(complaint(advertised(99, "json")), "more than 16 channels of one client are too many");
  EXPECT_TRUE(take(R"({"op":"unadvertise","channelIds":[3]})").answers.empty());
  EXPECT_EQ(complaint(take(R"({"op":"unadvertise","channelIds":[3]})")), "you have no channel 3");
  EXPECT_EQ(complaint(advertised(3, "cdr")),
            "channel '/stop' has the encoding 'cdr': only 'json' is understood");
}

TEST_F(FoxgloveTest, TellsWhatBecameOfAWish) {
  EXPECT_EQ(session_.tell(Level::Info, "moving").front().bytes,
            R"({"op":"status","level":0,"message":"moving"})");
}

}  // namespace
}  // namespace sinew::viewers

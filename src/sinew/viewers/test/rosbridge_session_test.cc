// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/viewers/rosbridge_session.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/viewers/test/robot_fixture.h"

namespace sinew::viewers {
namespace {

class RosbridgeTest : public ::testing::Test {
 protected:
  Taken take(const std::string& text, const Permit& permit = {}) {
    return session_.take({.bytes = text}, permit, now_ns_);
  }
  // The only answer.
  std::string answer(const Taken& taken) {
    return taken.answers.size() == 1 && !taken.wish ? taken.answers[0].bytes
                                                    : fmt::format("{} answers", taken.answers.size());
  }
  // The only word that comes back, an error.
  std::string complaint(const Taken& taken) {
    const auto status = nlohmann::json::parse(answer(taken), nullptr, false);
    return status.is_object() && status["op"] == "status" && status["level"] == "error"
               ? status["msg"].get<std::string>()
               : answer(taken);
  }
  std::string called(const std::string& service, const std::string& args = "{}") {
    const auto response = nlohmann::json::parse(answer(
        take(fmt::format(R"({{"op":"call_service","id":"c","service":"{}","args":{}}})", service, args))));
    EXPECT_EQ(response["op"], "service_response");
    EXPECT_EQ(response["id"], "c");
    EXPECT_EQ(response["service"], service);
    EXPECT_EQ(response["result"], response["values"].is_object());
    return response["values"].dump();
  }
  Messages publish() {
    Edition edition(facts_, sample_);
    return session_.publish(edition, now_ns_);
  }
  // What comes when robot and clock have gone on by so much.
  std::size_t count_after(std::int64_t pause_ns) {
    now_ns_ += pause_ns;
    sample_.number += 1;
    return publish().size();
  }

  RobotFacts facts_ = small_robot();
  Telemetry sample_ = small_sample();
  RosbridgeSession session_{facts_};
  std::int64_t now_ns_ = kSecond_ns;
};

TEST_F(RosbridgeTest, WaitsToBeAsked) {
  EXPECT_TRUE(session_.greeting().empty());
  EXPECT_TRUE(publish().empty());
}

TEST_F(RosbridgeTest, PublishesWhatIsSubscribedTo) {
  EXPECT_TRUE(
      take(R"({"op":"subscribe","id":"subscribe:/joint_states:1","topic":"/joint_states",)"
           R"("type":"sensor_msgs/JointState","compression":"none","throttle_rate":0,"queue_length":0})")
          .answers.empty());
  const Messages messages = publish();
  ASSERT_EQ(messages.size(), 1);
  EXPECT_TRUE(messages[0].is_text);
  EXPECT_EQ(
      messages[0].bytes,
      R"({"op":"publish","topic":"/joint_states","msg":{"header":{"stamp":{"sec":1700000000,"nanosec":5},)"
      R"("frame_id":""},"name":["shoulder","elbow"],"position":[0.5,-1.25],"velocity":[0,0.125],"effort":[]}})");
  EXPECT_TRUE(publish().empty()) << "nothing is new";
  EXPECT_EQ(count_after(0), 1);
}

TEST_F(RosbridgeTest, EachTopicHasAStreamOfItsOwn) {
  for (const TopicInfo& info : topics()) take(fmt::format(R"({{"op":"subscribe","topic":"{}"}})", info.name));
  std::set<std::uint32_t> streams;
  for (const Message& message : publish()) streams.insert(message.stream);
  EXPECT_EQ(streams.size(), kTopicCount);
  EXPECT_FALSE(streams.contains(0));
}

// of several wishes for a topic, the most frequent one counts
TEST_F(RosbridgeTest, ThrottlesToTheFastestOfTheSubscriptions) {
  take(R"({"op":"subscribe","id":"slow","topic":"/tf","throttle_rate":1000})");
  EXPECT_EQ(publish().size(), 1);
  EXPECT_EQ(count_after(999 * kMillisecond_ns), 0);
  EXPECT_EQ(count_after(kMillisecond_ns), 1);
  take(R"({"op":"subscribe","id":"fast","topic":"/tf","throttle_rate":100})");
  EXPECT_EQ(count_after(0), 1) << "who comes anew is told at once";
  EXPECT_EQ(count_after(99 * kMillisecond_ns), 0);
  EXPECT_EQ(count_after(kMillisecond_ns), 1);
  take(R"({"op":"unsubscribe","id":"fast","topic":"/tf"})");
  EXPECT_EQ(count_after(100 * kMillisecond_ns), 0);
  EXPECT_EQ(count_after(kSecond_ns), 1);
  take(R"({"op":"unsubscribe","topic":"/tf"})");
  EXPECT_EQ(count_after(kSecond_ns), 0);
  EXPECT_FALSE(session_.has_subscriptions());
}

TEST_F(RosbridgeTest, ThrottleThatMakesNoSenseIsNone) {
  for (const char* rate : {"-5", "\"often\"", "null", "[]"}) {
    take(fmt::format(R"({{"op":"subscribe","id":"x","topic":"/tf","throttle_rate":{}}})", rate));
    EXPECT_EQ(count_after(1), 1) << rate;
    EXPECT_EQ(count_after(1), 1) << rate;
  }
}

TEST_F(RosbridgeTest, WhoComesLateSeesWhatIsKept) {
  take(R"({"op":"subscribe","id":"a","topic":"/robot_description"})");
  EXPECT_EQ(publish().size(), 1);
  EXPECT_EQ(count_after(kSecond_ns), 0);
  take(R"({"op":"subscribe","id":"b","topic":"/robot_description"})");
  EXPECT_EQ(publish().size(), 1);
}

TEST_F(RosbridgeTest, RefusesWhatItCannotSend) {
  EXPECT_EQ(answer(take(R"({"op":"subscribe","id":"s","topic":"/scan"})")),
            R"({"op":"status","level":"error","msg":"there is no topic '/scan': there are /joint_states, )"
            R"(/joint_references, /tf, /robot_description, /diagnostics, /motion, /world","id":"s"})");
  EXPECT_EQ(complaint(take(R"({"op":"subscribe","topic":"/tf","type":"std_msgs/String"})")),
            "topic '/tf' is of type tf2_msgs/msg/TFMessage, not std_msgs/String");
  for (const char* compression : {"png", "cbor", "cbor-raw"})
    EXPECT_EQ(
        complaint(take(fmt::format(R"({{"op":"subscribe","topic":"/tf","compression":"{}"}})", compression))),
        fmt::format("compression \"{}\" is not done here: leave it out, or say 'none'", compression));
  EXPECT_FALSE(session_.has_subscriptions());
}

TEST_F(RosbridgeTest, SubscriptionsAreBounded) {
  for (std::size_t i = 0; i < RosbridgeSession::kMostSubscriptions; ++i)
    EXPECT_TRUE(take(fmt::format(R"({{"op":"subscribe","id":"{}","topic":"/tf"}})", i)).answers.empty());
  EXPECT_EQ(complaint(take(R"({"op":"subscribe","id":"more","topic":"/tf"})")),
            "more than 64 subscriptions of one client are too many");
  EXPECT_TRUE(take(R"({"op":"subscribe","id":"7","topic":"/tf"})").answers.empty()) << "the same again";
  EXPECT_EQ(publish().size(), 1);
}

TEST_F(RosbridgeTest, AnswersNonsenseWithAStatus) {
  EXPECT_EQ(complaint(take("{")), "'{' is no JSON object");
  EXPECT_EQ(complaint(take("\"x\"")), "'\"x\"' is no JSON object");
  EXPECT_EQ(complaint(session_.take({.is_text = false, .bytes = "{}"}, {}, now_ns_)),
            "binary messages are not understood: send JSON as text");
  EXPECT_NE(complaint(take(R"({"op":"png","data":""})")).find("'png' is not among what this server does"),
            std::string::npos);
  EXPECT_NE(complaint(take(R"({"op":7})")).find("'' is not among"), std::string::npos);
  EXPECT_EQ(complaint(take(R"({"op":"unsubscribe","topic":"/tf"})")), "there is no subscription to '/tf'");
}

TEST_F(RosbridgeTest, ComplaintsAreBounded) {
  std::size_t answers = 0;
  for (int i = 0; i < 1000; ++i) answers += take("nonsense").answers.size();
  EXPECT_EQ(answers, ComplaintLimit::kMostPerSecond);
}

TEST_F(RosbridgeTest, SaysWhatTheClientWantsToHear) {
  EXPECT_TRUE(session_.tell(Level::Warning, "slow").empty()) << "errors only, at first";
  EXPECT_TRUE(take(R"({"op":"set_level","level":"info"})").answers.empty());
  EXPECT_EQ(session_.tell(Level::Info, "moving").front().bytes,
            R"({"op":"status","level":"info","msg":"moving"})");
  take(R"({"op":"set_level","level":"warning"})");
  EXPECT_TRUE(session_.tell(Level::Info, "moving").empty());
  EXPECT_EQ(session_.tell(Level::Warning, "slow").size(), 1);
  EXPECT_EQ(complaint(take(R"({"op":"set_level","level":"loud"})")),
            "level 'loud' is none of info, warning, error, none");
  take(R"({"op":"set_level","level":"none"})");
  EXPECT_TRUE(session_.tell(Level::Error, "fire").empty());
}

TEST_F(RosbridgeTest, ListsItsTopics) {
  EXPECT_EQ(
      called("/rosapi/topics"),
      R"({"topics":["/joint_states","/joint_references","/tf","/robot_description","/diagnostics","/motion","/world"],)"
      R"("types":["sensor_msgs/msg/JointState","sensor_msgs/msg/JointState","tf2_msgs/msg/TFMessage",)"
      R"("std_msgs/msg/String","diagnostic_msgs/msg/DiagnosticArray","sinew_msgs/msg/Motion",)"
      R"("visualization_msgs/msg/MarkerArray"]})");
  EXPECT_EQ(called("rosapi/topics"), called("/rosapi/topics")) << "roslib leaves the slash out";
}

TEST_F(RosbridgeTest, AnswersWhatRosapiIsAsked) {
  EXPECT_EQ(called("/rosapi/topic_type", R"({"topic":"/tf"})"), R"({"type":"tf2_msgs/msg/TFMessage"})");
  EXPECT_EQ(called("/rosapi/topic_type", R"(["/tf"])"), R"({"type":"tf2_msgs/msg/TFMessage"})");
  EXPECT_EQ(called("/rosapi/topic_type", R"({"topic":"/tg"})"),
            R"x("there is no topic '/tg' (did you mean '/tf'?)")x");
  EXPECT_EQ(called("/rosapi/topics_for_type", R"({"type":"sensor_msgs/JointState"})"),
            R"({"topics":["/joint_states","/joint_references"]})");
  EXPECT_EQ(called("/rosapi/nodes"), R"({"nodes":["/arm"]})");
  EXPECT_EQ(called("/rosapi/publishers", R"({"topic":"/tf"})"), R"({"publishers":["/arm"]})");
  EXPECT_EQ(called("/rosapi/service_type", R"({"service":"/rosapi/nodes"})"),
            R"({"type":"rosapi_msgs/srv/Nodes"})");
  EXPECT_EQ(called("/rosapi/get_param_names"), R"({"names":["/robot_description","/robot_name"]})");
  EXPECT_NE(called("/rosapi/services").find("/rosapi/get_param"), std::string::npos);
  EXPECT_NE(called("/rosapi/node_details", R"({"node":"/arm"})").find("/joint_command"), std::string::npos);
  EXPECT_EQ(called("/rosapi/action_servers"), R"({"action_servers":[]})");
}

TEST_F(RosbridgeTest, GivesTheDescriptionAsAParameter) {
  for (const char* name :
       {"robot_description", "/robot_description", "/robot_state_publisher:robot_description"}) {
    const auto values =
        nlohmann::json::parse(called("/rosapi/get_param", fmt::format(R"({{"name":"{}"}})", name)));
    EXPECT_EQ(nlohmann::json::parse(values["value"].get<std::string>()), facts_.description) << name;
    EXPECT_EQ(values["successful"], true);
  }
  EXPECT_EQ(called("/rosapi/get_param", R"({"name":"x"})"),
            R"("there is no parameter 'x'; there are robot_description and robot_name")");
}

TEST_F(RosbridgeTest, ServicesThatAreNotThereFailWithAReason) {
  EXPECT_EQ(
      answer(take(R"({"op":"call_service","id":5,"service":"/rosapi/topic"})")),
      R"({"op":"service_response","service":"/rosapi/topic","values":"there is no service '/rosapi/topic' )"
      R"((did you mean '/rosapi/topics'?); /rosapi/services lists those that are there","result":false,"id":5})");
}

TEST_F(RosbridgeTest, GoalsFailWithAReason) {
  EXPECT_EQ(
      answer(take(R"({"op":"send_action_goal","id":"g","action":"/follow"})")),
      R"({"op":"action_result","action":"/follow","values":"there are no actions here; publish on /joint_command",)"
      R"("status":6,"result":false,"id":"g"})");
}

TEST_F(RosbridgeTest, CommandsNeedTheControlToken) {
  const std::string command =
      R"({"op":"publish","id":"p","topic":"/joint_command","msg":{"name":["elbow"],"position":[0.25]}})";
  EXPECT_EQ(
      answer(take(command)),
      R"({"op":"status","level":"error","msg":"this client may not move 'arm': it does not have the control token","id":"p"})");
  const Taken taken = take(command, may_command());
  EXPECT_TRUE(taken.answers.empty());
  ASSERT_TRUE(taken.wish);
  const auto& wish = std::get<JointWish>(*taken.wish);
  EXPECT_EQ(wish.names, std::vector<std::string>{"elbow"});
  EXPECT_EQ(wish.positions, std::vector<double>{0.25});
}

TEST_F(RosbridgeTest, SaysAtOnceThatNobodyListens) {
  EXPECT_TRUE(
      take(R"({"op":"advertise","topic":"/joint_command","type":"sensor_msgs/JointState"})").answers.empty());
  EXPECT_TRUE(take(R"({"op":"unadvertise","topic":"/joint_command"})").answers.empty());
  EXPECT_EQ(complaint(take(R"({"op":"advertise","topic":"/cmd_vel","type":"geometry_msgs/Twist"})")),
            "nobody listens to '/cmd_vel'; clients may publish on /joint_command, /stop and /sinew/auth");
  EXPECT_EQ(complaint(take(R"({"op":"publish","topic":"/cmd_vel","msg":{}})", may_command())),
            "nobody listens to '/cmd_vel'; clients may publish on /joint_command, /stop and /sinew/auth");
}

TEST_F(RosbridgeTest, AnybodyMayStop) {
  const Taken taken = take(R"({"op":"publish","topic":"/stop","msg":{}})");
  ASSERT_TRUE(taken.wish);
  EXPECT_TRUE(std::holds_alternative<StopWish>(*taken.wish));
}

// roslib's authenticate() has its own names for what it sends
TEST_F(RosbridgeTest, HandsCredentialsOn) {
  for (const char* auth :
       {R"({"op":"auth","session":"abc","control":"def"})",
        R"({"op":"auth","mac":"abc","client":"","dest":"","rand":"def","t":0,"level":"","end":0})",
        R"({"op":"publish","topic":"/sinew/auth","msg":{"session":"abc","control":"def"}})"}) {
    const Taken taken = take(auth);
    ASSERT_TRUE(taken.wish) << auth;
    EXPECT_EQ(std::get<Credentials>(*taken.wish).session, "abc") << auth;
    EXPECT_EQ(std::get<Credentials>(*taken.wish).control, "def") << auth;
  }
}

}  // namespace
}  // namespace sinew::viewers

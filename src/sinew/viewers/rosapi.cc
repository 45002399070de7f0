// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/viewers/rosapi.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/text.h"
#include "sinew/viewers/topics.h"

namespace sinew::viewers {
namespace {

using Texts = std::vector<std::string>;
using Answerer = Result<Json> (*)(const std::string& word, const RobotFacts& facts);

Error not_found(std::string message) {
  return {.code = ErrorCode::NotFound, .message = std::move(message)};
}

std::string node_of(const RobotFacts& facts) {
  return "/" + facts.name;
}

Texts names_of_topics() {
  Texts names;
  for (const TopicInfo& info : topics()) names.emplace_back(info.name);
  return names;
}

Texts listened_topics() {
  return {std::string(kCommandTopic), std::string(kStopTopic), std::string(kAuthTopic)};
}

Result<Json> topics_and_types(const std::string&, const RobotFacts&) {
  Texts names;
  Texts types;
  for (const TopicInfo& info : topics()) {
    names.emplace_back(info.name);
    types.emplace_back(info.ros_type);
  }
  return Json{{"topics", names}, {"types", types}};
}

Result<Json> type_of_topic(const std::string& topic, const RobotFacts&) {
  if (const auto found = topic_named(topic)) return Json{{"type", info_of(*found).ros_type}};
  if (topic == kCommandTopic) return Json{{"type", info_of(Topic::JointStates).ros_type}};
  return not_found(
      fmt::format("there is no topic '{}'{}", shown(topic), did_you_mean(topic, names_of_topics())));
}

Result<Json> topics_of_type(const std::string& type, const RobotFacts&) {
  Texts names;
  for (const TopicInfo& info : topics())
    if (is_same_type(info.ros_type, type)) names.emplace_back(info.name);
  return Json{{"topics", names}};
}

Result<Json> nodes(const std::string&, const RobotFacts& facts) {
  return Json{{"nodes", Texts{node_of(facts)}}};
}

Texts names_of_services();

Result<Json> node_details(const std::string& node, const RobotFacts& facts) {
  if (node != node_of(facts))
    return not_found(fmt::format("there is no node '{}' but '{}'", shown(node), node_of(facts)));
  return Json{{"subscribing", listened_topics()},
              {"publishing", names_of_topics()},
              {"services", names_of_services()}};
}

Result<Json> publishers(const std::string& topic, const RobotFacts& facts) {
  return Json{{"publishers", topic_named(topic) ? Texts{node_of(facts)} : Texts{}}};
}

Result<Json> services(const std::string&, const RobotFacts&) {
  return Json{{"services", names_of_services()}};
}

// "name" of ROS 1, "node:name" of ROS 2; values are JSON within JSON
Result<Json> parameter(const std::string& name, const RobotFacts& facts) {
  const std::size_t colon = name.rfind(':');
  std::string last = colon == std::string::npos ? name : name.substr(colon + 1);
  if (last.starts_with('/')) last.erase(0, 1);
  if (last == "robot_description")
    return Json{{"value", dumped(facts.description)}, {"successful", true}, {"reason", ""}};
  if (last == "robot_name") return Json{{"value", dumped(facts.name)}, {"successful", true}, {"reason", ""}};
  return not_found(
      fmt::format("there is no parameter '{}'; there are robot_description and robot_name", shown(name)));
}

Result<Json> parameter_names(const std::string&, const RobotFacts&) {
  return Json{{"names", Texts{"/robot_description", "/robot_name"}}};
}

Result<Json> action_servers(const std::string&, const RobotFacts&) {
  return Json{{"action_servers", Texts{}}};
}

Result<Json> type_of_service(const std::string& service, const RobotFacts&);

struct Service {
  std::string_view name;
  std::string_view type;
  const char* argument;  ///< The one that counts; null: none.
  Answerer answer;
};

constexpr std::array kServices{
    Service{"/rosapi/topics", "rosapi_msgs/srv/Topics", nullptr, topics_and_types},
    Service{"/rosapi/topic_type", "rosapi_msgs/srv/TopicType", "topic", type_of_topic},
    Service{"/rosapi/topics_for_type", "rosapi_msgs/srv/TopicsForType", "type", topics_of_type},
    Service{"/rosapi/publishers", "rosapi_msgs/srv/Publishers", "topic", publishers},
    Service{"/rosapi/nodes", "rosapi_msgs/srv/Nodes", nullptr, nodes},
    Service{"/rosapi/node_details", "rosapi_msgs/srv/NodeDetails", "node", node_details},
    Service{"/rosapi/services", "rosapi_msgs/srv/Services", nullptr, services},
    Service{"/rosapi/service_type", "rosapi_msgs/srv/ServiceType", "service", type_of_service},
    Service{"/rosapi/action_servers", "rosapi_msgs/srv/GetActionServers", nullptr, action_servers},
    Service{"/rosapi/get_param", "rosapi_msgs/srv/GetParam", "name", parameter},
    Service{"/rosapi/get_param_names", "rosapi_msgs/srv/GetParamNames", nullptr, parameter_names},
};

Texts names_of_services() {
  Texts names;
  for (const Service& service : kServices) names.emplace_back(service.name);
  return names;
}

const Service* service_named(std::string_view name) {
  for (const Service& service : kServices)
    if (service.name == name || service.name.substr(1) == name) return &service;
  return nullptr;
}

Result<Json> type_of_service(const std::string& name, const RobotFacts&) {
  const Service* service = service_named(name);
  return Json{{"type", service == nullptr ? "" : service->type}};
}

// by name, or, where a list is given, the first
std::string word_in(const Json& args, const char* name) {
  if (name == nullptr) return "";
  if (args.is_array()) return args.empty() ? "" : text_at(Json{{name, args.front()}}, name).value_or("");
  return text_at(args, name).value_or("");
}

}  // namespace

Result<Json> call_rosapi(std::string_view name, const Json& args, const RobotFacts& facts) {
  const Service* service = service_named(name);
  if (service == nullptr)
    return not_found(fmt::format("there is no service '{}'{}; /rosapi/services lists those that are there",
                                 shown(name), did_you_mean(name, names_of_services())));
  return service->answer(word_in(args, service->argument), facts);
}

bool is_same_type(std::string_view a, std::string_view b) {
  const auto without_kind = [](std::string_view type) {
    std::string text(type);
    if (const std::size_t kind = text.find("/msg/"); kind != std::string::npos) text.erase(kind, 4);
    return text;
  };
  return without_kind(a) == without_kind(b);
}

}  // namespace sinew::viewers

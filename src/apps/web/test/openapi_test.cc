// SPDX-License-Identifier: BSD-3-Clause
// openapi.json tells of every call there is, and of no other.
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sinew/accounts/accounts_api.h"

#include "apps/web/backup_api.h"
#include "apps/web/office.h"

namespace sinew {
namespace {

using nlohmann::json;

// "GET /api/programs/{name}"
std::set<std::string> told_calls(const json& openapi) {
  std::set<std::string> calls;
  for (const auto& [path, item] : openapi["paths"].items())
    for (const auto& [method, call] : item.items()) {
      if (method == "parameters") continue;
      std::string word = method;
      for (char& letter : word) letter = static_cast<char>(letter - 'a' + 'A');
      calls.insert(fmt::format("{} {}", word, path));
    }
  return calls;
}

std::set<std::string> served_calls() {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("sinew-openapi-{}", getpid());
  std::filesystem::create_directories(folder);
  // pages, the URL of Southern Arm Control and the socket are no rows
  std::set<std::string> calls{"GET /", "GET /api/live", "GET /{x}/{y}/{z}/{roll}/{pitch}/{handWidth}/{time}"};
  {
    const Office office({.robot = {.robot = "nobody", .space = "openapi-test", .model = "scorbot-er3"},
                         .has_accounts = false,
                         .data = folder});
    for (const ApiRow& row : office.calls().rows()) calls.insert(fmt::format("{} {}", row.method, row.path));
  }
  for (const auto& [method, path] : accounts::AccountsApi::targets()) calls.insert(method + " " + path);
  std::filesystem::remove_all(folder);
  return calls;
}

TEST(OpenApi, TellsOfEveryCallAndOfNoOther) {
  const json openapi = json::parse(openapi_text());
  const std::set<std::string> told = told_calls(openapi);
  const std::set<std::string> served = served_calls();
  for (const std::string& call : served) EXPECT_TRUE(told.contains(call)) << call << " is not told";
  for (const std::string& call : told) EXPECT_TRUE(served.contains(call)) << call << " is not served";
}

// every {name} is a parameter, every reference leads somewhere, every call has a name of its own
TEST(OpenApi, HangsTogether) {
  const json openapi = json::parse(openapi_text());
  EXPECT_EQ(openapi["openapi"], "3.1.0");
  std::set<std::string> names;
  for (const auto& [path, item] : openapi["paths"].items()) {
    for (const auto& [method, call] : item.items()) {
      SCOPED_TRACE(method + " " + path);
      EXPECT_TRUE(names.insert(call.at("operationId")).second);
      EXPECT_FALSE(call.at("summary").get<std::string>().empty());
      EXPECT_FALSE(call.at("responses").empty());
      std::set<std::string> parameters;
      for (const json& parameter : call.value("parameters", json::array()))
        if (parameter.at("in") == "path") parameters.insert(parameter.at("name"));
      for (std::size_t i = path.find('{'); i != std::string::npos; i = path.find('{', i + 1)) {
        const std::string name = path.substr(i + 1, path.find('}', i) - i - 1);
        EXPECT_EQ(parameters.erase(name), 1U) << name;
      }
      EXPECT_TRUE(parameters.empty());
    }
  }
  const std::function<void(const json&)> check = [&](const json& part) {
    if (part.is_object() && part.contains("$ref")) {
      const std::string target = part["$ref"];
      EXPECT_TRUE(target.starts_with("#/") && openapi.contains(json::json_pointer(target.substr(1))))
          << target;
    }
    if (part.is_structured())
      for (const json& inner : part) check(inner);
  };
  check(openapi);
}

}  // namespace
}  // namespace sinew

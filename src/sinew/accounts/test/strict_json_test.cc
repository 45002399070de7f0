// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/strict_json.h"

#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sinew::accounts {
namespace {

// Any value, at most so many levels deep.
Json random_json(std::mt19937_64& random, int levels) {
  switch (random() % (levels > 0 ? 8 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return random() % 2 == 0;
    case 2:
      return static_cast<std::int64_t>(random());
    case 3:
      return random();
    case 4:
      return 1e-3 * static_cast<double>(random() % 1'000'000);
    case 5:
      return fmt::format("word \"{}\" \u00e4 \n", random() % 100);
    case 6: {
      Json list = Json::array();
      for (std::uint64_t i = random() % 5; i > 0; --i) list.push_back(random_json(random, levels - 1));
      return list;
    }
    default: {
      Json object = Json::object();
      for (std::uint64_t i = random() % 5; i > 0; --i)
        object[fmt::format("key {}", random() % 1000)] = random_json(random, levels - 1);
      return object;
    }
  }
}

TEST(StrictJson, ReadsWhatWasWritten) {
  std::mt19937_64 random(18);
  for (int i = 0; i < 3000; ++i) {
    const Json json = random_json(random, 6);
    const auto read = strict_json(json.dump(i % 2 == 0 ? -1 : 1));
    ASSERT_TRUE(read) << read.error().message << json.dump();
    EXPECT_EQ(*read, json);
    EXPECT_EQ(read->dump(), json.dump()) << "in the same order";
  }
}

TEST(StrictJson, RefusesWithThePlace) {
  const auto why = [](std::string_view text) {
    const auto read = strict_json(text, 3);
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(why("{\"a\": 1,\n \"b\": }"), "line 2, column 7: this is no JSON");
  EXPECT_EQ(why(""), "line 1, column 1: this is no JSON");
  EXPECT_EQ(why("{\"a\": 1, \"b\": {\"a\": 1}, \"a\": 2}"), "'a' is said twice");
  EXPECT_EQ(why("[[[1]]]"), "");
  EXPECT_EQ(why("[[[[1]]]]"), "more than 3 levels of lists and objects");
  EXPECT_EQ(why("{\"a\": 1e999}"), "it holds a number that is too large");
  EXPECT_NE(why("[1] [2]"), "");
  EXPECT_NE(why("[1,]"), "");
}

// with a builder that looks through all that came before, each of these took minutes to hours
TEST(StrictJson, TakesATimeThatGrowsWithTheTextAndNoFaster) {
  std::string list = "{\"backup\":[{}";
  for (int i = 0; i < 900'000; ++i) list += ",{}";
  const auto read = strict_json(list + "]}");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)["backup"].size(), 900'001U);

  std::string names = "{\"0\":1";
  for (int i = 1; i < 900'000; ++i) names += fmt::format(",\"{}\":1", i);
  const auto object = strict_json(names + "}");
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_EQ(object->size(), 900'000U);
  EXPECT_EQ(strict_json(names + ",\"5\":1}").error().message, "'5' is said twice");

  for (int i = 0; i < 200'000; ++i) list += ",{}";
  EXPECT_EQ(strict_json(list + "]}").error().message, "more than 1000000 lists and objects");
}

}  // namespace
}  // namespace sinew::accounts

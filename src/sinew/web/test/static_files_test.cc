// SPDX-License-Identifier: BSD-3-Clause
// The folder test/page, put into this program by tools/embed_files.py.
#include "sinew/web/static_files.h"

#include <array>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace sinew::web {

std::span<const StaticFile> test_page_files();
std::span<const StaticFile> absent_files();

namespace {

std::string header(const HttpAnswer& answer, std::string_view name) {
  for (const auto& [own, value] : answer.headers)
    if (own == name) return value;
  return "";
}

class StaticFilesTest : public testing::Test {
 protected:
  std::optional<HttpAnswer> get(const std::string& target, HttpHeaders headers = {}) {
    return files_.answer({.method = "GET", .target = target, .headers = std::move(headers)});
  }
  StaticFiles files_{test_page_files()};
};

TEST_F(StaticFilesTest, HasAllFilesOfTheFolderWithTheirTypes) {
  ASSERT_EQ(test_page_files().size(), 5U);
  EXPECT_EQ(get("/index.html")->type, "text/html; charset=utf-8");
  EXPECT_EQ(get("/assets/plain.css")->type, "text/css; charset=utf-8");
  EXPECT_EQ(get("/assets/index-B2x_c6-8.js")->type, "text/javascript; charset=utf-8");
  EXPECT_EQ(get("/noise.bin")->type, "application/octet-stream");
  EXPECT_EQ(get("/empty.txt")->body, "");
  EXPECT_EQ(get("/")->body, get("/index.html?from=bookmark")->body);
  EXPECT_NE(get("/")->body.find("<title>A page for tests</title>"), std::string::npos);
}

TEST_F(StaticFilesTest, GivesBytesAsTheyWereCompressedOrNot) {
  const auto plain = get("/noise.bin");
  ASSERT_TRUE(plain);
  ASSERT_EQ(plain->body.size(), 3000U);
  EXPECT_EQ(header(*plain, "Content-Encoding"), "");
  const auto packed = get("/noise.bin", {.accept_encoding = "gzip, deflate, br"});
  EXPECT_EQ(header(*packed, "Content-Encoding"), "gzip");
  EXPECT_EQ(packed->body.substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(header(*packed, "Vary"), "Accept-Encoding");
  EXPECT_NE(header(*packed, "ETag"), header(*plain, "ETag"));
  EXPECT_FALSE(get("/noise.bin", {.accept_encoding = "gzip;q=0"})->body.starts_with("\x1f\x8b"));
}

TEST_F(StaticFilesTest, WhoHasItIsToldSo) {
  for (const char* encoding : {"gzip", "identity"}) {
    const std::string tag = header(*get("/", {.accept_encoding = encoding}), "ETag");
    EXPECT_TRUE(tag.starts_with('"') && tag.ends_with('"')) << tag;
    for (const std::string& list : {tag, "\"x\", " + tag, "W/" + tag, std::string("*")}) {
      const auto answer = get("/", {.if_none_match = list, .accept_encoding = encoding});
      EXPECT_EQ(answer->status, 304U) << list;
      EXPECT_EQ(answer->body, "");
      EXPECT_EQ(header(*answer, "ETag"), tag);
    }
    EXPECT_EQ(get("/", {.if_none_match = "\"other\"", .accept_encoding = encoding})->status, 200U);
  }
}

TEST_F(StaticFilesTest, OnlyNamesWithAHashAreKeptForEver) {
  EXPECT_EQ(header(*get("/assets/index-B2x_c6-8.js"), "Cache-Control"),
            "public, max-age=31536000, immutable");
  EXPECT_EQ(header(*get("/assets/plain.css"), "Cache-Control"), "no-cache");
  EXPECT_EQ(header(*get("/"), "Cache-Control"), "no-cache");
  EXPECT_TRUE(header(*get("/"), "Content-Security-Policy").starts_with("default-src 'self'; img-src"));
}

TEST_F(StaticFilesTest, TricksWithThePathFindNothing) {
  for (const char* target : {"",
                             "*",
                             "//",
                             "/..",
                             "/../index.html",
                             "/./index.html",
                             "//index.html",
                             "/assets/../index.html",
                             "/%69ndex.html",
                             "/index.html%00",
                             "/index.html/",
                             "/index.html#x",
                             "\\index.html",
                             "/assets\\plain.css",
                             "/assets",
                             "/assets/",
                             "/INDEX.HTML",
                             "/etc/passwd",
                             "/..%2f..%2fetc/passwd",
                             "http://127.0.0.1/index.html",
                             "/.",
                             "/index.htm"})
    EXPECT_FALSE(get(target)) << target;
  EXPECT_FALSE(get(std::string("/index.html\0", 12)));
}

TEST_F(StaticFilesTest, FilesAreReadAndNotWritten) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "get"}) {
    const auto answer = files_.answer({.method = method, .target = "/"});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 405U) << method;
    EXPECT_EQ(header(*answer, "Allow"), "GET, HEAD");
  }
  EXPECT_EQ(files_.answer({.method = "HEAD", .target = "/"})->status, 200U);
}

TEST_F(StaticFilesTest, AFolderThatIsNotThereMakesAnEmptyTable) {
  EXPECT_TRUE(StaticFiles(absent_files()).is_empty());
  EXPECT_FALSE(StaticFiles(absent_files()).answer({.method = "GET", .target = "/"}));
  EXPECT_FALSE(files_.is_empty());
}

TEST_F(StaticFilesTest, ADamagedFileIsSaidToBeDamaged) {
  const std::array<std::byte, 4> rubbish{};
  const std::array<StaticFile, 1> table{{{"/x", "text/plain", "\"1\"", rubbish}}};
  EXPECT_EQ(StaticFiles(table).answer({.method = "GET", .target = "/x"})->status, 500U);
}

}  // namespace
}  // namespace sinew::web

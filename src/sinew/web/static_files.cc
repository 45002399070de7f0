// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/static_files.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <string>

#include "sinew/web/header_value.h"

namespace sinew::web {
namespace {

constexpr std::string_view kPagePolicy =
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' "
    "ws: wss:; "
    "worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
constexpr std::size_t kHashSize = 8;

// "/assets/NAME-HASH.js", as Vite writes them.
bool has_hash(std::string_view path) {
  if (!path.starts_with("/assets/")) return false;
  const std::string_view stem = path.substr(0, path.find('.'));
  if (stem.size() <= kHashSize || stem[stem.size() - kHashSize - 1] != '-') return false;
  return std::ranges::all_of(stem.substr(stem.size() - kHashSize), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

// The content for who does not take it compressed.
std::optional<std::string> inflated(std::span<const std::byte> packed) {
  z_stream stream{};
  // 16: with the header of gzip
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string content;
  std::array<char, 16384> part{};
  int result = Z_OK;
  while (result == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = part.size();
    result = inflate(&stream, Z_NO_FLUSH);
    content.append(part.data(), part.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (result != Z_STREAM_END) return std::nullopt;
  return content;
}

// Compressed or not, it has a tag of its own: "abc" and "abc-plain".
std::string tag_of(const StaticFile& file, bool is_packed) {
  if (is_packed) return std::string(file.etag);
  return std::string(file.etag.substr(0, file.etag.size() - 1)) + "-plain\"";
}

// Whether the client has it, in a list such as W/"abc", "def".
bool has_tag(std::string_view list, std::string_view tag) {
  return has_word(list, tag) || has_word(list, "W/" + std::string(tag)) || list == "*";
}

}  // namespace

std::optional<HttpAnswer> StaticFiles::answer(const HttpRequest& request) const {
  std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  if (path == "/") path = "/index.html";
  const auto file = std::ranges::find(files_, path, &StaticFile::path);
  if (file == files_.end()) return std::nullopt;
  if (request.method != "GET" && request.method != "HEAD")
    return HttpAnswer{.status = 405,
                      .body = "{\"error\": \"this is a file: it can be had by GET\"}\n",
                      .headers = {{"Allow", "GET, HEAD"}}};
  const bool is_packed = accepts(request.headers.accept_encoding.value_or(""), "gzip");
  const std::string tag = tag_of(*file, is_packed);
  HttpAnswer answer{
      .type = std::string(file->type),
      .headers = {{"ETag", tag},
                  {"Vary", "Accept-Encoding"},
                  {"Cache-Control", has_hash(path) ? "public, max-age=31536000, immutable" : "no-cache"},
                  {"Content-Security-Policy", std::string(kPagePolicy)},
                  {"Cross-Origin-Opener-Policy", "same-origin"}}};
  if (has_tag(request.headers.if_none_match.value_or(""), tag)) {
    answer.status = 304;
    return answer;
  }
  if (is_packed) {
    answer.headers.emplace_back("Content-Encoding", "gzip");
    answer.body.assign(reinterpret_cast<const char*>(file->gzip.data()), file->gzip.size());
    return answer;
  }
  auto content = inflated(file->gzip);
  if (!content) return HttpAnswer{.status = 500, .body = "{\"error\": \"this file is damaged\"}\n"};
  answer.body = std::move(*content);
  return answer;
}

}  // namespace sinew::web

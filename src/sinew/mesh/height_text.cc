// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/mesh/height_text.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr std::string_view kBetween = " \t\r,";

/// Reads one line after the other.
class HeightReader {
 public:
  explicit HeightReader(const std::filesystem::path& path) : path_(path) {}

  Status read_line(std::string_view line) {
    ++line_number_;
    const std::size_t before = result_.heights.size();
    line = line.substr(0, line.find('#'));
    for (std::size_t at = line.find_first_not_of(kBetween); at != std::string_view::npos;
         at = line.find_first_not_of(kBetween)) {
      line.remove_prefix(at);
      const std::string_view word = line.substr(0, line.find_first_of(kBetween));
      double height = 0.0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), height);
      if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(height))
        return refusal(fmt::format("'{}' is no finite number", word.substr(0, 20)));
      result_.heights.push_back(height);
      line.remove_prefix(word.size());
    }
    return end_row(result_.heights.size() - before);
  }

  Result<HeightRows> take() {
    if (result_.rows < 2 || result_.columns < 2)
      return refusal(
          fmt::format("it has {} rows of {} heights; two of each at least", result_.rows, result_.columns));
    return std::move(result_);
  }

 private:
  Status end_row(std::size_t count) {
    if (count == 0) return Done{};
    if (result_.rows++ == 0) result_.columns = count;
    if (count != result_.columns)
      return refusal(fmt::format("{} heights after rows of {}; all need the same", count, result_.columns));
    if (count > kMostHeightsAlong || result_.rows > kMostHeightsAlong)
      return refusal(fmt::format("more than {} heights in a row or column; thin it out", kMostHeightsAlong));
    return Done{};
  }

  Error refusal(std::string_view why) const {
    return {ErrorCode::InvalidInput,
            fmt::format("height field {}, line {}: {}", path_.string(), line_number_, why)};
  }

  const std::filesystem::path& path_;
  std::size_t line_number_ = 0;
  HeightRows result_;
};

}  // namespace

Result<HeightRows> heights_from_text(const std::filesystem::path& path, std::string_view text) {
  HeightReader reader(path);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (Status read = reader.read_line(text.substr(0, end)); !read) return read.error();
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return reader.take();
}

}  // namespace sinew

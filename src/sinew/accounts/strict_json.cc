// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/strict_json.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::accounts {
namespace {

constexpr std::size_t kMostContainers = 1'000'000;

// Builds the value out of what the parser sees, in a time that grows with the text and no faster: the
// parser's own builder, asked about each part, looks through all that came before it, and an ordered object
// looks through its keys for each further one.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::size_t most_levels) : most_levels_(most_levels) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(string_t& value) override {
    if (!levels_.back().keys.insert(value).second)
      return refuse(fmt::format("'{}' is said twice", shown_text(value)));
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::detail::exception& problem) override {
    constexpr int kOutOfRange = 406;
    if (!complaint_.empty()) return false;
    is_too_large_ = problem.id == kOutOfRange;
    wrong_byte_ = byte;
    return false;
  }

  const std::string& complaint() const { return complaint_; }
  bool is_too_large() const { return is_too_large_; }
  std::size_t wrong_byte() const { return wrong_byte_; }
  Json take() { return std::move(root_); }

 private:
  struct Level {
    Json* value = nullptr;  // does not move while it is open: nothing is added beside it
    std::set<std::string, std::less<>> keys;
  };

  bool refuse(std::string why) {
    complaint_ = std::move(why);
    return false;
  }

  // Where it stands now.
  Json* put(Json value) {
    if (levels_.empty()) return &(root_ = std::move(value));
    Json& around = *levels_.back().value;
    if (around.is_array()) {
      auto& list = around.get_ref<Json::array_t&>();
      list.push_back(std::move(value));
      return &list.back();
    }
    // its keys are known to be different
    Json::object_t::Container& entries = around.get_ref<Json::object_t&>();
    entries.emplace_back(std::move(key_), std::move(value));
    return &entries.back().second;
  }

  bool add(Json value) {
    put(std::move(value));
    return true;
  }

  bool open(Json value) {
    if (++containers_ > kMostContainers)
      return refuse(fmt::format("more than {} lists and objects", kMostContainers));
    if (levels_.size() >= most_levels_)
      return refuse(fmt::format("more than {} levels of lists and objects", most_levels_));
    Json* const place = put(std::move(value));
    levels_.push_back({.value = place, .keys = {}});
    return true;
  }

  bool end() {
    levels_.pop_back();
    return true;
  }

  std::size_t most_levels_;
  std::size_t containers_ = 0;
  Json root_;
  std::vector<Level> levels_;
  std::string key_;
  std::string complaint_;
  bool is_too_large_ = false;
  std::size_t wrong_byte_ = 0;
};

std::string place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? before.size() + 1 : before.size() - start;
  return fmt::format("line {}, column {}", line, column);
}

}  // namespace

Result<Json> strict_json(std::string_view text, std::size_t most_levels) {
  Builder builder(most_levels);
  try {
    if (Json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  } catch (const nlohmann::json::exception&) {
    return Error{ErrorCode::InvalidInput, "it holds a number that is too large"};
  }
  if (!builder.complaint().empty()) return Error{ErrorCode::InvalidInput, builder.complaint()};
  if (builder.is_too_large()) return Error{ErrorCode::InvalidInput, "it holds a number that is too large"};
  return Error{ErrorCode::InvalidInput,
               fmt::format("{}: this is no JSON", place_of(text, builder.wrong_byte()))};
}

Status check_keys(const Json& json, std::string_view where, std::initializer_list<std::string_view> keys) {
  if (!json.is_object()) return Error{ErrorCode::InvalidInput, fmt::format("{} must be an object", where)};
  for (const auto& [key, value] : json.items())
    if (std::ranges::find(keys, key) == keys.end())
      return Error{ErrorCode::InvalidInput, fmt::format("{} has no '{}'; there are {}", where,
                                                        shown_text(key), fmt::join(keys, ", "))};
  return Done{};
}

Result<std::string> text_at(const Json& json, std::string_view where, const std::string& key) {
  const auto found = json.find(key);
  if (found == json.end()) return Error{ErrorCode::InvalidInput, fmt::format("{} needs '{}'", where, key)};
  if (!found->is_string())
    return Error{ErrorCode::InvalidInput, fmt::format("'{}' of {} must be text", key, where)};
  return found->get<std::string>();
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace sinew::accounts

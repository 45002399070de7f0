// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/console_world.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/spatial/pose.h"

namespace sinew::cli {
namespace {

using Texts = std::span<const std::string>;

struct KindRow {
  std::string_view word;
  std::string_view shown;
  std::size_t sizes;  ///< Numbers that follow.
  std::string_view usage;
  std::vector<std::string> endings;  ///< Of its file; none when it has none.
};

/// As in ObjectKind.
const std::array<KindRow, 6>& kinds() {
  static const std::array<KindRow, 6> kRows{
      {{"box", "box", 3, "box NAME LONG WIDE HIGH", {}},
       {"sphere", "sphere", 1, "sphere NAME RADIUS", {}},
       {"cylinder", "cylinder", 2, "cylinder NAME RADIUS LENGTH", {}},
       {"plane", "plane", 0, "plane NAME", {}},
       {"mesh", "mesh", 0, "mesh NAME FILE", {".stl", ".obj", ".dae"}},
       {"field", "height field", 3, "field NAME FILE LONG WIDE UNIT", {".txt", ".csv"}}}};
  return kRows;
}

constexpr std::string_view kTail = "[X Y Z [ROLL PITCH YAW]] [scale S] [margin M] [link LINK]";

Error refusal(std::string text) {
  return {ErrorCode::InvalidInput, std::move(text)};
}

std::optional<double> number_in(const std::string& word) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_whole = error == std::errc() && end == word.data() + word.size();
  return is_whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// As text in a YAML line.
std::string yaml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// Numbers at the front of `words`, at most `most`; takes them away.
std::vector<double> take_numbers(Texts& words, std::size_t most) {
  std::vector<double> numbers;
  while (!words.empty() && numbers.size() < most) {
    const auto number = number_in(words.front());
    if (!number) break;
    numbers.push_back(*number);
    words = words.subspan(1);
  }
  return numbers;
}

std::string size_text(const KindRow& kind, std::span<const double> sizes, const std::string& file) {
  if (!kind.endings.empty()) {
    const std::string from_root = std::filesystem::absolute(file).lexically_normal().string();
    const std::string size = sizes.empty() ? "" : fmt::format(", size: [{}]", fmt::join(sizes, ", "));
    return fmt::format("{}: {}{}", kind.word, yaml_text(from_root), size);
  }
  if (sizes.size() == 1) return fmt::format("{}: {}", kind.word, sizes[0]);
  return fmt::format("{}: [{}]", kind.word, fmt::join(sizes, ", "));
}

/// Position and rotation at the front of `words`.
Result<std::string> place_text(Texts& words) {
  const std::vector<double> place = take_numbers(words, 6);
  if (place.size() % 3 != 0)
    return refusal(
        fmt::format("{} numbers for its place: give X Y Z, or X Y Z ROLL PITCH YAW", place.size()));
  std::string text;
  if (place.size() >= 3) text += fmt::format(", at: [{}, {}, {}]", place[0], place[1], place[2]);
  if (place.size() == 6) text += fmt::format(", rpy: [{}, {}, {}]", place[3], place[4], place[5]);
  return text;
}

/// Pairs of a word and its value.
Result<std::string> tail_text(Texts words) {
  std::string text;
  for (; words.size() >= 2; words = words.subspan(2)) {
    if (words[0] == "link") {
      text += fmt::format(", link: {}", yaml_text(words[1]));
    } else if ((words[0] == "scale" || words[0] == "margin") && number_in(words[1])) {
      text += fmt::format(", {}: {}", words[0], *number_in(words[1]));
    } else {
      break;
    }
  }
  if (!words.empty()) return refusal(fmt::format("'{}' is not understood here; {}", words[0], kTail));
  return text;
}

Result<std::string> line_of_kind(const KindRow& kind, Texts words) {
  const auto usage = [&] { return refusal(fmt::format("'world add {} {}'", kind.usage, kTail)); };
  const std::size_t texts = kind.endings.empty() ? 1 : 2;
  if (words.size() < texts) return usage();
  const std::string& name = words[0];
  const std::string file = texts == 2 ? words[1] : "";
  words = words.subspan(texts);
  const std::vector<double> sizes = take_numbers(words, kind.sizes);
  if (sizes.size() < kind.sizes) return usage();
  const auto place = place_text(words);
  if (!place) return place.error();
  const auto tail = tail_text(words);
  if (!tail) return tail.error();
  return fmt::format("{{name: {}, {}{}{}}}", yaml_text(name), size_text(kind, sizes, file), *place, *tail);
}

std::vector<std::string> files_ending(const std::vector<std::string>& endings) {
  std::vector<std::string> names;
  std::error_code error;
  for (auto entry = std::filesystem::directory_iterator(".", error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (std::ranges::find(endings, entry->path().extension().string()) != endings.end())
      names.push_back(entry->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> after_add(Texts words) {
  std::vector<std::string> names;
  for (const KindRow& kind : kinds()) {
    if (words.empty()) names.emplace_back(kind.word);
    if (words.size() == 2 && words[0] == kind.word && !kind.endings.empty())
      return files_ending(kind.endings);
  }
  if (words.size() > 2) return {"scale", "margin", "link"};
  return names;
}

}  // namespace

Result<std::string> object_line_from(Texts words) {
  if (!words.empty() && words[0].starts_with('{')) return fmt::format("{}", fmt::join(words, " "));
  std::vector<std::string> names;
  for (const KindRow& kind : kinds()) {
    if (!words.empty() && words[0] == kind.word) return line_of_kind(kind, words.subspan(1));
    names.emplace_back(kind.word);
  }
  return refusal(fmt::format("what? 'world add {{name: …}}' or 'world add KIND NAME …' of a kind {}{}",
                             fmt::join(names, ", "), did_you_mean(words.empty() ? "" : words[0], names)));
}

Result<std::string> moved_line_from(const World& world, Texts words) {
  if (words.size() != 4 && words.size() != 7) return refusal("'world move NAME X Y Z [ROLL PITCH YAW]'");
  const std::vector<std::string> names = object_names(world);
  const auto at = std::ranges::find(names, words[0]);
  if (at == names.end())
    return refusal(fmt::format("there is no object '{}'{}; 'world list' shows all", words[0],
                               did_you_mean(words[0], names)));
  const WorldObject& object = world.objects[static_cast<std::size_t>(at - names.begin())];
  const auto kind_at = static_cast<std::size_t>(object.kind);
  if (kind_at >= kinds().size()) return refusal(fmt::format("'{}' is of an unknown kind", words[0]));
  const KindRow& kind = kinds()[kind_at];
  Texts numbers = words.subspan(1);
  const auto place = place_text(numbers);
  if (!place || !numbers.empty()) return refusal("X Y Z [ROLL PITCH YAW] are numbers, in m and rad");
  std::string text = fmt::format(
      "{{name: {}, {}{}", yaml_text(words[0]),
      size_text(kind, std::span(object.size).first(kind.sizes), std::string(text_of(object.file))), *place);
  if (words.size() == 4) {
    const RollPitchYaw turn =
        roll_pitch_yaw(Quaternion(object.qw, object.qx, object.qy, object.qz).normalized());
    // + 0.0: no minus zero
    text += fmt::format(", rpy: [{}, {}, {}]", turn.roll + 0.0, turn.pitch + 0.0, turn.yaw + 0.0);
  }
  if (object.kind == ObjectKind::Mesh) text += fmt::format(", scale: [{}]", fmt::join(object.size, ", "));
  if (object.margin != 0.0) text += fmt::format(", margin: {}", object.margin);
  if (object.attached != 0) text += fmt::format(", link: {}", yaml_text(text_of(object.link)));
  return text + "}";
}

std::string object_row(const WorldObject& object) {
  const auto kind = static_cast<std::size_t>(object.kind);
  std::string row = fmt::format("{:<16} {:<12} at {:.3f} {:.3f} {:.3f} m", text_of(object.name),
                                kind < kinds().size() ? kinds()[kind].shown : "unknown", object.position[0],
                                object.position[1], object.position[2]);
  const bool is_mesh = object.kind == ObjectKind::Mesh;
  row += fmt::format("  {} {:.4g} {:.4g} {:.4g}{}", is_mesh ? "scale" : "size", object.size[0],
                     object.size[1], object.size[2], is_mesh ? "" : " m");
  if (object.attached != 0) row += fmt::format("  carried by {}", text_of(object.link));
  if (!text_of(object.file).empty()) row += fmt::format("  {}", text_of(object.file));
  return row;
}

std::vector<std::string> object_names(const World& world) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(world.object_count, kMaxObjects); ++i)
    names.emplace_back(text_of(world.objects[i].name));
  return names;
}

std::vector<std::string> after_world(Texts words, const World* world) {
  if (words.empty()) return {"add", "move", "remove", "list"};
  if (words[0] == "add") return after_add(words.subspan(1));
  const bool wants_name = words.size() == 1 && (words[0] == "move" || words[0] == "remove");
  return wants_name && world != nullptr ? object_names(*world) : std::vector<std::string>{};
}

}  // namespace sinew::cli

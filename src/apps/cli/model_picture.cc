// SPDX-License-Identifier: BSD-3-Clause
// sinew model ROBOT --picture FILE
#include "apps/cli/model_picture.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <ostream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/picture/picture.h"

namespace sinew::cli {
namespace {

// Positions that a posture does not say: zero, or the limit nearest to it.
std::vector<double> positions_of(const RobotModel& model, const NamedPosture* posture) {
  std::vector<double> q;
  for (std::size_t i = 0; i < model.positions.size(); ++i) {
    const JointLimits& limits = model.joints[model.positions[i]].limits;
    const double said = posture != nullptr ? posture->positions[i] : std::nan("");
    q.push_back(std::isfinite(said) ? said : std::clamp(0.0, limits.lower, limits.upper));
  }
  return q;
}

Result<std::vector<double>> wanted_positions(const Words& words, const RobotModel& model) {
  if (words.has("--q")) {
    if (words.has("--posture")) return usage_error("both --posture and --q are given; keep one of them");
    auto q = words.numbers("--q");
    if (q && q->size() != model.positions.size()) {
      std::vector<std::string> names;
      for (const std::size_t j : model.positions) names.push_back(model.joints[j].name);
      return usage_error(fmt::format("--q has {} numbers, but {} has {} positions: {}", q->size(), model.name,
                                     names.size(), fmt::join(names, " ")));
    }
    return q;
  }
  const std::string name = words.has("--posture") ? words.text("--posture") : "home";
  std::vector<std::string> names;
  for (const NamedPosture& posture : model.postures) {
    if (posture.name == name) return positions_of(model, &posture);
    names.push_back(posture.name);
  }
  if (!words.has("--posture")) return positions_of(model, nullptr);
  return Error{
      ErrorCode::NotFound,
      fmt::format("{} has no posture '{}'{}; it has: {}", model.name, name, did_you_mean(name, names),
                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
}

// "640x480"
Status read_size(std::string_view text, PictureOptions& options) {
  const std::size_t x = std::min(text.find('x'), text.size());
  const auto read = [](std::string_view digits, int& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  if (read(text.substr(0, x), options.width) && x < text.size() && read(text.substr(x + 1), options.height))
    return Done{};
  return usage_error(fmt::format("--size '{}' is not WIDTHxHEIGHT, such as 640x480", text));
}

}  // namespace

std::vector<Option> picture_options() {
  return {
      {.name = "--picture",
       .value_name = "FILE.png",
       .help = "Draw it into this file.",
       .completion = Completion::File},
      {.name = "--posture", .value_name = "NAME", .help = "Picture: in this posture.", .fallback = "home"},
      {.name = "--q",
       .value_name = "Q...",
       .help = "Picture: at these joint positions, rad or m.",
       .most_values = 64},
      {.name = "--view",
       .value_name = "VIEW",
       .help = "Picture: front, side, top or iso.",
       .fallback = "iso"},
      {.name = "--size", .value_name = "WxH", .help = "Picture: its pixels.", .fallback = "640x480"}};
}

Status draw_picture(const Words& words, const RobotModel& model, std::ostream& out) {
  PictureOptions options;
  if (Status read = read_size(words.text("--size"), options); !read) return read;
  const auto view = view_named(words.text("--view"));
  if (!view)
    return usage_error(fmt::format("--view '{}' is none of front, side, top, iso", words.text("--view")));
  options.view = *view;
  const auto q = wanted_positions(words, model);
  if (!q) return q.error();
  const auto picture = draw_robot(model, *q, options);
  if (!picture) return picture.error();
  for (const Remark& remark : picture->remarks) std::cerr << "odd: " << remark_text(remark) << '\n';
  if (Status written = write_png(picture->image, words.text("--picture")); !written) return written;
  out << fmt::format("drew {}: {} x {} pixels\n", words.text("--picture"), options.width, options.height);
  return Done{};
}

}  // namespace sinew::cli

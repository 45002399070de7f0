// SPDX-License-Identifier: BSD-3-Clause
// Letters as strokes, so that pictures with words need no font of the system.
#include <array>
#include <string_view>

#include "sinew/picture/canvas.h"

namespace sinew::picture {
namespace {

// Printable ASCII from the blank on: the width, then strokes, each a row of points "xy". Baseline at y = 2,
// small letters up to 6, capitals up to 8, tails down to 0. A stroke that begins with ~ is rounded.
constexpr std::array<std::string_view, 95> kGlyphs{
    "2",
    "0 0804 0202",
    "2 0806 2826",
    "4 1218 3238 0444 0646",
    "4 ~473818070615354443321203 2921",
    "4 0248 ~0828260608 ~2444422224",
    "4 ~42060718273604031222 2244",
    "0 0806",
    "1 ~18060412",
    "1 ~08161402",
    "2 1713 0624 0426",
    "4 2723 0545",
    "1 1312 1201",
    "3 0535",
    "0 0202",
    "4 0248",
    "4 ~284842020828",
    "2 072822",
    "4 ~0718384745 4502 0242",
    "4 ~07183847463525 ~25354443321203",
    "4 32380444",
    "4 480805 ~0516364543321203",
    "4 ~473818070312324344351504",
    "4 084812",
    "4 ~284845050828 ~254542020525",
    "4 ~031232434738180706153546",
    "0 0505 0202",
    "1 1515 1312 1201",
    "3 370533",
    "4 0646 0444",
    "3 073503",
    "4 ~07183847462524 2222",
    "4 ~3436161434 ~34444828082242",
    "4 022842 1434",
    "4 0208 ~082848452505 ~052545422202",
    "4 ~4738180703123243",
    "4 0208 ~082848422202",
    "4 48080242 0535",
    "4 480802 0535",
    "4 ~4738180703123243 434525",
    "4 0208 4248 0545",
    "0 0208",
    "3 ~3833221203",
    "4 0208 4804 1542",
    "3 080232",
    "4 0208244842",
    "4 02084248",
    "4 ~284842020828",
    "4 0208 ~082848442404",
    "4 ~284842020828 2441",
    "4 0208 ~082848442404 2442",
    "4 ~473818070615354443321203",
    "4 0848 2822",
    "4 ~08024248",
    "4 082248",
    "4 0812263248",
    "4 0248 0842",
    "4 082548 2522",
    "4 08480242",
    "1 18080212",
    "4 0842",
    "1 08181202",
    "4 162836",
    "4 0141",
    "1 0817",
    "3 3632 ~343606023234",
    "3 0802 ~040636320204",
    "3 ~3526160503122233",
    "3 3832 ~343606023234",
    "3 0434 ~343606022233",
    "2 ~28181712 0626",
    "3 ~36301001 ~343606023234",
    "3 0802 ~0406363432",
    "0 0602 0808",
    "1 ~161000 1818",
    "3 0802 3604 1532",
    "1 ~080312",
    "4 0602 ~0406262422 ~2426464442",
    "3 0602 ~0406363432",
    "3 ~163632020616",
    "3 0600 ~040636320204",
    "3 3630 ~343606023234",
    "2 0602 ~04061626",
    "3 ~35261605142433221203",
    "2 ~18131222 0626",
    "3 ~0604023234 3632",
    "4 062246",
    "4 0612243246",
    "3 0632 3602",
    "4 0622 4610",
    "3 06360232",
    "2 ~28181605 ~05141222",
    "0 0800",
    "2 ~08181625 ~25141202",
    "4 ~05163445",
};
constexpr std::string_view kUnknown = "4 0248084202420848";

constexpr double kUnit = 0.115;   // of a size, per step of the grid
constexpr double kSpacing = 1.7;  // between letters, in steps

std::string_view glyph_of(char c) {
  return c >= ' ' && c <= '~' ? kGlyphs[static_cast<std::size_t>(c - ' ')] : kUnknown;
}

double advance_of(char c) {
  return (glyph_of(c)[0] - '0' + kSpacing) * kUnit;
}

// Corners cut off three times (Chaikin 1974): the ends stay.
std::vector<DrawingPoint> rounded(std::vector<DrawingPoint> points) {
  for (int turn = 0; turn < 3; ++turn) {
    std::vector<DrawingPoint> finer{points.front()};
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const DrawingPoint& a = points[i];
      const DrawingPoint& b = points[i + 1];
      if (i > 0) finer.push_back({0.75 * a.x + 0.25 * b.x, 0.75 * a.y + 0.25 * b.y});
      if (i + 2 < points.size()) finer.push_back({0.25 * a.x + 0.75 * b.x, 0.25 * a.y + 0.75 * b.y});
    }
    finer.push_back(points.back());
    points = std::move(finer);
  }
  return points;
}

std::vector<DrawingPoint> stroke_of(std::string_view text, double left) {
  const bool is_round = text.starts_with('~');
  if (is_round) text.remove_prefix(1);
  std::vector<DrawingPoint> points;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    points.push_back({left + (text[i] - '0') * kUnit, (text[i + 1] - '2') * kUnit});
  return is_round ? rounded(std::move(points)) : points;
}

}  // namespace

std::vector<std::vector<DrawingPoint>> text_strokes(std::string_view words) {
  std::vector<std::vector<DrawingPoint>> strokes;
  double left = 0.0;
  for (const char c : words) {
    std::string_view rest = glyph_of(c);
    rest.remove_prefix(1);
    while (!rest.empty()) {
      rest.remove_prefix(1);  // the blank before each stroke
      const std::string_view stroke = rest.substr(0, rest.find(' '));
      strokes.push_back(stroke_of(stroke, left));
      rest.remove_prefix(stroke.size());
    }
    left += advance_of(c);
  }
  return strokes;
}

double text_width(std::string_view words) {
  double width = 0.0;
  for (const char c : words) width += advance_of(c);
  return words.empty() ? 0.0 : width - kSpacing * kUnit;
}

}  // namespace sinew::picture

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/drawing.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sinew/picture/canvas.h"
#include "sinew/picture/chart.h"
#include "sinew/picture/robot_charts.h"

namespace sinew {
namespace {

constexpr Colour kRed{255, 0, 0};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool is_colour(const Image& image, int x, int y, const Colour& colour) {
  const std::uint8_t* pixel = image.pixel(x, y);
  return pixel[0] == colour.red && pixel[1] == colour.green && pixel[2] == colour.blue;
}

int count_not_white(const Image& image) {
  int count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) count += is_colour(image, x, y, {255, 255, 255}) ? 0 : 1;
  return count;
}

TEST(Drawing, AnAreaCoversWhatItHolds) {
  Drawing drawing(20, 10);
  drawing.area({{2, 2}, {12, 2}, {12, 8}, {2, 8}}, kRed);
  const Image image = drawing.image(1.0);
  EXPECT_EQ(image.width, 20);
  EXPECT_EQ(image.height, 10);
  EXPECT_TRUE(is_colour(image, 2, 2, kRed));
  EXPECT_TRUE(is_colour(image, 11, 7, kRed));
  EXPECT_TRUE(is_colour(image, 12, 5, {255, 255, 255}));
  EXPECT_EQ(count_not_white(image), 60);
}

TEST(Drawing, HalfOfAPixelIsHalfOfTheColour) {
  Drawing drawing(4, 4);
  drawing.area({{0, 0}, {1.5, 0}, {1.5, 4}, {0, 4}}, kRed);
  EXPECT_EQ(drawing.image(1.0).pixel(1, 1)[1], 128);
}

TEST(Drawing, ALineIsAsWideAsItShallBe) {
  Drawing drawing(20, 20);
  drawing.line({{-5, 10}, {25, 10}}, {.colour = kRed, .width = 4});
  const Image image = drawing.image(1.0);
  for (int y = 0; y < 20; ++y) EXPECT_EQ(is_colour(image, 10, y, kRed), y >= 8 && y < 12) << y;
}

TEST(Drawing, ALineThatCrossesItselfIsNoDarkerThere) {
  Drawing drawing(20, 20);
  drawing.line({{0, 10}, {20, 10}, {10, 0}, {10, 20}}, {.colour = {100, 100, 100}, .width = 3});
  EXPECT_EQ(drawing.image(1.0).pixel(10, 10)[0], 100);
}

TEST(Drawing, ADashedLineHasGaps) {
  Drawing whole(100, 10);
  Drawing dashed(100, 10);
  whole.line({{0, 5}, {100, 5}}, {.colour = kRed, .width = 2});
  dashed.line({{0, 5}, {100, 5}}, {.colour = kRed, .width = 2, .is_dashed = true});
  const int count = count_not_white(whole.image(1.0));
  EXPECT_LT(count_not_white(dashed.image(1.0)), count * 9 / 10);
  EXPECT_GT(count_not_white(dashed.image(1.0)), count / 2);
}

TEST(Drawing, WhatIsNotFiniteIsLeftOut) {
  Drawing drawing(20, 20);
  drawing.line({{kNan, 1}, {1, kNan}, {INFINITY, 2}}, {.colour = kRed});
  drawing.area({{kNan, 1}, {1, 1}, {2, 2}}, kRed);
  drawing.text({kNan, 3}, "x", {});
  drawing.text({1, 3}, "", {});
  EXPECT_TRUE(drawing.is_empty());
  EXPECT_EQ(drawing.svg().find("nan"), std::string::npos);
}

TEST(Drawing, WhatLiesFarOutsideDoesNoHarm) {
  Drawing drawing(20, 20);
  drawing.line({{-1e12, -1e12}, {1e12, 1e12}}, {.colour = kRed, .width = 2});
  drawing.area({{-1e9, -1e9}, {1e9, -1e9}, {1e9, 1e9}, {-1e9, 1e9}}, kRed, 0.5);
  EXPECT_EQ(count_not_white(drawing.image(1.0)), 400);
}

TEST(Drawing, WordsCannotBreakOutOfTheirText) {
  Drawing drawing(20, 20);
  drawing.text({1, 1}, "<script>&\"\x01\xff", {});
  const std::string svg = drawing.svg();
  EXPECT_NE(svg.find("&lt;script&gt;&amp;&quot;??"), std::string::npos);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
}

TEST(Drawing, EveryLetterHasItsPlaceBetweenTailAndTop) {
  for (char c = '!'; c <= '~'; ++c) {
    const auto strokes = picture::text_strokes(std::string(1, c));
    ASSERT_FALSE(strokes.empty()) << c;
    for (const auto& stroke : strokes) {
      ASSERT_GE(stroke.size(), 2U) << c;
      for (const DrawingPoint& point : stroke) {
        EXPECT_GE(point.x, -1e-9) << c;
        EXPECT_LE(point.x, picture::text_width(std::string(1, c)) + 1e-9) << c;
        EXPECT_GE(point.y, -0.24) << c;
        EXPECT_LE(point.y, 0.82) << c;
      }
    }
  }
}

TEST(Drawing, NoTwoLettersLookAlike) {
  for (char a = '!'; a <= '~'; ++a)
    for (char b = static_cast<char>(a + 1); b <= '~'; ++b) {
      const std::string pair{a, b};
      if (pair == "0O") continue;  // as in many fonts
      const auto of_a = picture::text_strokes(std::string(1, a));
      const auto of_b = picture::text_strokes(std::string(1, b));
      bool is_same = of_a.size() == of_b.size();
      for (std::size_t i = 0; is_same && i < of_a.size(); ++i) {
        is_same = of_a[i].size() == of_b[i].size();
        for (std::size_t k = 0; is_same && k < of_a[i].size(); ++k)
          is_same = of_a[i][k].x == of_b[i][k].x && of_a[i][k].y == of_b[i][k].y;
      }
      EXPECT_FALSE(is_same) << pair;
    }
}

TEST(Drawing, ItsNameSaysHowItIsWritten) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("sinew-drawing-{}", getpid());
  std::filesystem::create_directories(folder);
  Drawing drawing(20, 20);
  drawing.area({{2, 2}, {12, 2}, {12, 8}}, kRed);
  ASSERT_TRUE(write_drawing(drawing, folder / "a.svg"));
  ASSERT_TRUE(write_drawing(drawing, folder / "a.png"));
  std::string head(4, ' ');
  std::ifstream(folder / "a.svg").read(head.data(), 4);
  EXPECT_EQ(head, "<svg");
  std::ifstream(folder / "a.png").read(head.data(), 4);
  EXPECT_EQ(head, "\x89PNG");
  EXPECT_FALSE(write_drawing(drawing, folder / "a.jpg"));
  EXPECT_FALSE(write_drawing(drawing, folder / "no/such/a.svg"));
  std::filesystem::remove_all(folder);
}

// every number of an SVG's points
void expect_inside(const Drawing& drawing) {
  for (const Drawing::Element& element : drawing.elements())
    if (const auto* line = std::get_if<Drawing::Line>(&element))
      for (const DrawingPoint& point : line->points) {
        EXPECT_GE(point.x, 0.0);
        EXPECT_LE(point.x, drawing.width());
        EXPECT_GE(point.y, 0.0);
        EXPECT_LE(point.y, drawing.height());
      }
}

TEST(Chart, AllCurvesLieWithin) {
  Chart chart{.title = "t", .x_label = "x", .y_label = "y"};
  for (const double scale : {1e-9, 1.0, 1e9}) {
    chart.curves = {
        {.name = "a", .points = {{0, -scale}, {scale, 2 * scale}, {3 * scale, kNan}}, .stroke = {}}};
    for (const bool is_to_scale : {false, true}) {
      chart.is_to_scale = is_to_scale;
      Drawing drawing(400, 300);
      draw_chart(chart, {.left = 0, .top = 0, .width = 400, .height = 300}, drawing);
      expect_inside(drawing);
    }
  }
}

TEST(Chart, NothingAndASinglePointAreCharts) {
  for (const std::vector<ChartPoint>& points :
       {std::vector<ChartPoint>{}, {{3, 4}, {3, 4}}, {{kNan, kNan}}}) {
    Chart chart{.title = "t", .x_label = "x", .y_label = "y"};
    chart.curves = {{.name = "a", .points = points, .stroke = {}}};
    Drawing drawing(400, 300);
    draw_chart(chart, {.left = 0, .top = 0, .width = 400, .height = 300}, drawing);
    expect_inside(drawing);
  }
}

TEST(Chart, AMapHasTheSameScaleBothWays) {
  Chart chart{.title = "t", .x_label = "x", .y_label = "y", .is_to_scale = true};
  chart.curves = {{.name = "", .points = {{0, 0}, {10, 0}, {10, 10}}, .stroke = {.colour = kRed}}};
  Drawing drawing(700, 300);
  draw_chart(chart, {.left = 0, .top = 0, .width = 700, .height = 300}, drawing);
  for (const Drawing::Element& element : drawing.elements()) {
    const auto* line = std::get_if<Drawing::Line>(&element);
    if (line == nullptr || line->points.size() != 3) continue;
    EXPECT_NEAR(line->points[1].x - line->points[0].x, line->points[1].y - line->points[2].y, 1e-9);
    return;
  }
  FAIL() << "the curve is not there";
}

// two links of 1 m and 0.5 m in the plane y = 0: a ring
RobotModel two_links() {
  RobotModel model{.name = "two", .links = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}}};
  const auto joint = [](std::string name, std::size_t parent, double x) {
    Joint made;
    made.name = std::move(name);
    made.kind = JointKind::Revolute;
    made.parent_link = parent;
    made.child_link = parent + 1;
    made.X_PJ.position = {x, 0, 0};
    made.axis = -Vector3::UnitY();
    made.limits = {.lower = -3.14159, .upper = 3.14159, .velocity = 1.0};
    made.position = parent;
    return made;
  };
  model.joints = {joint("one", 0, 0.0), joint("two", 1, 1.0), joint("tip", 2, 0.5)};
  model.joints[2].kind = JointKind::Fixed;
  model.joints[2].position = kNone;
  for (std::size_t i = 0; i < 3; ++i) {
    model.links[i].child_joints = {i};
    model.links[i + 1].parent_joint = i;
  }
  model.positions = {0, 1};
  model.arms = {{.name = "arm", .base_link = 0, .tip_link = 3}};
  return model;
}

TEST(Workspace, OfTwoLinksIsARing) {
  const RobotModel model = two_links();
  const auto chain = SerialChain::make(model, 0, 3);
  ASSERT_TRUE(chain) << chain.error().message;
  const Chart chart = workspace_chart(*chain);
  double area = 0.0;
  for (const ChartArea& part : chart.areas) {
    for (const ChartPoint& corner : part.corners) {
      const double radius = std::hypot(corner.x, corner.y);
      EXPECT_GT(radius, 500.0 - 35.0);
      EXPECT_LT(radius, 1500.0 + 35.0);
    }
    // each overlaps its neighbours by a twenty-fifth of a cell
    const double height = (part.corners[2].y - part.corners[1].y) / 1.04;
    area += (part.corners[1].x - part.corners[0].x - 0.04 * height) * height;
  }
  const double ring = 3.14159265 * (1500.0 * 1500.0 - 500.0 * 500.0);
  EXPECT_NEAR(area / ring, 1.0, 0.03);
}

TEST(RobotCharts, ALongRunGivesASmallPicture) {
  const RobotModel model = two_links();
  JointLog log;
  for (int i = 0; i < 100'000; ++i) {
    log.seconds.push_back(1e-3 * i);
    log.positions.push_back({std::sin(1e-3 * i), std::cos(1e-3 * i)});
  }
  const auto drawing = draw_run(model, log, "long");
  ASSERT_TRUE(drawing);
  EXPECT_LT(drawing->svg().size(), 300'000U);
  EXPECT_NE(drawing->svg().find(">two</text>"), std::string::npos);
}

// those that rest do not take names and colours from those that move
TEST(RobotCharts, JointsThatMoveHaveTheNames) {
  JointLog log;
  for (int i = 0; i < 100; ++i) {
    log.seconds.push_back(0.01 * i);
    log.positions.push_back({0.3, 0.01 * i});
  }
  const auto drawing = draw_run(two_links(), log, "one moves");
  ASSERT_TRUE(drawing);
  EXPECT_NE(drawing->svg().find(">two</text>"), std::string::npos);
  EXPECT_EQ(drawing->svg().find(">one</text>"), std::string::npos);
  const auto rests =
      draw_run(two_links(), {.seconds = {0, 1}, .positions = {{0.3, 0.1}, {0.3, 0.1}}}, "rests");
  ASSERT_TRUE(rests);
  EXPECT_NE(rests->svg().find(">one</text>"), std::string::npos);
}

TEST(Chart, WordsAreNeverCutOff) {
  Chart chart{.title = std::string(120, 't'), .x_label = "x", .y_label = "y"};
  for (int i = 0; i < 30; ++i)
    chart.curves.push_back({.name = "curve", .points = {{0, 0}, {1, 1.0 * i}}, .stroke = {}});
  for (const bool has_title : {true, false}) {
    if (!has_title) chart.title = "t";
    Drawing drawing(400, 300);
    draw_chart(chart, {.left = 0, .top = 0, .width = 400, .height = 300}, drawing);
    for (const Drawing::Element& element : drawing.elements()) {
      const auto* text = std::get_if<Drawing::Text>(&element);
      if (text == nullptr || text->style.is_upward) continue;
      const double width = picture::text_width(text->words) * text->style.size;
      const double left = text->at.x - (text->style.anchor == TextAnchor::Start ? 0.0
                                        : text->style.anchor == TextAnchor::End ? width
                                                                                : 0.5 * width);
      EXPECT_GE(left, 0.0) << text->words;
      EXPECT_LE(left + width, 400.0) << text->words;
    }
    EXPECT_EQ(drawing.svg().find(" more</text>") != std::string::npos, !has_title)
        << "what does not fit is counted";
  }
}

TEST(RobotCharts, AnEmptyRunIsAPictureToo) {
  EXPECT_TRUE(draw_run(two_links(), {}, "nothing"));
  EXPECT_TRUE(draw_run({}, {}, "no robot"));
}

}  // namespace
}  // namespace sinew

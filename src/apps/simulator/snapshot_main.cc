// SPDX-License-Identifier: BSD-3-Clause
// sinew-snapshot: a picture of a world, without a screen.
#include <cmath>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/messages/joints.h"

#include "apps/cli/program.h"
#include "apps/simulator/off_screen.h"
#include "apps/simulator/world_choice.h"

namespace sinew {
namespace {

constexpr double kRadianPerDegree = std::numbers::pi / 180.0;

// --q is for the last robot: the one that --robot added, where it was given
Status put_at(const cli::Words& words, Scene& scene) {
  if (!words.has("--q")) return Done{};
  const auto q = words.numbers("--q");
  if (!q) return q.error();
  if (scene.robots.empty()) return cli::usage_error("--q needs a robot: add one with --robot");
  SceneRobot& robot = scene.robots.back();
  if (q->size() == robot.model.positions.size()) {
    robot.start = *q;
    return Done{};
  }
  std::vector<std::string> names;
  for (const std::size_t joint : robot.model.positions) names.push_back(robot.model.joints[joint].name);
  return cli::usage_error(fmt::format("--q takes {} numbers for '{}', not {}: {}", names.size(), robot.name,
                                      q->size(), fmt::join(names, ", ")));
}

Result<Viewpoint> view_from(const cli::Words& words, const Physics& physics) {
  Viewpoint view = view_of_all(physics);
  const auto angles = words.numbers("--from");
  if (!angles) return angles.error();
  if (words.has("--from")) {
    if (angles->size() < 2 || angles->size() > 3)
      return cli::usage_error(
          "--from takes azimuth and elevation in degrees, and perhaps a distance in metres");
    view.azimuth = (*angles)[0] * kRadianPerDegree;
    view.elevation = (*angles)[1] * kRadianPerDegree;
    if (angles->size() == 3) view.distance = (*angles)[2];
  }
  view.shows_collisions = words.has("--collisions");
  return view;
}

Status run_snapshot(const cli::Words& words, std::ostream& /*out*/) {
  const auto width = words.whole("--width", 16, 1920);
  if (!width) return width.error();
  const auto height = words.whole("--height", 16, 1080);
  if (!height) return height.error();
  auto scene = choose_world(words);
  if (!scene) return scene.error();
  if (Status put = put_at(words, *scene); !put) return put;
  const auto physics = Physics::load(*scene, {.with_visuals = true});
  if (!physics) return physics.error();
  const auto view = view_from(words, *physics);
  if (!view) return view.error();
  const auto picture = take_picture(*physics, *view, static_cast<int>(*width), static_cast<int>(*height));
  if (!picture) return picture.error();
  return write_png(*picture, words.argument(0));
}

cli::Command snapshot_command() {
  std::vector<cli::Option> options = world_options();
  options.push_back({.name = "--q",
                     .value_name = "Q",
                     .help = "Where the robot's joints are [rad, m].",
                     .most_values = kMaxJoints});
  options.push_back({.name = "--from",
                     .value_name = "DEG",
                     .help = "Direction of view: azimuth, elevation [deg], perhaps distance [m].",
                     .most_values = 3});
  options.push_back({.name = "--collisions", .value_name = "", .help = "Show the shapes that collide."});
  options.push_back({.name = "--width", .value_name = "N", .help = "Of the picture.", .fallback = "960"});
  options.push_back({.name = "--height", .value_name = "N", .help = "Of the picture.", .fallback = "720"});
  return {.name = "snapshot",
          .summary = "A picture of a world as it starts; 'sinew sim --snapshot' runs it",
          .arguments = {{.name = "FILE", .help = "The PNG file to write."}},
          .options = std::move(options),
          .examples = {"sinew-snapshot out.png --world table --robot panda"},
          .run = run_snapshot};
}

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  return sinew::cli::run_program(sinew::snapshot_command(),
                                 std::vector<std::string>(words + 1, words + count));
}

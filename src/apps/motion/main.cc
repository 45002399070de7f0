// SPDX-License-Identifier: BSD-3-Clause
// sinew-motion: answers requests for motions of one robot.
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/control/settings.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/site.h"
#include "sinew/motion/motion_service.h"

#include "apps/cli/program.h"
#include "apps/cli/torque_remarks.h"
#include "apps/motion/client_watch.h"
#include "apps/motion/hold_lookout.h"
#include "apps/motion/motion_channels.h"
#include "apps/motion/motion_loop.h"
#include "apps/motion/request_lookout.h"
#include "apps/motion/seen_objects.h"

namespace sinew {
namespace {

std::atomic<bool> is_stop_requested{false};

void request_stop(int) {
  is_stop_requested.store(true);
}

// What its motors cannot do of what is asked of them here; the first as a note, as 'sinew status' shows one.
std::string torque_note(const LoadedRobot& robot) {
  const std::vector<Remark> remarks = remarks_on_torque(robot);
  for (const Remark& remark : remarks) fmt::print(stderr, "motion: {}\n", remark_text(remark));
  if (remarks.empty()) return {};
  const std::string more =
      remarks.size() == 1 ? "" : fmt::format("; {} more: 'sinew model --check' tells", remarks.size() - 1);
  return fmt::format("note: {}{}\n", remarks.front().what, more);
}

void say_ready(std::uint32_t descriptor, const std::string& note) {
  if (descriptor == 0) return;
  const std::string text = "ready\n" + note;
  static_cast<void>(!write(static_cast<int>(descriptor), text.data(), text.size()));
  close(static_cast<int>(descriptor));
}

Status run_motion(const cli::Words& words, std::ostream&) {
  std::signal(SIGTERM, request_stop);
  std::signal(SIGINT, request_stop);
  const auto on_site = load_robot_on_site(words.text("--robot"), words.text("--site"));
  if (!on_site) return on_site.error();
  const LoadedRobot* robot = &on_site->robot;
  const auto control = read_control(robot->settings.control);
  if (!control) return control.error();
  const auto ready = words.whole("--ready-fd", 0, 65535);
  if (!ready) return ready.error();
  std::optional<RequestLookout> lookout;
  std::optional<HoldLookout> holds;
  std::function<void()> keep_moving;
  const Interruption must_not_wait = [&lookout, &holds, &keep_moving] {
    if (keep_moving) keep_moving();
    return is_stop_requested.load(std::memory_order_relaxed) || (lookout && lookout->sees_urgent()) ||
           (holds && holds->sees_letting_go());
  };
  MotionSettings settings{
      .margin = guard_options(*control).margin, .mesh_points = points_of_mesh, .interruption = must_not_wait};
  if (const Status read = read_motion(robot->settings.motion, settings); !read) return read;
  const std::string name = words.has("--name") ? words.text("--name") : robot->model.name;
  const std::string space = words.text("--space");
  auto service = MotionService::make(robot->model, settings);
  if (!service) return service.error();
  auto channels = open_motion_channels(name, space);
  if (!channels) return channels.error();
  auto ahead = RequestLookout::open(name, space);
  if (!ahead) return ahead.error();
  lookout.emplace(*std::move(ahead));
  auto held = HoldLookout::open(name, space, **service);
  if (!held) return held.error();
  holds.emplace(*std::move(held));
  SeenObjects seen(name, space);
  ProgramService programs(robot->model, **service,
                          {.margin = settings.margin,
                           .mesh_points = points_of_mesh,
                           .payload = settings.payload,
                           .interruption = must_not_wait,
                           .objects = [&seen](std::string_view object) { return seen.find(object); }});
  TargetService targets(robot->model, **service);
  MotorService motors(robot->model, **service);
  auto streams = Streams::open(name, space, robot->model, **service, *channels);
  if (!streams) return streams.error();
  ClientWatch client(name, space);
  take_over(*channels, **service, name, space);
  say_ready(*ready, torque_note(*robot));
  return run_motion_loop(
      {*channels, **service, programs, targets, motors, **streams, *lookout, *holds, client, keep_moving},
      is_stop_requested);
}

const cli::Command kCommand{
    .name = "motion",
    .summary = "Answers requests for motions of one robot; 'sinew start' runs it",
    .options = {{.name = "--robot", .value_name = "NAME", .help = "Name or path of the robot."},
                {.name = "--name", .value_name = "NAME", .help = "Prefix of its channels; the robot's name."},
                {.name = "--site",
                 .value_name = "FILE",
                 .help = "Limits and bounds that were set up where it stands."},
                {.name = "--ready-fd",
                 .value_name = "N",
                 .help = "Descriptor to write 'ready' to once requests are answered.",
                 .fallback = "0"}},
    .examples = {"sinew-motion --robot mds"},
    .run = run_motion,
};

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  return sinew::cli::run_program(sinew::kCommand, std::vector<std::string>(words + 1, words + count));
}

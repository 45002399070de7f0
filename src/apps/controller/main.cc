// SPDX-License-Identifier: BSD-3-Clause
// sinew-controller: the real-time process of one robot.
#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/collision/robot_shapes.h"
#include "sinew/control/settings.h"
#include "sinew/drivers/external_driver.h"
#include "sinew/drivers/ideal_driver.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/site.h"

#include "apps/cli/program.h"
#include "apps/cli/stops_folder.h"
#include "apps/controller/attendant.h"
#include "apps/controller/channel_watch.h"
#include "apps/controller/control_channels.h"
#include "apps/controller/control_loop.h"
#include "apps/controller/realtime_rights.h"
#include "apps/controller/robot_fingerprint.h"

namespace sinew {
namespace {

std::atomic<bool> stop_requested{false};

void request_stop(int) {
  stop_requested.store(true);
}

/// A driver, and what makes its cycles begin.
struct Device {
  std::unique_ptr<Driver> driver;
  std::unique_ptr<Pace> pace;
};

Result<Device> make_device(const std::string& kind, const RobotModel& model, const ExternalDevice& place,
                           std::int64_t early_ns) {
  const auto timer = [&] { return std::make_unique<TimerPace>(place.period_ns, early_ns); };
  if (kind == "ideal") return Device{std::make_unique<IdealDriver>(model), timer()};
  if (kind == "external") return Device{std::make_unique<ExternalDriver>(model, place), timer()};
  if (kind == "simulator") {
    auto driver = std::make_unique<ExternalDriver>(model, place);
    auto pace = std::make_unique<StatePace>(*driver, RobotClock(place.robot, place.space), place.period_ns);
    return Device{std::move(driver), std::move(pace)};
  }
  return Error{ErrorCode::InvalidInput,
               fmt::format("there is no driver '{}': there are simulator, ideal and external", kind)};
}

void report(const std::string& line) {
  fmt::print(stderr, "controller: {}\n", line);
}

// What was asked for, or what the robot hangs on.
std::string driver_kind(const LoadedRobot& robot, const cli::Words& words) {
  const auto stated = robot.settings.driver.find("kind");
  const bool is_real = words.has("--device") && stated != robot.settings.driver.end();
  return is_real && !words.has("--driver") ? stated->second : words.text("--driver");
}

// For who replays a recording: which robot this was.
Result<ControlRun> describe_run(const RobotOnSite& robot, const std::string& name_or_path) {
  const auto hash = robot_fingerprint(robot);
  if (!hash) return hash.error();
  ControlRun run{.stamp_ns = monotonic_now_ns(), .robot_hash = *hash};
  std::error_code error;
  const bool is_path = std::filesystem::exists(name_or_path, error);
  set_text(run.robot, is_path ? std::filesystem::absolute(name_or_path).string() : name_or_path);
  set_text(run.version, SINEW_VERSION);
  return run;
}

// Of robot.yaml, so that who replays a recording knows it too.
Status check_queue(const Driver& driver, const ControlSettings& cycle) {
  const std::int64_t queue_ns = driver.facts().queue_ns;
  if (queue_ns <= cycle.queue_ns) return Done{};
  return Error{ErrorCode::InvalidInput,
               fmt::format("the device has commands {} ms ahead, and the guard counts only {}; state "
                           "'control: {{queue_ms: {}}}' in robot.yaml",
                           1e-6 * static_cast<double>(queue_ns), 1e-6 * static_cast<double>(cycle.queue_ns),
                           1e-6 * static_cast<double>(queue_ns))};
}

// How it comes up after the controller before it: of a real device, or after a death, somebody must look
// before it moves.
ControlSettings cycle_after(const ControlChannels& before, ControlSettings cycle, bool is_restarted,
                            bool is_made_up) {
  const bool is_trusted = before.ended_well && is_made_up;
  cycle.starts_held = before.was_up || (is_restarted && !is_trusted);
  cycle.restarted_by = before.was_up || !before.ended_well ? "" : "the supervisor";
  return cycle;
}

// In order, or because its channels were removed: then all who still have them open are told.
Status end_of_run(ChannelWatch& watch, const std::string& name, const std::string& space) {
  if (!watch.are_channels_gone()) return Done{};
  watch.tell_of_removal();
  return Error{
      ErrorCode::Gone,
      fmt::format("channels of '{}' in space '{}' were removed while it ran: it has braked and ends; "
                  "'sinew start' makes them anew",
                  name, space)};
}

Status control(const RobotOnSite& on_site, const RobotControl& settings, const cli::Words& words) {
  const LoadedRobot& robot = on_site.robot;
  const std::string name = words.has("--name") ? words.text("--name") : robot.model.name;
  const std::string space = words.text("--space");
  auto device = make_device(driver_kind(robot, words), robot.model,
                            {.robot = name,
                             .space = space,
                             .period_ns = settings.cycle.period_ns,
                             .queue_ns = settings.cycle.queue_ns},
                            settings.early_wake_ns);
  if (!device) return device.error();
  const auto shapes = RobotShapes::make(robot.model, guard_options(settings, points_of_mesh));
  if (!shapes) return shapes.error();
  for (const std::string& line : shapes->missing()) report("the guard is blind to " + line);
  auto channels = open_control_channels(name, space);
  if (!channels) return channels.error();
  if (Status connected = device->driver->connect(); !connected) return connected;
  if (Status enough = check_queue(*device->driver, settings.cycle); !enough) return enough;
  const ControlSettings cycle = cycle_after(*channels, settings.cycle, words.has("--restarted"),
                                            driver_kind(robot, words) != "external");
  auto controller = Controller::make(robot.model, *shapes, cycle);
  if (!controller) return controller.error();
  if (const auto stated = settings.priorities.find("segments"); stated != settings.priorities.end())
    (*controller)->set_segment_priority(stated->second);
  const auto run = describe_run(on_site, words.text("--robot"));
  if (!run) return run.error();
  const auto log = CycleLog::open(name, space, *run, **controller);
  if (!log) return log.error();
  Attendant attendant(robot.model,
                      {.robot = name,
                       .space = space,
                       .priorities = settings.priorities,
                       .recordings = words.has("--recordings") ? words.text("--recordings")
                                                               : cli::stops_folder(space, name)});
  const auto ready = words.whole("--ready-fd", 0, 65535);
  if (!ready) return ready.error();
  ChannelWatch watch(name, space);
  OutputGate outputs(robot.model);
  const RealtimeRights rights = take_realtime_rights();
  for (const std::string& line : rights.missing) report(line);
  run_control_loop({.channels = *channels,
                    .controller = **controller,
                    .driver = *device->driver,
                    .attendant = attendant,
                    .watch = watch,
                    .pace = *device->pace,
                    .log = **log,
                    .outputs = outputs,
                    .period_ns = cycle.period_ns,
                    .is_realtime = rights.are_complete(),
                    .loads_are_efforts = driver_kind(robot, words) == "simulator",
                    .is_restarted = cycle.starts_held,
                    .ready_descriptor = *ready == 0 ? -1 : static_cast<int>(*ready)},
                   stop_requested);
  return end_of_run(watch, name, space);
}

Status run_controller(const cli::Words& words, std::ostream&) {
  bound_locked_memory();
  std::signal(SIGTERM, request_stop);
  std::signal(SIGINT, request_stop);
  const auto robot = load_robot_on_site(words.text("--robot"), words.text("--site"));
  if (!robot) return robot.error();
  const auto settings = read_control(robot->robot.settings.control);
  if (!settings) return settings.error();
  return control(*robot, *settings, words);
}

const cli::Command kCommand{
    .name = "controller",
    .summary = "The real-time process of one robot; 'sinew start' runs it",
    .options = {{.name = "--robot", .value_name = "NAME", .help = "Name or path of the robot."},
                {.name = "--name", .value_name = "NAME", .help = "Prefix of its channels; the robot's name."},
                {.name = "--site",
                 .value_name = "FILE",
                 .help = "Limits and bounds that were set up where it stands."},
                {.name = "--driver",
                 .value_name = "KIND",
                 .help = "simulator; ideal: a device that does as told; external: a program of yours.",
                 .fallback = "simulator"},
                {.name = "--device",
                 .value_name = "ADDRESS",
                 .help = "Where the device is, for the driver that robot.yaml names."},
                {.name = "--recordings",
                 .value_name = "FOLDER",
                 .help = "Where the ten seconds before a stop or fault are saved; "
                         "~/.local/state/sinew/stops/SPACE/ROBOT."},
                {.name = "--restarted", .help = "Stand still until a reset."},
                {.name = "--ready-fd",
                 .value_name = "N",
                 .help = "Descriptor to write 'ready' to once the robot is up.",
                 .fallback = "0"}},
    .examples = {"sinew-controller --robot mds --driver ideal"},
    .run = run_controller,
};

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  return sinew::cli::run_program(sinew::kCommand, std::vector<std::string>(words + 1, words + count));
}

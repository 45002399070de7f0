// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/cycle.h"
#include "sinew/messages/jog.h"
#include "sinew/messages/requests.h"
#include "sinew/messages/trajectory.h"

#include "apps/cli/robot_link.h"
#include "apps/web/live_view.h"
#include "apps/web/robot_facts.h"
#include "apps/web/robot_sight.h"
#include "apps/web/stop_presses.h"

namespace sinew {

/// A running robot as it is open now, with what is known of it.
struct OpenRobot {
  OpenRobot(cli::RobotLink opened, std::unique_ptr<RobotSight> thinking, std::string_view mode)
      : link(std::move(opened)),
        sight(std::move(thinking)),
        facts(link.model(), link.name(), mode),
        live(link, *sight) {}

  cli::RobotLink link;
  std::unique_ptr<RobotSight> sight;
  RobotFacts facts;
  LiveView live;
};

/// Speaks with one robot's channels for whoever comes by HTTP. The robot may come, go and come anew
/// meanwhile. One thread; nothing waits for anything but the first word of a controller that has just begun.
class RobotDesk {
 public:
  struct Options {
    cli::RobotLink::Options robot;
    std::string mode = "simulated";
  };
  static constexpr std::size_t kMostWaiting = 32;
  /// How long a motion may take beyond the time it is meant to; who waits is told then that it is not over.
  static constexpr std::int64_t kLongestWait_ns = 600 * kSecond_ns;

  /// Called with the motion service's last word on a request and how long it took; once.
  using Over = std::function<void(const Reply& reply, double seconds)>;

  explicit RobotDesk(Options options) : options_(std::move(options)) {}

  const std::string& name() const { return options_.robot.robot; }
  const std::string& space() const { return options_.robot.space; }

  /// The robot as it is now, or why there is none.
  Result<OpenRobot*> robot();

  /// What the controller said when it began, which holds since; none when it has not.
  const std::optional<ControlRun>& run() const { return opened_run_; }

  /// How often a robot has been opened: after another opening, what was open of it leads nowhere.
  std::uint64_t openings() const { return openings_; }

  /// Asks the motion service in the name of `who`; answers the request's number. Refused when nobody is there
  /// to do it, or too many wait already.
  Result<std::uint64_t> ask(Request request, std::string_view who, std::int64_t now_ns, Over over);
  /// A key that is held; see JogWish. `age_ns`: how long ago that was said.
  Status jog(JogWish wish, std::string_view who, std::int64_t age_ns);
  /// A key that is held, or was let go; see HoldBeat. `age_ns`: how long ago that was.
  Status hold(HoldBeat beat, std::string_view who, std::int64_t age_ns);
  Status ask_controller(ControlVerb verb, std::string_view who);
  /// Stops it, unless this very press of STOP has done so already. `press`: its number; zero: none is known.
  Status stop(std::string_view who, std::uint64_t press);
  /// Outputs of the device.
  Status set_outputs(IoCommand command, std::string_view who);

  /// The parts of a trajectory that a request then names.
  Status put_trajectory(std::vector<TrajectoryPart> parts);

  /// Looks for answers. To be called again after the pause [ns] that it answers with.
  std::int64_t look(std::int64_t now_ns);

 private:
  struct Waiting {
    std::uint64_t number = 0;
    Over over;
    std::int64_t since_ns = 0;
    std::int64_t until_ns = 0;
  };

  Status open();
  bool is_another_run();

  Options options_;
  std::unique_ptr<OpenRobot> robot_;
  std::optional<Error> refusal_;  // why there was none when it was last looked for
  std::int64_t next_try_ns_ = 0;
  std::uint64_t openings_ = 0;
  std::vector<Waiting> waiting_;
  StopPresses stops_;
  std::optional<Writer<JogWish>> jog_;
  std::optional<Writer<HoldBeat>> hold_;
  std::optional<Writer<IoCommand>> outputs_;
  std::optional<Writer<TrajectoryPart>> trajectory_;
  std::optional<Reader<ControlRun>> run_;
  std::optional<ControlRun> opened_run_;  // that of the controller which was open
};

}  // namespace sinew

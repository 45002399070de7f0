// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/channels/channel.h"
#include "sinew/drivers/robot_clock.h"
#include "sinew/messages/cycle.h"
#include "sinew/messages/health.h"
#include "sinew/messages/jog.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/motion.h"
#include "sinew/messages/requests.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/schemas.h"
#include "sinew/messages/world.h"
#include "sinew/model/site.h"

namespace sinew::cli {

/// What the controller last said.
struct RobotSnapshot {
  JointState state;
  JointCommand processed;
  Safety safety;
  std::optional<Health> health;  ///< Comes a few times a second only.
  std::int64_t old_ns =
      0;  ///< The controller has been silent for so long, and all this is as old; 0: it is new.
};

/// The names of the robots in a space whose controller lives, sorted.
std::vector<std::string> running_robots(const std::string& space);

/// A running robot as programs for people see it: what it says, and what may be asked of it. One thread.
class RobotLink {
 public:
  struct Options {
    std::string robot;  ///< Prefix of its channels; empty: the only one that runs.
    std::string space = "default";
    std::string model;  ///< Name or path of its model; empty: as 'sinew start' was told, else `robot`.
    std::string who = "console";
    bool waits = true;   ///< For the first word of a controller that has just begun.
    std::string site{};  ///< What was set up where it stands; empty: as 'sinew start' was told.
  };

  /// Refused when no such robot runs, with what to do about it.
  static Result<RobotLink> open(const Options& options);

  const std::string& name() const { return options_.robot; }
  const std::string& space() const { return options_.space; }
  const std::string& who() const { return options_.who; }
  const RobotModel& model() const { return robot_->robot.model; }
  /// Its files, as they were when it was opened.
  const RobotOnSite& files() const { return *robot_; }
  /// As it was loaded: its name or path.
  const std::string& model_name() const { return options_.model; }
  /// The file of what was set up on site; empty: none.
  const std::string& site() const { return options_.site; }

  /// Reads what is newest. Refused when the controller has ended.
  Status refresh();
  const RobotSnapshot& now() const { return *snapshot_; }
  /// Robot time of what was read last; what is asked carries it.
  std::int64_t robot_time_ns() const { return snapshot_->processed.stamp_ns; }

  /// Whether its world stands still: nothing happens until somebody lets it go on.
  bool is_paused();

  /// Puts a wish on the channel ref/<who>, stamped; made when it is not there.
  Status put_reference(JointReference reference);

  /// Asks the controller itself: stop, reset, home, override, enforce. In the name of `who`; empty: who().
  Status ask_controller(ControlVerb verb, std::int64_t lease_ns = 0, std::string_view who = {});

  /// The controller's cycle before which it was given what put_reference() or ask_controller() last put: what
  /// it says of this cycle and later ones is said in its knowledge. None: it has not been given it yet. Of a
  /// controller that does not tell what it is given: the second cycle after the first call.
  std::optional<std::uint64_t> taken_cycle();

  /// True when a motion service answers requests for this robot.
  bool has_motion_service() const;
  /// Asks the motion service, in the name of who() unless the request says another; answers its number. Its
  /// replies come by next_reply().
  Result<std::uint64_t> ask_motion(Request request);
  /// The next reply to request `number` that has not been seen, if there is one now.
  std::optional<Reply> next_reply(std::uint64_t number);
  /// The next reply to anything, to anybody, that has not been seen; none before the first ask_motion().
  std::optional<Reply> next_reply();

  /// A wish to jog, in the name of who().
  Status put_jog(JogWish wish);
  /// What became of the last one, whoever's it was; none when the motion service has not said.
  std::optional<JogState> jog_state() const;

  /// What the motion service was last doing; none when it has not said.
  std::optional<MotionState> motion_state() const;
  /// The world as it was last said; none when nobody has.
  std::unique_ptr<World> world() const;
  /// Where things are, as the channel `world_truth` tells; null: nobody tells.
  std::unique_ptr<World> seen_world() const;

 private:
  RobotLink(Options options, RobotOnSite robot, Reader<JointState> state, Reader<JointCommand> processed,
            Reader<Safety> safety);
  std::unique_ptr<World> newest_world(std::string_view name) const;
  std::string channel(std::string_view name) const { return fmt_channel(options_.robot, name); }
  static std::string fmt_channel(const std::string& robot, std::string_view name);
  void watch_inputs();
  bool is_controller_there();
  void read_health();

  Options options_;
  std::unique_ptr<RobotOnSite> robot_;
  Reader<JointState> state_;
  Reader<JointCommand> processed_;
  Reader<Safety> safety_;
  std::optional<Reader<Health>> health_;
  std::optional<Writer<JointReference>> reference_;
  std::optional<Reader<TakenInput>> taken_;
  TakenInput put_{};                        // what was put last, as it will be told on `taken`
  std::optional<std::uint64_t> put_cycle_;  // when it was taken
  std::optional<Writer<Request>> request_;
  std::optional<Reader<Reply>> reply_;
  std::unique_ptr<RobotSnapshot> snapshot_;
  RobotClock clock_;
  std::int64_t next_look_ns_ = 0;  // when it is looked again whether the controller lives
  bool was_there_ = true;
};

}  // namespace sinew::cli

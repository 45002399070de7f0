// SPDX-License-Identifier: BSD-3-Clause
// sinew-xach: MDS-Ach's channels for a running robot, so that its old programs move it.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/channels/inspect.h"
#include "sinew/messages/schemas.h"
#include "sinew/model/load_robot.h"

#include "apps/cli/program.h"
#include "apps/xach/followed_joints.h"
#include "apps/xach/mds_view.h"
#include "apps/xach/old_channel.h"

namespace sinew {
namespace {

constexpr std::int64_t kBetweenLooks_ns = kMillisecond_ns;
constexpr std::int64_t kBetweenStates_ns = 10 * kMillisecond_ns;
constexpr std::int64_t kBetweenRefreshes_ns = 100 * kMillisecond_ns;
/// The controller sees the newest reference once a cycle: what came shortly before goes along with it.
constexpr std::int64_t kGoesAlong_ns = 10 * kMillisecond_ns;

/// A joint that follows its encoder is told where that is this often, and for how long it counts.
constexpr std::int64_t kBetweenFollowing_ns = 5 * kMillisecond_ns;
constexpr std::int64_t kFollowingLease_ns = 200 * kMillisecond_ns;

std::atomic<bool> stop_requested{false};

void request_stop(int) {
  stop_requested.store(true);
}

/// Our side of the robot.
struct RobotChannels {
  Reader<JointState> state;
  Reader<JointCommand> processed;
  Reader<Safety> safety;
  Writer<Request> request;
};

Result<RobotChannels> open_robot(const std::string& robot, const std::string& space) {
  const auto place = [&](const char* name, std::uint32_t depth) {
    return ChannelPlace{.name = robot + "/" + name, .space = space, .sender = "xach", .depth = depth};
  };
  auto state = Reader<JointState>::open(place("state", 2048));
  if (!state) return state.error();
  auto processed = Reader<JointCommand>::open(place("processed", 2048));
  if (!processed) return processed.error();
  auto safety = Reader<Safety>::open(place("safety", 256));
  if (!safety) return safety.error();
  ChannelPlace asked = place("request", 256);
  asked.mode = 0660;
  auto request = Writer<Request>::open(asked);
  if (!request) return request.error();
  return RobotChannels{*std::move(state), *std::move(processed), *std::move(safety), *std::move(request)};
}

/// Wishes that are carried out in one way, as a program of their own on `ref/…`.
struct Outlet {
  Writer<JointReference> writer;
  Smoothing smoothing = Smoothing::JerkLimited;
  JointReference sent;
};

/// Which outlet is which.
enum OutletKind : std::size_t { Direct, Filtered, FromEncoder, Following, OutletCount };

/// One of the two channels of references, and where its wishes go unless a joint's mode says otherwise.
struct ReferencePath {
  OldChannel<mds_ref_t> old_channel;
  OutletKind usual = Filtered;
  mds_ref_t last{};
  bool has_last = false;
};

Result<ReferencePath> open_path(const char* old_name, OutletKind usual) {
  auto old_channel = OldChannel<mds_ref_t>::open(old_name);
  if (!old_channel) return old_channel.error();
  return ReferencePath{.old_channel = *std::move(old_channel), .usual = usual};
}

Result<std::vector<Outlet>> open_outlets(const std::string& robot, const std::string& space) {
  struct Row {
    const char* who;
    Smoothing smoothing;
  };
  // in the order of OutletKind
  static constexpr std::array<Row, OutletCount> kRows{{{"mds-ref", Smoothing::Direct},
                                                       {"mds-ref-filter", Smoothing::JerkLimited},
                                                       {"mds-ref-compliant", Smoothing::Compliant},
                                                       {"mds-ref-following", Smoothing::Compliant}}};
  std::vector<Outlet> outlets;
  for (const Row& row : kRows) {
    auto writer = Writer<JointReference>::open(
        {.name = fmt::format("{}/ref/{}", robot, row.who), .space = space, .sender = "xach"});
    if (!writer) return writer.error();
    outlets.push_back({.writer = *std::move(writer), .smoothing = row.smoothing});
  }
  return outlets;
}

/// What passes between the two worlds.
class Passage {
 public:
  Passage(MdsView view, RobotChannels robot, std::vector<Outlet> outlets, std::vector<ReferencePath> paths,
          OldChannel<mds_state_t> state, OldChannel<mds_ik_t> goals, bool is_legacy)
      : view_(std::move(view)),
        robot_(std::move(robot)),
        outlets_(std::move(outlets)),
        paths_(std::move(paths)),
        state_channel_(std::move(state)),
        goals_(std::move(goals)),
        is_legacy_(is_legacy) {}

  bool is_robot_known() const { return state_.message.stamp_ns != 0 && processed_.message.stamp_ns != 0; }

  /// Whether somebody has removed the robot's channels.
  bool is_gone() const { return is_gone_; }

  void look() {
    is_gone_ |= robot_.state.read_fresh(state_) == SINEW_REMOVED;
    while (robot_.processed.read_next(processed_) == SINEW_OK)
      following_mask_ &= followed_.still_followed(processed_.message, following_mask_);
    static_cast<void>(robot_.safety.read_fresh(safety_));
    if (!is_robot_known()) return;
    const std::int64_t monotonic_ns = monotonic_now_ns();
    for (ReferencePath& path : paths_) pass_references(path);
    follow_encoders(monotonic_ns);
    pass_goals();
    if (monotonic_ns - refreshed_ns_ >= kBetweenRefreshes_ns) refresh(monotonic_ns);
    if (monotonic_ns - told_ns_ < kBetweenStates_ns) return;
    told_ns_ = monotonic_ns;
    state_channel_.put(view_.state_of(state_.message, processed_.message, safety_.message));
  }

 private:
  std::int64_t robot_now_ns() const {
    return state_.message.stamp_ns + (monotonic_now_ns() - state_.info.stamp_ns);
  }

  void pass_references(ReferencePath& path) {
    mds_ref_t frame{};
    while (path.has_last && path.old_channel.next(frame)) {
      MeantJoints meant = view_.meant(path.last, frame);
      path.last = frame;
      if (meant.refused != 0)
        complain(fmt::format(
            "{} joints of a reference left out: beyond their limits, of no known mode, or without a motor",
            meant.refused));
      following_mask_ &= ~meant.joint_mask;
      following_mask_ |= meant.by_mode[MDS_REF_MODE_COMPLIANT].joint_mask;
      send(path.usual, meant.by_mode[MDS_REF_MODE_REF_FILTER]);
      send(Direct, meant.by_mode[MDS_REF_MODE_REF]);
      send(FromEncoder, meant.by_mode[MDS_REF_MODE_ENC_FILTER]);
    }
  }

  // Their reference is where they are: whoever pushes them moves them. A stream, so that they stop when this
  // program does.
  void follow_encoders(std::int64_t monotonic_ns) {
    if (following_mask_ == 0 || monotonic_ns - followed_ns_ < kBetweenFollowing_ns) return;
    followed_ns_ = monotonic_ns;
    const JointReference reference{.lease_ns = kFollowingLease_ns,
                                   .joint_mask = following_mask_,
                                   .position = view_.within_limits(state_.message.position)};
    followed_.note_sent(reference);
    send(Following, reference);
  }

  void send(OutletKind kind, JointReference reference) {
    if (reference.joint_mask == 0) return;
    const std::int64_t now_ns = robot_now_ns();
    for (Outlet& other : outlets_)
      if (&other != &outlets_[kind]) other.sent.joint_mask &= ~reference.joint_mask;
    Outlet& outlet = outlets_[kind];
    if (now_ns - outlet.sent.stamp_ns < kGoesAlong_ns) {
      const std::uint64_t before = outlet.sent.joint_mask & ~reference.joint_mask;
      for (std::size_t i = 0; i < kMaxJoints; ++i)
        if ((before >> i & 1) != 0) reference.position[i] = outlet.sent.position[i];
      reference.joint_mask |= before;
    }
    reference.stamp_ns = now_ns;
    reference.smoothing = outlet.smoothing;
    static_cast<void>(outlet.writer.put(reference));
    outlet.sent = reference;
  }

  void pass_goals() {
    mds_ik_t goal{};
    while (goals_.next(goal)) {
      auto request = MdsView::request_of(goal, is_legacy_);
      if (!request) {
        complain(request.error().message);
        continue;
      }
      request->stamp_ns = robot_now_ns();
      static_cast<void>(robot_.request.put(*request));
    }
  }

  // Programs read the newest reference before they change it: while the robot rests it says where that is.
  void refresh(std::int64_t monotonic_ns) {
    refreshed_ns_ = monotonic_ns;
    const JointCommand& command = processed_.message;
    for (const double velocity : command.velocity)
      if (velocity != 0.0) return;
    for (ReferencePath& path : paths_) {
      if (path.has_last && view_.is_true(path.last, command)) continue;
      path.last = view_.reference_of(command, following_mask_);
      path.has_last = true;
      path.old_channel.put(path.last);
    }
  }

  static void complain(const std::string& words) { fmt::print(stderr, "xach: {}\n", words); }

  MdsView view_;
  RobotChannels robot_;
  std::vector<Outlet> outlets_;
  std::vector<ReferencePath> paths_;
  std::uint64_t following_mask_ = 0;  // joints whose reference is their encoder
  FollowedJoints followed_;
  std::int64_t followed_ns_ = 0;
  OldChannel<mds_state_t> state_channel_;
  OldChannel<mds_ik_t> goals_;
  bool is_legacy_;
  Frame<JointState> state_{};
  Frame<JointCommand> processed_{};
  Frame<Safety> safety_{};
  bool is_gone_ = false;
  std::int64_t told_ns_ = 0;
  std::int64_t refreshed_ns_ = 0;
};

Result<Passage> open_passage(const LoadedRobot& robot, const std::string& name, const std::string& space,
                             bool is_legacy) {
  auto motors = read_anatomy(robot);
  if (!motors) return motors.error();
  MdsView view(robot.model, *std::move(motors));
  auto ours = open_robot(name, space);
  if (!ours) return ours.error();
  auto outlets = open_outlets(name, space);
  if (!outlets) return outlets.error();
  std::vector<ReferencePath> paths;
  for (const auto& [old_name, usual] :
       {std::pair{MDS_CHAN_REF_NAME, Direct}, std::pair{MDS_CHAN_REF_FILTER_NAME, Filtered}}) {
    auto path = open_path(old_name, usual);
    if (!path) return path.error();
    paths.push_back(*std::move(path));
  }
  auto state = OldChannel<mds_state_t>::open(MDS_CHAN_STATE_NAME);
  if (!state) return state.error();
  auto goals = OldChannel<mds_ik_t>::open(MDS_CHAN_IK_NAME);
  if (!goals) return goals.error();
  auto parameters = OldChannel<mds_joint_param_t>::open(MDS_CHAN_PARAM_NAME);
  if (!parameters) return parameters.error();
  parameters->put(view.parameters());
  return Passage(std::move(view), *std::move(ours), *std::move(outlets), std::move(paths), *std::move(state),
                 *std::move(goals), is_legacy);
}

void say_ready(std::uint32_t descriptor) {
  if (descriptor == 0) return;
  static_cast<void>(!write(static_cast<int>(descriptor), "ready\n", 6));
  close(static_cast<int>(descriptor));
}

// Old programs know one robot: the channels of a space are those of the robot that was there first.
bool has_another_robot(const std::string& space) {
  const auto listing = channels::list_channels(space);
  if (!listing) return false;
  for (const channels::ChannelInfo& channel : listing->channels) {
    if (channel.name != MDS_CHAN_STATE_NAME) continue;
    return std::ranges::any_of(channel.writers, [](const channels::WriterInfo& writer) {
      return writer.life == channels::Life::Alive && static_cast<int>(writer.pid) != getpid();
    });
  }
  return false;
}

// Stands by until it is asked to end: a second robot of a space does without.
Status stand_by(std::uint32_t descriptor) {
  constexpr std::string_view kWords =
      "ready\nnote: another robot of this space has MDS-Ach's channels; give this one a --space of its own\n";
  if (descriptor != 0) static_cast<void>(!write(static_cast<int>(descriptor), kWords.data(), kWords.size()));
  while (!stop_requested.load()) usleep(kBetweenRefreshes_ns / kMicrosecond_ns);
  return Done{};
}

Status run_xach(const cli::Words& words, std::ostream&) {
  std::signal(SIGTERM, request_stop);
  std::signal(SIGINT, request_stop);
  const auto robot = load_robot(words.text("--robot"));
  if (!robot) return robot.error();
  const auto ready = words.whole("--ready-fd", 0, 65535);
  if (!ready) return ready.error();
  const std::string space = words.text("--space");
  // Ach's calls have no place for a space but this
  setenv("SINEW_SPACE", space.c_str(), 1);
  if (has_another_robot(space)) return stand_by(*ready);
  auto passage = open_passage(*robot, words.has("--name") ? words.text("--name") : robot->model.name, space,
                              words.has("--legacy-ik"));
  if (!passage) return passage.error();
  bool is_told = false;
  while (!stop_requested.load()) {
    passage->look();
    if (passage->is_gone())
      return Error{ErrorCode::Gone,
                   "the robot's channels were removed while in use; start this program again"};
    if (!is_told && passage->is_robot_known()) {
      say_ready(*ready);
      is_told = true;
    }
    usleep(kBetweenLooks_ns / kMicrosecond_ns);
  }
  return Done{};
}

const cli::Command kCommand{
    .name = "xach",
    .summary = "MDS-Ach's channels for a running robot, so that its old programs move it",
    .options = {{.name = "--robot", .value_name = "NAME", .help = "Name or path of the robot."},
                {.name = "--name", .value_name = "NAME", .help = "Prefix of its channels; the robot's name."},
                {.name = "--legacy-ik", .help = "Solve goals on mds-ik by the steps of MDS-Ach."},
                {.name = "--ready-fd",
                 .value_name = "N",
                 .help = "Descriptor to write 'ready' to once the robot is seen.",
                 .fallback = "0"}},
    .examples = {"sinew-xach --robot mds"},
    .run = run_xach,
};

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  return sinew::cli::run_program(sinew::kCommand, std::vector<std::string>(words + 1, words + count));
}

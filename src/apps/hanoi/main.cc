// SPDX-License-Identifier: BSD-3-Clause
// sinew-hanoi: solves the Towers of Hanoi with a running robot, as any program on its channels may.
#include <atomic>
#include <csignal>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/drivers/robot_clock.h"
#include "sinew/hanoi/hanoi_controller.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/schemas.h"

#include "apps/cli/hanoi.h"
#include "apps/cli/program.h"

namespace sinew {
namespace {

std::atomic<bool> is_stop_requested{false};

void request_stop(int) {
  is_stop_requested.store(true);
}

constexpr std::int64_t kBetweenLooks_ns = 10 * kMillisecond_ns;
constexpr std::int64_t kSilence_ns = 5 * kSecond_ns;

/// The channels that it needs: requests out; answers, safety and what is seen of the world in.
struct HanoiChannels {
  Writer<Request> request;
  Reader<Reply> reply;
  Reader<Safety> safety;
  Reader<World> world;
  Reader<GraspState> grasp;

  static Result<HanoiChannels> open(const std::string& robot, const std::string& space) {
    const auto place = [&](const char* name) {
      return ChannelPlace{.name = robot + "/" + name, .space = space, .sender = "hanoi", .may_create = false};
    };
    auto request = Writer<Request>::open(place("request"));
    if (!request) return request.error();
    auto reply = Reader<Reply>::open(place("reply"), SINEW_START_NOW);
    if (!reply) return reply.error();
    auto safety = Reader<Safety>::open(place("safety"));
    if (!safety) return safety.error();
    auto world = Reader<World>::open(place("world_truth"));
    if (!world) return world.error();
    auto grasp = Reader<GraspState>::open(place("sensor/grasp"));
    if (!grasp) return grasp.error();
    return HanoiChannels{*std::move(request), *std::move(reply), *std::move(safety), *std::move(world),
                         *std::move(grasp)};
  }
};

/// The controller on its channels.
class HanoiProgram {
 public:
  HanoiProgram(HanoiChannels channels, const std::string& robot, const std::string& space)
      : channels_(std::move(channels)), clock_(robot, space), world_(std::make_unique<Frame<World>>()) {}

  /// Brings the tower to a peg. Refused when that is given up, or when the robot falls silent.
  Status solve(std::size_t goal) {
    HanoiController controller({.goal = goal}, [this](const Request& request) { return put(request); });
    // what was seen before counts until something is seen anew
    if (world_->info.sequence != 0) controller.take(world_->message);
    std::string told;
    std::int64_t heard_ns = monotonic_now_ns();
    while (!is_stop_requested.load()) {
      static_cast<void>(channels_.reply.wait(monotonic_now_ns() + kBetweenLooks_ns));
      take(controller);
      clock_.look();
      const std::int64_t wall_ns = monotonic_now_ns();
      if (const auto now_ns = clock_.now_ns(wall_ns)) {
        heard_ns = wall_ns;
        controller.step(*now_ns);
      } else if (wall_ns - heard_ns > kSilence_ns) {
        return Error{ErrorCode::TimedOut, "the world has fallen silent; 'sinew status' tells what runs"};
      }
      if (controller.message() != told) fmt::print(stderr, "hanoi: {}\n", told = controller.message());
      if (controller.phase() == HanoiPhase::Failed)
        return Error{ErrorCode::SystemFailure, controller.message()};
      if (controller.phase() != HanoiPhase::Solved) continue;
      fmt::print(stderr, "hanoi: {} moves, {} troubles on the way\n", controller.moves(),
                 controller.troubles());
      return Done{};
    }
    return Error{ErrorCode::Interrupted, "stopped before the tower stood"};
  }

  /// The peg, from 0, that the tower stands on; refused when it does not stand on one.
  Result<std::size_t> tower_peg() {
    const std::int64_t deadline_ns = monotonic_now_ns() + kSilence_ns;
    while (channels_.world.read_newest(*world_) != SINEW_OK)
      if (channels_.world.wait(deadline_ns) != SINEW_OK)
        return Error{ErrorCode::TimedOut, "nobody says where the discs are (channel world_truth)"};
    const auto board = read_board(world_->message);
    if (!board) return board.error();
    for (std::size_t peg = 0; peg < board->pegs.size(); ++peg)
      if (board->towers.pegs[peg].size() == board->discs.size()) return peg;
    return Error{ErrorCode::NotFound, "the discs are not on one peg"};
  }

 private:
  std::uint64_t put(const Request& request) {
    std::uint64_t number = 0;
    static_cast<void>(channels_.request.put(request, &number));
    return number;
  }

  void take(HanoiController& controller) {
    if (channels_.safety.read_newest(safety_) == SINEW_OK) controller.take(safety_.message);
    if (channels_.grasp.read_newest(grasp_) == SINEW_OK) controller.take(grasp_.message);
    if (channels_.world.read_fresh(*world_) == SINEW_OK) controller.take(world_->message);
    while (channels_.reply.read_next(reply_) == SINEW_OK) controller.take(reply_.message);
  }

  HanoiChannels channels_;
  RobotClock clock_;
  Frame<Safety> safety_{};
  std::unique_ptr<Frame<World>> world_;
  Frame<GraspState> grasp_{};
  Frame<Reply> reply_{};
};

Status run_hanoi(const cli::Words& words, std::ostream& out) {
  std::signal(SIGTERM, request_stop);
  std::signal(SIGINT, request_stop);
  const auto to = words.whole("--to", 1, 9);
  if (!to) return to.error();
  const auto times = words.whole("--times", 0, 1000000);
  if (!times) return times.error();
  auto channels = HanoiChannels::open(words.text("--robot"), words.text("--space"));
  if (!channels) return channels.error();
  HanoiProgram program(*std::move(channels), words.text("--robot"), words.text("--space"));
  const std::size_t goal = *to - 1;
  const auto standing = program.tower_peg();
  // there and back again: from wherever it stands, or between the goal and the first peg that is another
  const std::size_t back = standing && *standing != goal ? *standing : (goal == 0 ? 1 : 0);
  for (std::uint32_t i = 0; *times == 0 || i < *times; ++i) {
    const std::size_t peg = i % 2 == 0 ? goal : back;
    if (const Status solved = program.solve(peg); !solved) return solved;
    out << fmt::format("the tower stands on peg {}\n", peg + 1);
    out.flush();
  }
  return Done{};
}

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  sinew::cli::Command command = sinew::cli::hanoi_command();
  command.run = sinew::run_hanoi;
  return sinew::cli::run_program(command, std::vector<std::string>(words + 1, words + count));
}

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/motion/motion_loop.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/motion/motion_teller.h"

namespace sinew {
namespace {

constexpr std::int64_t kBetweenSteps_ns = 4 * kMillisecond_ns;
constexpr std::int64_t kBetweenLooks_ns = 20 * kMillisecond_ns;
constexpr std::int64_t kBetweenHealth_ns = 250 * kMillisecond_ns;
constexpr int kMostRequests = 8;  // taken in one step; the rest waits
constexpr std::uint64_t kMostLost = 16;
constexpr int kLastCycles = 1000;  // to brake in at the end

/// The loop's state: what time it is for the robot, and how the loop fares.
class MotionLoop {
 public:
  explicit MotionLoop(const MotionParts& parts)
      : channels_(parts.channels),
        service_(parts.service),
        programs_(parts.programs),
        targets_(parts.targets),
        motors_(parts.motors),
        streams_(parts.streams),
        lookout_(parts.lookout),
        holds_(parts.holds),
        client_(parts.client),
        keep_moving_(parts.keep_moving),
        clock_(parts.channels.clock) {
    keep_moving_ = [this] { keep_moving(); };
    health_.period_ns = kBetweenSteps_ns;
    health_.process_id = static_cast<std::uint32_t>(getpid());
    set_text(health_.process_name, "motion");
  }
  ~MotionLoop() { keep_moving_ = nullptr; }
  MotionLoop(const MotionLoop&) = delete;
  MotionLoop& operator=(const MotionLoop&) = delete;

  void cycle() {
    const std::int64_t between_ns = is_busy() ? kBetweenSteps_ns : kBetweenLooks_ns;
    due_ns_ = std::max(due_ns_ + between_ns, monotonic_now_ns());
    // while something moves the beat is what counts; else a request or a key is wanted at once
    if (is_busy()) {
      usleep(static_cast<useconds_t>(std::max<std::int64_t>(0, due_ns_ - monotonic_now_ns()) / 1000));
    } else {
      wait_for_news();
      due_ns_ = monotonic_now_ns();
    }
    const std::int64_t began_ns = monotonic_now_ns();
    take_robot();
    const std::int64_t now_ns = robot_now_ns();
    take_parts();
    holds_.take(now_ns);
    take_requests(now_ns);
    mind_client();
    publish(programs_.step(now_ns));
    for (const Reply& reply : targets_.step(now_ns)) static_cast<void>(channels_.reply.put(reply));
    for (const Reply& reply : motors_.step()) static_cast<void>(channels_.reply.put(reply));
    publish(service_.step(now_ns));
    streams_.step(now_ns);
    tell(now_ns);
    note(now_ns, monotonic_now_ns() - began_ns);
  }

  bool is_busy() const {
    return service_.is_busy() || programs_.is_busy() || targets_.is_busy() || streams_.is_busy();
  }
  /// Whether somebody has removed the channel of requests.
  bool is_gone() const { return is_gone_; }

  // Robot time: as its clock tells; without one the newest state's stamp, and what has passed since it came.
  std::int64_t robot_now_ns() {
    const std::int64_t monotonic_ns = monotonic_now_ns();
    if (const auto told_ns = clock_.now_ns(monotonic_ns)) return *told_ns;
    return state_came_ns_ == 0 ? monotonic_ns : state_stamp_ns_ + (monotonic_ns - state_came_ns_);
  }

  void take_robot() {
    clock_.look();
    if (channels_.state.read_fresh(state_) == SINEW_OK) {
      service_.take_state(state_.message);
      state_stamp_ns_ = state_.message.stamp_ns;
      // by the put, not by when we came to look: robot time must not jitter with this process
      state_came_ns_ = state_.info.stamp_ns;
    }
    if (channels_.processed.read_fresh(processed_) == SINEW_OK) service_.take_command(processed_.message);
    if (channels_.io.read_fresh(io_) == SINEW_OK) programs_.take_io(io_.message);
    while (channels_.safety.read_next(safety_) == SINEW_OK)
      service_.take_safety(safety_.message, robot_now_ns());
  }

  void publish(const ProgramOutput& output) {
    for (const Reply& reply : output.replies) static_cast<void>(channels_.reply.put(reply));
    if (output.io) static_cast<void>(channels_.io_command.put(*output.io));
  }

  void publish(const MotionOutput& output) {
    programs_.take_answers(output);
    targets_.take_answers(output);
    for (const Reply& reply : output.replies) static_cast<void>(channels_.reply.put(reply));
    if (output.reference) static_cast<void>(channels_.reference.put(*output.reference));
    for (const Segment& segment : output.segments) static_cast<void>(channels_.segments.put(segment));
    if (output.has_new_world) static_cast<void>(channels_.world.put(service_.world()));
  }

 private:
  void wait_for_news() {
    pollfd waited[] = {{.fd = channels_.request.descriptor(), .events = POLLIN, .revents = 0},
                       {.fd = streams_.descriptor(), .events = POLLIN, .revents = 0}};
    const std::int64_t left_ns = std::max<std::int64_t>(0, due_ns_ - monotonic_now_ns());
    static_cast<void>(poll(waited, 2, static_cast<int>(left_ns / kMillisecond_ns)));
  }

  void keep_moving() {
    const std::int64_t monotonic_ns = monotonic_now_ns();
    if (monotonic_ns - kept_moving_ns_ < kBetweenLooks_ns) return;
    kept_moving_ns_ = monotonic_ns;
    clock_.look();
    for (const Segment& segment : service_.send_on(robot_now_ns()))
      static_cast<void>(channels_.segments.put(segment));
  }

  void tell(std::int64_t now_ns) {
    MotionState state = service_.motion_state(now_ns);
    programs_.tell(state);
    if (const auto phase = streams_.phase(); phase && state.phase == MotionPhase::Idle) state.phase = *phase;
    if (teller_.is_due(state)) static_cast<void>(channels_.motion.put(state));
  }

  void take_requests(std::int64_t now_ns) {
    for (int i = 0; i < kMostRequests; ++i) {
      const int status = channels_.request.read_next(request_);
      is_gone_ |= status == SINEW_REMOVED;
      if (status != SINEW_OK) return;
      const std::uint64_t lost = std::min(request_.info.missed, kMostLost);
      for (std::uint64_t k = lost; k > 0; --k) service_.refuse_lost(request_.info.sequence - k, now_ns);
      lost_ += request_.info.missed - lost;
      // its parts were put before it
      if (request_.message.verb == RequestVerb::Trajectory) take_parts();
      // so was the first beat of its press
      if (request_.message.hold != 0) holds_.take(now_ns);
      const std::uint64_t number = request_.info.sequence;
      lookout_.note_taken(number);
      const Request& request = request_.message;
      const std::uint64_t begun_before = programs_.number();
      if (!programs_.take_request(number, request, now_ns) &&
          !targets_.take_request(number, request, now_ns) && !motors_.take_request(number, request, now_ns) &&
          !streams_.take_request(number, request, now_ns))
        service_.take_request(number, request, now_ns);
      if (programs_.number() != begun_before) client_.follow(request_);
    }
  }

  void mind_client() {
    if (!programs_.is_busy()) return;
    if (const auto death = client_.death(monotonic_now_ns())) programs_.abandon(*death);
  }

  void take_parts() {
    while (channels_.trajectory.read_next(part_) == SINEW_OK) service_.take_part(part_.message);
  }

  void note(std::int64_t now_ns, std::int64_t busy_ns) {
    ++health_.cycles;
    if (health_.started_ns == 0) health_.started_ns = now_ns;
    health_.busy_ns = busy_ns;
    health_.worst_busy_ns = std::max(health_.worst_busy_ns, busy_ns);
    health_.refusals = service_.refusals() + lost_;
    if (now_ns - health_.stamp_ns < kBetweenHealth_ns) return;
    health_.stamp_ns = now_ns;
    static_cast<void>(channels_.health.put(health_));
  }

  MotionChannels& channels_;
  MotionService& service_;
  ProgramService& programs_;
  TargetService& targets_;
  MotorService& motors_;
  Streams& streams_;
  RequestLookout& lookout_;
  HoldLookout& holds_;
  ClientWatch& client_;
  std::function<void()>& keep_moving_;
  RobotClock& clock_;
  Frame<JointState> state_{};
  Frame<JointCommand> processed_{};
  Frame<Safety> safety_{};
  Frame<IoState> io_{};
  Frame<Request> request_{};
  Frame<TrajectoryPart> part_{};
  std::int64_t state_stamp_ns_ = 0;
  std::int64_t state_came_ns_ = 0;
  std::int64_t due_ns_ = 0;
  std::int64_t kept_moving_ns_ = 0;
  std::uint64_t lost_ = 0;
  bool is_gone_ = false;
  Health health_;
  MotionTeller teller_;
};

bool is_final(ReplyStatus status) {
  return status != ReplyStatus::Accepted;
}

std::set<std::uint64_t> answered_requests(const std::string& robot, const std::string& space) {
  std::set<std::uint64_t> answered;
  auto replies = Reader<Reply>::open({.name = robot + "/reply", .space = space, .may_create = false},
                                     SINEW_START_OLDEST);
  Frame<Reply> reply{};
  while (replies && replies->read_next(reply) == SINEW_OK)
    if (is_final(reply.message.status)) answered.insert(reply.message.request);
  return answered;
}

}  // namespace

void take_over(MotionChannels& channels, MotionService& service, const std::string& robot,
               const std::string& space) {
  const std::set<std::uint64_t> answered = answered_requests(robot, space);
  const std::int64_t now_ns = monotonic_now_ns();
  Frame<Request> request{};
  while (channels.request.read_next(request) == SINEW_OK)
    if (!answered.contains(request.info.sequence)) service.abort_open(request.info.sequence, now_ns);

  auto world = Reader<World>::open({.name = robot + "/world", .space = space, .may_create = false});
  const auto frame = std::make_unique<Frame<World>>();
  if (!world || world->read_newest(*frame) != SINEW_OK) return;
  if (const Status taken = service.take_world(frame->message); !taken)
    fmt::print(stderr, "motion: the world that was left behind is not understood: {}\n",
               taken.error().message);
}

Status run_motion_loop(const MotionParts& parts, const std::atomic<bool>& stop_requested) {
  MotionLoop loop(parts);
  while (!stop_requested.load(std::memory_order_relaxed) && !loop.is_gone()) loop.cycle();
  // what is on its way is braked, as with a request to stop
  const Request stop{.verb = RequestVerb::Stop};
  parts.programs.take_request(0, stop, loop.robot_now_ns());
  parts.targets.take_request(0, stop, loop.robot_now_ns());
  parts.service.take_request(0, stop, loop.robot_now_ns());
  parts.streams.stop("the motion service ends");
  for (int i = 0; i < kLastCycles && loop.is_busy(); ++i) loop.cycle();
  if (!loop.is_gone()) return Done{};
  return Error{ErrorCode::Gone, "the channel 'request' was removed while in use; start this program again"};
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/control_loop.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sinew/base/fixed_string.h"

namespace sinew {
namespace {

constexpr std::int64_t kBetweenSafety_ns = 100 * kMillisecond_ns;
constexpr std::int64_t kBetweenIo_ns = 100 * kMillisecond_ns;
constexpr std::int64_t kBetweenHealth_ns = 250 * kMillisecond_ns;
constexpr std::int64_t kHistory_ns = 10 * kSecond_ns;
constexpr int kMostRequests = 8;  // taken in one cycle; the rest waits
constexpr int kMostSegments = 8;  // likewise
// to brake in at the end; a world that stands still is not waited for
constexpr std::int64_t kLastCycles_ns = 10 * kSecond_ns;

/// A message is there, but not one of its channel's kind.
bool is_unreadable(int status) {
  return status == SINEW_MISMATCH || status == SINEW_TOO_LARGE || status == SINEW_INVALID;
}

/// The state of the loop itself.
class ControlLoop {
 public:
  explicit ControlLoop(const ControlParts& parts) : parts_(parts) {
    health_.period_ns = parts.period_ns;
    health_.is_realtime = parts.is_realtime ? 1 : 0;
    health_.process_id = static_cast<std::uint32_t>(getpid());
    set_text(health_.process_name, "controller");
  }

  void cycle() noexcept {
    const Beat beat = parts_.pace.wait();
    is_going_ = beat.is_going;
    if (!beat.is_due) return;
    const std::int64_t began_ns = monotonic_now_ns();
    parts_.driver.read(beat.now_ns, state_);
    take_inputs(beat.now_ns);
    const ControlOutput& output = parts_.controller.step(state_, beat.now_ns);
    if (output.events.wants_reset) parts_.driver.reset();
    if (output.events.wants_homing) parts_.driver.home();
    if (output.events.has_stopped) parts_.attendant.note_stop(output.safety.reason);
    parts_.driver.write(output.command);
    pass_io(output.safety.state, beat.now_ns);
    publish(output, beat.now_ns);
    note(beat, monotonic_now_ns() - began_ns);
  }

  /// Its channels were removed, and it has come to rest since.
  bool is_over() const noexcept { return are_channels_gone_ && rests(); }

  /// False: robot time stands, and what is asked of the robot waits.
  bool is_going() const noexcept { return is_going_; }

  bool rests() const noexcept {
    const JointCommand& command = parts_.controller.output().command;
    return std::ranges::all_of(command.velocity, [](double velocity) { return velocity == 0.0; });
  }

  void ask_to_stop() noexcept {
    ControlRequest request{.stamp_ns = health_.stamp_ns, .verb = ControlVerb::Stop};
    set_text(request.who, kController);
    give_request(InputKind::Request, request, health_.stamp_ns);
  }

  // the last word on `processed`: it ended in order
  void say_farewell() noexcept {
    JointCommand command = parts_.controller.output().command;
    command.is_enabled = 0;
    static_cast<void>(parts_.channels.processed.put(command));
  }

 private:
  void take_inputs(std::int64_t now_ns) noexcept {
    take_requests(parts_.channels.stop, "stop", InputKind::Request, now_ns);
    take_requests(parts_.channels.command, "command", InputKind::Request, now_ns);
    take_requests(parts_.channels.override_, "override", InputKind::Override, now_ns);
    if (const UnderstoodWorld* world = parts_.attendant.new_world()) {
      parts_.log.give({.kind = InputKind::World, .number = world->number}, now_ns,
                      {.world = &world->meaning->obstacles});
      parts_.attendant.let_go();
    }
    if (const auto* recording = parts_.attendant.new_recording())
      parts_.log.give({.kind = InputKind::Recording, .file = *recording}, now_ns);
    for (std::size_t i = 0; i < kMaxSources; ++i) take_reference(i, now_ns);
    take_contacts(now_ns);
    take_losses(now_ns);
    take_segments(now_ns);
  }

  // Who and what is gone; what the dead have sent is not taken any more.
  void take_losses(std::int64_t now_ns) noexcept {
    ChannelWatch::Death death;
    while (parts_.watch.take_death(death))
      parts_.log.give({.kind = InputKind::WriterDead, .source = death.place, .who = death.who}, now_ns);
    if (!are_channels_gone_ && parts_.watch.are_channels_gone()) {
      are_channels_gone_ = true;
      parts_.log.give({.kind = InputKind::ChannelsGone}, now_ns);
    }
  }

  void take_contacts(std::int64_t now_ns) noexcept {
    if (!parts_.channels.contacts) return;
    for (int i = 0; i < kMostRequests; ++i) {
      if (parts_.channels.contacts->read_next(contact_) != SINEW_OK) return;
      const ContactEvent& event = contact_.message;
      // the first of all, or the last: what was told before a world began anew is over
      if (event.pair_count == event.is_touching)
        parts_.log.give({.kind = InputKind::Contact, .source = Controller::kNoLink}, now_ns);
      give_contact(event, event.a, event.b, now_ns);
      give_contact(event, event.b, event.a, now_ns);
    }
  }

  void give_contact(const ContactEvent& event, const std::array<char, 96>& one,
                    const std::array<char, 96>& other, std::int64_t now_ns) noexcept {
    if (!is_own(text_of(one))) return;
    const std::uint32_t link = parts_.controller.find_link(without_prefix(text_of(one)));
    TakenInput input{.kind = InputKind::Contact, .source = link, .number = event.is_touching};
    set_text(input.file, without_prefix(text_of(other)));
    parts_.log.give(input, now_ns);
  }

  // links are told as "ROBOT/link"
  bool is_own(std::string_view name) const noexcept {
    const std::string& robot = parts_.channels.robot;
    return name.size() > robot.size() && name.starts_with(robot) && name[robot.size()] == '/';
  }
  std::string_view without_prefix(std::string_view name) const noexcept {
    return is_own(name) ? name.substr(parts_.channels.robot.size() + 1) : name;
  }

  void take_segments(std::int64_t now_ns) noexcept {
    for (int i = 0; i < kMostSegments; ++i) {
      const int status = parts_.channels.segments.read_next(segment_);
      if (is_unreadable(status)) {
        refuse("segments", now_ns);
        continue;
      }
      if (status != SINEW_OK) return;
      // a writer that is a whole ring ahead has overwritten some
      if (segment_.info.missed > 0) refuse("segments", now_ns, Refusal::NoRoom);
      if (parts_.watch.is_of_dead(segment_.info)) continue;
      parts_.log.give(
          {.kind = InputKind::Segment, .source = segment_.info.writer, .number = segment_.info.sequence},
          now_ns, {.segment = &segment_.message});
    }
  }

  // inputs and outputs change nothing of the motion: they are passed on
  void pass_io(ControlState state, std::int64_t now_ns) noexcept {
    for (int i = 0; i < kMostRequests; ++i) {
      const int status = parts_.channels.io_command.read_next(io_command_);
      if (is_unreadable(status)) refuse("io", now_ns);
      if (status == SINEW_OK && !parts_.outputs.take(io_command_.message)) refuse("io", now_ns);
      if (status != SINEW_OK && !is_unreadable(status)) break;
    }
    if (const IoCommand* told = parts_.outputs.step(state, now_ns)) parts_.driver.write_io(*told);
    parts_.driver.read_io(io_);
    io_.stamp_ns = told_io_.stamp_ns;
    const bool is_news = std::memcmp(&io_, &told_io_, sizeof io_) != 0;
    if (!is_news && now_ns - told_io_.stamp_ns < kBetweenIo_ns) return;
    io_.stamp_ns = now_ns;
    static_cast<void>(parts_.channels.io.put(io_));
    told_io_ = io_;
  }

  void take_requests(Reader<ControlRequest>& channel, std::string_view name, InputKind kind,
                     std::int64_t now_ns) noexcept {
    Frame<ControlRequest> request;
    for (int i = 0; i < kMostRequests; ++i) {
      const int status = channel.read_next(request);
      if (is_unreadable(status)) {
        refuse(name, now_ns);
        continue;
      }
      if (status != SINEW_OK) return;
      // whoever may only stop can do nothing else here
      if (name == "stop") request.message.verb = ControlVerb::Stop;
      if (is_outdated(request)) {
        refuse(name, now_ns, Refusal::Stale);
        continue;
      }
      give_request(kind, request.message, now_ns);
    }
  }

  // The last word counts: a reset or homing that was asked for before somebody pressed stop, and comes here
  // after it, is off.
  bool is_outdated(const Frame<ControlRequest>& request) noexcept {
    const ControlVerb verb = request.message.verb;
    if (verb == ControlVerb::Stop) stopped_ns_ = std::max(stopped_ns_, request.info.stamp_ns);
    return (verb == ControlVerb::Reset || verb == ControlVerb::Home) && request.info.stamp_ns <= stopped_ns_;
  }

  void refuse(std::string_view who, std::int64_t now_ns, Refusal why = Refusal::BadValue) noexcept {
    TakenInput input{.kind = InputKind::Refused, .number = static_cast<std::uint64_t>(why)};
    set_text(input.who, who);
    parts_.log.give(input, now_ns);
  }

  void give_request(InputKind kind, const ControlRequest& request, std::int64_t now_ns) noexcept {
    parts_.log.give({.kind = kind, .request = request}, now_ns);
  }

  void take_reference(std::size_t i, std::int64_t now_ns) noexcept {
    const auto [source, generation] = parts_.attendant.source(i);
    if (source == nullptr) return;
    if (std::exchange(known_[i], generation) != generation) give_source(i, *source, now_ns);
    const int status = source->reader.read_fresh(reference_);
    if (status == SINEW_OK)
      parts_.log.give({.kind = InputKind::Reference,
                       .source = static_cast<std::uint32_t>(i),
                       .reference = reference_.message},
                      now_ns);
    if (is_unreadable(status)) refuse(source->who, now_ns);
    // from here on it belongs to the attendant
    const bool is_spare = status != SINEW_OK && parts_.attendant.is_wanted_back(i, generation) &&
                          !parts_.controller.is_commanded_by(i, now_ns);
    if (status == SINEW_REMOVED || is_spare) parts_.attendant.give_back(i, generation);
  }

  void give_source(std::size_t i, const ReferenceSource& source, std::int64_t now_ns) noexcept {
    TakenInput input{.source = static_cast<std::uint32_t>(i), .priority = source.priority};
    set_text(input.who, source.who);
    parts_.log.give(input, now_ns);
  }

  void publish(const ControlOutput& output, std::int64_t now_ns) noexcept {
    static_cast<void>(parts_.channels.processed.put(output.command));
    if (state_number_ == 0 || std::memcmp(&state_, &told_state_, sizeof state_) != 0) {
      static_cast<void>(parts_.channels.state.put(state_, &state_number_));
      told_state_ = state_;
    }
    parts_.log.end_cycle(state_number_);
    if (output.events.is_news || now_ns - told_safety_ns_ >= kBetweenSafety_ns) {
      static_cast<void>(parts_.channels.safety.put(output.safety));
      told_safety_ns_ = now_ns;
    }
    if (now_ns - health_.stamp_ns >= kBetweenHealth_ns) publish_health(output, now_ns);
    const bool is_up =
        output.safety.state == ControlState::Running || output.safety.state == ControlState::Held;
    // started anew, it waits for a reset, also of the device, which had no commands meanwhile
    const bool waits_for_reset = parts_.is_restarted && output.safety.reason == StopReason::DeviceFault;
    // and one that does not know where it is waits to be asked to look
    const bool waits_for_homing = state_.fault_bits == kFaultNotHomed;
    if ((is_up || waits_for_reset || waits_for_homing) && parts_.ready_descriptor >= 0) {
      static_cast<void>(!write(parts_.ready_descriptor, "ready\n", 6));
      close(parts_.ready_descriptor);
      parts_.ready_descriptor = -1;
    }
  }

  void publish_health(const ControlOutput& output, std::int64_t now_ns) noexcept {
    health_.stamp_ns = now_ns;
    health_.wake_p50_ns = static_cast<std::int64_t>(wake_.quantile_ns(0.5));
    health_.wake_p99_ns = static_cast<std::int64_t>(wake_.quantile_ns(0.99));
    health_.busy_p50_ns = static_cast<std::int64_t>(busy_.quantile_ns(0.5));
    health_.busy_p99_ns = static_cast<std::int64_t>(busy_.quantile_ns(0.99));
    health_.refusals = output.safety.refusals + parts_.attendant.refusals();
    static_cast<void>(parts_.channels.health.put(health_));
    if (now_ns - history_ns_ < kHistory_ns) return;
    history_ns_ = now_ns;
    wake_ = {};
    busy_ = {};
  }

  void note(const Beat& beat, std::int64_t busy_ns) noexcept {
    if (health_.started_ns == 0) health_.started_ns = beat.now_ns;
    ++health_.cycles;
    health_.late_cycles += beat.skipped;
    health_.wake_latency_ns = beat.wake_latency_ns;
    health_.worst_wake_latency_ns = std::max(health_.worst_wake_latency_ns, beat.wake_latency_ns);
    health_.busy_ns = busy_ns;
    health_.worst_busy_ns = std::max(health_.worst_busy_ns, busy_ns);
    wake_.add(beat.wake_latency_ns);
    busy_.add(busy_ns);
  }

  ControlParts parts_;
  JointState state_;
  Frame<JointReference> reference_{};
  Frame<Segment> segment_{};
  std::int64_t stopped_ns_ = 0;                     // when the newest stop was put
  std::array<std::uint64_t, kMaxSources> known_{};  // generations
  Frame<ContactEvent> contact_{};
  bool are_channels_gone_ = false;
  Frame<IoCommand> io_command_{};
  IoState io_;
  IoState told_io_;
  Health health_;
  Histogram wake_;
  Histogram busy_;
  std::int64_t history_ns_ = 0;
  bool is_going_ = true;
  JointState told_state_;
  std::uint64_t state_number_ = 0;  // of the message that told it
  std::int64_t told_safety_ns_ = 0;
};

}  // namespace

void run_control_loop(const ControlParts& parts, const std::atomic<bool>& stop_requested) noexcept {
  ControlLoop loop(parts);
  if (parts.attendant.misses_world()) parts.log.give({.kind = InputKind::NoWorld}, 0);
  if (parts.loads_are_efforts) parts.log.give({.kind = InputKind::Efforts}, 0);
  while (!stop_requested.load(std::memory_order_relaxed) && !loop.is_over()) loop.cycle();
  loop.ask_to_stop();
  const std::int64_t end_ns = monotonic_now_ns() + kLastCycles_ns;
  for (int i = 0; monotonic_now_ns() < end_ns && !(loop.rests() && i > 1) && loop.is_going(); ++i)
    loop.cycle();
  loop.say_farewell();
  parts.driver.disconnect();
}

}  // namespace sinew

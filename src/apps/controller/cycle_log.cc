// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/cycle_log.h"

#include <cstddef>
#include <utility>

#include "sinew/base/fixed_string.h"

#include "apps/controller/control_channels.h"

namespace sinew {
namespace {

// a recording can be run again from its first snapshot on; each costs two long cycles
constexpr std::int64_t kBetweenSnapshots_ns = 2500 * kMillisecond_ns;

template <class Message>
Result<Writer<Message>> open_writer(const std::string& name, const std::string& space, std::uint32_t depth) {
  return Writer<Message>::open(
      {.name = name, .space = space, .sender = "controller", .depth = depth, .writers = kControlWriters});
}

}  // namespace

void give_input(Controller& controller, const TakenInput& input, const InputMessage& message) SINEW_REALTIME {
  const std::size_t source = input.source;
  switch (input.kind) {
    case InputKind::Source:
      if (source < kMaxSources) controller.set_source(source, text_of(input.who), input.priority);
      return;
    case InputKind::Reference:
      if (source < kMaxSources) controller.take_reference(source, input.reference, input.stamp_ns);
      return;
    case InputKind::Request:
      return controller.take_request(input.request, input.stamp_ns);
    case InputKind::Override:
      return controller.take_override(input.request, input.stamp_ns);
    case InputKind::World:
      if (message.world != nullptr) controller.take_world(*message.world);
      return;
    case InputKind::NoWorld:
      return controller.miss_world();
    case InputKind::Recording:
      return controller.take_recording(input.file);
    case InputKind::Refused:
      return controller.refuse(text_of(input.who), {.refusal = static_cast<Refusal>(input.number)});
    case InputKind::Segment:
      if (message.segment != nullptr) controller.take_segment(*message.segment, input.source);
      return;
    case InputKind::WriterDead:
      return controller.lose_writer(input.source, text_of(input.who));
    case InputKind::ChannelsGone:
      return controller.lose_channels(input.stamp_ns);
    case InputKind::Contact:
      return controller.take_contact(input.source, text_of(input.file), input.number != 0);
    case InputKind::Efforts:
      return controller.take_loads_as_efforts();
  }
}

CycleLog::CycleLog(Channels channels, Controller& controller)
    : channels_(std::move(channels)), controller_(controller) {}

Result<std::unique_ptr<CycleLog>> CycleLog::open(const std::string& robot, const std::string& space,
                                                 const ControlRun& run, Controller& controller) {
  auto runs = open_writer<ControlRun>(robot + "/run", space, 4);
  if (!runs) return runs.error();
  auto taken = open_writer<TakenInput>(robot + "/taken", space, kCyclesKept);
  if (!taken) return taken.error();
  auto cycle = open_writer<Cycle>(robot + "/cycle", space, kCyclesKept);
  if (!cycle) return cycle.error();
  auto snapshot = open_writer<ControlSnapshot>(robot + "/snapshot", space, 2);
  if (!snapshot) return snapshot.error();
  std::unique_ptr<CycleLog> log(new CycleLog(
      {*std::move(runs), *std::move(taken), *std::move(cycle), *std::move(snapshot)}, controller));
  if (const int status = log->channels_.run.put(run); status != SINEW_OK)
    return error_from_status(status, "tell of the run");
  log->put_snapshot();
  return log;
}

void CycleLog::give(TakenInput input, std::int64_t now_ns, const InputMessage& message) SINEW_REALTIME {
  input.stamp_ns = now_ns;
  input.cycle = controller_.output().command.cycle + 1;
  if (input.kind == InputKind::World) world_ = input.number;
  give_input(controller_, input, message);
  static_cast<void>(channels_.taken.put(input));
  ++taken_;
}

void CycleLog::end_cycle(std::uint64_t state) SINEW_REALTIME {
  const JointCommand& command = controller_.output().command;
  const Cycle cycle{.stamp_ns = command.stamp_ns,
                    .cycle = command.cycle,
                    .state = state,
                    .taken = std::exchange(taken_, 0)};
  static_cast<void>(channels_.cycle.put(cycle));
  if (command.stamp_ns - told_snapshot_ns_ >= kBetweenSnapshots_ns) put_snapshot();
}

void CycleLog::put_snapshot() SINEW_REALTIME {
  const JointCommand& command = controller_.output().command;
  const auto memory = controller_.save_memory(std::as_writable_bytes(std::span(snapshot_.bytes)));
  told_snapshot_ns_ = command.stamp_ns;
  if (memory.size == 0) return;
  snapshot_.stamp_ns = command.stamp_ns;
  snapshot_.cycle = command.cycle;
  snapshot_.world = world_;
  snapshot_.layout = memory.layout;
  snapshot_.size = static_cast<std::uint32_t>(memory.size);
  static_cast<void>(channels_.snapshot.put_first(offsetof(ControlSnapshot, bytes) + memory.size, snapshot_));
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/attendant.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/channels/inspect.h"
#include "sinew/control/safety_text.h"

namespace sinew {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(20);

/// The braking belongs to what led to a stop.
constexpr std::int64_t kSaveAfter_ns = 500 * kMillisecond_ns;

/// About one thing.
constexpr std::int64_t kBetweenComplaints_ns = kSecond_ns;

}  // namespace

Attendant::Attendant(const RobotModel& model, Options options) : model_(model), options_(std::move(options)) {
  if (!options_.recordings.empty()) {
    auto started = recording::LastSeconds::start(
        {.channels = {.space = options_.space, .patterns = {options_.robot + "/*"}},
         .folder = options_.recordings});
    if (!started) {
      complain("recordings", started.error().message);
    } else {
      last_seconds_ = *std::move(started);
    }
  }
  // what is there already counts from the first cycle on
  look_for_sources();
  look_at_world();
  misses_world_ = complaints_.contains("world");
  thread_ = std::thread([this] { run(); });
}

Attendant::~Attendant() {
  is_ending_.store(true);
  thread_.join();
}

void Attendant::run() {
  while (!is_ending_.load()) {
    look_for_sources();
    look_at_world();
    save_stop();
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

void Attendant::look_for_sources() {
  for (std::size_t i = 0; i < kMaxSources; ++i) {
    if (!is_gone_[i].exchange(false, std::memory_order_acq_rel)) continue;
    sources_[i].store(nullptr, std::memory_order_release);
    owned_[i].reset();
  }
  const auto names = channels::channel_names(options_.space, options_.robot + "/ref");
  for (const std::string& name : names) {
    const bool is_known = std::ranges::any_of(owned_, [&](const auto& s) { return s && s->channel == name; });
    if (is_known) continue;
    const auto free = std::ranges::find_if(owned_, [](const auto& s) { return s == nullptr; });
    if (free == owned_.end()) {
      complain(name,
               fmt::format("{} programs command the robot already; remove a channel {}/ref/… to make room",
                           kMaxSources, options_.robot));
      return;
    }
    open_source(static_cast<std::size_t>(free - owned_.begin()), name);
  }
}

void Attendant::open_source(std::size_t place, const std::string& channel) {
  // a reference put before the controller was there is as good as one put now
  auto reader = Reader<JointReference>::open({.name = channel, .space = options_.space, .may_create = false},
                                             SINEW_START_NEWEST);
  if (!reader) return complain(channel, reader.error().message);
  const std::string who = channel.substr(channel.rfind('/') + 1);
  const auto priority = options_.priorities.find(who);
  owned_[place] = std::make_unique<ReferenceSource>(
      ReferenceSource{.reader = *std::move(reader),
                      .channel = channel,
                      .who = who,
                      .priority = priority == options_.priorities.end() ? 0 : priority->second});
  sources_[place].store(owned_[place].get(), std::memory_order_release);
  complaints_.erase(channel);
}

void Attendant::look_at_world() {
  // all but the newest have been let go by the cycle once it has taken that
  if (worlds_.size() > 1 && worlds_taken_.load(std::memory_order_acquire) == worlds_given_)
    worlds_.erase(worlds_.begin(), worlds_.end() - 1);
  if (!world_channel_) {
    auto opened = Reader<World>::open(
        {.name = options_.robot + "/world", .space = options_.space, .may_create = false});
    if (!opened) return;
    world_channel_ = *std::move(opened);
  }
  const auto frame = std::make_unique<Frame<World>>();
  const int status = world_channel_->read_fresh(*frame);
  if (status == SINEW_REMOVED) world_channel_.reset();
  if (status == SINEW_MISMATCH)
    return refuse_world(fmt::format("a message of {} bytes is no world", frame->info.size));
  if (status != SINEW_OK) return;
  const WorldInUse* before = worlds_.empty() ? nullptr : worlds_.back()->meaning.get();
  auto world = read_world(frame->message, model_, before);
  if (!world) return refuse_world(world.error().message);
  complaints_.erase("world");
  worlds_.push_back(std::make_unique<UnderstoodWorld>(
      UnderstoodWorld{.meaning = *std::move(world), .number = frame->info.sequence}));
  // one that the cycle has not taken yet is replaced
  if (next_world_.exchange(worlds_.back().get(), std::memory_order_acq_rel) == nullptr) ++worlds_given_;
}

// Every one counts; said is only what is new.
void Attendant::refuse_world(const std::string& message) {
  const std::uint64_t before = refusals_.load(std::memory_order_relaxed);
  complain("world", message);
  refusals_.store(before + 1, std::memory_order_relaxed);
}

void Attendant::save_stop() {
  if (stop_.load() == 0 || !last_seconds_) return;
  if (save_at_ns_ == 0) save_at_ns_ = monotonic_now_ns() + kSaveAfter_ns;
  if (monotonic_now_ns() < save_at_ns_) return;
  save_at_ns_ = 0;
  const auto reason = static_cast<StopReason>(stop_.exchange(0));
  const auto path = last_seconds_->save(reason_text(reason));
  if (!path) return complain("recordings", path.error().message);
  fmt::print(stderr, "controller: what led to the stop is in {}\n", *path);
  file_names_.push_back(std::make_unique<FileName>());
  set_text(*file_names_.back(), *path);
  recording_.store(file_names_.back().get());
}

void Attendant::complain(const std::string& about, const std::string& message) {
  Complaint& last = complaints_[about];
  const std::int64_t now_ns = monotonic_now_ns();
  // who alternates between two mistakes shall not fill the log
  if (last.message == message || now_ns - last.said_ns < kBetweenComplaints_ns) return;
  last = {.message = message, .said_ns = now_ns};
  refusals_.fetch_add(1, std::memory_order_relaxed);
  fmt::print(stderr, "controller: {}: {}\n", about, message);
}

}  // namespace sinew

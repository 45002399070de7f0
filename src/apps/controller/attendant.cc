// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/attendant.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/channels/inspect.h"

namespace sinew {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(20);

}  // namespace

Attendant::Attendant(const RobotModel& model, Options options) : model_(model), options_(std::move(options)) {
  // what is there already counts from the first cycle on
  look_for_sources();
  look_at_world();
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
  if (status != SINEW_OK) return;
  auto world = read_world(frame->message, model_);
  if (!world) return complain("world", world.error().message);
  complaints_.erase("world");
  worlds_.push_back(*std::move(world));
  // one that the cycle has not taken yet is replaced
  if (next_world_.exchange(worlds_.back().get(), std::memory_order_acq_rel) == nullptr) ++worlds_given_;
}

void Attendant::complain(const std::string& about, const std::string& message) {
  if (std::exchange(complaints_[about], message) == message) return;
  refusals_.fetch_add(1, std::memory_order_relaxed);
  fmt::print(stderr, "controller: {}: {}\n", about, message);
}

}  // namespace sinew

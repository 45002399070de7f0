// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/attendant.h"

#include <algorithm>
#include <chrono>
#include <iterator>
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

/// Looking at all channels of a space costs some milliseconds.
constexpr std::int64_t kBetweenRooms_ns = 200 * kMillisecond_ns;

/// Channels of programs that are gone, kept in mind.
constexpr std::size_t kMostRetired = 256;

/// About one thing.
constexpr std::int64_t kBetweenComplaints_ns = kSecond_ns;

// Unknown counts as alive.
bool has_living_writer(const channels::ChannelInfo& channel) {
  return std::ranges::any_of(channel.writers,
                             [](const auto& writer) { return writer.life != channels::Life::Dead; });
}

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
  for (Place& place : places_)
    if (place.given_back.load(std::memory_order_acquire) == place.generation.load(std::memory_order_relaxed))
      take_back(place);
  look_at_retired();
  const auto names = channels::channel_names(options_.space, options_.robot + "/ref");
  for (const std::string& name : names) {
    const bool is_known = retired_.contains(name) || std::ranges::any_of(places_, [&](const Place& place) {
                            return place.source && place.source->channel == name;
                          });
    if (is_known) continue;
    const auto free =
        std::ranges::find_if(places_, [](const Place& place) { return place.source == nullptr; });
    if (free == places_.end()) {
      // room that is being made is there at one of the next looks
      if (make_room()) return;
      complain(name,
               fmt::format("{} programs command the robot already; remove a channel {}/ref/… to make room",
                           kMaxSources, options_.robot));
      return;
    }
    open_source(*free, name);
  }
}

void Attendant::take_back(Place& place) {
  if (!place.source) return;
  const std::uint64_t generation = place.generation.load(std::memory_order_relaxed);
  // what it said long ago must not be heard as news when its channel is opened again
  if (place.wanted_back.load(std::memory_order_relaxed) == generation)
    retired_.emplace(place.source->channel, std::move(place.source->reader));
  place.source.reset();
}

void Attendant::look_at_retired() {
  Frame<JointReference> news;
  for (auto retired = retired_.begin(); retired != retired_.end();) {
    const bool has_news = retired->second.read_fresh(news) != SINEW_NOTHING_NEW;
    retired = has_news ? retired_.erase(retired) : std::next(retired);
  }
}

// Wants the place of a program back that is gone: of several the one heard last longest ago. False: all live.
bool Attendant::make_room() {
  const std::int64_t now_ns = monotonic_now_ns();
  if (now_ns - made_room_ns_ < kBetweenRooms_ns) return true;
  made_room_ns_ = now_ns;
  const auto listing = channels::list_channels(options_.space);
  if (!listing || retired_.size() >= kMostRetired) return false;
  Place* chosen = nullptr;
  std::int64_t heard_ns = 0;
  bool is_one_wanted = false;
  for (Place& place : places_) {
    const auto info =
        std::ranges::find(listing->channels, place.source->channel, &channels::ChannelInfo::name);
    if (info == listing->channels.end() || has_living_writer(*info)) continue;
    const std::uint64_t generation = place.generation.load(std::memory_order_relaxed);
    if (place.wanted_back.load(std::memory_order_relaxed) == generation) {
      is_one_wanted = true;
    } else if (chosen == nullptr || info->newest_stamp_ns < heard_ns) {
      chosen = &place;
      heard_ns = info->newest_stamp_ns;
    }
  }
  if (chosen != nullptr)
    chosen->wanted_back.store(chosen->generation.load(std::memory_order_relaxed), std::memory_order_relaxed);
  return chosen != nullptr || is_one_wanted;
}

void Attendant::open_source(Place& place, const std::string& channel) {
  // a reference put just before its channel was found is as good as one put now
  auto reader = Reader<JointReference>::open({.name = channel, .space = options_.space, .may_create = false},
                                             SINEW_START_NEWEST);
  if (!reader) return complain(channel, reader.error().message);
  Frame<JointReference> newest;
  const std::int64_t now_ns = monotonic_now_ns();
  const bool is_old =
      reader->read_at(now_ns, newest) == SINEW_OK && now_ns - newest.info.stamp_ns > options_.oldest_ns;
  if (is_old) static_cast<void>(reader->read_fresh(newest));
  const std::string who = channel.substr(channel.rfind('/') + 1);
  const auto priority = options_.priorities.find(who);
  place.source = std::make_unique<ReferenceSource>(
      ReferenceSource{.reader = *std::move(reader),
                      .channel = channel,
                      .who = who,
                      .priority = priority == options_.priorities.end() ? 0 : priority->second});
  place.generation.fetch_add(1, std::memory_order_release);
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

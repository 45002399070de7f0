// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/control/mux.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/schemas.h"
#include "sinew/model/robot_model.h"
#include "sinew/motion/world_reader.h"
#include "sinew/recording/last_seconds.h"

namespace sinew {

/// A program that commands joints, and its channel.
struct ReferenceSource {
  Reader<JointReference> reader;
  std::string channel;
  std::string who;
  int priority = 0;
};

/// A source in its place, and which one it is of those that have been there.
struct SourceInPlace {
  ReferenceSource* source = nullptr;
  std::uint64_t generation = 0;  ///< Never twice the same in one place; zero: none yet.
};

/// A world as the guard wants it.
struct UnderstoodWorld {
  std::unique_ptr<WorldInUse> meaning;
  std::uint64_t number = 0;  ///< Of the message on `world`.
};

/// Does beside the cycle what must not happen in it: finds and opens the channels `ref/<who>` as programs
/// come and go (when there is no place left, the one whose program is gone and was heard last long ago makes
/// room), makes sense of new worlds, and saves what led to a stop. Hands over without a lock.
class Attendant {
 public:
  struct Options {
    std::string robot;
    std::string space;
    std::map<std::string, int> priorities;  ///< By who; zero for others.
    std::string recordings;  ///< Folder for the last seconds before a stop; empty: none are kept.
    /// What was put longer ago than this when its channel is found was not meant for this controller.
    std::int64_t oldest_ns = 5 * kSecond_ns;
  };

  /// `model` must outlive this object.
  Attendant(const RobotModel& model, Options options);
  ~Attendant();
  Attendant(const Attendant&) = delete;
  Attendant& operator=(const Attendant&) = delete;

  /// For the cycle: the source in place `i`, or none. It stays until it is given back.
  SourceInPlace source(std::size_t i) const SINEW_REALTIME {
    const Place& place = places_[i];
    const std::uint64_t generation = place.generation.load(std::memory_order_acquire);
    // what was given back may be freed at any time: it is not even looked at
    if (generation == place.given_back.load(std::memory_order_relaxed)) return {};
    return {.source = place.source.get(), .generation = generation};
  }
  /// For the cycle: somebody waits for the place of that source, whose program is gone. To be given back
  /// once nothing is left to do of what it wanted.
  bool is_wanted_back(std::size_t i, std::uint64_t generation) const SINEW_REALTIME {
    return places_[i].wanted_back.load(std::memory_order_relaxed) == generation;
  }
  /// For the cycle: it will not touch that source again, as its channel is gone or it is wanted back. Others
  /// that have come into its place are not meant.
  void give_back(std::size_t i, std::uint64_t generation) SINEW_REALTIME {
    places_[i].given_back.store(generation, std::memory_order_release);
  }

  /// For the cycle: a world that it has not seen, or null. Once it has let go of the one before, it says so
  /// with let_go(); this one is kept until the next has been taken.
  const UnderstoodWorld* new_world() SINEW_REALTIME {
    return next_world_.exchange(nullptr, std::memory_order_acq_rel);
  }
  /// For the cycle: what was on `world` at the start could not be read.
  bool misses_world() const SINEW_REALTIME { return misses_world_; }
  void let_go() SINEW_REALTIME { worlds_taken_.fetch_add(1, std::memory_order_acq_rel); }

  /// For the cycle: the robot was stopped or has failed; what led to it is saved a little later, under the
  /// first reason of several until then: what comes after a stop often comes of it.
  void note_stop(StopReason reason) SINEW_REALTIME {
    std::uint32_t none = 0;
    stop_.compare_exchange_strong(none, static_cast<std::uint32_t>(reason));
  }
  using FileName = std::array<char, 128>;
  /// For the cycle: the file in which that was saved, when it has not been told yet; else null.
  const FileName* new_recording() SINEW_REALTIME { return recording_.exchange(nullptr); }

  /// Worlds and channels that could not be understood, since the start.
  std::uint64_t refusals() const SINEW_REALTIME { return refusals_.load(std::memory_order_relaxed); }

 private:
  /// Room for one source. The attendant touches `source` only while the cycle does not: before a generation
  /// begins, and after it was given back.
  struct Place {
    std::unique_ptr<ReferenceSource> source;
    std::atomic<std::uint64_t> generation{0};
    std::atomic<std::uint64_t> given_back{0};
    std::atomic<std::uint64_t> wanted_back{0};  // a generation
  };

  void run();
  void look_for_sources();
  void take_back(Place& place);
  void look_at_retired();
  bool make_room();
  void open_source(Place& place, const std::string& channel);
  void look_at_world();
  void refuse_world(const std::string& message);
  void save_stop();
  void complain(const std::string& about, const std::string& message);

  const RobotModel& model_;
  Options options_;
  std::array<Place, kMaxSources> places_;
  // by channel: sources that had to make room; with the next message they are back
  std::map<std::string, Reader<JointReference>> retired_;
  std::int64_t made_room_ns_ = -kSecond_ns;
  std::optional<Reader<World>> world_channel_;
  struct Complaint {
    std::string message;
    std::int64_t said_ns = -kSecond_ns;
  };
  std::map<std::string, Complaint> complaints_;  // by what they are about
  std::atomic<UnderstoodWorld*> next_world_{nullptr};
  std::vector<std::unique_ptr<UnderstoodWorld>> worlds_;
  std::atomic<std::uint64_t> worlds_taken_{0};
  std::uint64_t worlds_given_ = 0;
  bool misses_world_ = false;
  std::unique_ptr<recording::LastSeconds> last_seconds_;
  std::atomic<std::uint32_t> stop_{0};  // its reason; 0: none to be saved
  std::int64_t save_at_ns_ = 0;
  std::vector<std::unique_ptr<FileName>> file_names_;
  std::atomic<const FileName*> recording_{nullptr};
  std::atomic<std::uint64_t> refusals_{0};
  std::atomic<bool> is_ending_{false};
  std::thread thread_;
};

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "sinew/channels/sinew_channel.h"
#include "sinew/xach/ach.h"

/// What stands behind an ach_channel_t.
struct ach_handle {
  ~ach_handle();

  std::string space;
  std::string name;                        ///< Ours: "ach/mds-ref".
  sinew_reader* reader = nullptr;          ///< Never null in an open handle.
  sinew_writer* writer = nullptr;          ///< Null before the first put.
  std::mutex put_lock;                     ///< Ach lets several threads put through one handle.
  std::atomic<bool> is_cancelled = false;  ///< By ach_cancel(), and not by a signal.
};

namespace sinew::xach {

// What create.cc and handle.cc share.

/// The space that SINEW_SPACE names, or "default".
std::string space_of_environment();

/// "ach/mds-ref" for "mds-ref"; empty when Ach would not take the name either.
std::string channel_name(const char* ach_name);

/// How many frames are kept, how large one may be, and how many may write.
struct Dimensions {
  std::uint32_t capacity = 0;  ///< [bytes]
  std::uint32_t depth = 0;
  std::uint32_t writers = 0;
};

/// For Ach's two numbers; `capacity` is 0 when no channel can be that large.
Dimensions dimensions_for(std::size_t frame_count, std::size_t frame_size);

/// Ach's word for a status of ours.
ach_status status_from(int sinew_status);

/// Keeps `text` for ach_errstr() of this thread and answers `status`.
ach_status refuse(ach_status status, std::string_view text);

}  // namespace sinew::xach

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace sinew::channels {

/// Tells, for the price of one memory access, that the process has been forked since the mark was set: the
/// kernel clears the mark's page in the child. A child must not use its parent's place in a channel. Where
/// the system cannot clear pages for children (Linux before 4.14, some emulators) the price is one getpid().
class ForkMark {
 public:
  ForkMark();
  ~ForkMark();
  ForkMark(const ForkMark&) = delete;
  ForkMark& operator=(const ForkMark&) = delete;

  bool is_forked() const noexcept { return mark_ != nullptr ? *mark_ == 0 : is_other_process(); }
  void set() noexcept;

 private:
  bool is_other_process() const noexcept;

  volatile std::uint32_t* mark_ = nullptr;  ///< Null where the system cannot clear pages for children.
  int owner_ = 0;                           ///< Process that set the mark.
};

}  // namespace sinew::channels

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/fork_mark.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

namespace sinew::channels {
namespace {

constexpr std::size_t kPage = 4096;

}  // namespace

ForkMark::ForkMark() : owner_(getpid()) {
  void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  // an emulator that agrees to advice that does not exist does not follow the one that does
  const bool agrees_to_all = madvise(page, kPage, -1) == 0;
  if (agrees_to_all || madvise(page, kPage, MADV_WIPEONFORK) != 0) {
    munmap(page, kPage);
    return;
  }
  mark_ = static_cast<volatile std::uint32_t*>(page);
  *mark_ = 1;
}

ForkMark::~ForkMark() {
  if (mark_ != nullptr) munmap(const_cast<std::uint32_t*>(mark_), kPage);
}

void ForkMark::set() noexcept {
  if (mark_ != nullptr) *mark_ = 1;
  owner_ = getpid();
}

bool ForkMark::is_other_process() const noexcept {
  return getpid() != owner_;
}

}  // namespace sinew::channels

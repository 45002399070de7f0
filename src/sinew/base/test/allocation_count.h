// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Counts what a test program allocates. Replaces the global operators: include it in one .cc of the program.

#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t allocation_count = 0;

void* counted_allocation(std::size_t size) {
  ++allocation_count;
  return std::malloc(size > 0 ? size : 1);
}

}  // namespace

// replaced for the whole test program; inlined, they would look mismatched to the compiler
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* memory = counted_allocation(size);
  if (memory == nullptr) std::abort();
  return memory;
}
[[gnu::noinline]] void* operator new[](std::size_t size) {
  return operator new(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

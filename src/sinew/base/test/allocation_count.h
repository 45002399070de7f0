// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Counts what a test program takes from the heap and gives back to it, per thread: by new, by malloc and its
// kin, in our code and in libraries. Replaces global functions.

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <new>

inline constinit thread_local std::uint64_t allocation_count = 0;
inline constinit thread_local std::uint64_t release_count = 0;

// all below is weak, so that several files of a program may include it

// sanitizers have a heap of their own, and elsewhere than in glibc there is nobody to pass calls on to: there
// only new and delete are seen
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

inline constexpr bool kCountsMalloc = true;

// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming): glibc's own names for its heap
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);

[[gnu::weak]] void* malloc(std::size_t size) noexcept {
  ++allocation_count;
  return __libc_malloc(size);
}
[[gnu::weak]] void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocation_count;
  return __libc_calloc(count, size);
}
[[gnu::weak]] void* realloc(void* memory, std::size_t size) noexcept {
  ++allocation_count;
  return __libc_realloc(memory, size);
}
[[gnu::weak]] void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++allocation_count;
  return __libc_memalign(alignment, size);
}
[[gnu::weak]] void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++allocation_count;
  return __libc_memalign(alignment, size);
}
[[gnu::weak]] int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  ++allocation_count;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
[[gnu::weak]] void free(void* memory) noexcept {
  if (memory != nullptr) ++release_count;
  __libc_free(memory);
}
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

#else

inline constexpr bool kCountsMalloc = false;

[[gnu::weak]] void* operator new(std::size_t size) {
  ++allocation_count;
  void* memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) std::abort();
  return memory;
}
[[gnu::weak]] void* operator new[](std::size_t size) {
  return operator new(size);
}
[[gnu::weak]] void operator delete(void* memory) noexcept {
  ++release_count;
  std::free(memory);
}
[[gnu::weak]] void operator delete[](void* memory) noexcept {
  operator delete(memory);
}
[[gnu::weak]] void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}
[[gnu::weak]] void operator delete[](void* memory, std::size_t) noexcept {
  operator delete(memory);
}

#endif

// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lab/solution_limits.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>

namespace sinew::lab {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;  // none matches: nothing is run
#endif

// Calls that answer "not permitted".
constexpr std::array kForbidden{
#ifdef __NR_fork
    __NR_fork,
#endif
#ifdef __NR_vfork
    __NR_vfork,
#endif
    __NR_socket,
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_kill,
    __NR_tkill,
    __NR_rt_sigqueueinfo,
    __NR_rt_tgsigqueueinfo,
    __NR_pidfd_open,
    __NR_pidfd_send_signal,
    __NR_io_uring_setup,
    __NR_unshare,
    __NR_setns,
    __NR_mount,
    __NR_bpf,
    __NR_setrlimit};

/// A program for the system's filter of calls, written instruction by instruction.
class CallFilter {
 public:
  void load(std::uint32_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
  void answer(std::uint32_t with) { add(BPF_RET | BPF_K, with); }
  /// When what was loaded equals `value`, the next `count` instructions are done, else skipped.
  void only_if_equal(std::uint32_t value, std::uint8_t count) {
    jump(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count);
  }
  void skip_if_equal(std::uint32_t value, std::uint8_t count) {
    jump(BPF_JMP | BPF_JEQ | BPF_K, value, count, 0);
  }
  void skip_if_any(std::uint32_t bits, std::uint8_t count) {
    jump(BPF_JMP | BPF_JSET | BPF_K, bits, count, 0);
  }

  bool install() {
    sock_fprog program{.len = static_cast<unsigned short>(size_), .filter = code_.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  void add(unsigned code, std::uint32_t value) { jump(code, value, 0, 0); }
  void jump(unsigned code, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
    code_[size_++] = {static_cast<std::uint16_t>(code), if_true, if_false, value};
  }
  std::array<sock_filter, 128> code_{};
  std::size_t size_ = 0;
};

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kNotPermitted = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t kNoSuchCall = SECCOMP_RET_ERRNO | ENOSYS;
constexpr std::uint32_t kNumber = offsetof(seccomp_data, nr);

// The lower half of a call's argument; both our machines have the lower half first.
constexpr std::uint32_t argument(std::uint32_t i) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args)) + 8 * i;
}

bool filter_calls() {
  CallFilter filter;
  filter.load(offsetof(seccomp_data, arch));
  filter.skip_if_equal(kArchitecture, 1);
  filter.answer(SECCOMP_RET_KILL_PROCESS);
  filter.load(kNumber);
  for (const int call : kForbidden) {
    filter.only_if_equal(static_cast<std::uint32_t>(call), 1);
    filter.answer(kNotPermitted);
  }
  // its flags lie in memory, where no filter can look: the C library then takes clone
  filter.only_if_equal(__NR_clone3, 1);
  filter.answer(kNoSuchCall);
  // threads, but no processes
  filter.only_if_equal(__NR_clone, 4);
  filter.load(argument(0));
  filter.skip_if_any(CLONE_THREAD, 1);
  filter.answer(kNotPermitted);
  filter.answer(kAllow);
  // signals to itself, as abort() sends them
  filter.only_if_equal(__NR_tgkill, 4);
  filter.load(argument(0));
  filter.skip_if_equal(static_cast<std::uint32_t>(getpid()), 1);
  filter.answer(kNotPermitted);
  filter.answer(kAllow);
  // limits may be read, not set
  filter.only_if_equal(__NR_prlimit64, 4);
  filter.load(argument(2));
  filter.skip_if_equal(0, 1);
  filter.answer(kNotPermitted);
  filter.answer(kAllow);
#if defined(__x86_64__)
  constexpr std::uint32_t kOtherCalls = 0x40000000;  // those of x32
  filter.skip_if_any(kOtherCalls, 1);
  filter.answer(kAllow);
  filter.answer(kNotPermitted);
#else
  filter.answer(kAllow);
#endif
  return filter.install();
}

template <class Resource>
bool limit(Resource resource, std::uint64_t most) {
  const rlimit bound{.rlim_cur = most, .rlim_max = most};
  return setrlimit(resource, &bound) == 0;
}

}  // namespace

bool give_up_rights(const SolutionLimits& limits) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && limit(RLIMIT_AS, limits.memory) &&
         limit(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(limits.seconds_in_all))) &&
         limit(RLIMIT_FSIZE, limits.file_size) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, 64) &&
         filter_calls();
}

}  // namespace sinew::lab

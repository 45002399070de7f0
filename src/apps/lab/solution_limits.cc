// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lab/solution_limits.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <system_error>

#include "apps/lab/forbidden_calls.h"

namespace sinew::lab {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;  // none matches: nothing is run
#endif

constexpr std::uint32_t kOwnUser = 1'900'000'000;  // and the process's number: nobody else's
constexpr std::uint32_t kNobody = 65534;

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
  void only_if_above(std::uint32_t value, std::uint8_t count) {
    jump(BPF_JMP | BPF_JGT | BPF_K, value, 0, count);
  }
  void refuse(std::span<const int> calls) {
    for (const int call : calls) {
      only_if_equal(static_cast<std::uint32_t>(call), 1);
      answer(SECCOMP_RET_ERRNO | EPERM);
    }
  }
  /// An argument of call `number` with any of these bits is refused, else the call is allowed.
  void refuse_bits(int number, std::uint32_t place, std::uint32_t bits) {
    only_if_equal(static_cast<std::uint32_t>(number), 4);
    load(place);
    skip_if_any(bits, 1);
    answer(SECCOMP_RET_ALLOW);
    answer(SECCOMP_RET_ERRNO | EPERM);
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
  std::array<sock_filter, 512> code_{};
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

// Without Landlock, no file is opened for writing at all.
void refuse_writing(CallFilter& filter) {
  constexpr std::uint32_t kWrites = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  filter.refuse_bits(__NR_openat, argument(2), kWrites);
#ifdef __NR_open
  filter.refuse_bits(__NR_open, argument(1), kWrites);
#endif
}

// Of these calls some uses are allowed.
void bound_calls(CallFilter& filter) {
  // their arguments lie in memory, where no filter can look: the C library then takes clone and openat
  for (const int call : {__NR_clone3, __NR_openat2}) {
    filter.only_if_equal(static_cast<std::uint32_t>(call), 1);
    filter.answer(kNoSuchCall);
  }
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
  filter.only_if_equal(__NR_prlimit64, 7);
  for (const std::uint32_t half : {0U, 4U}) {
    filter.load(argument(2) + half);
    filter.skip_if_equal(0, 1);
    filter.answer(kNotPermitted);
  }
  filter.answer(kAllow);
  // it dies with the grader
  filter.only_if_equal(__NR_prctl, 4);
  filter.load(argument(0));
  filter.only_if_equal(PR_SET_PDEATHSIG, 1);
  filter.answer(kNotPermitted);
  filter.answer(kAllow);
}

bool filter_calls(bool may_open_for_writing) {
  CallFilter filter;
  filter.load(offsetof(seccomp_data, arch));
  filter.skip_if_equal(kArchitecture, 1);
  filter.answer(SECCOMP_RET_KILL_PROCESS);
  filter.load(kNumber);
  // also those of x32, whose numbers are large
  filter.only_if_above(kNewestCall, 1);
  filter.answer(kNoSuchCall);
  filter.refuse(kForbiddenCalls);
  filter.refuse(kOlderForbiddenCalls);
  if (!may_open_for_writing) refuse_writing(filter);
  bound_calls(filter);
  filter.answer(kAllow);
  return filter.install();
}

// No capability but that of reading what others own, which is left to file rights: a teacher who is root
// grades what lies in folders of root.
bool keep_only_reading() {
  constexpr std::uint32_t kReading = 1U << CAP_DAC_READ_SEARCH;
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> rights{};
  rights[0] = {.effective = kReading, .permitted = kReading, .inheritable = kReading};
  if (syscall(__NR_capset, &header, rights.data()) == 0 &&
      prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0) == 0)
    return true;
  rights = {};
  return syscall(__NR_capset, &header, rights.data()) == 0;
}

bool become_user(std::uint32_t user) {
  return syscall(__NR_setresgid, user, user, user) == 0 && syscall(__NR_setresuid, user, user, user) == 0;
}

// Root becomes a user that nobody else is; where there is none to become, it keeps the name but no rights.
bool leave_root() {
  if (geteuid() != 0) return true;
  prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
  static_cast<void>(syscall(__NR_setgroups, 0, nullptr));
  if (!become_user(kOwnUser + static_cast<std::uint32_t>(getpid()))) static_cast<void>(become_user(kNobody));
  return keep_only_reading();
}

template <class Resource>
bool limit(Resource resource, std::uint64_t most) {
  const rlimit bound{.rlim_cur = most, .rlim_max = most};
  return setrlimit(resource, &bound) == 0;
}

// Those of this user, as the system counts them: threads.
std::uint64_t tasks_of_user() {
  std::uint64_t count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    struct stat process {};
    struct stat tasks {};
    const std::string path = entry->path().string();
    if (stat(path.c_str(), &process) != 0 || process.st_uid != getuid()) continue;
    if (stat((path + "/task").c_str(), &tasks) == 0) count += tasks.st_nlink - 2;
  }
  return count;
}

}  // namespace

SolutionPlace solution_place(const std::filesystem::path& file) {
  SolutionPlace place{.readable = readable_beside(file)};
  // root becomes a user without any
  if (geteuid() != 0) place.tasks = tasks_of_user();
  return place;
}

bool give_up_rights(const SolutionLimits& limits, const SolutionPlace& place) {
  const bool bounds_reading = limits.bounds_reading && can_bound_files();
  return leave_root() && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && limit(RLIMIT_AS, limits.memory) &&
         limit(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(limits.seconds_in_all))) &&
         limit(RLIMIT_FSIZE, limits.file_size) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, 64) &&
         limit(RLIMIT_NPROC, place.tasks + limits.threads) &&
         (!bounds_reading || bound_files(place.readable)) && filter_calls(bounds_reading);
}

}  // namespace sinew::lab

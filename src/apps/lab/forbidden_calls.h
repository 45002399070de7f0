// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/syscall.h>

#include <array>

namespace sinew::lab {

/// Calls of the system that answer "not permitted" to a solution, whoever runs it: they start, look into or
/// signal processes, reach other machines, change files, or change the machine itself. No exercise needs one.
inline constexpr std::array kForbiddenCalls{
    // processes, and what outlives them
    __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_process_madvise, __NR_process_mrelease,
    __NR_kcmp, __NR_kill, __NR_tkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_pidfd_open,
    __NR_pidfd_getfd, __NR_pidfd_send_signal, __NR_shmget, __NR_msgget, __NR_semget, __NR_mq_open,
    // other machines, and calls made by the kernel in our name
    __NR_socket, __NR_io_uring_setup, __NR_bpf, __NR_userfaultfd, __NR_perf_event_open, __NR_fanotify_init,
    __NR_add_key, __NR_request_key, __NR_keyctl,
    // whose rights we have, and how much of the machine
    __NR_setuid, __NR_setgid, __NR_setreuid, __NR_setregid, __NR_setresuid, __NR_setresgid, __NR_setfsuid,
    __NR_setfsgid, __NR_setgroups, __NR_capset, __NR_setrlimit, __NR_setpriority, __NR_ioprio_set,
    __NR_sched_setscheduler, __NR_sched_setparam, __NR_sched_setattr, __NR_personality,
    // files: none is made, removed or changed
    __NR_unlinkat, __NR_renameat2, __NR_mkdirat, __NR_mknodat, __NR_linkat, __NR_symlinkat, __NR_truncate,
    __NR_fchmod, __NR_fchmodat, __NR_fchown, __NR_fchownat, __NR_utimensat, __NR_setxattr, __NR_lsetxattr,
    __NR_fsetxattr, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr, __NR_name_to_handle_at,
    __NR_open_by_handle_at,
    // the machine
    __NR_unshare, __NR_setns, __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_open_tree,
    __NR_move_mount, __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick, __NR_mount_setattr, __NR_swapon,
    __NR_swapoff, __NR_quotactl, __NR_quotactl_fd, __NR_acct, __NR_sethostname, __NR_setdomainname,
    __NR_syslog, __NR_vhangup, __NR_reboot, __NR_kexec_load, __NR_kexec_file_load, __NR_init_module,
    __NR_finit_module, __NR_delete_module, __NR_clock_settime, __NR_clock_adjtime, __NR_settimeofday,
    __NR_adjtimex};

/// Older forms of the same, which not every machine has.
inline constexpr std::array kOlderForbiddenCalls {
#if defined(__x86_64__)
  __NR_fork, __NR_vfork, __NR_unlink, __NR_rmdir, __NR_rename, __NR_renameat, __NR_mkdir, __NR_mknod,
      __NR_link, __NR_symlink, __NR_creat, __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes,
      __NR_futimesat, __NR_iopl, __NR_ioperm, __NR_modify_ldt
#else
  __NR_renameat
#endif
};

/// Calls that came after this one are not known to the list, and answer "no such call".
inline constexpr int kNewestCall = 450;

}  // namespace sinew::lab

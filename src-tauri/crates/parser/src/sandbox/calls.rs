//! Restricts the system calls of the parser by seccomp. Calls on the list of allowed calls work. Every other call is
//! refused with an error.
//!
//! There are two errors. A call on no list gives "function not implemented", so that a library can try an older call
//! instead. A call on the list of forbidden calls gives "operation not permitted". The program can still end with a
//! message, because both are errors and not signals. A call for another processor architecture (32 bits) kills the
//! process.

use lexforge_ingest::sandbox::Granted;
use libc::*;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;

/// Calls for memory, threads and time, for files that are open already, and for opening files to read them.
#[rustfmt::skip]
const ANSWERED: &[c_long] = &[
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_close, SYS_close_range,
    SYS_openat, SYS_newfstatat, SYS_fstat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_faccessat2,
    SYS_readlinkat, SYS_getdents64, SYS_getcwd, SYS_fcntl, SYS_ioctl, SYS_fadvise64, SYS_dup, SYS_dup3, SYS_pipe2,
    SYS_ppoll, SYS_pselect6, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_msync, SYS_mincore,
    SYS_mlock, SYS_munlock, SYS_brk, SYS_clone, SYS_exit, SYS_exit_group, SYS_futex, SYS_futex_waitv,
    SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_rseq, SYS_membarrier, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler, SYS_getcpu, SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_tgkill,
    SYS_restart_syscall, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday,
    SYS_times, SYS_getrusage, SYS_prlimit64, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid,
    SYS_getegid, SYS_getgroups, SYS_getpgid, SYS_getsid, SYS_uname, SYS_sysinfo, SYS_getrandom, SYS_prctl,
    // To shut itself off once more, from more.
    SYS_seccomp, SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self,
];

/// Further calls, with names that only this architecture has.
#[rustfmt::skip]
#[cfg(target_arch = "x86_64")]
const ANSWERED_HERE: &[c_long] = &[
    SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_dup2, SYS_pipe, SYS_poll, SYS_select,
    SYS_getrlimit, SYS_setrlimit, SYS_getpgrp, SYS_time, SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
const ANSWERED_HERE: &[c_long] = &[];

/// Starting a program and waiting for it.
#[rustfmt::skip]
const FOR_A_PROGRAM: &[c_long] = &[
    SYS_execve, SYS_wait4, SYS_waitid, SYS_kill, SYS_pidfd_open, SYS_pidfd_send_signal,
    #[cfg(target_arch = "x86_64")]
    SYS_fork,
    #[cfg(target_arch = "x86_64")]
    SYS_vfork,
];

/// Calls that are forbidden, whatever their arguments.
#[rustfmt::skip]
const FORBIDDEN: &[c_long] = &[
    // The network, and sockets of this machine.
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_sendmsg,
    SYS_recvfrom, SYS_recvmsg,
    // Ways around a list of calls.
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_memfd_create, SYS_execveat,
    // Other processes.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_kcmp,
    // The machine.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_bpf, SYS_perf_event_open, SYS_keyctl,
    SYS_add_key, SYS_request_key, SYS_userfaultfd, SYS_open_by_handle_at,
    // Changing files.
    SYS_truncate, SYS_ftruncate, SYS_fallocate, SYS_mkdirat, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat,
    SYS_mknodat, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr,
    #[cfg(target_arch = "x86_64")]
    SYS_creat,
    #[cfg(target_arch = "x86_64")]
    SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    SYS_rmdir,
    #[cfg(target_arch = "x86_64")]
    SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    SYS_rename,
    #[cfg(target_arch = "x86_64")]
    SYS_link,
    #[cfg(target_arch = "x86_64")]
    SYS_symlink,
    #[cfg(target_arch = "x86_64")]
    SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    SYS_chown,
    #[cfg(target_arch = "x86_64")]
    SYS_lchown,
];

/// Opening that is not only to read.
const WRITING: [c_int; 4] = [O_WRONLY, O_RDWR, O_CREAT, O_TRUNC];
/// Requests for a new namespace, in which the process could have rights that it does not have here.
const WORLDS: [c_int; 7] = [
    CLONE_NEWNS,
    CLONE_NEWCGROUP,
    CLONE_NEWUTS,
    CLONE_NEWIPC,
    CLONE_NEWUSER,
    CLONE_NEWPID,
    CLONE_NEWNET,
];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Lets the kernel answer only what reading needs, and the start of programs where one may be started.
pub(super) fn close(programs: bool) -> Granted {
    match restrict(programs) {
        Ok(()) => Granted::Whole,
        Err(error) => Granted::Refused(error.to_string()),
    }
}

fn restrict(programs: bool) -> seccompiler::Result<()> {
    let errno = |number: c_int| SeccompAction::Errno(number.unsigned_abs());
    let answered = filter(answered(programs)?, errno(ENOSYS), SeccompAction::Allow)?;
    let refused = filter(refused()?, SeccompAction::Allow, errno(EPERM))?;
    // If two filters refuse a call, the kernel uses the answer of the filter that was added last.
    seccompiler::apply_filter(&answered)?;
    seccompiler::apply_filter(&refused)
}

fn filter(
    rules: Rules,
    otherwise: SeccompAction,
    then: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    let architecture = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, otherwise, then, architecture)?.try_into()
}

fn answered(programs: bool) -> Result<Rules, BackendError> {
    let for_programs = if programs { FOR_A_PROGRAM } else { &[] };
    let mut rules: Rules = [ANSWERED, ANSWERED_HERE, for_programs]
        .concat()
        .into_iter()
        .map(|call| (call, Vec::new()))
        .collect();
    if !programs {
        rules.insert(SYS_clone, vec![all_of(0, CLONE_THREAD)?]);
    }
    Ok(rules)
}

fn refused() -> Result<Rules, BackendError> {
    let mut rules: Rules = FORBIDDEN.iter().map(|call| (*call, Vec::new())).collect();
    let any_of = |argument, flags: &[c_int]| {
        flags
            .iter()
            .map(|flag| all_of(argument, *flag))
            .collect::<Result<Vec<_>, _>>()
    };
    rules.insert(SYS_openat, any_of(2, &WRITING)?);
    #[cfg(target_arch = "x86_64")]
    rules.insert(SYS_open, any_of(1, &WRITING)?);
    rules.insert(SYS_clone, any_of(0, &WORLDS)?);
    // Typing into the terminal that the program was started from.
    rules.insert(
        SYS_ioctl,
        vec![
            rule(1, SeccompCmpOp::Eq, TIOCSTI)?,
            rule(1, SeccompCmpOp::Eq, TIOCLINUX)?,
        ],
    );
    // The limits of another process.
    rules.insert(SYS_prlimit64, vec![rule(0, SeccompCmpOp::Ne, 0)?]);
    Ok(rules)
}

/// The rule that an argument must have all bits of a mask.
fn all_of(argument: u8, mask: c_int) -> Result<SeccompRule, BackendError> {
    let mask = u64::from(mask.cast_unsigned());
    rule(argument, SeccompCmpOp::MaskedEq(mask), mask)
}

fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, BackendError> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?;
    SeccompRule::new(vec![condition])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_both_answered_and_forbidden() {
        let answered = answered(true).unwrap();
        let both: Vec<_> = FORBIDDEN
            .iter()
            .filter(|call| answered.contains_key(call))
            .collect();
        assert!(both.is_empty(), "{both:?}");
    }

    #[test]
    fn no_program_can_be_started_where_none_is_needed() {
        let (without, with) = (answered(false).unwrap(), answered(true).unwrap());
        for call in FOR_A_PROGRAM {
            assert!(
                !without.contains_key(call) && with.contains_key(call),
                "{call}"
            );
        }
        assert_eq!((without[&SYS_clone].len(), with[&SYS_clone].len()), (1, 0));
    }
}

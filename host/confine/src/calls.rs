//! The filter of system calls.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Compare,
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

use crate::Error;

/// Calls that a server of sandboxes never makes, with `EPERM` as the answer.
const REFUSED: &[libc::c_long] = &[
    // Programs, and what looks into other processes or moves this one.
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_chroot,
    libc::SYS_personality,
    // Users.
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setgroups,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_capset,
    // Mounts, and files beside their paths.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    // The kernel and the machine.
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
];

/// The bits of a socket's type that are no flags.
const KIND: u64 = 0xf;

/// Filters the calls of this thread and of those that it starts; false where no filter is known for this processor.
pub(crate) fn filter(connecting: bool) -> Result<bool, Error> {
    let Ok(target) = TargetArch::try_from(std::env::consts::ARCH) else {
        return Ok(false);
    };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    // A new process is what shares no threads' group. The flags of `clone3` lie in memory, where no filter looks: as
    // if the kernel did not know it, libc takes `clone`.
    let thread = number(libc::CLONE_THREAD);
    rules.insert(
        libc::SYS_clone,
        vec![rule(vec![(0, Compare::MaskedEq(thread), 0)])?],
    );
    rules.insert(libc::SYS_socket, sockets(connecting)?);
    if !connecting {
        // Opening a connection with the first bytes passes Landlock by.
        for (call, flags) in [
            (libc::SYS_sendto, 3),
            (libc::SYS_sendmsg, 2),
            (libc::SYS_sendmmsg, 3),
        ] {
            let fast = number(libc::MSG_FASTOPEN);
            rules.insert(
                call,
                vec![rule(vec![(flags, Compare::MaskedEq(fast), fast)])?],
            );
        }
    }
    let unknown = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    for (rules, answer) in [(rules, libc::EPERM), (unknown, libc::ENOSYS)] {
        let action = SeccompAction::Errno(answer.cast_unsigned());
        let program: BpfProgram = SeccompFilter::new(rules, SeccompAction::Allow, action, target)
            .and_then(BpfProgram::try_from)
            .map_err(refused)?;
        apply_filter(&program).map_err(refused)?;
    }
    Ok(true)
}

/// The sockets that are refused. Those of Unix always are, since Landlock does not close the ones that have a path: an
/// engine for containers listens at one.
fn sockets(connecting: bool) -> Result<Vec<SeccompRule>, Error> {
    let families: &[libc::c_int] = match connecting {
        // `getaddrinfo` asks the kernel for addresses by `AF_NETLINK`.
        true => &[libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK],
        false => &[libc::AF_INET, libc::AF_INET6],
    };
    let others = families
        .iter()
        .map(|family| (0, Compare::Ne, number(*family)));
    let mut refused = vec![rule(others.collect())?];
    for family in [libc::AF_INET, libc::AF_INET6] {
        let mut refuse = |argument, compare, value| {
            let own = (0, Compare::Eq, number(family));
            refused.push(rule(vec![own, (argument, compare, number(value))])?);
            Ok::<_, Error>(())
        };
        refuse(1, Compare::MaskedEq(KIND), libc::SOCK_RAW)?;
        if !connecting {
            // Landlock closes ports of TCP alone: no datagrams, and no stream that another protocol carries.
            refuse(1, Compare::MaskedEq(KIND), libc::SOCK_DGRAM)?;
            refuse(2, Compare::Gt, libc::IPPROTO_TCP)?;
        }
    }
    Ok(refused)
}

/// A constant of libc as the kernel compares it.
fn number(value: libc::c_int) -> u64 {
    u64::from(value.cast_unsigned())
}

/// All of these hold: an argument by its place, how it is compared, and with what.
fn rule(conditions: Vec<(u8, Compare, u64)>) -> Result<SeccompRule, Error> {
    let conditions: Result<Vec<_>, _> = conditions
        .into_iter()
        .map(|(place, compare, value)| {
            SeccompCondition::new(place, Length::Dword, compare, value).map_err(refused)
        })
        .collect();
    SeccompRule::new(conditions?).map_err(refused)
}

fn refused(error: impl std::fmt::Display) -> Error {
    Error::Refused(error.to_string())
}

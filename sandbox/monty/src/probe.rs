//! Tries one forbidden act after the lock-down, so that the escape suite sees what the kernel says to it.
//!
//! Exit 0 means that the act worked: an escape. Exit 1 means that it was refused. Most acts end in a SIGSYS before that.

use std::{io, process::ExitCode, ptr};

/// The name is not one of a probe.
const EXIT_UNKNOWN: u8 = 2;

pub(crate) fn run(name: &str) -> ExitCode {
    let path = c"/etc/hostname".as_ptr();
    let nothing = ptr::null_mut::<libc::c_void>();
    let page = 4096_usize;
    let anonymous = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    let writable = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: each call gets plain integers, null, or a pointer to a literal; the process ends right after.
    let result = unsafe {
        match name {
            // Proves that a probe can succeed at all: without it, a broken probe would look like a wall.
            "getpid" => libc::syscall(libc::SYS_getpid),
            "mmap_data" => libc::mmap(nothing, page, writable, anonymous, -1, 0) as libc::c_long,
            "socket" => libc::syscall(libc::SYS_socket, libc::AF_INET, libc::SOCK_STREAM, 0),
            "socketpair" => libc::syscall(libc::SYS_socketpair, libc::AF_UNIX, libc::SOCK_STREAM, 0, 0),
            "connect" => libc::syscall(libc::SYS_connect, 0, nothing, 0),
            "bind" => libc::syscall(libc::SYS_bind, 0, nothing, 0),
            "openat" => libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path, libc::O_RDONLY),
            "openat2" => libc::syscall(libc::SYS_openat2, libc::AT_FDCWD, path, nothing, 0),
            "memfd_create" => libc::syscall(libc::SYS_memfd_create, path, 0),
            "clone" => libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0),
            "clone3" => libc::syscall(libc::SYS_clone3, nothing, 0),
            "execve" => libc::syscall(libc::SYS_execve, c"/bin/true".as_ptr(), nothing, nothing),
            "execveat" => {
                libc::syscall(libc::SYS_execveat, libc::AT_FDCWD, c"/bin/true".as_ptr(), nothing, nothing, 0)
            }
            "ptrace" => libc::syscall(libc::SYS_ptrace, libc::PTRACE_TRACEME, 0, 0, 0),
            "process_vm_readv" => libc::syscall(libc::SYS_process_vm_readv, 1, nothing, 0, nothing, 0, 0),
            "kill" => libc::syscall(libc::SYS_kill, 1, 0),
            "mmap_exec" => {
                libc::mmap(nothing, page, writable | libc::PROT_EXEC, anonymous, -1, 0) as libc::c_long
            }
            "mmap_file" => {
                libc::mmap(nothing, page, libc::PROT_READ, libc::MAP_PRIVATE, 0, 0) as libc::c_long
            }
            "mprotect_exec" => {
                let at = libc::mmap(nothing, page, writable, anonymous, -1, 0);
                libc::mprotect(at, page, libc::PROT_READ | libc::PROT_EXEC).into()
            }
            "dup" => libc::syscall(libc::SYS_dup, 1),
            "read_other" => libc::syscall(libc::SYS_read, 5, nothing, 0),
            "write_other" => libc::syscall(libc::SYS_write, 5, nothing, 0),
            "ioctl" => libc::syscall(libc::SYS_ioctl, 0, libc::TIOCSTI, c"x".as_ptr()),
            "prctl" => libc::syscall(libc::SYS_prctl, libc::PR_SET_DUMPABLE, 1, 0, 0, 0),
            "prlimit64" => libc::syscall(libc::SYS_prlimit64, 0, libc::RLIMIT_AS, nothing, nothing),
            "seccomp" => libc::syscall(libc::SYS_seccomp, 0, 0, 0),
            "setuid" => libc::syscall(libc::SYS_setuid, 0),
            "unshare" => libc::syscall(libc::SYS_unshare, libc::CLONE_NEWUSER),
            "mount" => libc::syscall(libc::SYS_mount, path, path, path, 0, 0),
            "chroot" => libc::syscall(libc::SYS_chroot, path),
            "unlinkat" => libc::syscall(libc::SYS_unlinkat, libc::AT_FDCWD, path, 0),
            "getdents64" => libc::syscall(libc::SYS_getdents64, 0, nothing, 0),
            "io_uring_setup" => libc::syscall(libc::SYS_io_uring_setup, 1, nothing),
            "bpf" => libc::syscall(libc::SYS_bpf, 0, nothing, 0),
            "keyctl" => libc::syscall(libc::SYS_keyctl, 0, 0, 0, 0, 0),
            "perf_event_open" => libc::syscall(libc::SYS_perf_event_open, nothing, 0, -1, -1, 0),
            "userfaultfd" => libc::syscall(libc::SYS_userfaultfd, 0),
            "nanosleep" => libc::syscall(libc::SYS_nanosleep, nothing, nothing),
            _ => return ExitCode::from(EXIT_UNKNOWN),
        }
    };
    let refused = matches!(io::Error::last_os_error().raw_os_error(), Some(libc::EPERM | libc::EACCES));
    if result == -1 && refused { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

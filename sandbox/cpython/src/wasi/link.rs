//! The functions by the names and shapes that the interpreter imports. It takes preview 1, and only what is here.

use wasmtime::{Caller, Linker};

use super::{
    errno::{Errno, code},
    system,
};
use crate::guest::{State, Stop};

const MODULE: &str = "wasi_snapshot_preview1";
const PROGRAM: &str = "/usr/local/bin/python.wasm";
const ARGS: &[&str] = &[PROGRAM, "-c", include_str!("../bootstrap.py")];
/// One nanosecond.
const RESOLUTION: u64 = 1;

type Host<'a> = Caller<'a, State>;

pub(crate) fn add(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    process(linker)?;
    descriptors(linker)?;
    paths(linker)?;
    refused(linker)
}

fn process(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    linker.func_wrap(MODULE, "args_get", |guest: Host<'_>, pointers: u32, text: u32| {
        code(system::args(guest, ARGS, pointers, text))
    })?;
    linker.func_wrap(MODULE, "args_sizes_get", |guest: Host<'_>, count: u32, length: u32| {
        code(system::args_sizes(guest, ARGS, count, length))
    })?;
    linker.func_wrap(MODULE, "environ_get", |_: u32, _: u32| 0)?;
    linker.func_wrap(MODULE, "environ_sizes_get", |guest: Host<'_>, count: u32, length: u32| {
        code(system::args_sizes(guest, &[], count, length))
    })?;
    linker.func_wrap(MODULE, "clock_res_get", |guest: Host<'_>, _: u32, out: u32| {
        code(system::put_number(guest, out, RESOLUTION))
    })?;
    linker.func_wrap(MODULE, "clock_time_get", |guest: Host<'_>, id: u32, _: u64, out: u32| {
        code(system::clock(guest, id, out))
    })?;
    linker.func_wrap(
        MODULE,
        "poll_oneoff",
        |guest: Host<'_>, from: u32, to: u32, count: u32, out: u32| -> wasmtime::Result<i32> {
            Ok(code(system::poll(guest, from, to, count, out)?))
        },
    )?;
    linker.func_wrap(MODULE, "proc_exit", |status: i32| -> wasmtime::Result<()> {
        Err(Stop::Exit(status).into())
    })?;
    linker.func_wrap(MODULE, "sched_yield", || 0)?;
    linker.func_wrap(MODULE, "random_get", |guest: Host<'_>, at: u32, length: u32| {
        code(system::random(guest, at, length))
    })?;
    Ok(())
}

fn descriptors(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    linker.func_wrap(MODULE, "fd_advise", |_: u32, _: u64, _: u64, _: u32| 0)?;
    linker.func_wrap(MODULE, "fd_close", |mut guest: Host<'_>, fd: u32| {
        code(guest.data_mut().files.close(fd))
    })?;
    linker.func_wrap(MODULE, "fd_datasync", |_: u32| 0)?;
    linker.func_wrap(MODULE, "fd_sync", |_: u32| 0)?;
    linker.func_wrap(MODULE, "fd_fdstat_get", |guest: Host<'_>, fd: u32, out: u32| {
        code(system::fdstat(guest, fd, out))
    })?;
    linker.func_wrap(MODULE, "fd_fdstat_set_flags", |_: u32, _: u32| code(Err(Errno::NotSupported)))?;
    linker.func_wrap(MODULE, "fd_filestat_get", |guest: Host<'_>, fd: u32, out: u32| {
        code(system::stat(guest, fd, out))
    })?;
    linker.func_wrap(MODULE, "fd_prestat_get", |guest: Host<'_>, fd: u32, out: u32| {
        code(system::prestat(guest, fd, out))
    })?;
    linker.func_wrap(MODULE, "fd_prestat_dir_name", |guest: Host<'_>, fd: u32, at: u32, length: u32| {
        code(system::prestat_name(guest, fd, at, length))
    })?;
    linker.func_wrap(MODULE, "fd_read", |guest: Host<'_>, fd: u32, at: u32, count: u32, out: u32| {
        code(system::read(guest, fd, (at, count), None, out))
    })?;
    linker.func_wrap(
        MODULE,
        "fd_pread",
        |guest: Host<'_>, fd: u32, at: u32, count: u32, place: u64, out: u32| {
            code(system::read(guest, fd, (at, count), Some(place), out))
        },
    )?;
    linker.func_wrap(
        MODULE,
        "fd_readdir",
        |guest: Host<'_>, fd: u32, at: u32, length: u32, cookie: u64, out: u32| {
            code(system::list(guest, fd, (at, length), cookie, out))
        },
    )?;
    linker.func_wrap(MODULE, "fd_seek", |guest: Host<'_>, fd: u32, offset: i64, whence: u32, out: u32| {
        code(system::seek(guest, fd, offset, whence, out))
    })?;
    linker.func_wrap(MODULE, "fd_tell", |guest: Host<'_>, fd: u32, out: u32| {
        code(system::seek(guest, fd, 0, 1, out))
    })?;
    linker.func_wrap(
        MODULE,
        "fd_write",
        |guest: Host<'_>, fd: u32, at: u32, count: u32, out: u32| -> wasmtime::Result<i32> {
            Ok(code(system::write(guest, fd, (at, count), out)?))
        },
    )?;
    Ok(())
}

fn paths(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    linker.func_wrap(
        MODULE,
        "path_filestat_get",
        |guest: Host<'_>, fd: u32, _: u32, path: u32, length: u32, out: u32| {
            code(system::stat_path(guest, fd, (path, length), out))
        },
    )?;
    linker.func_wrap(
        MODULE,
        "path_open",
        |guest: Host<'_>,
         fd: u32,
         _: u32,
         path: u32,
         length: u32,
         how: u32,
         rights: u64,
         _: u64,
         _: u32,
         out: u32| code(system::open(guest, fd, (path, length), how, rights, out)),
    )?;
    linker.func_wrap(MODULE, "path_readlink", |_: u32, _: u32, _: u32, _: u32, _: u32, _: u32| {
        code(Err(Errno::Invalid))
    })?;
    Ok(())
}

/// What would change something, or reach somebody.
fn refused(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    const READ_ONLY: i32 = Errno::ReadOnly as i32;
    const NO_SOCKET: i32 = Errno::BadDescriptor as i32;
    linker.func_wrap(MODULE, "fd_filestat_set_size", |_: u32, _: u64| READ_ONLY)?;
    linker.func_wrap(MODULE, "fd_filestat_set_times", |_: u32, _: u64, _: u64, _: u32| READ_ONLY)?;
    linker.func_wrap(MODULE, "fd_pwrite", |_: u32, _: u32, _: u32, _: u64, _: u32| READ_ONLY)?;
    linker.func_wrap(MODULE, "path_create_directory", |_: u32, _: u32, _: u32| READ_ONLY)?;
    linker.func_wrap(
        MODULE,
        "path_filestat_set_times",
        |_: u32, _: u32, _: u32, _: u32, _: u64, _: u64, _: u32| READ_ONLY,
    )?;
    linker
        .func_wrap(MODULE, "path_link", |_: u32, _: u32, _: u32, _: u32, _: u32, _: u32, _: u32| READ_ONLY)?;
    linker.func_wrap(MODULE, "path_remove_directory", |_: u32, _: u32, _: u32| READ_ONLY)?;
    linker.func_wrap(MODULE, "path_rename", |_: u32, _: u32, _: u32, _: u32, _: u32, _: u32| READ_ONLY)?;
    linker.func_wrap(MODULE, "path_symlink", |_: u32, _: u32, _: u32, _: u32, _: u32| READ_ONLY)?;
    linker.func_wrap(MODULE, "path_unlink_file", |_: u32, _: u32, _: u32| READ_ONLY)?;
    linker.func_wrap(MODULE, "sock_accept", |_: u32, _: u32, _: u32| NO_SOCKET)?;
    linker.func_wrap(MODULE, "sock_recv", |_: u32, _: u32, _: u32, _: u32, _: u32, _: u32| NO_SOCKET)?;
    linker.func_wrap(MODULE, "sock_send", |_: u32, _: u32, _: u32, _: u32, _: u32| NO_SOCKET)?;
    linker.func_wrap(MODULE, "sock_shutdown", |_: u32, _: u32| NO_SOCKET)?;
    Ok(())
}

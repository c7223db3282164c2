//! What each function does.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use wasmtime::Caller;

use super::{
    errno::Errno,
    files::{DIRECTORY, Filetype, Handle, LIBRARY, Node, ROOT},
    memory::{Guest, buffers, bytes, bytes_mut, put, put_u32, put_u64, u32_at, u64_at},
};
use crate::guest::{State, Stop};

pub(super) type Done = Result<(), Errno>;
type Host<'a> = Caller<'a, State>;

/// Seeking and telling are rights of everything, or the interpreter would take its output for a terminal.
const RIGHTS: u64 = 0x1fff_ffff;
const RIGHT_TO_WRITE: u64 = 1 << 6;
const TO_CREATE: u32 = 1;
const TO_BE_A_DIRECTORY: u32 = 2;
const TO_EXCLUDE_OR_TRUNCATE: u32 = 4 | 8;
const MAX_SUBSCRIPTIONS: u32 = 256;

/// Answers to "how many, how long" of arguments; the environment has none.
pub(super) fn args_sizes(mut guest: Host<'_>, args: &[&str], count: u32, length: u32) -> Done {
    let (memory, _) = guest.parts();
    let total: usize = args.iter().map(|arg| arg.len() + 1).sum();
    put_u32(memory, count, u32::try_from(args.len()).map_err(|_| Errno::Invalid)?)?;
    put_u32(memory, length, u32::try_from(total).map_err(|_| Errno::Invalid)?)
}

pub(super) fn args(mut guest: Host<'_>, args: &[&str], mut pointers: u32, mut text: u32) -> Done {
    let (memory, _) = guest.parts();
    for arg in args {
        put_u32(memory, pointers, text)?;
        put(memory, text, arg.as_bytes())?;
        let end = text.saturating_add(u32::try_from(arg.len()).map_err(|_| Errno::Invalid)?);
        put(memory, end, &[0])?;
        (pointers, text) = (pointers.saturating_add(4), end.saturating_add(1));
    }
    Ok(())
}

pub(super) fn clock(mut guest: Host<'_>, id: u32, out: u32) -> Done {
    let clock = match id {
        0 => ClockId::Realtime,
        1 => ClockId::Monotonic,
        2 | 3 => ClockId::ThreadCPUTime,
        _ => return Err(Errno::Invalid),
    };
    put_u64(guest.parts().0, out, nanoseconds(clock))
}

pub(super) fn put_number(mut guest: Host<'_>, out: u32, number: u64) -> Done {
    put_u64(guest.parts().0, out, number)
}

fn nanoseconds(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}

pub(super) fn random(mut guest: Host<'_>, at: u32, length: u32) -> Done {
    let (memory, state) = guest.parts();
    state.random.fill(bytes_mut(memory, at, length)?);
    Ok(())
}

pub(super) fn fdstat(mut guest: Host<'_>, fd: u32, out: u32) -> Done {
    let (memory, state) = guest.parts();
    let (filetype, _) = state.files.stat(fd)?;
    let mut stat = [0; 24];
    stat[0] = filetype as u8;
    stat[8..16].copy_from_slice(&RIGHTS.to_le_bytes());
    stat[16..].copy_from_slice(&RIGHTS.to_le_bytes());
    put(memory, out, &stat)
}

fn filestat(filetype: Filetype, size: u64) -> [u8; 64] {
    let mut stat = [0; 64];
    stat[8] = filetype as u8; // The number of the file: each kind exists once.
    stat[16] = filetype as u8;
    stat[24] = 1;
    stat[32..40].copy_from_slice(&size.to_le_bytes());
    stat
}

pub(super) fn stat(mut guest: Host<'_>, fd: u32, out: u32) -> Done {
    let (memory, state) = guest.parts();
    let (filetype, size) = state.files.stat(fd)?;
    put(memory, out, &filestat(filetype, size))
}

pub(super) fn stat_path(mut guest: Host<'_>, fd: u32, path: (u32, u32), out: u32) -> Done {
    let (memory, state) = guest.parts();
    let node = state.files.find(fd, bytes(memory, path.0, path.1)?)?;
    let (filetype, size) = state.files.stat_node(node);
    put(memory, out, &filestat(filetype, size))
}

pub(super) fn prestat(mut guest: Host<'_>, fd: u32, out: u32) -> Done {
    if fd != ROOT {
        return Err(Errno::BadDescriptor);
    }
    let (memory, _) = guest.parts();
    put_u32(memory, out, 0)?;
    put_u32(memory, out.saturating_add(4), u32::try_from(DIRECTORY.len()).map_err(|_| Errno::Invalid)?)
}

pub(super) fn prestat_name(mut guest: Host<'_>, fd: u32, at: u32, length: u32) -> Done {
    if fd != ROOT || (length as usize) < DIRECTORY.len() {
        return Err(Errno::BadDescriptor);
    }
    put(guest.parts().0, at, DIRECTORY.as_bytes())
}

pub(super) fn open(mut guest: Host<'_>, fd: u32, path: (u32, u32), how: u32, rights: u64, out: u32) -> Done {
    let (memory, state) = guest.parts();
    let found = state.files.find(fd, bytes(memory, path.0, path.1)?);
    let node = match found {
        Err(Errno::NoEntry) if how & TO_CREATE != 0 => return Err(Errno::ReadOnly),
        found => found?,
    };
    if how & TO_EXCLUDE_OR_TRUNCATE != 0 || (node == Node::Library && rights & RIGHT_TO_WRITE != 0) {
        return Err(Errno::ReadOnly);
    }
    if how & TO_BE_A_DIRECTORY != 0 && node != Node::Directory {
        return Err(Errno::NotDirectory);
    }
    let opened = state.files.open(node)?;
    put_u32(memory, out, opened)
}

/// Reads at a place, or where the file stands.
pub(super) fn read(mut guest: Host<'_>, fd: u32, buffer: (u32, u32), place: Option<u64>, out: u32) -> Done {
    let (memory, state) = guest.parts();
    let buffers = buffers(memory, buffer.0, buffer.1)?;
    let library = state.files.library();
    let position = match state.files.get(fd)? {
        Handle::Stdin => return put_u32(memory, out, 0),
        Handle::Output => return Err(Errno::BadDescriptor),
        Handle::Directory => return Err(Errno::IsDirectory),
        Handle::Library { position } => position,
    };
    let start = place.unwrap_or(*position);
    let mut rest = library.get(usize::try_from(start).map_err(|_| Errno::Invalid)?..).unwrap_or_default();
    let mut total = 0;
    for (at, length) in buffers {
        let (now, later) = rest.split_at(rest.len().min(length as usize));
        put(memory, at, now)?;
        (rest, total) = (later, total + now.len() as u64);
    }
    if place.is_none() {
        *position = start + total;
    }
    put_u32(memory, out, u32::try_from(total).map_err(|_| Errno::Invalid)?)
}

/// Prints. The outer error ends the run, the inner one is the guest's to handle.
pub(super) fn write(mut guest: Host<'_>, fd: u32, buffer: (u32, u32), out: u32) -> Result<Done, Stop> {
    let (memory, state) = guest.parts();
    match state.files.get(fd) {
        Ok(Handle::Output) => {}
        Ok(Handle::Stdin) => return Ok(Err(Errno::BadDescriptor)),
        Ok(_) => return Ok(Err(Errno::ReadOnly)),
        Err(errno) => return Ok(Err(errno)),
    }
    let buffers = match buffers(memory, buffer.0, buffer.1) {
        Ok(buffers) => buffers,
        Err(errno) => return Ok(Err(errno)),
    };
    let mut total = 0_u32;
    for (at, length) in buffers {
        match bytes(memory, at, length) {
            Ok(bytes) => state.print(bytes)?,
            Err(errno) => return Ok(Err(errno)),
        }
        total = total.saturating_add(length);
    }
    Ok(put_u32(memory, out, total))
}

pub(super) fn seek(mut guest: Host<'_>, fd: u32, offset: i64, whence: u32, out: u32) -> Done {
    let (memory, state) = guest.parts();
    let end = state.files.library().len() as u64;
    let Handle::Library { position } = state.files.get(fd)? else { return Err(Errno::NotSeekable) };
    let base = match whence {
        0 => 0,
        1 => *position,
        2 => end,
        _ => return Err(Errno::Invalid),
    };
    *position = base.checked_add_signed(offset).ok_or(Errno::Invalid)?;
    put_u64(memory, out, *position)
}

pub(super) fn list(mut guest: Host<'_>, fd: u32, room: (u32, u32), cookie: u64, out: u32) -> Done {
    let (memory, state) = guest.parts();
    if !matches!(state.files.get(fd)?, Handle::Directory) {
        return Err(Errno::NotDirectory);
    }
    let names = [(".", Filetype::Directory), ("..", Filetype::Directory), (LIBRARY, Filetype::Regular)];
    let mut listing = Vec::new();
    for (next, (name, filetype)) in (1_u64..).zip(names) {
        if next <= cookie {
            continue;
        }
        listing.extend_from_slice(&next.to_le_bytes());
        listing.extend_from_slice(&u64::from(filetype as u8).to_le_bytes());
        listing.extend_from_slice(&(name.len() as u64).to_le_bytes());
        let end = listing.len();
        listing[end - 4] = filetype as u8;
        listing.extend_from_slice(name.as_bytes());
    }
    listing.truncate(room.1 as usize);
    put(memory, room.0, &listing)?;
    put_u32(memory, out, u32::try_from(listing.len()).map_err(|_| Errno::Invalid)?)
}

/// Waits for the first of some moments, or for the end of the script's time. Descriptors are always ready: there is nothing that they could wait for.
pub(super) fn poll(mut guest: Host<'_>, from: u32, to: u32, count: u32, out: u32) -> Result<Done, Stop> {
    let (memory, state) = guest.parts();
    let mut events = match subscriptions(memory, from, count) {
        Ok(events) => events,
        Err(errno) => return Ok(Err(errno)),
    };
    let shortest = events.iter().map(|event| event.wait_ns).min().unwrap_or(0);
    if shortest > 0 {
        let (wanted, left) = (Duration::from_nanos(shortest), state.wall_left());
        state.ticker.rest();
        sleep(wanted.min(left))?;
        state.ticker.beat();
        if wanted >= left {
            return Err(state.wall_passed());
        }
    }
    events.retain(|event| event.wait_ns <= shortest);
    Ok(report(memory, &events, to, out))
}

struct Subscription {
    userdata: u64,
    tag: u8,
    wait_ns: u64,
}

fn subscriptions(memory: &[u8], from: u32, count: u32) -> Result<Vec<Subscription>, Errno> {
    if count == 0 || count > MAX_SUBSCRIPTIONS {
        return Err(Errno::Invalid);
    }
    let read = |index: u32| {
        let field = |offset: u32| from.checked_add(48 * index + offset).ok_or(Errno::Fault);
        let tag = bytes(memory, field(8)?, 1)?[0];
        let wait_ns = match tag {
            0 => {
                let clock = match u32_at(memory, field(16)?)? {
                    0 => ClockId::Realtime,
                    _ => ClockId::Monotonic,
                };
                let timeout = u64_at(memory, field(24)?)?;
                let is_moment = u32_at(memory, field(40)?)? & 1 == 1;
                if is_moment { timeout.saturating_sub(nanoseconds(clock)) } else { timeout }
            }
            1 | 2 => 0,
            _ => return Err(Errno::Invalid),
        };
        Ok(Subscription { userdata: u64_at(memory, field(0)?)?, tag, wait_ns })
    };
    (0..count).map(read).collect()
}

fn report(memory: &mut [u8], events: &[Subscription], to: u32, out: u32) -> Done {
    for (index, subscription) in (0_u32..).zip(events) {
        let mut event = [0; 32];
        event[..8].copy_from_slice(&subscription.userdata.to_le_bytes());
        event[10] = subscription.tag;
        put(memory, to.checked_add(32 * index).ok_or(Errno::Fault)?, &event)?;
    }
    put_u32(memory, out, u32::try_from(events.len()).map_err(|_| Errno::Invalid)?)
}

/// Sleeps, unless the parent goes away: a script must not outlive the one who would stop it.
#[expect(unsafe_code, reason = "one descriptor, that lives for as long as the call")]
fn sleep(time: Duration) -> Result<(), Stop> {
    let (whole_ms, rest) =
        (time.as_millis(), Duration::from_nanos(u64::from(time.subsec_nanos() % 1_000_000)));
    let mut parent = libc::pollfd { fd: libc::STDIN_FILENO, events: 0, revents: 0 };
    let timeout_ms = libc::c_int::try_from(whole_ms).unwrap_or(libc::c_int::MAX);
    if unsafe { libc::poll(&raw mut parent, 1, timeout_ms) } > 0 {
        return Err(Stop::ParentGone);
    }
    std::thread::sleep(rest);
    Ok(())
}

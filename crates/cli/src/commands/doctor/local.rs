//! The data directory, as far as it is on this machine.

use std::{os::unix::fs::PermissionsExt, path::Path};

use super::Finding;
use crate::{
    cli::ClientArgs,
    client::{Client, data_dir as asked_data_dir},
    data_dir,
};

const LITTLE_SPACE_BYTES: u64 = 1024 * 1024 * 1024;
const NO_SPACE_BYTES: u64 = 64 * 1024 * 1024;

pub(super) fn look(args: &ClientArgs, client: &Client) -> Vec<Finding> {
    let directory = asked_data_dir(args);
    let asked = args.data_dir.is_some();
    if !asked && (!client.is_local() || !directory.is_dir()) {
        return vec![Finding::skip("data directory", "none on this machine; --data-dir names one")];
    }
    let Ok(about) = std::fs::metadata(&directory) else {
        let advice = "`toolgate serve --data-dir …` makes it";
        return vec![Finding::fail(
            "data directory",
            format!("{} is not there", directory.display()),
            advice,
        )];
    };
    if !about.is_dir() {
        return vec![Finding::fail(
            "data directory",
            format!("{} is no directory", directory.display()),
            "name another",
        )];
    }
    vec![
        permissions("data directory", &directory, about.permissions().mode(), 0o700),
        key_file(&directory),
        files(&directory),
        space(&directory),
    ]
}

fn key_file(directory: &Path) -> Finding {
    let path = directory.join("admin.key");
    match std::fs::metadata(&path) {
        Ok(about) => permissions("admin key", &path, about.permissions().mode(), 0o600),
        Err(_) => {
            Finding::skip("admin key", format!("{} is not there (the first start writes it)", path.display()))
        }
    }
}

/// The database and the rest of what Toolgate keeps there. The key that clients use has a look of its own.
fn files(directory: &Path) -> Finding {
    let key = directory.join("admin.key");
    let open: Vec<_> = data_dir::open_inside(directory).into_iter().filter(|open| open.path != key).collect();
    if open.is_empty() {
        return Finding::ok("data files", "are their owner's alone");
    }
    let found: Vec<_> =
        open.iter().map(|open| format!("{} has mode {:04o}", open.path.display(), open.mode)).collect();
    let paths: Vec<_> = open.iter().map(|open| open.path.display().to_string()).collect();
    Finding::fail(
        "data files",
        format!("{}: others can read it", found.join(", ")),
        format!("chmod go= {}; the next start of the server does it too", paths.join(" ")),
    )
}

/// Whether others than the owner can get in.
fn permissions(check: &'static str, path: &Path, mode: u32, wanted: u32) -> Finding {
    let (mode, shown) = (mode & 0o777, path.display());
    if mode & !wanted == 0 {
        return Finding::ok(check, format!("{shown} has mode {mode:04o}"));
    }
    Finding::fail(
        check,
        format!("{shown} has mode {mode:04o}: others can read it"),
        format!("chmod {wanted:o} {shown}"),
    )
}

fn space(directory: &Path) -> Finding {
    let Ok(volume) = rustix::fs::statvfs(directory) else {
        return Finding::skip("disk space", "cannot be told");
    };
    let free = volume.f_bavail.saturating_mul(volume.f_frsize);
    let found = format!("{} MiB free", free / (1024 * 1024));
    match free {
        ..NO_SPACE_BYTES => {
            Finding::fail("disk space", found, "free some: calls that cannot be recorded are refused")
        }
        NO_SPACE_BYTES..LITTLE_SPACE_BYTES => {
            Finding::warn("disk space", found, "free some before calls cannot be recorded")
        }
        _ => Finding::ok("disk space", found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::Health;

    #[test]
    fn only_what_others_could_do_counts() {
        let health = |mode, wanted| permissions("x", Path::new("/x"), mode, wanted).health;
        assert_eq!(health(0o100_600, 0o600), Health::Ok);
        assert_eq!(health(0o100_400, 0o600), Health::Ok);
        assert_eq!(health(0o100_640, 0o600), Health::Fail);
        assert_eq!(health(0o40_755, 0o700), Health::Fail);
    }
}

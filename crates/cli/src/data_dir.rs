//! The data directory: its owner's alone, and so is all that the server makes in it.

use std::{
    fs::Permissions,
    io,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
};

use anyhow::Context;
use rustix::{fs::Mode, process::umask};

/// Files of Toolgate's own, beside the blobs.
const FILES: [&str; 6] =
    ["toolgate.db", "toolgate.db-wal", "toolgate.db-shm", "toolgate.lock", "admin.key", "secrets.key"];
/// It holds a directory for each tenant. With no way in, no blob below can be read, whatever its own mode.
const BLOBS: &str = "blobs";
/// The bits of a mode that are not the owner's.
const OF_OTHERS: u32 = 0o077;

/// Something in the data directory that others than its owner can read, change or enter.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) path: PathBuf,
    pub(crate) mode: u32,
}

impl Open {
    /// Nothing where the path leads nowhere, leads elsewhere, or belongs to its owner alone.
    fn look(path: PathBuf) -> Option<Self> {
        // A link is not followed: another user could have put it here to choose the file that is changed.
        let about = std::fs::symlink_metadata(&path).ok().filter(|about| !about.is_symlink())?;
        let mode = about.permissions().mode() & 0o777;
        (mode & OF_OTHERS != 0).then_some(Self { path, mode })
    }

    fn close(&self) -> io::Result<()> {
        std::fs::set_permissions(&self.path, Permissions::from_mode(self.mode & !OF_OTHERS))
    }
}

/// Makes the directory where it is missing, closes Toolgate's own files in it, and lets nobody else into what this process will make.
pub(crate) fn prepare(directory: &Path) -> anyhow::Result<()> {
    // The libraries that open the database and write blobs leave the mode to the umask, which may be anything.
    umask(Mode::RWXG | Mode::RWXO);
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .with_context(|| format!("the data directory {} cannot be made", directory.display()))?;
    for open in open_inside(directory) {
        let (path, mode) = (open.path.display(), format!("{:04o}", open.mode));
        match open.close() {
            Ok(()) => tracing::warn!(%path, mode, "others could read this: it is its owner's alone now"),
            Err(error) => {
                tracing::warn!(%path, mode, %error, "others can read this, and its mode cannot be changed: chmod go= it");
            }
        }
    }
    // An operator may have made the directory so for a reason: its own mode stays.
    if let Some(open) = Open::look(directory.to_owned()) {
        tracing::warn!(
            path = %open.path.display(),
            mode = format!("{:04o}", open.mode),
            "others can look into the data directory: chmod 700 it"
        );
    }
    Ok(())
}

/// Files and directories of Toolgate's own that are open to others.
pub(crate) fn open_inside(directory: &Path) -> Vec<Open> {
    let blobs = directory.join(BLOBS);
    let of_tenants = std::fs::read_dir(&blobs).into_iter().flatten().filter_map(Result::ok);
    let of_tenants = of_tenants.map(|entry| entry.path()).filter(|path| path.is_dir());
    let mut paths: Vec<_> = FILES.iter().map(|name| directory.join(name)).collect();
    paths.extend(of_tenants);
    paths.push(blobs);
    paths.sort();
    paths.into_iter().filter_map(Open::look).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_file_is_named_with_its_mode_and_can_be_closed() {
        let home = tempfile::tempdir().unwrap();
        let tenant = home.path().join("blobs/ten_1");
        std::fs::create_dir_all(&tenant).unwrap();
        let set = |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        for (name, mode) in [("toolgate.db", 0o644), ("toolgate.lock", 0o600), ("admin.key", 0o640)] {
            std::fs::write(home.path().join(name), "").unwrap();
            set(&home.path().join(name), mode);
        }
        let foreign = home.path().join("notes.txt");
        std::fs::write(&foreign, "").unwrap();
        set(&foreign, 0o644);
        std::os::unix::fs::symlink(&foreign, home.path().join("secrets.key")).unwrap();
        set(&tenant, 0o700);
        set(&home.path().join("blobs"), 0o755);

        let found = open_inside(home.path());
        let told: Vec<_> =
            found.iter().map(|open| (open.path.file_name().unwrap().to_str().unwrap(), open.mode)).collect();
        assert_eq!(told, [("admin.key", 0o640), ("blobs", 0o755), ("toolgate.db", 0o644)]);
        found.iter().for_each(|open| open.close().unwrap());
        assert_eq!(open_inside(home.path()), []);
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&home.path().join("blobs")), 0o700, "its owner still gets in");
        assert_eq!(mode(&foreign), 0o644, "what is not ours stays");
    }
}

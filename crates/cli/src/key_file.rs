//! Files that hold a key.

use std::{fs::File, io::Write, path::Path};

use anyhow::Context;

/// Writes a key file that its owner alone can read: at once or not at all, and unless told so never over another. It is on disk when this
/// returns.
pub(crate) fn write(path: &Path, text: &str, replace: bool) -> anyhow::Result<()> {
    let directory = path.parent().context("a key file stands in a directory")?;
    let failed = || format!("{} cannot be written", path.display());
    // Made with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(directory).with_context(failed)?;
    writeln!(file, "{text}").and_then(|()| file.as_file().sync_all()).with_context(failed)?;
    let put = if replace { file.persist(path) } else { file.persist_noclobber(path) };
    match put {
        // Its name is the directory's to keep.
        Ok(_) => File::open(directory).and_then(|directory| directory.sync_all()).with_context(failed),
        // Another process made it at the same moment: that one counts.
        Err(taken) if !replace && taken.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.error).with_context(failed),
    }
}

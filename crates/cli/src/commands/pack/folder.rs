//! A pack out of a folder.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use toolgate_domain::Limits;
use toolgate_engine::Bundle;

const MANIFEST: &str = "pack.yaml";

pub(super) fn is_pack(folder: &Path) -> bool {
    folder.join(MANIFEST).is_file()
}

/// Reads the manifest and the Markdown files beside and one folder below it. Links and hidden files are left out.
pub(super) fn read(folder: &Path) -> anyhow::Result<Bundle> {
    let limits = Limits::default();
    let mut left = limits.max_pack_bytes;
    let mut bundle = Bundle { manifest: text(&folder.join(MANIFEST), &mut left)?, ..Bundle::default() };
    let mut places = vec![(String::new(), folder.to_owned())];
    places.extend(folders(folder)?);
    for (prefix, place) in places {
        for (name, path) in entries(&place, |kind| kind.is_file())? {
            if !name.ends_with(".md") {
                continue;
            }
            if bundle.files.len() as u64 >= limits.max_pack_files {
                bail!("{} holds more than {} files", folder.display(), limits.max_pack_files);
            }
            bundle.files.insert(format!("{prefix}{name}"), text(&path, &mut left)?);
        }
    }
    Ok(bundle)
}

fn folders(folder: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let found = entries(folder, |kind| kind.is_dir())?;
    Ok(found.into_iter().map(|(name, path)| (format!("{name}/"), path)).collect())
}

fn entries(folder: &Path, wanted: impl Fn(fs::FileType) -> bool) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let cannot = || format!("{} cannot be read", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let entry = entry.with_context(cannot)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if wanted(entry.file_type().with_context(cannot)?) && !name.starts_with('.') {
            found.push((name, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

fn text(path: &Path, left: &mut u64) -> anyhow::Result<String> {
    let cannot = || format!("{} cannot be read", path.display());
    let mut text = String::new();
    let file = fs::File::open(path).with_context(cannot)?;
    file.take(*left + 1).read_to_string(&mut text).with_context(cannot)?;
    *left = left.checked_sub(text.len() as u64).context("a pack has at most 2 MiB")?;
    Ok(text)
}

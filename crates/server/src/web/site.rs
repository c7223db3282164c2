use std::borrow::Cow;

use rust_embed::{EmbeddedFile, RustEmbed};

/// What `npm run build` leaves in `web/dist`. A debug build reads the directory itself, so that a new build of the pages is seen at once.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Files;

/// A file, and the hash of what is in it.
pub(super) struct File {
    pub(super) bytes: Cow<'static, [u8]>,
    pub(super) sha256: [u8; 32],
}

/// Where the files come from.
pub(super) trait Site {
    fn file(&self, path: &str) -> Option<File>;
}

/// The files that were built into this program.
pub(super) struct Built;

impl Site for Built {
    fn file(&self, path: &str) -> Option<File> {
        let EmbeddedFile { data, metadata } = Files::get(path)?;
        Some(File { bytes: data, sha256: metadata.sha256_hash() })
    }
}

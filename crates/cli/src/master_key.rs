//! Where the master key of secrets comes from: a file, the environment, or the data directory.

use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use toolgate_engine::{MasterKey, sealed_by};
use toolgate_store::Stores;

use crate::{config::Config, key_file};

/// Not a flag: what stands on a command line is seen by everybody on the machine.
const VARIABLE: &str = "TOOLGATE_SECRETS_KEY";

pub(crate) struct Loaded {
    pub(crate) key: MasterKey,
    /// The data directory's own key file, where that is what was read.
    pub(crate) own_file: Option<PathBuf>,
}

/// The key that the configuration names; without one, the data directory's own, which the first start makes.
pub(crate) async fn load(config: &Config, stores: &Stores) -> anyhow::Result<Loaded> {
    let given = std::env::var(VARIABLE).ok().filter(|text| !text.trim().is_empty());
    match (&config.secrets_key_file, given) {
        (Some(_), Some(_)) => {
            bail!("the master key is given twice: leave out --secrets-key-file or {VARIABLE}")
        }
        (Some(path), None) => Ok(Loaded { key: read(path)?, own_file: None }),
        (None, Some(text)) => {
            let key = text.parse().with_context(|| format!("{VARIABLE} holds no master key"))?;
            Ok(Loaded { key, own_file: None })
        }
        (None, None) => own(config, stores).await,
    }
}

/// Reads a key file.
pub(crate) fn read(path: &Path) -> anyhow::Result<MasterKey> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("the master key {} cannot be read", path.display()))?;
    let mode = std::fs::metadata(path)?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        tracing::warn!(
            file = %path.display(),
            "others may read the master key, and with it every secret: chmod 600"
        );
    }
    text.parse().with_context(|| format!("{} holds no master key", path.display()))
}

async fn own(config: &Config, stores: &Stores) -> anyhow::Result<Loaded> {
    let path = config.data_dir.join("secrets.key");
    if config.database_url.is_some() {
        tracing::warn!(
            file = %path.display(),
            "the master key of secrets is this data directory's own: give every process of this database the same one (--secrets-key-file)"
        );
    }
    if !path.exists() {
        let ids = sealed_by(stores).await?;
        if !ids.is_empty() {
            bail!(
                "{} is missing, and there are secrets sealed by master key {}: put the file back, or give the key with --secrets-key-file or {VARIABLE}",
                path.display(),
                ids.join(" and ")
            );
        }
        key_file::write(&path, &MasterKey::random_text(), false)?;
    }
    Ok(Loaded { key: read(&path)?, own_file: Some(path) })
}

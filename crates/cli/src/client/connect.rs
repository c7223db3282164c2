//! Which server, and with which key.

use std::path::{Path, PathBuf};

use reqwest::{Url, header::HeaderValue};

use crate::{
    cli::ClientArgs,
    exit::{Exit, Failure},
};

const DEFAULT_URL: &str = "http://127.0.0.1:7080";
const DEFAULT_DATA_DIR: &str = "data";

/// Where the key came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeySource {
    /// `--key` or `TOOLGATE_KEY`.
    Given,
    File(PathBuf),
    /// There is none; this is where it was looked for, and why that gave nothing.
    Nowhere(Option<String>),
}

pub(crate) fn base_url(given: Option<&str>) -> anyhow::Result<Url> {
    let text = given.map(str::trim).filter(|text| !text.is_empty()).unwrap_or(DEFAULT_URL);
    let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    match Url::parse(&whole) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        _ => Err(Failure::new(Exit::Usage, format!("`{text}` is no address of a server"))
            .hint("write --url http://127.0.0.1:7080")
            .into()),
    }
}

/// Whether the server runs on this machine.
pub(crate) fn is_local(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost" | "[::1]") => true,
        Some(host) => host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

/// `--key` or the environment, then the data directory's `admin.key`. The key of `./data` is never sent to another
/// machine: nobody has said that it belongs there.
pub(crate) fn find_key(args: &ClientArgs, base: &Url) -> anyhow::Result<(Option<HeaderValue>, KeySource)> {
    let given = args.key.as_deref().map(str::trim).filter(|key| !key.is_empty());
    if let Some(key) = given {
        return Ok((Some(bearer(key)?), KeySource::Given));
    }
    let directory = match &args.data_dir {
        Some(directory) => directory.as_path(),
        None if is_local(base) => Path::new(DEFAULT_DATA_DIR),
        None => return Ok((None, KeySource::Nowhere(None))),
    };
    let path = directory.join("admin.key");
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok((Some(bearer(text.trim())?), KeySource::File(path))),
        Err(error) => Ok((None, KeySource::Nowhere(Some(format!("{}: {error}", path.display()))))),
    }
}

/// The data directory that a client looks at.
pub(crate) fn data_dir(args: &ClientArgs) -> PathBuf {
    args.data_dir.clone().unwrap_or_else(|| PathBuf::from(DEFAULT_DATA_DIR))
}

fn bearer(key: &str) -> anyhow::Result<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| {
        Failure::new(Exit::Refused, "the key holds characters that no key has")
            .hint("a key is `tg_` and 64 hexadecimal digits")
    })?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_lack_its_scheme_but_not_its_host() {
        assert_eq!(base_url(None).unwrap().as_str(), "http://127.0.0.1:7080/");
        assert_eq!(base_url(Some("localhost:9")).unwrap().as_str(), "http://localhost:9/");
        assert_eq!(
            base_url(Some("https://tools.example.com/gate")).unwrap().as_str(),
            "https://tools.example.com/gate"
        );
        for nonsense in ["ftp://x", "http://", "://"] {
            assert!(base_url(Some(nonsense)).is_err(), "{nonsense}");
        }
    }

    #[test]
    fn a_local_key_is_found_by_its_directory_and_not_sent_elsewhere_unasked() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("admin.key"), "tg_x\n").unwrap();
        let args = ClientArgs { data_dir: Some(directory.path().to_owned()), ..ClientArgs::default() };
        let (key, source) = find_key(&args, &base_url(None).unwrap()).unwrap();
        assert_eq!(key.unwrap(), "Bearer tg_x");
        assert_eq!(source, KeySource::File(directory.path().join("admin.key")));
        let elsewhere = base_url(Some("https://tools.example.com")).unwrap();
        assert_eq!(find_key(&ClientArgs::default(), &elsewhere).unwrap(), (None, KeySource::Nowhere(None)));
    }
}

//! The packs that ship with the program.

use std::collections::BTreeSet;

use rust_embed::RustEmbed;
use toolgate_engine::Bundle;

#[derive(RustEmbed)]
#[folder = "../../packs"]
struct Files;

/// The names of the packs, sorted.
pub fn shipped_packs() -> Vec<String> {
    let names: BTreeSet<_> = Files::iter()
        .filter_map(|path| path.strip_suffix("/pack.yaml").map(str::to_owned))
        .filter(|name| !name.contains('/'))
        .collect();
    names.into_iter().collect()
}

/// The files of one of them.
pub fn shipped_pack(name: &str) -> Option<Bundle> {
    if !shipped_packs().iter().any(|shipped| shipped == name) {
        return None;
    }
    let text = |path: &str| {
        let file = Files::get(path)?;
        Some(String::from_utf8_lossy(&file.data).into_owned())
    };
    let mut bundle = Bundle { manifest: text(&format!("{name}/pack.yaml"))?, ..Bundle::default() };
    for path in Files::iter() {
        let within = path.strip_prefix(name).and_then(|rest| rest.strip_prefix('/'));
        if let Some(within) = within.filter(|within| within.ends_with(".md")) {
            bundle.files.insert(within.to_owned(), text(&path)?);
        }
    }
    Some(bundle)
}

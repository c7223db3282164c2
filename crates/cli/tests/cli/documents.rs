//! What the documents show is what the program does.

use std::path::{Path, PathBuf};

use crate::support::{Ran, toolgate};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn the_readmes_tool_is_the_example_and_keeps_its_promises() {
    let readme = read("README.md");
    let (_, shown) = readme.split_once("```yaml\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    assert_eq!(shown, read("examples/greet/TOOL.md"));
    let empty = tempfile::tempdir().unwrap();
    let example = root().join("examples/greet/TOOL.md");
    Ran::of(toolgate(empty.path()).args(["tool", "test"]).arg(example).output().unwrap())
        .exits(0)
        .says("1 passed, 0 failed");
}

#[test]
fn every_key_of_a_definition_is_in_the_guide() {
    let guide = read("docs/guides/tools.md");
    for key in toolgate_domain::ToolSpec::KEYS {
        // Spellings that are accepted, and what the prose of the file becomes.
        if !matches!(*key, "side_effects" | "long_description") {
            assert!(guide.contains(&format!("`{key}`")), "{key} is not in the guide");
        }
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut pages: Vec<_> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(PathBuf::from).to_vec();
    let mut folders = vec![PathBuf::from("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let path = folder.join(entry.unwrap().file_name());
            match path.extension() {
                Some(kind) if kind == "md" => pages.push(path),
                None => folders.push(path),
                Some(_) => {}
            }
        }
    }
    assert!(pages.len() > 20);
    for page in pages {
        for target in read(&page).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap();
            if !file.is_empty() && !file.starts_with("http") {
                let path = root().join(page.parent().unwrap()).join(file);
                assert!(path.exists(), "{} links to {target}, which is not there", page.display());
            }
        }
    }
}

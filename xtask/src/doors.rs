//! Runtimes and agents reach other tools through the invoker alone: none of them may hold the engine.

use std::{fs, path::Path};

use anyhow::Context;

/// What runs behind the door. A bundle is read from the engine's record and a replay comes to a door of its own, as a surface does.
const BEHIND_THE_DOOR: [&str; 5] = [
    "crates/runtimes/src",
    "crates/agents/src/action",
    "crates/agents/src/llm",
    "crates/agents/src/run",
    "crates/mcp/src/client",
];

pub(crate) fn complaints() -> anyhow::Result<Vec<String>> {
    let mut complaints = Vec::new();
    for folder in BEHIND_THE_DOOR {
        visit(Path::new(folder), &mut complaints)?;
    }
    Ok(complaints)
}

fn visit(folder: &Path, complaints: &mut Vec<String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            visit(&path, complaints)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path)?;
            let wrong = text.lines().zip(1..).filter(|(line, _)| reaches_the_door(line));
            complaints.extend(wrong.map(|(_, number)| {
                format!(
                    "{}:{number} reaches for the engine; tools are called through the invoker",
                    path.display()
                )
            }));
        }
    }
    Ok(())
}

fn reaches_the_door(line: &str) -> bool {
    let words =
        |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "Engine");
    let is_comment = line.trim_start().starts_with("//");
    !is_comment && (words(line) || line.contains(".invoke("))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_is_seen_by_its_name_and_by_its_door() {
        assert!(reaches_the_door("use toolgate_engine::{Engine, Halt};"));
        assert!(reaches_the_door("    let answer = it.invoke(call).await;"));
        assert!(!reaches_the_door("use toolgate_engine::{Halt, EngineLike};"));
        assert!(!reaches_the_door("/// Not `Engine::invoke`."));
        assert!(!reaches_the_door("    context.invoker.call(0, tool, input).await"));
    }
}

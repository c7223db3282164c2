//! What the documents show is what the program does.

use std::path::{Path, PathBuf};

use crate::cli::support::{BINARY, Ran, Server, toolgate};

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
fn the_agent_of_the_readme_answers_and_can_be_replayed() {
    let readme = read("README.md");
    let (_, agent) = readme.split_once("cat > model.yaml <<'END'\n").unwrap();
    let (script, rest) = agent.split_once("END\n").unwrap();
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("model.yaml"), script).unwrap();
    std::fs::write(home.path().join("toolgate.toml"), "model_script = \"model.yaml\"\n").unwrap();
    let server = Server::start_in(home, "127.0.0.1:0");
    let (_, commands) = rest.split_once("\n\n").unwrap();
    let (commands, _) = commands.split_once("toolgate chat").unwrap();
    let run =
        "RUN=$(toolgate run list --json | sed -n 's/.*\"id\":\"\\(run_[^\"]*\\)\".*/\\1/p' | head -n 1)\n";
    let commands =
        commands.replace("toolgate run trace", &format!("{run}toolgate run trace")).replace("run_…", "$RUN");
    let walked = bash(&server, &commands);
    for told in ["That is 19.75 altogether.", "invoke_agent clerk", "same clerk.json"] {
        assert!(walked.out.contains(told), "`{told}` is not told: {walked:?}");
    }
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

/// The shell commands of a page, in their order.
fn commands(page: &str) -> String {
    let blocks = page.split("```sh\n").skip(1).map(|block| block.split_once("```").unwrap().0);
    blocks.collect::<Vec<_>>().join("\n")
}

/// Runs the commands of a page against a server.
fn walk(server: &Server, page: &str) -> Ran {
    bash(server, &commands(&read(page)))
}

/// Runs shell commands against a server.
fn bash(server: &Server, commands: &str) -> Ran {
    let folder = Path::new(BINARY).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let walk = std::process::Command::new("bash")
        .args(["-euc", commands])
        .current_dir(server.home.path())
        .env("PATH", path)
        .env("TOOLGATE_URL", &server.url)
        .env("TOOLGATE_DATA_DIR", "state")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    Ran::of(walk).exits(0)
}

#[test]
fn the_first_run_of_an_agent_is_as_the_guide_says() {
    let guide = read("docs/guides/agents.md");
    let (_, script) = guide.split_once("```yaml\n").unwrap();
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("model.yaml"), script.split_once("```").unwrap().0).unwrap();
    std::fs::write(home.path().join("toolgate.toml"), "model_script = \"model.yaml\"\n").unwrap();
    let server = Server::start_in(home, "127.0.0.1:0");
    let walk = walk(&server, "docs/guides/agents.md").says("That is 19.75 altogether.");
    for key in ["response", "tool_order", "tools_by_id", "last_tool", "traces_url"] {
        assert!(guide.contains(&format!("| `{key}` |")) && walk.out.contains(&format!("\"{key}\"")), "{key}");
    }
}

#[test]
fn the_walk_through_the_agent_tools_can_be_walked() {
    let server = Server::start();
    let walk = walk(&server, "docs/guides/agent-tools.md");
    for told in ["agt_", "asg_", "needs approval", "archived"] {
        assert!(walk.out.contains(told), "`{told}` is not told: {walk:?}");
    }
}

#[test]
fn the_walk_through_usage_can_be_walked() {
    let home = tempfile::tempdir().unwrap();
    let guide = read("docs/guides/usage.md");
    let script = guide.split_once("```json\n").unwrap().1.split_once("```").unwrap().0;
    std::fs::write(home.path().join("model.json"), script).unwrap();
    std::fs::write(home.path().join("toolgate.toml"), "model_script = \"model.json\"\n").unwrap();
    let server = Server::start_in(home, "127.0.0.1:0");
    let walk = walk(&server, "docs/guides/usage.md");
    for told in ["0.0040", "greet_warmly", "scripted", "tool,calls,errors", "\"hit_ratio\":0.75"] {
        assert!(walk.out.contains(told), "`{told}` is not told: {walk:?}");
    }
}

#[test]
fn the_settings_of_providers_in_the_guide_are_settings() {
    let guide = read("docs/guides/agents.md");
    let (_, settings) = guide.split_once("```toml\n").unwrap();
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("toolgate.toml"), settings.split_once("```").unwrap().0).unwrap();
    let server = Server::start_logging(home, &[("OPENAI_API_KEY", "sk-not-a-real-key")]);
    server.run(&["provider", "list"]).exits(0).says("no providers");
}

#[test]
fn the_walk_through_governance_can_be_walked() {
    let server = Server::start();
    let walk = walk(&server, "docs/guides/governance.md");
    let mut rest = walk.out.as_str();
    // Each is told after the one before.
    for told in [
        "tenant     acme",
        "refused: 4",
        "it would wait for a person",
        "result: 2",
        "it waits: 8",
        "input as it was approved:",
        "result: 6",
        "APPROVED FOR GOOD",
        "is rejected",
        "is pending",
        "is approved",
        "2 rules, 4 examples",
        "1 from allow to deny",
        "denied: 4",
        "600 calls in 60 s",
        "policy.put",
        "whole:",
        "researcher is archived",
    ] {
        rest = rest.split_once(told).unwrap_or_else(|| panic!("`{told}` is not told: {walk:?}")).1;
    }
}

#[test]
fn the_walk_through_upstreams_can_be_walked() {
    let upstream = crate::cli::upstreams::Upstream::start();
    let server = Server::start_with(&["--allow-host", &upstream.address.to_string()]);
    let commands = commands(&read("docs/guides/upstreams.md"));
    let walked = bash(&server, &commands.replace("https://echoes.example/mcp", &upstream.url()));
    for told in ["echoes_echo", "accepted", "1 accepted", "nothing waits to be accepted"] {
        assert!(walked.out.contains(told), "`{told}` is not told: {walked:?}");
    }
}

//! Which programs may be started as upstreams. A document is a tenant's, the machine is the operator's: nothing runs that the operator
//! did not name.

use toolgate_domain::governance::UpstreamTransport;

/// Programs that the operator allows, each with its arguments. `*` as the last word allows any arguments that follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedCommands {
    lines: Vec<Vec<String>>,
}

const ANY: &str = "*";

/// Variables that make a program load or run something else.
const DANGEROUS: [&str; 15] = [
    "PATH",
    "HOME",
    "SHELL",
    "IFS",
    "ENV",
    "BASH_ENV",
    "NODE_OPTIONS",
    "NODE_PATH",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "PERL5OPT",
    "PERL5LIB",
    "RUBYOPT",
    "RUBYLIB",
];
const DANGEROUS_PREFIXES: [&str; 8] =
    ["LD_", "DYLD_", "PYTHON", "GIT_", "NPM_CONFIG_", "npm_config_", "UV_", "PIP_"];

impl AllowedCommands {
    /// Each line is a program and its arguments, with spaces between them.
    pub fn parse<T: AsRef<str>>(lines: impl IntoIterator<Item = T>) -> Result<Self, String> {
        let mut allowed = Vec::new();
        for line in lines {
            let words: Vec<String> = line.as_ref().split_whitespace().map(str::to_owned).collect();
            match words.first().map(String::as_str) {
                None => return Err("a command of upstreams is empty".to_owned()),
                Some(ANY) => {
                    return Err(
                        "a command of upstreams names a program: `*` alone would allow all".to_owned()
                    );
                }
                Some(_) => allowed.push(words),
            }
        }
        Ok(Self { lines: allowed })
    }

    /// The message says what to set.
    pub(super) fn check(&self, transport: &UpstreamTransport) -> Result<(), String> {
        let UpstreamTransport::Stdio { command, args, env, cwd } = transport else { return Ok(()) };
        let words: Vec<&str> = std::iter::once(command).chain(args).map(String::as_str).collect();
        if !self.lines.iter().any(|line| covers(line, &words)) {
            let shown: String = command.chars().filter(|c| !c.is_control()).take(100).collect();
            return Err(format!(
                "the program `{shown}` with these arguments is not among those that the operator allows as upstreams: \
                 `mcp_stdio_commands` in toolgate.toml, or --mcp-stdio-command"
            ));
        }
        if words.iter().any(|word| word.contains('\0')) {
            return Err("an argument holds a character that arguments cannot hold".to_owned());
        }
        if let Some(name) = env.keys().find(|name| !may_be_set(name)) {
            let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
            return Err(format!("env: `{shown}` decides what programs run, and is not a tenant's to set"));
        }
        if cwd.as_ref().is_some_and(|cwd| !cwd.starts_with('/') || cwd.contains('\0')) {
            return Err("cwd: the directory is named from the root".to_owned());
        }
        Ok(())
    }
}

fn covers(line: &[String], words: &[&str]) -> bool {
    match line.split_last() {
        Some((last, before)) if last == ANY => {
            words.len() >= before.len() && same(before, &words[..before.len()])
        }
        _ => same(line, words),
    }
}

fn same(line: &[String], words: &[&str]) -> bool {
    line.len() == words.len() && line.iter().zip(words).all(|(allowed, word)| allowed == word)
}

fn may_be_set(name: &str) -> bool {
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name && !DANGEROUS.contains(&name) && !DANGEROUS_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(allowed: &[&str], transport: serde_json::Value) -> Result<(), String> {
        let mut whole = transport;
        whole["kind"] = "stdio".into();
        AllowedCommands::parse(allowed).unwrap().check(&serde_json::from_value(whole).unwrap())
    }

    #[test]
    fn nothing_runs_unless_the_operator_named_it_and_the_message_says_where() {
        let why = check(&[], json!({"command": "files"})).unwrap_err();
        assert!(why.contains("mcp_stdio_commands"), "{why}");
        check(&["files"], json!({"command": "files"})).unwrap();
    }

    #[test]
    fn arguments_belong_to_the_program() {
        let allowed = ["npx -y server-files", "notes --read *"];
        check(&allowed, json!({"command": "npx", "args": ["-y", "server-files"]})).unwrap();
        check(&allowed, json!({"command": "notes", "args": ["--read", "a b"]})).unwrap();
        check(&allowed, json!({"command": "notes", "args": ["--read"]})).unwrap();
        for refused in [
            json!({"command": "npx", "args": ["-y", "something-else"]}),
            json!({"command": "npx", "args": ["-y", "server-files", "more"]}),
            json!({"command": "npx"}),
            json!({"command": "notes", "args": ["--write"]}),
            json!({"command": "/usr/bin/npx", "args": ["-y", "server-files"]}),
        ] {
            assert!(check(&allowed, refused.clone()).is_err(), "{refused}");
        }
        assert!(AllowedCommands::parse(["*"]).is_err() && AllowedCommands::parse([""]).is_err());
    }

    #[test]
    fn the_environment_cannot_smuggle_another_program_in() {
        for name in ["LD_PRELOAD", "PATH", "NODE_OPTIONS", "PYTHONPATH", "A=B", ""] {
            assert!(check(&["files"], json!({"command": "files", "env": {name: "x"}})).is_err(), "{name}");
        }
        check(&["files"], json!({"command": "files", "env": {"API_TOKEN": "{$secret.T}"}})).unwrap();
        assert!(check(&["files"], json!({"command": "files", "cwd": "here"})).is_err());
    }
}

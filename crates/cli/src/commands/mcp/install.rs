//! `toolgate mcp install`: what to write where, for each client that is well known.

use std::process::ExitCode;

use anyhow::bail;
use serde_json::{Value, json};

use super::mcp_url;
use crate::{
    cli::{ClientArgs, InstallArgs, Via},
    client::Client,
    output::Output,
    render::{self, text},
};

/// A client, and how it is told about a server.
struct Known {
    id: &'static str,
    title: &'static str,
    /// Where the configuration belongs.
    place: &'static str,
    http: Option<fn(&Server) -> String>,
    stdio: Option<fn(&Server) -> String>,
}

/// What is to be written down.
struct Server {
    name: String,
    url: String,
    program: String,
}

const CLIENTS: &[Known] = &[
    Known {
        id: "claude-code",
        title: "Claude Code",
        place: "run this, or put it into .mcp.json of a project",
        http: Some(|server| {
            let headers = json!({"Authorization": "Bearer ${TOOLGATE_KEY}"});
            format!(
                "claude mcp add --transport http {} {} --header \"Authorization: Bearer $TOOLGATE_KEY\"\n\n{}",
                server.name,
                server.url,
                servers("mcpServers", server, json!({"type": "http", "url": server.url, "headers": headers}))
            )
        }),
        stdio: Some(|server| servers("mcpServers", server, started(server))),
    },
    Known {
        id: "claude-desktop",
        title: "Claude Desktop",
        place: "claude_desktop_config.json (Settings, Developer, Edit Config)",
        http: None,
        stdio: Some(|server| servers("mcpServers", server, started(server))),
    },
    Known {
        id: "codex",
        title: "Codex CLI",
        place: "~/.codex/config.toml",
        http: Some(|server| {
            format!(
                "[mcp_servers.{}]\nurl = \"{}\"\nbearer_token_env_var = \"TOOLGATE_KEY\"",
                server.name, server.url
            )
        }),
        stdio: Some(|server| {
            format!(
                "[mcp_servers.{}]\ncommand = \"{}\"\nargs = [\"mcp\", \"stdio\", \"--url\", \"{}\"]\nenv_vars = [\"TOOLGATE_KEY\"]",
                server.name,
                server.program,
                base_of(&server.url)
            )
        }),
    },
    Known {
        id: "cursor",
        title: "Cursor",
        place: "~/.cursor/mcp.json, or .cursor/mcp.json of a project",
        http: Some(|server| {
            let headers = json!({"Authorization": "Bearer ${env:TOOLGATE_KEY}"});
            servers("mcpServers", server, json!({"url": server.url, "headers": headers}))
        }),
        stdio: Some(|server| servers("mcpServers", server, started(server))),
    },
    Known {
        id: "gemini",
        title: "Gemini CLI",
        place: "~/.gemini/settings.json",
        http: Some(|server| {
            let headers = json!({"Authorization": "Bearer $TOOLGATE_KEY"});
            servers("mcpServers", server, json!({"httpUrl": server.url, "headers": headers}))
        }),
        stdio: Some(|server| servers("mcpServers", server, started(server))),
    },
    Known {
        id: "inspector",
        title: "MCP Inspector",
        place: "run this",
        http: Some(|server| {
            format!(
                "npx @modelcontextprotocol/inspector --cli {} --transport http --header \"Authorization: Bearer $TOOLGATE_KEY\" --method tools/list",
                server.url
            )
        }),
        stdio: Some(|server| {
            format!(
                "npx @modelcontextprotocol/inspector --cli {} mcp stdio --url {} --method tools/list",
                server.program,
                base_of(&server.url)
            )
        }),
    },
    Known {
        id: "opencode",
        title: "opencode",
        place: "opencode.json",
        http: Some(|server| {
            let headers = json!({"Authorization": "Bearer {env:TOOLGATE_KEY}"});
            servers("mcp", server, json!({"type": "remote", "url": server.url, "headers": headers}))
        }),
        stdio: Some(|server| {
            let command = [server.program.as_str(), "mcp", "stdio", "--url", base_of(&server.url)];
            servers("mcp", server, json!({"type": "local", "command": command}))
        }),
    },
    Known {
        id: "vscode",
        title: "Visual Studio Code",
        place: ".vscode/mcp.json of a workspace",
        http: Some(|server| {
            let mut whole = document(
                "servers",
                server,
                json!({
                    "type": "http", "url": server.url,
                    "headers": {"Authorization": "Bearer ${input:toolgate-key}"},
                }),
            );
            whole["inputs"] = json!([{
                "type": "promptString", "id": "toolgate-key", "description": "Toolgate key", "password": true,
            }]);
            pretty(&whole)
        }),
        stdio: Some(|server| {
            let mut entry = started(server);
            entry["type"] = json!("stdio");
            servers("servers", server, entry)
        }),
    },
    Known {
        id: "windsurf",
        title: "Windsurf",
        place: "~/.codeium/windsurf/mcp_config.json",
        http: Some(|server| {
            let headers = json!({"Authorization": "Bearer ${env:TOOLGATE_KEY}"});
            servers("mcpServers", server, json!({"serverUrl": server.url, "headers": headers}))
        }),
        stdio: Some(|server| servers("mcpServers", server, started(server))),
    },
    Known {
        id: "zed",
        title: "Zed",
        place: "settings.json",
        http: Some(|server| {
            let headers = json!({"Authorization": "Bearer tg_…"});
            servers("context_servers", server, json!({"url": server.url, "headers": headers}))
        }),
        stdio: Some(|server| servers("context_servers", server, started(server))),
    },
];

pub(super) fn run(args: &InstallArgs, client: &ClientArgs, output: &Output) -> anyhow::Result<ExitCode> {
    let Some(id) = &args.client else {
        let rows: Vec<Value> = CLIENTS.iter().map(row).collect();
        output.answer(&json!({"clients": rows}), || {
            let lines = rows.iter().map(|row| {
                vec![text(&row["id"]), text(&row["title"]), render::texts(&row["via"]), text(&row["place"])]
            });
            output.table(&["CLIENT", "NAME", "VIA", "WHERE"], lines.collect());
        });
        return Ok(ExitCode::SUCCESS);
    };
    let Some(known) = CLIENTS.iter().find(|known| known.id == id) else {
        let ids: Vec<_> = CLIENTS.iter().map(|known| known.id).collect();
        bail!(
            "`{id}` is not a client that is known here; those are {}. Any other client takes the address URL/mcp and a key as \
             `Authorization: Bearer tg_…`",
            ids.join(", ")
        );
    };
    let via = args.via.unwrap_or(if known.http.is_some() { Via::Http } else { Via::Stdio });
    let written = match via {
        Via::Http => known.http,
        Via::Stdio => known.stdio,
    };
    let Some(written) = written else {
        bail!("{} does not read addresses from its configuration: use --via stdio", known.title);
    };
    let server = Server {
        name: args.name.clone(),
        url: mcp_url(&Client::new(client)?),
        program: std::env::current_exe()?.display().to_string(),
    };
    let configuration = written(&server);
    let document = json!({"client": known.id, "place": known.place, "configuration": configuration});
    output.answer(&document, || {
        output.line(format!("# {}: {}", known.title, known.place));
        output.line(&configuration);
    });
    Ok(ExitCode::SUCCESS)
}

fn row(known: &Known) -> Value {
    let via: Vec<_> =
        [known.http.map(|_| "http"), known.stdio.map(|_| "stdio")].into_iter().flatten().collect();
    json!({"id": known.id, "title": known.title, "via": via, "place": known.place})
}

/// A program that the client starts, which hands everything on to the server.
fn started(server: &Server) -> Value {
    json!({
        "command": server.program, "args": ["mcp", "stdio", "--url", base_of(&server.url)], "env": {"TOOLGATE_KEY": "tg_…"},
    })
}

fn base_of(url: &str) -> &str {
    url.trim_end_matches("/mcp")
}

fn document(key: &str, server: &Server, entry: Value) -> Value {
    let name = server.name.as_str();
    json!({key: {name: entry}})
}

fn servers(key: &str, server: &Server, entry: Value) -> String {
    pretty(&document(key, server, entry))
}

fn pretty(value: &Value) -> String {
    format!("{value:#}")
}

//! What is sent: the bytes of the protocol, made beforehand.

use std::net::SocketAddr;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::{
    http::{Connection, request_with},
    load::Target,
};

/// The tool that is called, here and there: the digest of a text.
pub(super) const TOOL: &str = "hash_text";
const TEXT: &str = "the quick brown fox jumps over the lazy dog";
/// What only a good answer to it holds.
const DIGEST: &str = "05c6e08f1d9fdafa03147fcb8f82f124c76d2f70e3d989dc8aadb5e7d7450bec";
/// Stands for the number of a request.
const NUMBER: &str = "00000000";
const ACCEPT: (&str, &str) = ("accept", "application/json, text/event-stream");
const SESSION_ID: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";

/// The two ways of speaking: with a session, and without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Revision {
    Session,
    Stateless,
}

impl Revision {
    pub(super) const ALL: [Self; 2] = [Self::Session, Self::Stateless];

    pub(super) fn version(self) -> &'static str {
        match self {
            Self::Session => "2025-11-25",
            Self::Stateless => "2026-07-28",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Session => "sessions of 2025-11-25",
            Self::Stateless => "stateless 2026-07-28",
        }
    }
}

/// Where a server of the protocol is, and by which key one gets in.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    pub(super) address: SocketAddr,
    pub(super) key: String,
}

impl Endpoint {
    /// A call of the tool that both sides have, with what its answer must hold.
    pub(super) fn call(&self, tool: &str, session: Option<&str>) -> anyhow::Result<Target> {
        let params = json!({"name": tool, "arguments": {"text": TEXT}});
        Ok(Target { holds: DIGEST.as_bytes().into(), ..self.ask("tools/call", params, session)? })
    }

    /// Any request: of a session, or of none.
    pub(super) fn ask(
        &self,
        method: &str,
        mut params: Value,
        session: Option<&str>,
    ) -> anyhow::Result<Target> {
        let revision = if session.is_some() { Revision::Session } else { Revision::Stateless };
        let mut headers = vec![ACCEPT, (VERSION, revision.version())];
        let name = params["name"].as_str().map(str::to_owned);
        match session {
            Some(id) => headers.push((SESSION_ID, id)),
            None => {
                headers.push(("mcp-method", method));
                headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
                params["_meta"] = json!({
                    "io.modelcontextprotocol/protocolVersion": revision.version(),
                    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1.0.0"},
                    "io.modelcontextprotocol/clientCapabilities": {},
                });
            }
        }
        let body = json!({"jsonrpc": "2.0", "id": NUMBER, "method": method, "params": params}).to_string();
        let request = request_with("POST", "/mcp", &self.key, &headers, &body);
        let at = body.find(NUMBER).context("a request without a number")?;
        let at = request.len() - body.len() + at;
        let number_at = Some(at..at + NUMBER.len());
        Ok(Target { number_at, ..Target::new(self.address, request) })
    }

    /// Opens a session, and tells its id.
    pub(super) async fn open(&self) -> anyhow::Result<String> {
        let mut connection = Connection::open(self.address).await?;
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": Revision::Session.version(), "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1.0.0"},
        }});
        let asked = request_with("POST", "/mcp", &self.key, &[ACCEPT], &hello.to_string());
        let answer = connection.call(&asked).await?;
        ensure!(answer.status == 200, "no session: HTTP {}: {}", answer.status, answer.text());
        let id = answer.header(SESSION_ID).context("a session without a name")?;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
        let told = request_with("POST", "/mcp", &self.key, &self.of(&id), &ready);
        let answer = connection.call(&told).await?;
        ensure!(answer.status == 202, "HTTP {}: {}", answer.status, answer.text());
        Ok(id)
    }

    /// The stream on which a session is told what it did not ask for.
    pub(super) async fn listen(&self, id: &str) -> anyhow::Result<Connection> {
        let mut connection = Connection::open(self.address).await?;
        connection.listen(&request_with("GET", "/mcp", &self.key, &self.of(id), "")).await?;
        Ok(connection)
    }

    pub(super) async fn close(&self, id: &str) -> anyhow::Result<()> {
        let mut connection = Connection::open(self.address).await?;
        let ended = request_with("DELETE", "/mcp", &self.key, &self.of(id), "");
        let answer = connection.call(&ended).await?;
        ensure!((200..300).contains(&answer.status), "HTTP {}: {}", answer.status, answer.text());
        Ok(())
    }

    fn of<'a>(&self, id: &'a str) -> [(&'a str, &'a str); 3] {
        [ACCEPT, (VERSION, Revision::Session.version()), (SESSION_ID, id)]
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::json::sha256_hex;

    use super::*;

    #[test]
    fn the_answer_that_is_waited_for_is_the_right_one() {
        assert_eq!(sha256_hex(TEXT.as_bytes()), DIGEST);
    }

    #[test]
    fn each_request_says_where_its_number_is() {
        let endpoint = Endpoint { address: "127.0.0.1:1".parse().unwrap(), key: "k".to_owned() };
        for session in [None, Some("s")] {
            let target = endpoint.call(TOOL, session).unwrap();
            let number = &target.request[target.number_at.unwrap()];
            assert_eq!(number, NUMBER.as_bytes());
        }
    }
}

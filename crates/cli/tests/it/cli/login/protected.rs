//! An MCP server that serves only whom its authorization server vouches for. What it is sent it says back, the token included.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
};

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};

pub(super) struct Protected {
    desk: Arc<Desk>,
}

struct Desk {
    url: String,
    issuer: String,
    /// Each token that was accepted, in order.
    tokens: Mutex<Vec<String>>,
    refused: Mutex<Vec<String>>,
}

impl Protected {
    pub(super) fn start(issuer: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (url, issuer) = (format!("http://{address}/mcp"), issuer.to_owned());
        let desk = Arc::new(Desk { url, issuer, tokens: Mutex::default(), refused: Mutex::default() });
        let shared = Arc::clone(&desk);
        // It ends with the process of the test.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let desk = Arc::clone(&shared);
                std::thread::spawn(move || desk.answer(stream.unwrap()));
            }
        });
        Self { desk }
    }

    pub(super) fn url(&self) -> &str {
        &self.desk.url
    }

    /// Each token once, the oldest first.
    pub(super) fn tokens(&self) -> Vec<String> {
        self.desk.tokens.lock().unwrap().clone()
    }

    /// What was good until now is refused.
    pub(super) fn refuse_all(&self) {
        self.desk.refused.lock().unwrap().extend(self.tokens());
    }
}

impl Desk {
    fn answer(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut head = String::new();
        while reader.read_line(&mut head).is_ok_and(|bytes| bytes > 2) {}
        let header = |name: &str| {
            let found = head.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}: ")));
            found.map(|line| line[name.len() + 2..].trim().to_owned())
        };
        let length = header("content-length").and_then(|length| length.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut body).unwrap();
        let asked = toolgate_domain::json::parse(&body, 32).unwrap_or_default();
        let authorization = header("authorization");
        let session = header("mcp-session-id");
        let (status, more, body) = if head.starts_with("GET /.well-known/oauth-protected-resource") {
            let about = json!({
                "resource": self.url, "authorization_servers": [self.issuer], "scopes_supported": ["tools:read"],
            });
            ("200 OK", String::new(), about.to_string())
        } else if !head.starts_with("POST /mcp ") {
            ("405 Method Not Allowed", String::new(), String::new())
        } else {
            self.reply(&asked, authorization.as_deref(), session.as_deref())
        };
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{more}content-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        let _ = stream.write_all(&[head.as_bytes(), body.as_bytes()].concat());
    }

    fn reply(
        &self,
        asked: &Value,
        authorization: Option<&str>,
        session: Option<&str>,
    ) -> (&'static str, String, String) {
        let Some(who) = authorization.and_then(|text| self.who(text)) else {
            let metadata = self.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp");
            let challenge = format!("www-authenticate: Bearer resource_metadata=\"{metadata}\"\r\n");
            return ("401 Unauthorized", challenge, String::new());
        };
        // A session belongs to the one who began it.
        if session.is_some_and(|session| session != format!("of-{who}")) {
            return ("403 Forbidden", String::new(), String::new());
        }
        let Some(id) = asked.get("id") else { return ("202 Accepted", String::new(), String::new()) };
        let said =
            format!("{who} said {} with {}", asked["params"]["arguments"]["text"], authorization.unwrap());
        let mut more = String::new();
        let result = match asked["method"].as_str() {
            Some("initialize") => {
                more = format!("mcp-session-id: of-{who}\r\n");
                json!({
                    "protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                    "serverInfo": {"name": format!("tracker, reached with {}", authorization.unwrap()), "version": "1.0"},
                })
            }
            Some("tools/list") => json!({"tools": [{
                "name": "say", "description": "Says what it was told.",
                "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
            }]}),
            Some("tools/call") => {
                let failed = asked["params"]["arguments"]["text"] == "fail";
                json!({"content": [{"type": "text", "text": said}], "isError": failed})
            }
            Some("ping") => json!({}),
            _ => {
                let error = json!({"code": -32601, "message": "no such method"});
                let answer = json!({"jsonrpc": "2.0", "id": id, "error": error});
                return ("200 OK", more, answer.to_string());
            }
        };
        ("200 OK", more, json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string())
    }

    /// Whom the token was given to, if it was given for this server.
    fn who(&self, authorization: &str) -> Option<String> {
        let token = authorization.strip_prefix("Bearer ")?;
        let claims = BASE64URL_NOPAD.decode(token.split('.').nth(1)?.as_bytes()).ok()?;
        let claims = toolgate_domain::json::parse(&claims, 32).ok()?;
        if claims["aud"] != self.url.as_str() || claims["iss"] != self.issuer.as_str() {
            return None;
        }
        if self.refused.lock().unwrap().iter().any(|refused| refused == token) {
            return None;
        }
        let mut tokens = self.tokens.lock().unwrap();
        if !tokens.iter().any(|known| known == token) {
            tokens.push(token.to_owned());
        }
        claims["sub"].as_str().map(str::to_owned)
    }
}

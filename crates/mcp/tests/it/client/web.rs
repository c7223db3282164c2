//! Servers over HTTP: one of the SDK's, and one that answers whatever a test wants, byte by byte.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, Mutex},
};

use futures::future::BoxFuture;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
        ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    transport::{
        StreamableHttpServerConfig, StreamableHttpService,
        streamable_http_server::session::local::LocalSessionManager,
    },
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// A server of the SDK's that speaks these revisions.
#[derive(Clone)]
pub struct Polite {
    pub revisions: Vec<ProtocolVersion>,
}

impl ServerHandler for Polite {
    fn get_info(&self) -> ServerConfig {
        let newest = self.revisions.iter().max_by_key(|revision| revision.to_string()).cloned().unwrap();
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("polite", "2"))
            .with_protocol_version(newest)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Owned(self.revisions.clone())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let object = |value: Value| -> Arc<JsonObject> { Arc::new(value.as_object().unwrap().clone()) };
        let takes_text = object(json!({"type": "object", "properties": {"text": {"type": "string"}}}));
        let answers = object(
            json!({"type": "object", "properties": {"length": {"type": "integer"}}, "required": ["length"]}),
        );
        let measure =
            Tool::new("measure", "Measures a text.", Arc::clone(&takes_text)).with_raw_output_schema(answers);
        Ok(ListToolsResult::with_all_items(vec![Tool::new("echo", "Says it again.", takes_text), measure]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let text = arguments.get("text").and_then(Value::as_str).unwrap_or_default();
        let result = match &*request.name {
            "echo" => CallToolResult::success(vec![ContentBlock::text(text)]),
            _ => CallToolResult::structured(json!({"length": text.len()})),
        };
        Ok(result.into())
    }
}

/// Serves on a port of its own; the answer is its address.
pub async fn polite(revisions: &[ProtocolVersion]) -> String {
    let handler = Polite { revisions: revisions.to_vec() };
    let service = StreamableHttpService::new(
        move || Ok(handler.clone()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = TowerToHyperService::new(service.clone());
            tokio::spawn(async move {
                let served = hyper::server::conn::http1::Builder::new();
                let _ = served.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    url
}

#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    pub headers: HashMap<String, String>,
    pub body: Value,
}

impl Asked {
    /// The method of the protocol.
    pub fn wants(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    pub fn tool(&self) -> &str {
        self.body["params"]["name"].as_str().unwrap_or_default()
    }
}

/// What is written back, as it is. Nothing: the connection stays open without an answer.
pub type Reply = Option<Vec<u8>>;

pub fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
    let mut head = format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    Some(format!("{head}\r\n{body}").into_bytes())
}

pub fn answer(asked: &Asked, result: Value) -> Reply {
    let body = json!({"jsonrpc": "2.0", "id": asked.body["id"], "result": result});
    reply(200, &[("content-type", "application/json")], &body.to_string())
}

/// What every server of an old revision says before it is asked for tools.
pub fn manners(asked: &Asked) -> Option<Reply> {
    let tool =
        |name: &str| json!({"name": name, "description": "A tool.", "inputSchema": {"type": "object"}});
    let reply = match asked.wants() {
        "server/discover" => reply(400, &[], ""),
        "initialize" => {
            let result = json!({
                "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "raw", "version": "3"},
            });
            let body = json!({"jsonrpc": "2.0", "id": asked.body["id"], "result": result}).to_string();
            reply(200, &[("content-type", "application/json"), ("mcp-session-id", "s1")], &body)
        }
        "tools/list" => answer(asked, json!({"tools": [tool("one"), tool("two")]})),
        method if method.starts_with("notifications/") => reply(202, &[], ""),
        _ if asked.method != "POST" => reply(405, &[], ""),
        _ => return None,
    };
    Some(reply)
}

pub fn said(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

pub struct Raw {
    pub url: String,
    pub asked: Arc<Mutex<Vec<Asked>>>,
}

impl Raw {
    /// Answers each request with what `answers` makes of it.
    pub async fn new<F>(answers: F) -> Self
    where
        F: Fn(Asked) -> BoxFuture<'static, Reply> + Send + Sync + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let (answers, asked) = (Arc::new(answers), Arc::new(Mutex::new(Vec::new())));
        let heard = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&answers), Arc::clone(&heard)));
            }
        });
        Self { url, asked }
    }

    /// How often a method was asked for.
    pub fn count(&self, method: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|asked| asked.wants() == method).count()
    }
}

async fn serve<F>(stream: TcpStream, answers: Arc<F>, heard: Arc<Mutex<Vec<Asked>>>)
where
    F: Fn(Asked) -> BoxFuture<'static, Reply> + Send + Sync + 'static,
{
    let mut stream = BufReader::new(stream);
    while let Some(asked) = read(&mut stream).await {
        heard.lock().unwrap().push(asked.clone());
        match answers(asked).await {
            Some(bytes) if stream.write_all(&bytes).await.is_ok() => {}
            Some(_) => return,
            None => std::future::pending().await,
        }
    }
}

async fn read(stream: &mut BufReader<TcpStream>) -> Option<Asked> {
    let mut line = String::new();
    stream.read_line(&mut line).await.ok().filter(|read| *read > 0)?;
    let method = line.split(' ').next()?.to_owned();
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.insert(name.to_lowercase(), value.to_owned()),
            None => break,
        };
    }
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    let body =
        std::str::from_utf8(&body).ok().and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default();
    Some(Asked { method, headers, body })
}

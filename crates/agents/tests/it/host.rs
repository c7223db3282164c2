//! A server of a test's own: it answers what the test says, byte by byte, and remembers what it was asked.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
};

/// One request as it came over the wire.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

pub(crate) enum Reply {
    Bytes(Vec<u8>),
    /// These bytes, then silence on an open line.
    Hang(Vec<u8>),
    /// These bytes, then these again and again, until nobody listens.
    Endless(Vec<u8>, Vec<u8>),
}

pub(crate) struct Host {
    pub(crate) address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// Told when a client leaves a line that was kept open for it.
    pub(crate) hung_up: Arc<Notify>,
    task: tokio::task::JoinHandle<()>,
}

impl Host {
    /// Answers each request by its number, counted from 0.
    pub(crate) async fn start(answer: impl Fn(usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let hung_up = Arc::new(Notify::new());
        let (kept, answer, left) = (Arc::clone(&asked), Arc::new(answer), Arc::clone(&hung_up));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&kept), Arc::clone(&answer), Arc::clone(&left)));
            }
        });
        Self { address, asked, hung_up, task }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn last(&self) -> Asked {
        self.asked().pop().unwrap()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut stream: TcpStream,
    kept: Arc<Mutex<Vec<Asked>>>,
    answer: Arc<impl Fn(usize) -> Reply>,
    left: Arc<Notify>,
) {
    let Some(asked) = read(&mut stream).await else { return };
    let number = {
        let mut kept = kept.lock().unwrap();
        kept.push(asked);
        kept.len() - 1
    };
    match answer(number) {
        Reply::Bytes(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Reply::Hang(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let mut end = [0];
            let _ = stream.read(&mut end).await;
            left.notify_one();
        }
        Reply::Endless(head, more) => {
            let _ = stream.write_all(&head).await;
            while stream.write_all(&more).await.is_ok() {}
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).unwrap();
    let mut lines = head.split("\r\n");
    let line = lines.next().unwrap().to_owned();
    let headers: Vec<(String, String)> =
        lines.map(|line| line.split_once(": ").unwrap()).map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    let mut asked = Asked { line, headers, body: String::new() };
    let length: usize = asked.header("content-length").map_or(0, |length| length.parse().unwrap());
    while bytes.len() < head_end + 4 + length {
        stream.read_buf(&mut bytes).await.ok()?;
    }
    asked.body = String::from_utf8(bytes[head_end + 4..].to_vec()).unwrap();
    Some(asked)
}

/// A whole response.
pub(crate) fn respond(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Reply {
    let body = body.as_ref();
    let mut head =
        format!("HTTP/1.1 {status} Test\r\ncontent-length: {}\r\nconnection: close\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    Reply::Bytes([format!("{head}\r\n").as_bytes(), body].concat())
}

pub(crate) fn json(status: u16, body: impl ToString) -> Reply {
    respond(status, &[("content-type", "application/json")], body.to_string())
}

/// A stream that ends where its text does.
pub(crate) fn sse(body: impl AsRef<[u8]>) -> Reply {
    respond(200, &[("content-type", "text/event-stream; charset=utf-8")], body)
}

/// The head of a stream without a length: the end of the connection ends it.
pub(crate) const OPEN_STREAM: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// A stream in pieces of the given size, each a chunk of its own on the wire.
pub(crate) fn sse_in_pieces(body: &[u8], size: usize) -> Reply {
    let mut bytes =
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    for piece in body.chunks(size) {
        bytes.extend(format!("{:x}\r\n", piece.len()).bytes());
        bytes.extend(piece);
        bytes.extend(b"\r\n");
    }
    bytes.extend(b"0\r\n\r\n");
    Reply::Bytes(bytes)
}

//! A server of a test's own: it answers what the test says, byte by byte, and remembers what it was asked.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;

/// One request as it came over the wire.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    pub(super) line: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Asked {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub(super) fn path(&self) -> &str {
        self.line.split(' ').nth(1).unwrap()
    }
}

pub(super) enum Reply {
    Bytes(Vec<u8>),
    /// These bytes, then silence on an open line.
    Hang(Vec<u8>),
    /// These bytes, then these again and again, until nobody listens.
    Endless(Vec<u8>, Vec<u8>),
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Self::Bytes(text.into_bytes())
    }
}

pub(super) struct Host {
    pub(super) address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Host {
    pub(super) async fn start(answer: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1:0", answer).await
    }

    pub(super) async fn start_at(
        address: &str,
        answer: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer) = (Arc::clone(&asked), Arc::new(answer));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&kept), Arc::clone(&answer)));
            }
        });
        Self { address, asked, task }
    }

    /// The same, encrypted.
    pub(super) async fn start_tls(
        acceptor: TlsAcceptor,
        answer: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer) = (Arc::clone(&asked), Arc::new(answer));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, kept, answer) = (acceptor.clone(), Arc::clone(&kept), Arc::clone(&answer));
                tokio::spawn(async move {
                    // A client that does not trust us hangs up here.
                    if let Ok(stream) = acceptor.accept(stream).await {
                        serve(stream, kept, answer).await;
                    }
                });
            }
        });
        Self { address, asked, task }
    }

    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(super) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub(super) fn last(&self) -> Asked {
        self.asked().pop().unwrap()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    kept: Arc<Mutex<Vec<Asked>>>,
    answer: Arc<impl Fn(usize, &Asked) -> Reply>,
) {
    let Some(asked) = read(&mut stream).await else { return };
    let number = {
        let mut kept = kept.lock().unwrap();
        kept.push(asked.clone());
        kept.len() - 1
    };
    match answer(number, &asked) {
        Reply::Bytes(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Reply::Hang(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let mut end = [0];
            let _ = stream.read(&mut end).await;
        }
        Reply::Endless(head, more) => {
            let _ = stream.write_all(&head).await;
            while stream.write_all(&more).await.is_ok() {}
        }
    }
}

async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Option<Asked> {
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
pub(super) fn respond(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Reply {
    let body = body.as_ref();
    let mut head =
        format!("HTTP/1.1 {status} Test\r\ncontent-length: {}\r\nconnection: close\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    Reply::Bytes([format!("{head}\r\n").as_bytes(), body].concat())
}

pub(super) fn json(status: u16, body: &serde_json::Value) -> Reply {
    respond(status, &[("content-type", "application/json")], body.to_string())
}

pub(super) fn redirect(status: u16, to: &str) -> Reply {
    respond(status, &[("location", to)], "")
}

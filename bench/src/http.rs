//! A client that costs next to nothing: requests are bytes made beforehand, answers are read up to their length.

use std::net::SocketAddr;

use anyhow::{Context, bail};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const MAX_HEADERS: usize = 32;
const MAX_ANSWER_BYTES: usize = 1024 * 1024;

/// The bytes of one request.
pub(crate) fn request(method: &str, path: &str, key: &str, body: &str) -> Vec<u8> {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {key}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// One kept-alive connection.
pub(crate) struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

pub(crate) struct Answer<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
}

impl Answer<'_> {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(self.body).into_owned()
    }
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream =
            TcpStream::connect(address).await.with_context(|| format!("{address} cannot be reached"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, received: Vec::with_capacity(4_096) })
    }

    /// Sends a request and reads its whole answer.
    pub(crate) async fn call(&mut self, request: &[u8]) -> anyhow::Result<Answer<'_>> {
        self.stream.write_all(request).await?;
        self.received.clear();
        loop {
            if self.stream.read_buf(&mut self.received).await? == 0 {
                bail!("the server closed the connection");
            }
            if let Some((status, start, end)) = parse(&self.received)? {
                return Ok(Answer { status, body: &self.received[start..end] });
            }
        }
    }

    /// A call that must be answered with 200.
    pub(crate) async fn must(&mut self, request: &[u8]) -> anyhow::Result<()> {
        let answer = self.call(request).await?;
        if answer.status != 200 {
            bail!("HTTP {}: {}", answer.status, answer.text());
        }
        Ok(())
    }
}

/// Status, begin and end of the body, once the whole answer is there.
fn parse(received: &[u8]) -> anyhow::Result<Option<(u16, usize, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(start) = head.parse(received).context("no HTTP")? else {
        return Ok(None);
    };
    let length: usize = head
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case("content-length"))
        .and_then(|header| std::str::from_utf8(header.value).ok()?.parse().ok())
        .context("an answer without a length")?;
    if length > MAX_ANSWER_BYTES {
        bail!("an answer of {length} bytes");
    }
    let end = start + length;
    Ok((received.len() >= end).then_some((head.code.unwrap_or(0), start, end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_whole_when_its_body_is() {
        let text = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        assert_eq!(parse(&text[..text.len() - 1]).unwrap(), None);
        assert_eq!(parse(text).unwrap(), Some((200, text.len() - 2, text.len())));
        assert!(parse(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}

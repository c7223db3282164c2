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
    request_with(method, path, key, &[], body)
}

/// The same with more headers.
pub(crate) fn request_with(
    method: &str,
    path: &str,
    key: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Vec<u8> {
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {key}\r\n{more}\
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
    head: &'a [u8],
    /// With the sizes of its pieces, where it came in pieces.
    pub(crate) body: &'a [u8],
}

impl Answer<'_> {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut head = httparse::Response::new(&mut headers);
        head.parse(self.head).ok()?;
        value(&head, name).map(str::to_owned)
    }

    pub(crate) fn holds(&self, text: &[u8]) -> bool {
        holds(self.body, text)
    }
}

fn holds(bytes: &[u8], text: &[u8]) -> bool {
    text.is_empty() || bytes.windows(text.len()).any(|part| part == text)
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
                let (head, body) = (&self.received[..start], &self.received[start..end]);
                return Ok(Answer { status, head, body });
            }
        }
    }

    /// Sends a request whose answer does not end, and waits until it begins.
    pub(crate) async fn listen(&mut self, request: &[u8]) -> anyhow::Result<()> {
        self.stream.write_all(request).await?;
        self.received.clear();
        self.hear(b"\r\n\r\n").await?;
        if !self.received.starts_with(b"HTTP/1.1 200") {
            bail!("no stream: {}", String::from_utf8_lossy(&self.received));
        }
        self.received.clear();
        Ok(())
    }

    /// Reads on until the words were said.
    pub(crate) async fn hear(&mut self, words: &[u8]) -> anyhow::Result<()> {
        while !holds(&self.received, words) {
            if self.received.len() > MAX_ANSWER_BYTES {
                bail!("an answer of more than {MAX_ANSWER_BYTES} bytes");
            }
            if self.stream.read_buf(&mut self.received).await? == 0 {
                bail!("the server closed the connection");
            }
        }
        Ok(())
    }

    /// From here on only what comes later is heard.
    pub(crate) fn forget(&mut self) {
        self.received.clear();
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
    let status = head.code.unwrap_or(0);
    if value(&head, "transfer-encoding").is_some_and(|how| how.eq_ignore_ascii_case("chunked")) {
        return Ok(end_of_pieces(received, start)?.map(|end| (status, start, end)));
    }
    let length: usize = match status {
        // No content, and so no length of it.
        204 => 0,
        _ => value(&head, "content-length")
            .and_then(|length| length.parse().ok())
            .context("an answer without a length")?,
    };
    if length > MAX_ANSWER_BYTES {
        bail!("an answer of {length} bytes");
    }
    let end = start + length;
    Ok((received.len() >= end).then_some((status, start, end)))
}

fn value<'a>(head: &httparse::Response<'_, 'a>, name: &str) -> Option<&'a str> {
    let found = head.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
    std::str::from_utf8(found.value).ok()
}

/// Where the last piece ends, once it is there.
fn end_of_pieces(received: &[u8], start: usize) -> anyhow::Result<Option<usize>> {
    let mut at = start;
    while at < received.len() {
        let Ok(size) = httparse::parse_chunk_size(&received[at..]) else { bail!("a piece without a size") };
        let httparse::Status::Complete((digits, size)) = size else { return Ok(None) };
        at += digits + usize::try_from(size)? + 2;
        if at - start > MAX_ANSWER_BYTES {
            bail!("an answer of more than {MAX_ANSWER_BYTES} bytes");
        }
        if size == 0 {
            return Ok((received.len() >= at).then_some(at));
        }
    }
    Ok(None)
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

    #[test]
    fn an_answer_in_pieces_is_whole_with_its_last_piece() {
        let text = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        let body = b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n".len();
        for end in 1..text.len() {
            assert_eq!(parse(&text[..end]).unwrap(), None, "{end}");
        }
        assert_eq!(parse(text).unwrap(), Some((200, text.len() - body, text.len())));
        assert!(parse(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n").is_err());
    }
}

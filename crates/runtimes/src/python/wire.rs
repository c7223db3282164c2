//! Frames to and from a worker: a length in four bytes, then JSON. See `sandbox/PROTOCOL.md`.

use std::io::{self, Read, Write};

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use toolgate_domain::json::parse;

use super::Answer;

/// Bytes of one frame, in either direction.
const MAX_FRAME_BYTES: usize = 16 * 1024 * 1024;
/// Bytes that are made room for before they arrive.
const FIRST_BYTES: usize = 8 * 1024;
/// Levels of nesting in a frame from a worker: the deepest value (60), and the message around it.
const MAX_DEPTH: usize = 72;

pub(super) fn encode(message: &Value) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = frame.len() - 4;
    let head = u32::try_from(length).ok().filter(|_| length <= MAX_FRAME_BYTES);
    let head = head.ok_or_else(|| io::Error::other("what the script is given is too large"))?;
    frame[..4].copy_from_slice(&head.to_le_bytes());
    Ok(frame)
}

fn length(head: [u8; 4]) -> io::Result<usize> {
    let length = u32::from_le_bytes(head) as usize;
    if length <= MAX_FRAME_BYTES { Ok(length) } else { Err(broken("the frame is too long")) }
}

/// A worker is not trusted: its script may have taken it over.
fn decode(body: &[u8]) -> io::Result<Value> {
    parse(body, MAX_DEPTH).map_err(|e| broken(&e.to_string()))
}

fn broken(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_owned())
}

pub(super) async fn send(output: &mut (impl AsyncWrite + Unpin), frame: &[u8]) -> io::Result<()> {
    output.write_all(frame).await?;
    output.flush().await
}

pub(super) async fn receive(input: &mut (impl AsyncRead + Unpin)) -> io::Result<Value> {
    let mut head = [0; 4];
    input.read_exact(&mut head).await?;
    let length = length(head)?;
    // Memory grows with what arrives, not with what the head promises.
    let mut body = Vec::with_capacity(length.min(FIRST_BYTES));
    if input.take(length as u64).read_to_end(&mut body).await? != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    decode(&body)
}

pub(super) fn send_blocking(output: &mut impl Write, message: &Value) -> io::Result<()> {
    output.write_all(&encode(message)?)?;
    output.flush()
}

pub(super) fn receive_blocking(input: &mut impl Read) -> io::Result<Value> {
    let mut head = [0; 4];
    input.read_exact(&mut head)?;
    let mut body = Vec::new();
    let length = length(head)?;
    if input.take(length as u64).read_to_end(&mut body)? != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    decode(&body)
}

/// Puts the answer to a host call into a message.
pub(super) fn with_answer(mut message: Value, answer: Answer) -> Value {
    match answer {
        Answer::Value(value) => message["ok"] = value,
        Answer::Error { code, message: text } => {
            message["error"] = json!({"type": "ToolError", "code": code, "message": text});
        }
    }
    message
}

//! `toolgate mcp login`: waits on this machine for the browser to come back. The tokens never pass through here.

use std::{process::ExitCode, time::Duration};

use anyhow::{Context, bail};
use reqwest::Url;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::{
    cli::{ClientArgs, McpLoginArgs},
    client::Client,
    output::Output,
};

/// As long as the server remembers that a login was started.
const MAX_WAIT: Duration = Duration::from_secs(10 * 60);
/// Of one request to this machine.
const MAX_REQUEST: Duration = Duration::from_secs(5);
const MAX_REQUEST_BYTES: usize = 16 * 1024;

pub(super) async fn run(
    args: &McpLoginArgs,
    client: &ClientArgs,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let client = Client::new(client)?;
    let listener = TcpListener::bind(("127.0.0.1", args.port)).await;
    let listener = listener.with_context(|| format!("127.0.0.1:{} cannot be listened on", args.port))?;
    let redirect_uri = format!("http://127.0.0.1:{}/callback", listener.local_addr()?.port());
    let owner = match (args.tenant, args.own) {
        (true, _) => Some("tenant"),
        (_, true) => Some("user"),
        _ => None,
    };
    let path = |step| ["api", "mcp", "servers", args.server.as_str(), "oauth", step];
    let asked = json!({"redirect_uri": redirect_uri, "owner": owner});
    let started = client.post(&path("start"), asked).value().await?;
    let text =
        |key: &str| started[key].as_str().map(str::to_owned).context("the server did not start a login");
    let (url, state) = (text("authorization_url")?, text("state")?);
    if output.is_json() {
        output.json(&json!({"authorization_url": url}));
    } else {
        output.line(format!("Open this in a browser and say yes:\n\n{url}\n"));
    }
    output.flush();
    let back = tokio::time::timeout(MAX_WAIT, came_back(&listener, &state)).await;
    let mut answer = back.context("nobody came back within ten minutes: start again")??;
    answer["owner"] = json!(owner);
    client.post(&path("finish"), answer).value().await?;
    output.answer(&json!({"server": args.server, "logged_in": true}), || {
        output.line(format!("logged in to {}", args.server));
    });
    Ok(ExitCode::SUCCESS)
}

/// What the browser brings. Whatever else knocks here is turned away.
async fn came_back(listener: &TcpListener, state: &str) -> anyhow::Result<Value> {
    loop {
        let (mut stream, _) = listener.accept().await?;
        let Ok(Some(url)) = tokio::time::timeout(MAX_REQUEST, address_of(&mut stream)).await else {
            continue;
        };
        let value =
            |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        if url.path() != "/callback" || value("state").as_deref() != Some(state) {
            say(&mut stream, "404 Not Found", "There is nothing here.").await;
            continue;
        }
        if let Some(error) = value("error") {
            say(&mut stream, "200 OK", "It was not allowed. You can close this page.").await;
            let more = value("error_description").unwrap_or_default();
            bail!("it was not allowed: {error} {more}");
        }
        let Some(code) = value("code") else {
            say(&mut stream, "400 Bad Request", "The code is missing.").await;
            continue;
        };
        say(&mut stream, "200 OK", "Done. You can close this page.").await;
        return Ok(json!({"code": code, "state": state, "iss": value("iss")}));
    }
}

/// The address in the first line of a request.
async fn address_of(stream: &mut TcpStream) -> Option<Url> {
    let (mut read, mut chunk) = (Vec::new(), [0_u8; 1024]);
    while read.len() < MAX_REQUEST_BYTES && !read.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => break,
            Ok(bytes) => read.extend_from_slice(&chunk[..bytes]),
        }
    }
    let text = String::from_utf8_lossy(&read);
    let target = text.lines().next()?.strip_prefix("GET ")?.split(' ').next()?;
    Url::parse("http://127.0.0.1").ok()?.join(target).ok()
}

async fn say(stream: &mut TcpStream, status: &str, text: &str) {
    let length = text.len();
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}"
    );
    // A browser that is gone needs no answer.
    let _ = stream.write_all(answer.as_bytes()).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn knock(port: u16, target: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.write_all(format!("GET {target} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn only_the_one_who_was_sent_away_comes_back() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let waiting = tokio::spawn(async move { came_back(&listener, "mark").await });
        assert!(knock(port, "/callback?code=forged&state=other").await.starts_with("HTTP/1.1 404"));
        assert!(knock(port, "/favicon.ico").await.starts_with("HTTP/1.1 404"));
        let iss = "https%3A%2F%2Fid.example";
        assert!(knock(port, &format!("/callback?code=c&state=mark&iss={iss}")).await.contains("Done."));
        let answer = waiting.await.unwrap().unwrap();
        assert_eq!(answer, json!({"code": "c", "state": "mark", "iss": "https://id.example"}));
    }

    #[tokio::test]
    async fn a_no_is_told() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let waiting = tokio::spawn(async move { came_back(&listener, "mark").await });
        knock(port, "/callback?error=access_denied&state=mark").await;
        assert!(waiting.await.unwrap().unwrap_err().to_string().contains("access_denied"));
    }
}

//! The Model Context Protocol over the pipes of `toolgate mcp stdio`, word by word.

use std::{
    io::{BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

use crate::cli::support::read_line;

pub(crate) struct Pipe {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Pipe {
    pub(crate) fn open(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut pipe = Self { child, input, output, asked: 0 };
        let client = json!({"name": "test", "version": "1"});
        pipe.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        );
        pipe.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        pipe
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
        self.input.flush().unwrap();
    }

    /// The result; what is said in between is passed over.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut said: Value = serde_json::from_str(&read_line(&mut self.output)).unwrap();
            if said["id"] == id {
                assert!(said["error"].is_null(), "{said}");
                return said["result"].take();
            }
        }
    }

    /// Every page of the tools.
    pub(crate) fn tools(&mut self) -> Vec<Vec<Value>> {
        let (mut pages, mut params) = (Vec::new(), json!({}));
        loop {
            let page = self.ask("tools/list", params);
            pages.push(page["tools"].as_array().unwrap().clone());
            match page["nextCursor"].as_str() {
                Some(cursor) => params = json!({"cursor": cursor}),
                None => return pages,
            }
        }
    }

    /// Hangs up, and waits until the other side has.
    pub(crate) fn close(self) {
        let Self { mut child, input, .. } = self;
        drop(input);
        assert!(child.wait().unwrap().success());
    }
}

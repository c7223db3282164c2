//! `toolgate whoami`.

use std::process::ExitCode;

use crate::{
    client::Client,
    output::Output,
    render::{self, text, texts},
};

pub(crate) async fn run(client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let me = client.get(&["api", "auth", "me"]).value().await?;
    output.answer(&me, || {
        let may = if me["everything"] == true { "everything".to_owned() } else { texts(&me["permissions"]) };
        render::facts(
            output,
            vec![
                ("principal", text(&me["principal"])),
                ("tenant", text(&me["tenant"])),
                ("agent", text(&me["agent_id"])),
                ("roles", texts(&me["roles"])),
                ("scopes", texts(&me["scopes"])),
                ("may", may),
            ],
        );
    });
    Ok(ExitCode::SUCCESS)
}

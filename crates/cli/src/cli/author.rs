//! `toolgate tool update|delete|diff|restore|try`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct UpdateToolArgs {
    /// `name`, or `name@1.2.0` to begin from that version
    #[arg(value_name = "NAME[@VERSION]")]
    pub(crate) name: String,
    /// A key of the definition and its new value, as JSON or plain text; null takes it back
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = super::tool::pair)]
    pub(crate) set: Vec<(String, String)>,
    /// Several keys at once: JSON itself, @FILE, or - for stdin; --set adds to it
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(crate) set_json: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct DiffToolArgs {
    pub(crate) name: String,
    /// The older version [default: the one before --to]
    #[arg(long, value_name = "VERSION")]
    pub(crate) from: Option<String>,
    /// The newer version [default: the newest]
    #[arg(long, value_name = "VERSION")]
    pub(crate) to: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct TryArgs {
    /// `name`, `name@1.2.0` or `name@^1`
    #[arg(value_name = "NAME[@VERSION]", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) name: Option<String>,
    /// Try this definition, which is not published: a TOOL.md, or .json
    #[arg(long, value_name = "TOOL.md")]
    pub(crate) file: Option<PathBuf>,
    /// Fields of the input; nested ones as a.b=1
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = super::tool::pair)]
    pub(crate) input: Vec<(String, String)>,
    /// The input as JSON: the text itself, @FILE, or - for stdin; --input adds to it
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(crate) input_json: Option<String>,
    /// Print pieces of output as they come; with --json one line of JSON per event
    #[arg(long)]
    pub(crate) stream: bool,
}

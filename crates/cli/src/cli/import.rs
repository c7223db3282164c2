//! `toolgate tool import …`.

use clap::{Args, Subcommand};

#[derive(Subcommand, Debug)]
pub(crate) enum ImportCommand {
    /// Make HTTP tools of the operations of an OpenAPI 3.0 or 3.1 document: a dry run, until --apply registers them
    #[command(after_help = "\
Examples:
  toolgate tool import openapi shop.yaml                       what would be made
  toolgate tool import openapi shop.yaml --apply               register it
  toolgate tool import openapi shop.json --only orders --only '/customers/*' --prefix shop_
  curl -s https://shop.example.com/openapi.json | toolgate tool import openapi - --server https://shop.example.com

Exits with 6 when an operation cannot become a tool, with 9 when a tool stands in the way; all others are made.")]
    Openapi(ImportOpenapiArgs),
}

#[derive(Args, Debug)]
pub(crate) struct ImportOpenapiArgs {
    /// The document as JSON or YAML: a file, or - for stdin
    #[arg(value_name = "SPEC")]
    pub(crate) spec: String,
    /// Where the operations are, in place of the servers that the document names
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// Only operations with this tag, this id, or this path, in which * stands for anything; can be repeated
    #[arg(long, value_name = "TAG|ID|PATH")]
    pub(crate) only: Vec<String>,
    /// Before the name of every tool
    #[arg(long, value_name = "NAME_", default_value = "", hide_default_value = true)]
    pub(crate) prefix: String,
    /// Before the name of every secret [default: the document's title]
    #[arg(long, value_name = "NAME_")]
    pub(crate) secret_prefix: Option<String>,
    /// Deprecated operations as well
    #[arg(long)]
    pub(crate) include_deprecated: bool,
    /// Do it; without this nothing changes
    #[arg(long)]
    pub(crate) apply: bool,
}

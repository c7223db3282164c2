//! `toolgate skill …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Subcommand, Debug)]
pub(crate) enum SkillCommand {
    /// Make a skill: instructions that a prompt tool runs against an agent
    #[command(after_help = "\
Examples:
  toolgate skill create summary --instructions \"Summarise in one sentence.\"
  toolgate skill create triage --instructions-file triage.md --output-schema @schema.json")]
    Create {
        /// 1 to 64 letters, digits, `_`, `-` or `.`
        name: String,
        #[command(flatten)]
        parts: SkillParts,
    },
    /// List skills
    #[command(after_help = "Examples:\n  toolgate skill list\n  toolgate skill list --json")]
    List,
    /// Show one skill
    #[command(after_help = "Examples:\n  toolgate skill show summary")]
    Show {
        /// A name or an id
        skill: String,
    },
    /// Change a skill: what is not named stays as it is
    #[command(after_help = "\
Examples:
  toolgate skill update summary --instructions-file summary.md
  toolgate skill update summary --rename brief --output-schema null")]
    Update {
        /// A name or an id
        skill: String,
        /// A new name
        #[arg(long, value_name = "NAME")]
        rename: Option<String>,
        #[command(flatten)]
        parts: SkillParts,
    },
    /// Delete a skill; tools that name it fail from then on
    #[command(after_help = "Examples:\n  toolgate skill delete summary")]
    Delete {
        /// A name or an id
        skill: String,
    },
}

#[derive(Args, Debug)]
pub(crate) struct SkillParts {
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// What the agent is told to do with the input
    #[arg(long, value_name = "TEXT", conflicts_with = "instructions_file")]
    pub(crate) instructions: Option<String>,
    /// The same, from a file
    #[arg(long, value_name = "FILE")]
    pub(crate) instructions_file: Option<PathBuf>,
    /// The shape of the answer: a JSON Schema, or @FILE
    #[arg(long, value_name = "JSON")]
    pub(crate) output_schema: Option<String>,
}

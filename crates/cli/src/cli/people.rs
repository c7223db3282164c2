//! `toolgate user …`, `role …` and `workspace …`.

use clap::{Args, Subcommand};

#[derive(Subcommand, Debug)]
pub(crate) enum UserCommand {
    /// Make a user
    #[command(after_help = "\
Examples:
  toolgate user create ada@example.com --name \"Ada Lovelace\" --role approver --password
  toolgate user create grace@example.com --name Grace --role builder --workspace research
  cat password.txt | toolgate user create joan@example.com --name Joan --password

The roles are viewer, member, approver, builder, operator, admin and your own (`toolgate role list`). Without --password the
person signs in elsewhere, or with a key: toolgate key create NAME --scope … --user ada@example.com")]
    Create(CreateUserArgs),
    /// List users by address
    #[command(after_help = "Examples:\n  toolgate user list\n  toolgate user list --all --json")]
    List(super::Rows),
    /// Show one user
    #[command(after_help = "Examples:\n  toolgate user show ada@example.com")]
    Show {
        /// An address or an id
        user: String,
    },
    /// Change a user: what is not named stays as it is
    #[command(after_help = "\
Examples:
  toolgate user update ada@example.com --role approver --role builder    these, and no others
  toolgate user update ada@example.com --password                        ends the sessions of the person
  toolgate user update ada@example.com --enable")]
    Update(UpdateUserArgs),
    /// List the sessions of a user: the browsers and other clients that the person is signed in with
    #[command(
        after_help = "Examples:\n  toolgate user sessions ada@example.com\n  toolgate user sessions ada@example.com --json"
    )]
    Sessions {
        /// An address or an id
        user: String,
    },
    /// End the sessions of a user: all of them, or those that are named
    #[command(after_help = "\
Examples:
  toolgate user sign-out ada@example.com                     every session
  toolgate user sign-out ada@example.com --session lgn_…     this one

Keys are no sessions: `toolgate key revoke` ends them, and `toolgate user disable` shuts a person out.")]
    SignOut {
        /// An address or an id
        user: String,
        /// A session, as `user sessions` shows it; repeatable [default: all]
        #[arg(long, value_delimiter = ',', value_name = "ID")]
        session: Vec<String>,
    },
    /// Disable a user: nobody gets in with that account or its keys any more, at once; --enable of update undoes it
    #[command(after_help = "Examples:\n  toolgate user disable ada@example.com")]
    Disable {
        /// An address or an id
        user: String,
    },
}

#[derive(Args, Debug)]
pub(crate) struct CreateUserArgs {
    /// The address, which the person signs in with
    pub(crate) email: String,
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: String,
    /// What the person may do; repeatable [default: member]
    #[arg(long, value_delimiter = ',')]
    pub(crate) role: Vec<String>,
    /// A team: a workspace's slug or id; repeatable
    #[arg(long, value_delimiter = ',')]
    pub(crate) workspace: Vec<String>,
    /// Give a password, of 12 to 200 characters: it is asked for unseen, or read from stdin's first line
    #[arg(long)]
    pub(crate) password: bool,
}

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true))]
pub(crate) struct UpdateUserArgs {
    /// An address or an id
    pub(crate) user: String,
    #[arg(long, value_name = "TEXT", group = "change")]
    pub(crate) name: Option<String>,
    /// The roles from now on; repeatable
    #[arg(long, value_delimiter = ',', group = "change")]
    pub(crate) role: Option<Vec<String>>,
    /// The teams from now on: slugs or ids; repeatable
    #[arg(long, value_delimiter = ',', group = "change")]
    pub(crate) workspace: Option<Vec<String>>,
    /// Give a new password: it is asked for unseen, or read from stdin's first line
    #[arg(long, group = "change")]
    pub(crate) password: bool,
    /// Let a disabled user in again
    #[arg(long, group = "change")]
    pub(crate) enable: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum RoleCommand {
    /// List roles: the built-in ones, and your own
    #[command(after_help = "Examples:\n  toolgate role list\n  toolgate role list --json")]
    List,
    /// Make or replace a role; nobody grants what they do not have
    #[command(after_help = "\
Examples:
  toolgate role put releaser --permission tools.tenant.read --permission tools.tenant.execute
  toolgate role put auditor --permission audit.tenant.read,invocations.tenant.read")]
    Put {
        name: String,
        /// A dotted name, such as tools.tenant.create; repeatable
        #[arg(long, required = true, value_delimiter = ',', value_name = "NAME")]
        permission: Vec<String>,
    },
    /// Delete a role; one that somebody has stays
    #[command(after_help = "Examples:\n  toolgate role delete releaser")]
    Delete { name: String },
}

#[derive(Subcommand, Debug)]
pub(crate) enum WorkspaceCommand {
    /// Make a workspace: a team, with agents and secrets of its own
    #[command(after_help = "Examples:\n  toolgate workspace create research --name Research")]
    Create(super::NamedArgs),
    /// List the workspaces that this key belongs to
    #[command(after_help = "Examples:\n  toolgate workspace list")]
    List,
}

//! `toolgate user …`.

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use crate::{
    ask,
    cli::{CreateUserArgs, Rows, UpdateUserArgs, UserCommand},
    client::{Client, pages},
    lookup::{user_id, workspace_ids},
    output::Output,
    render::{self, text, texts, time},
};

pub(crate) async fn run(command: UserCommand, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    match command {
        UserCommand::Create(args) => create(args, client, output).await?,
        UserCommand::List(rows) => list(&rows, client, output).await?,
        UserCommand::Show { user } => {
            let id = user_id(client, &user, output).await?;
            let user = client.get(&["api", "users", &id]).value().await?;
            output.answer(&user, || show(&user, output));
        }
        UserCommand::Update(args) => update(args, client, output).await?,
        UserCommand::Sessions { user } => sessions(&user, client, output).await?,
        UserCommand::SignOut { user, session } => sign_out(&user, session, client, output).await?,
        UserCommand::Disable { user } => {
            let id = user_id(client, &user, output).await?;
            change(&id, json!({"status": "disabled"}), client, output).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn create(args: CreateUserArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let mut body = json!({"email": args.email, "name": args.name});
    if !args.role.is_empty() {
        body["roles"] = args.role.into();
    }
    body["workspaces"] = workspace_ids(client, &args.workspace).await?.into();
    if args.password {
        body["password"] = ask::password()?.into();
    }
    let made = client.post(&["api", "users"], body).value().await?;
    output.answer(&made, || {
        output.line(format!("{} is {}", text(&made["email"]), text(&made["id"])));
        output.note(&format!("roles: {}", texts(&made["roles"])));
    });
    Ok(())
}

async fn list(rows: &Rows, client: &Client, output: &Output) -> anyhow::Result<()> {
    let page = pages(|| client.get(&["api", "users"]), rows.limit, rows.all, output).await?;
    let row = |user: &Value| {
        vec![
            text(&user["email"]),
            text(&user["id"]),
            text(&user["status"]),
            texts(&user["roles"]),
            signs_in(user),
            text(&user["name"]),
        ]
    };
    let header = ["EMAIL", "ID", "STATUS", "ROLES", "SIGNS IN WITH", "NAME"];
    output.answer(&page, || output.page(&page, "no users", &header, row));
    Ok(())
}

fn signs_in(user: &Value) -> String {
    match (user["oidc_issuer"].as_str(), user["has_password"] == true) {
        (Some(issuer), _) => issuer.to_owned(),
        (None, true) => "a password".to_owned(),
        (None, false) => String::new(),
    }
}

fn show(user: &Value, output: &Output) {
    render::facts(
        output,
        vec![
            ("email", text(&user["email"])),
            ("id", text(&user["id"])),
            ("name", text(&user["name"])),
            ("status", text(&user["status"])),
            ("roles", texts(&user["roles"])),
            ("workspaces", texts(&user["workspaces"])),
            ("signs in with", signs_in(user)),
            ("created", time(&user["created_at"])),
        ],
    );
}

async fn update(args: UpdateUserArgs, client: &Client, output: &Output) -> anyhow::Result<()> {
    let id = user_id(client, &args.user, output).await?;
    let mut body = Map::new();
    if let Some(name) = args.name {
        body.insert("name".to_owned(), name.into());
    }
    if let Some(roles) = args.role {
        body.insert("roles".to_owned(), roles.into());
    }
    if let Some(workspaces) = &args.workspace {
        body.insert("workspaces".to_owned(), workspace_ids(client, workspaces).await?.into());
    }
    if args.enable {
        body.insert("status".to_owned(), "active".into());
    }
    if args.password {
        body.insert("password".to_owned(), ask::password()?.into());
    }
    change(&id, Value::Object(body), client, output).await
}

async fn change(id: &str, body: Value, client: &Client, output: &Output) -> anyhow::Result<()> {
    let now = client.patch(&["api", "users", id], body).value().await?;
    output.answer(&now, || show(&now, output));
    Ok(())
}

async fn sessions(user: &str, client: &Client, output: &Output) -> anyhow::Result<()> {
    let id = user_id(client, user, output).await?;
    let page = sessions_of(&id, client, output).await?;
    let row = |session: &Value| {
        vec![
            text(&session["id"]),
            time(&session["begun_at"]),
            time(&session["used_at"]),
            time(&session["expires_at"]),
            text(&session["client"]),
        ]
    };
    let header = ["ID", "BEGUN", "LAST USED", "UNTIL", "CLIENT"];
    output.answer(&page, || output.page(&page, "no sessions", &header, row));
    Ok(())
}

async fn sessions_of(id: &str, client: &Client, output: &Output) -> anyhow::Result<Value> {
    pages(|| client.get(&["api", "users", id, "sessions"]), None, true, output).await
}

async fn sign_out(
    user: &str,
    mut sessions: Vec<String>,
    client: &Client,
    output: &Output,
) -> anyhow::Result<()> {
    let id = user_id(client, user, output).await?;
    if sessions.is_empty() {
        let all = sessions_of(&id, client, output).await?;
        let ids = all["items"].as_array().into_iter().flatten().map(|session| text(&session["id"]));
        sessions = ids.collect();
    }
    for session in &sessions {
        client.delete(&["api", "users", &id, "sessions", session]).value().await?;
    }
    let ended = json!({"user_id": id, "ended": sessions});
    output.answer(&ended, || match sessions.len() {
        0 => output.line("there was no session"),
        1 => output.line("ended 1 session"),
        more => output.line(format!("ended {more} sessions")),
    });
    Ok(())
}

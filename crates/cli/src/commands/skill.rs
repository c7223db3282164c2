//! `toolgate skill …`.

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::tool::read_json;
use crate::{
    cli::{SkillCommand, SkillParts},
    client::Client,
    document::read_text,
    exit::{Exit, Failure},
    output::Output,
    render::{self, text},
};

const MAX_INSTRUCTIONS_BYTES: usize = 50_000;

pub(crate) async fn run(command: SkillCommand, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    match command {
        SkillCommand::Create { name, parts } => {
            let mut body = Map::from_iter([("name".to_owned(), Value::from(name))]);
            apply(parts, &mut body)?;
            if !body.contains_key("instructions") {
                return Err(
                    Failure::new(Exit::Usage, "a skill needs --instructions or --instructions-file").into()
                );
            }
            let made = client.post(&["api", "skills"], Value::Object(body)).value().await?;
            output.answer(&made, || output.line(format!("{} is {}", text(&made["name"]), text(&made["id"]))));
        }
        SkillCommand::List => {
            let skills = client.get(&["api", "skills"]).value().await?;
            let row =
                |skill: &Value| vec![text(&skill["name"]), text(&skill["id"]), text(&skill["description"])];
            output.answer(&skills, || output.page(&skills, "no skills", &["NAME", "ID", "DESCRIPTION"], row));
        }
        SkillCommand::Show { skill } => {
            let skill = client.get(&["api", "skills", &skill]).value().await?;
            output.answer(&skill, || show(&skill, output));
        }
        SkillCommand::Update { skill, rename, parts } => {
            let old = client.get(&["api", "skills", &skill]).value().await?;
            let mut body = old.as_object().cloned().unwrap_or_default();
            ["id", "created_at", "updated_at"].iter().for_each(|key| drop(body.remove(*key)));
            let before = body.clone();
            if let Some(name) = rename {
                body.insert("name".to_owned(), name.into());
            }
            apply(parts, &mut body)?;
            if body == before {
                return Err(Failure::new(Exit::Usage, "nothing would change").into());
            }
            let now = client.put(&["api", "skills", &skill], Value::Object(body)).value().await?;
            output.answer(&now, || show(&now, output));
        }
        SkillCommand::Delete { skill } => {
            client.delete(&["api", "skills", &skill]).value().await?;
            output.answer(&json!({"skill": skill, "deleted": true}), || {
                output.line(format!("{skill} is deleted"));
            });
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn show(skill: &Value, output: &Output) {
    let schema =
        if skill["output_schema"].is_object() { skill["output_schema"].to_string() } else { String::new() };
    render::facts(
        output,
        vec![
            ("name", text(&skill["name"])),
            ("id", text(&skill["id"])),
            ("description", text(&skill["description"])),
            ("answers", schema),
            ("instructions", text(&skill["instructions"])),
        ],
    );
}

fn apply(parts: SkillParts, body: &mut Map<String, Value>) -> anyhow::Result<()> {
    let instructions = match parts.instructions_file {
        Some(file) => Some(read_text(&file, MAX_INSTRUCTIONS_BYTES)?),
        None => parts.instructions,
    };
    let schema = parts.output_schema.as_deref().map(read_json).transpose()?;
    let given = [
        ("description", parts.description.map(Value::from)),
        ("instructions", instructions.map(Value::from)),
        ("output_schema", schema),
    ];
    for (key, value) in given {
        if let Some(value) = value {
            body.insert(key.to_owned(), value);
        }
    }
    Ok(())
}

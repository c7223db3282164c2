//! The input of a call, out of what the command line gives.

use std::io::Read;

use anyhow::Context;
use serde_json::{Map, Value};
use toolgate_domain::json::parse;

use crate::{
    cli::InputArgs,
    client::Client,
    exit::{Exit, Failure},
    input::{Schema, build, missing, prompt},
    output::Output,
};

/// The server takes far less; this only keeps a wrong file out of memory.
const MAX_INPUT_BYTES: u64 = 64 * 1024 * 1024;
const MAX_DEPTH: usize = 64;

/// `--input-json`, then `--input`, then questions on a terminal.
pub(super) async fn gather(args: &InputArgs, client: &Client, output: &Output) -> anyhow::Result<Value> {
    let given = args.input_json.as_deref().map(read_json).transpose()?;
    if let (Some(given), true) = (&given, args.input.is_empty()) {
        return Ok(given.clone());
    }
    let base = match given {
        None => Map::new(),
        Some(Value::Object(base)) => base,
        Some(_) => {
            return Err(Failure::invalid("--input adds fields, so --input-json must be an object").into());
        }
    };
    let tool = match client.get(&["api", "tools", &args.name]).value().await {
        Ok(tool) => tool,
        // A key may call without reading: then the server alone judges the input.
        Err(error) if args.input.is_empty() && is(&error, "FORBIDDEN") => return Ok(Value::Object(base)),
        Err(error) if is(&error, "FORBIDDEN") => {
            return Err(error.context("--input needs the tool's schema (--input-json works without it)"));
        }
        // The attempt is worth a record: the call itself finds out that there is no such tool.
        Err(error) if is(&error, "NOT_FOUND") => {
            return Ok(Value::Object(build(Schema::new(&Value::Bool(true)), base, &args.input)?));
        }
        Err(error) => return Err(error),
    };
    let schema = Schema::new(&tool["input_schema"]);
    let mut input = build(schema, base, &args.input)?;
    // A blocked tool says so by itself, whatever its input.
    if tool["lifecycle"] != "blocked" {
        complete(schema, &mut input, output)?;
    }
    Ok(Value::Object(input))
}

/// The same without questions: what was not given stays out.
pub(crate) async fn given(args: &InputArgs, client: &Client) -> anyhow::Result<Value> {
    let base = match args.input_json.as_deref().map(read_json).transpose()? {
        None => Map::new(),
        Some(Value::Object(base)) => base,
        Some(_) => return Err(Failure::invalid("the input is an object").into()),
    };
    if args.input.is_empty() {
        return Ok(Value::Object(base));
    }
    let tool = client.get(&["api", "tools", &args.name]).value().await?;
    Ok(Value::Object(build(Schema::new(&tool["input_schema"]), base, &args.input)?))
}

fn is(error: &anyhow::Error, code: &str) -> bool {
    let document = error.downcast_ref::<Failure>().and_then(|failure| failure.document.as_ref());
    document.is_some_and(|document| document["code"] == code)
}

/// Asks for what is missing, or says what it is.
fn complete(schema: Schema<'_>, input: &mut Map<String, Value>, output: &Output) -> anyhow::Result<()> {
    let fields = missing(schema, input);
    if fields.is_empty() {
        return Ok(());
    }
    if !output.can_ask() {
        let keys: Vec<_> = fields.iter().map(|field| format!("`{}`", field.key())).collect();
        let (noun, first) =
            (if keys.len() == 1 { "a required field is" } else { "required fields are" }, fields[0].key());
        return Err(Failure::invalid(format!("{noun} missing: {}", keys.join(", ")))
            .hint(format!("give it with --input {first}=…"))
            .into());
    }
    for field in &fields {
        let value = prompt(field, output)?;
        let mut place = &mut *input;
        for (depth, name) in field.path.iter().enumerate() {
            if depth + 1 == field.path.len() {
                place.insert((*name).to_owned(), value);
                break;
            }
            let inner = place.entry(*name).or_insert_with(|| Value::Object(Map::new()));
            place = inner.as_object_mut().context("a field is no object")?;
        }
    }
    Ok(())
}

/// JSON itself, `@file`, or `-`.
pub(crate) fn read_json(text: &str) -> anyhow::Result<Value> {
    let bytes = match (text, text.strip_prefix('@')) {
        ("-", _) => read_all(std::io::stdin().lock()).context("stdin cannot be read")?,
        (_, Some(path)) => {
            std::fs::File::open(path).and_then(read_all).with_context(|| format!("{path} cannot be read"))?
        }
        _ => text.as_bytes().to_vec(),
    };
    if bytes.len() as u64 > MAX_INPUT_BYTES {
        return Err(Failure::invalid(format!("the input has more than {MAX_INPUT_BYTES} bytes")).into());
    }
    parse(&bytes, MAX_DEPTH)
        .map_err(|error| Failure::new(Exit::Invalid, format!("--input-json: {error}")).into())
}

fn read_all(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_INPUT_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

//! The whole document.

use std::collections::BTreeMap;

use serde_json::Value;
use toolgate_domain::ToolSpec;

use super::{
    names::{self, Taken},
    notes::short,
    operation::Operation,
    read::{MAX_DOCUMENT_BYTES, read},
    refs::Document,
    select::is_named,
    server,
};

/// Operations of one import.
pub const MAX_OPERATIONS: usize = 500;
const MAX_ONLY: usize = 100;
/// In the order in which they are shown.
const METHODS: [(&str, &str); 7] = [
    ("get", "GET"),
    ("head", "HEAD"),
    ("options", "OPTIONS"),
    ("post", "POST"),
    ("put", "PUT"),
    ("patch", "PATCH"),
    ("delete", "DELETE"),
];

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the document has more than {MAX_DOCUMENT_BYTES} bytes")]
    TooLarge,
    #[error("the document cannot be read as {0}")]
    Syntax(String),
    #[error("this is Swagger 2.0: convert it to OpenAPI 3 first")]
    Swagger,
    #[error("this is no OpenAPI document: it has no `openapi` version")]
    NotOpenApi,
    #[error("OpenAPI {0} is not understood: 3.0 and 3.1 are")]
    Version(String),
    #[error("the document has no operations")]
    Empty,
    #[error("{found} operations are more than the {MAX_OPERATIONS} of one import: choose with --only")]
    TooMany { found: usize },
    #[error("no operation has the tag, the id or the path `{0}`")]
    Only(String),
    #[error("more than {MAX_ONLY} times --only")]
    TooManyOnly,
    #[error("{0}")]
    Server(String),
}

/// What the importer wants.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// In place of the servers that the document names.
    pub server: Option<String>,
    /// Tags, operation ids, or paths with `*`; empty means all.
    pub only: Vec<String>,
    /// Before the name of every tool.
    pub prefix: String,
    /// Before the name of every secret; the document's title unless told.
    pub secret_prefix: Option<String>,
    pub include_deprecated: bool,
}

/// A definition that can be registered.
#[derive(Clone, Debug)]
pub struct MadeTool {
    /// `GET /pets/{id}`.
    pub operation: String,
    pub spec: ToolSpec,
    pub warnings: Vec<String>,
}

/// An operation of which no tool was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub operation: String,
    pub reason: String,
    /// It was wanted, and cannot be.
    pub is_failure: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Import {
    pub tools: Vec<MadeTool>,
    pub left_out: Vec<LeftOut>,
}

/// One operation of the document, before anything is made of it.
struct Found<'a> {
    method: &'static str,
    path: &'a str,
    path_item: &'a Value,
    value: &'a Value,
    name: String,
}

impl Found<'_> {
    fn shown(&self) -> String {
        format!("{} {}", self.method, short(self.path))
    }

    fn is_deprecated(&self) -> bool {
        self.value.get("deprecated") == Some(&Value::Bool(true))
    }
}

/// Makes tools of the operations of an OpenAPI document.
pub fn import(text: &str, options: &ImportOptions) -> Result<Import, ImportError> {
    let root = read(text)?;
    let document = Document { root: &root };
    let mut import = Import::default();
    let all = find(document, &options.prefix, &mut import.left_out);
    if all.is_empty() && import.left_out.is_empty() {
        return Err(ImportError::Empty);
    }
    let chosen = choose(all, options, &mut import.left_out)?;
    if import.left_out.len() > 2 * MAX_OPERATIONS {
        return Err(ImportError::TooMany { found: import.left_out.len() });
    }
    let given = options.server.as_deref().map(server::base).transpose().map_err(ImportError::Server)?;
    let version = names::version(root.pointer("/info/version"));
    let title = root.pointer("/info/title").and_then(Value::as_str).unwrap_or_default();
    let secret_prefix = options.secret_prefix.clone().unwrap_or_else(|| names::secret_prefix(title));
    for found in chosen {
        let base = match &given {
            Some(given) => Ok(given.clone()),
            None => base(&root, &found)?,
        };
        let made = base.and_then(|base| {
            let operation = Operation {
                document,
                method: found.method,
                path: found.path,
                path_item: found.path_item,
                value: found.value,
                name: &found.name,
                base: &base,
                version: &version,
                secret_prefix: &secret_prefix,
            };
            operation.make()
        });
        match made {
            Ok((spec, warnings)) => import.tools.push(MadeTool { operation: found.shown(), spec, warnings }),
            Err(reason) => {
                import.left_out.push(LeftOut { operation: found.shown(), reason, is_failure: true });
            }
        }
    }
    Ok(import)
}

/// Where the operation is. That the document itself names no server is no fault of one operation.
fn base(root: &Value, found: &Found<'_>) -> Result<Result<String, String>, ImportError> {
    let own = server::of(found.value).or_else(|| server::of(found.path_item));
    match own {
        Some(own) => Ok(own),
        None => match server::of(root) {
            Some(common) => common.map(Ok).map_err(ImportError::Server),
            None => Err(ImportError::Server("the document names no server: give --server URL".to_owned())),
        },
    }
}

/// Every operation, with the name that it has whichever others are chosen.
fn find<'a>(document: Document<'a>, prefix: &str, left_out: &mut Vec<LeftOut>) -> Vec<Found<'a>> {
    let paths = document.root.get("paths").and_then(Value::as_object);
    let paths: BTreeMap<&String, &Value> =
        paths.into_iter().flatten().filter(|(path, _)| path.starts_with('/')).collect();
    let mut taken = Taken::default();
    let mut found = Vec::new();
    for (path, path_item) in paths {
        let path_item = match document.resolve(path_item) {
            Ok(path_item) => path_item,
            Err(reason) => {
                left_out.push(LeftOut { operation: short(path), reason, is_failure: true });
                continue;
            }
        };
        if path_item.get("trace").is_some() {
            let reason = "TRACE is not spoken".to_owned();
            left_out.push(LeftOut { operation: format!("TRACE {}", short(path)), reason, is_failure: true });
        }
        for (key, method) in METHODS {
            let Some(value) = path_item.get(key).filter(|value| value.is_object()) else { continue };
            let id = value.get("operationId").and_then(Value::as_str).filter(|id| !id.trim().is_empty());
            let name = match id {
                Some(id) => taken.tool(prefix, id),
                None => taken.tool(prefix, &format!("{key} {path}")),
            };
            found.push(Found { method, path, path_item, value, name });
        }
    }
    found
}

/// The operations that were asked for, within the bound.
fn choose<'a>(
    all: Vec<Found<'a>>,
    options: &ImportOptions,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<Found<'a>>, ImportError> {
    if options.only.len() > MAX_ONLY {
        return Err(ImportError::TooManyOnly);
    }
    let names = |found: &Found<'_>, only: &String| is_named(only, found.path, found.value);
    if let Some(only) = options.only.iter().find(|only| !all.iter().any(|found| names(found, only))) {
        return Err(ImportError::Only(short(only)));
    }
    let is_wanted =
        |found: &Found<'_>| options.only.is_empty() || options.only.iter().any(|only| names(found, only));
    if !options.only.is_empty() {
        // Nobody asked for what could not be looked at.
        left_out.clear();
    }
    let (old, chosen): (Vec<_>, Vec<_>) = all
        .into_iter()
        .filter(is_wanted)
        .partition(|found| found.is_deprecated() && !options.include_deprecated);
    if chosen.len() > MAX_OPERATIONS {
        return Err(ImportError::TooMany { found: chosen.len() });
    }
    let reason = "it is deprecated; --include-deprecated takes it".to_owned();
    left_out.extend(old.iter().take(MAX_OPERATIONS).map(|found| LeftOut {
        operation: found.shown(),
        reason: reason.clone(),
        is_failure: false,
    }));
    Ok(chosen)
}

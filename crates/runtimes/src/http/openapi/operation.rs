//! One operation becomes one tool.

use reqwest::Method;
use semver::Version;
use serde_json::{Map, Value, json};
use toolgate_domain::{EgressClass, ToolName, ToolSpec, tool::Execution};
use url::Url;

use super::{
    answer, auth,
    body::{self, BODY},
    check::check,
    names::Taken,
    notes::Notes,
    parameters::{self, Request},
    refs::Document,
};
use crate::http::config::egress_of_method;

const MAX_DESCRIPTION_CHARS: usize = 2_000;

/// An operation of the document, and what was decided about it already.
pub(super) struct Operation<'a> {
    pub(super) document: Document<'a>,
    pub(super) method: &'static str,
    pub(super) path: &'a str,
    pub(super) path_item: &'a Value,
    pub(super) value: &'a Value,
    pub(super) name: &'a str,
    /// The server, without a slash at the end.
    pub(super) base: &'a str,
    pub(super) version: &'a Version,
    pub(super) secret_prefix: &'a str,
}

impl Operation<'_> {
    /// The definition and what should be known about it; or why there is none.
    pub(super) fn make(&self) -> Result<(ToolSpec, Vec<String>), String> {
        let (document, mut notes) = (self.document, Notes::default());
        let auth = auth::of(document, self.value, self.base, self.secret_prefix, &mut notes)?;
        let mut request = Request::default();
        let mut taken = Taken::default();
        if self.value.get("requestBody").is_some() {
            taken.reserve(BODY);
        }
        let found = parameters::collect(document, [self.path_item, self.value])?;
        let credential = auth.as_ref().and_then(|auth| auth.place.as_ref());
        let credential = credential.map(|(place, name)| (*place, name.as_str()));
        parameters::add(document, self.path, &found, credential, &mut taken, &mut request, &mut notes)?;
        body::add(document, self.method, self.value, &mut request, &mut notes)?;
        let answer = answer::of(document, self.method, self.value, &mut notes)?;
        if let Some(media) = answer.accept {
            request.headers.insert("Accept".to_owned(), json!(media));
        }
        let token_url = auth.as_ref().and_then(|auth| auth.token_url.clone());
        let secrets = auth.as_ref().map(|auth| auth.secrets.clone()).unwrap_or_default();
        let mut spec = ToolSpec {
            category: "api".to_owned(),
            output_schema: Some(answer.schema),
            egress_class: self.egress_class(),
            secrets,
            ..ToolSpec::new(
                self.name.parse::<ToolName>().map_err(|error| error.to_string())?,
                self.version.clone(),
                self.description(),
                request.input_schema(),
                Execution::new("http", self.execution(request, auth.map(|auth| auth.block))),
            )
        };
        spec.enforce_egress_guard();
        let base = Url::parse(self.base).map_err(|error| format!("its server is no address: {error}"))?;
        check(&spec, &[Some(base), token_url].into_iter().flatten().collect::<Vec<_>>())?;
        Ok((spec, notes.into_vec()))
    }

    fn execution(&self, request: Request, auth: Option<Value>) -> Map<String, Value> {
        let mut config = Map::new();
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                config.insert(key.to_owned(), value);
            }
        };
        let filled = |map: Map<String, Value>| (!map.is_empty()).then_some(Value::Object(map));
        put("method", Some(json!(self.method)));
        put("url", Some(json!(format!("{}{}", self.base, request.path))));
        put("query", filled(request.query));
        put("headers", filled(request.headers));
        put("body", request.body);
        put("form", request.form.map(Value::Object));
        put("auth", auth);
        config
    }

    fn egress_class(&self) -> EgressClass {
        self.method.parse::<Method>().map_or(EgressClass::Write, |method| egress_of_method(&method))
    }

    fn description(&self) -> String {
        let text = |key: &str| self.value.get(key).and_then(Value::as_str).map(str::trim).unwrap_or_default();
        let (summary, description) = (text("summary"), text("description"));
        let told = match (summary, description) {
            ("", "") => format!("{} {}", self.method, self.path),
            ("", one) | (one, "") => one.to_owned(),
            (summary, description) if description.starts_with(summary) => description.to_owned(),
            (summary, description) => format!("{}. {description}", summary.trim_end_matches('.')),
        };
        match told.char_indices().nth(MAX_DESCRIPTION_CHARS) {
            None => told,
            Some((at, _)) => format!("{}…", told[..at].trim_end()),
        }
    }
}

//! Whom a name means: `provider/model`, a model of the default provider, or nothing.

use serde_json::json;
use toolgate_domain::{ErrorCode, ToolError};

/// A provider, and one of its models; without one, its first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) provider: String,
    pub(super) model: Option<String>,
    /// Only where the provider lists the model.
    pub(super) if_listed: bool,
}

impl Choice {
    pub(super) fn new(provider: &str, model: Option<&str>) -> Self {
        Self { provider: provider.to_owned(), model: model.map(str::to_owned), if_listed: false }
    }

    /// `provider/model`, as it stands in the settings.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text.split_once('/') {
            Some((provider, model)) if !provider.is_empty() && !model.is_empty() => {
                Ok(Self::new(provider, Some(model)))
            }
            _ => Err(format!("the default model is `provider/model`, not `{text}`")),
        }
    }
}

/// Who may be meant, in the order in which they are looked for.
pub(super) fn candidates(name: Option<&str>, default: Option<&Choice>) -> Vec<Choice> {
    let Some(name) = name else {
        return default.cloned().into_iter().collect();
    };
    let named = name.split_once('/').filter(|(provider, model)| !provider.is_empty() && !model.is_empty());
    let named = named.map(|(provider, model)| Choice::new(provider, Some(model)));
    // Models of some servers have a slash in their own names.
    let if_listed = named.is_some();
    let of_default = |default: &Choice| Choice { if_listed, ..Choice::new(&default.provider, Some(name)) };
    named.into_iter().chain(default.map(of_default)).collect()
}

/// Nobody set a provider up.
pub(super) fn no_model() -> ToolError {
    let message = "no model is set up: an operator adds one to `[[providers]]` in toolgate.toml, a tenant brings its own with `toolgate provider \
                   set`, and `toolgate serve --model-script FILE` tries things out without any";
    ToolError::new(ErrorCode::AuthRequired, message).with_details(json!({"reason": "no_model"}))
}

/// Nobody said which, and there is no default.
pub(super) fn undecided(known: &[String]) -> ToolError {
    let message = format!(
        "no model was named and there is no default: name one as `provider/model` (there is {}), or let the operator set `default_model`",
        known.join(", ")
    );
    ToolError::validation(message).with_details(json!({"reason": "no_default_model", "providers": known}))
}

/// Somebody was named whom nobody knows.
pub(super) fn unknown(name: &str, known: &[String]) -> ToolError {
    let message = format!("no provider serves the model `{name}`; there is {}", known.join(", "));
    ToolError::validation(message).with_details(json!({"reason": "unknown_provider", "providers": known}))
}

/// A provider that lists no models must be told which.
pub(super) fn no_model_of(provider: &str) -> ToolError {
    let message = format!("the provider `{provider}` lists no models: name one as `{provider}/model`");
    ToolError::validation(message).with_details(json!({"reason": "no_default_model"}))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(None, &["home/small"])]
    #[case(Some("big"), &["home/big"])]
    #[case(Some("other/big"), &["other/big", "home/other/big"])]
    #[case(Some("/big"), &["home//big"])]
    fn a_name_means_its_provider_before_it_means_the_default(
        #[case] name: Option<&str>,
        #[case] meant: &[&str],
    ) {
        let default = Choice::parse("home/small").unwrap();
        let found: Vec<String> = candidates(name, Some(&default))
            .into_iter()
            .map(|choice| format!("{}/{}", choice.provider, choice.model.unwrap_or_default()))
            .collect();
        assert_eq!(found, meant);
    }

    #[test]
    fn a_default_has_both_parts() {
        assert!(Choice::parse("gpt-4o").is_err() && Choice::parse("openai/").is_err());
    }
}

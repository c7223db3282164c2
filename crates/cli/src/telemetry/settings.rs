use anyhow::{Context, bail};

const SERVICE_NAME: &str = "toolgate";
/// Where collectors take spans, under their address.
const PATH: &str = "/v1/traces";

/// Where spans go.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Otlp {
    /// The whole address.
    pub(super) endpoint: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) service_name: String,
}

impl std::fmt::Debug for Otlp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Headers are how collectors know their clients.
        f.debug_struct("Otlp").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl Otlp {
    /// What the server's settings say, and otherwise what the environment says to any program that speaks OpenTelemetry.
    pub(crate) fn of(
        endpoint: Option<String>,
        headers: Vec<String>,
        service_name: Option<String>,
    ) -> anyhow::Result<Option<Self>> {
        let usual = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let Some(endpoint) = endpoint.or_else(|| usual("OTEL_EXPORTER_OTLP_ENDPOINT")) else {
            return Ok(None);
        };
        let headers = if headers.is_empty() {
            let listed = usual("OTEL_EXPORTER_OTLP_HEADERS").unwrap_or_default();
            listed.split(',').filter(|pair| !pair.is_empty()).map(str::to_owned).collect()
        } else {
            headers
        };
        let service_name = service_name.or_else(|| usual("OTEL_SERVICE_NAME"));
        Ok(Some(Self {
            endpoint: whole(&endpoint)?,
            headers: headers.iter().map(|pair| header(pair)).collect::<anyhow::Result<_>>()?,
            service_name: service_name.unwrap_or_else(|| SERVICE_NAME.to_owned()),
        }))
    }
}

fn whole(endpoint: &str) -> anyhow::Result<String> {
    let url = reqwest::Url::parse(endpoint);
    if !url.is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.query().is_none()) {
        bail!(
            "the address of the collector begins with https:// or http:// and has no query, unlike `{endpoint}`"
        );
    }
    let base = endpoint.trim_end_matches('/');
    Ok(if base.ends_with(PATH) { base.to_owned() } else { format!("{base}{PATH}") })
}

fn header(pair: &str) -> anyhow::Result<(String, String)> {
    // What is wrong may be a secret: it is not repeated.
    let (name, value) = pair.split_once('=').context("a header for the collector is NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_completed_and_the_headers_are_read() {
        let given = Some("http://collector:4318/".to_owned());
        let otlp = Otlp::of(given, vec!["authorization=Basic YQ==".to_owned()], None).unwrap().unwrap();
        assert_eq!(otlp.endpoint, "http://collector:4318/v1/traces");
        assert_eq!(otlp.headers, [("authorization".to_owned(), "Basic YQ==".to_owned())]);
        assert!(!format!("{otlp:?}").contains("YQ"), "no secret in a log");
        let whole = "https://collector/otlp/v1/traces";
        assert_eq!(Otlp::of(Some(whole.to_owned()), vec![], None).unwrap().unwrap().endpoint, whole);
        assert!(Otlp::of(Some("collector:4318".to_owned()), vec![], None).is_err());
        let error = Otlp::of(Some("http://c".to_owned()), vec!["s3cret".to_owned()], None).unwrap_err();
        assert!(!error.to_string().contains("s3cret"));
    }
}

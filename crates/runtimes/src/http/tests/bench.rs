//! A runtime as a test wants it.

use std::{
    collections::BTreeMap,
    io,
    net::IpAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use serde_json::Value;
use tokio::time::Instant;
use toolgate_domain::{TenantId, ToolError, time::SystemClock, tool::Execution};
use toolgate_engine::SecretValue;

use crate::http::{
    HttpLimits, HttpOptions, HttpRuntime,
    config::parse,
    run::{Answer, Job},
    tools::HttpRequest,
    wall::{AllowHosts, Resolver},
};

/// A name server that answers a question differently every time, until its last answer, which stays.
#[derive(Default)]
pub(super) struct Names {
    answers: Mutex<BTreeMap<String, Vec<Vec<IpAddr>>>>,
    pub(super) asked: Mutex<Vec<String>>,
}

impl Names {
    pub(super) fn of(names: &[(&str, &[&[&str]])]) -> Arc<Self> {
        let parse = |ips: &&[&str]| ips.iter().map(|ip| ip.parse().unwrap()).collect();
        let answers = names
            .iter()
            .map(|(name, answers)| ((*name).to_owned(), answers.iter().map(parse).collect()))
            .collect();
        Arc::new(Self { answers: Mutex::new(answers), asked: Mutex::default() })
    }
}

#[async_trait]
impl Resolver for Names {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.lock().unwrap().push(host.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let left = answers.get_mut(host).ok_or(io::ErrorKind::NotFound)?;
        Ok(if left.len() > 1 { left.remove(0) } else { left[0].clone() })
    }
}

pub(super) struct Bench {
    pub(super) runtime: HttpRuntime,
    secrets: BTreeMap<String, String>,
    pub(super) timeout: Duration,
}

impl Bench {
    pub(super) fn new(allow: &[&str]) -> Self {
        Self::with(allow, Names::of(&[]), HttpLimits::default())
    }

    pub(super) fn with(allow: &[&str], names: Arc<Names>, limits: HttpLimits) -> Self {
        Self::searching(allow, names, limits, "https://search.example")
    }

    pub(super) fn searching(allow: &[&str], names: Arc<Names>, limits: HttpLimits, search: &str) -> Self {
        Self::of(HttpOptions {
            allow_hosts: AllowHosts::parse(allow).unwrap(),
            resolver: names,
            search_base_url: search.to_owned(),
            limits,
            ..HttpOptions::default()
        })
    }

    /// With a certificate authority of its own beside those of the system.
    pub(super) fn trusting(pem: &str, allow: &[&str], names: Arc<Names>) -> Self {
        Self::of(HttpOptions {
            allow_hosts: AllowHosts::parse(allow).unwrap(),
            resolver: names,
            trusted_pem: Some(pem.as_bytes().to_vec()),
            ..HttpOptions::default()
        })
    }

    fn of(options: HttpOptions) -> Self {
        let runtime = HttpRuntime::new(Arc::new(SystemClock), options).unwrap();
        Self { runtime, secrets: BTreeMap::new(), timeout: Duration::from_secs(20) }
    }

    pub(super) fn secret(mut self, name: &str, value: &str) -> Self {
        self.secrets.insert(name.to_owned(), value.to_owned());
        self
    }

    /// What saving a tool with this execution block says.
    pub(super) fn check(&self, config: Value) -> Result<(), String> {
        use toolgate_engine::Runtime;
        let Value::Object(config) = config else { panic!("an object") };
        self.runtime.check(&Execution { kind: "http".to_owned(), config })
    }

    /// Calls a tool of this execution block.
    pub(super) async fn call(&self, config: Value, input: Value) -> Result<Answer, ToolError> {
        let (core, wall) = (&self.runtime.core, &self.runtime.wall);
        let plan = parse(config.as_object().unwrap(), &core.limits, wall).unwrap();
        let secrets = self.secrets();
        core.execute(&self.job(&plan, wall, &secrets), &input).await
    }

    /// Calls `http_request`.
    pub(super) async fn request(&self, input: Value) -> Result<Answer, ToolError> {
        let (core, wall) = (&self.runtime.core, &self.runtime.wall);
        let (plan, request) = HttpRequest::plan(&input, &core.limits, wall)?;
        let secrets = self.secrets();
        core.send(&self.job(&plan, wall, &secrets), request).await
    }

    /// Calls `webSearch`.
    pub(super) async fn search(&self, input: Value) -> Result<(Value, Option<f64>), ToolError> {
        let (core, search) = (&self.runtime.core, &self.runtime.search);
        let plan = search.plan(&core.limits).unwrap();
        let request = search.request(&plan, &input);
        let secrets = self.secrets();
        let answer = core.send(&self.job(&plan, search.wall(), &secrets), request).await?;
        crate::http::tools::normalise(&input, &answer.value["body"])
    }

    fn secrets(&self) -> impl Fn(&str) -> Option<SecretValue> + Send + Sync + '_ {
        |name| self.secrets.get(name).map(|value| SecretValue::new(value.clone()).unwrap())
    }

    fn job<'a>(
        &self,
        plan: &'a crate::http::config::Plan,
        wall: &'a crate::http::wall::Wall,
        secrets: &'a (dyn Fn(&str) -> Option<SecretValue> + Send + Sync),
    ) -> Job<'a> {
        Job {
            plan,
            wall,
            secrets,
            tenant: TenantId::DEFAULT,
            tool: "tool@1.0.0".to_owned(),
            call_id: "inv_1".to_owned(),
            deadline: Instant::now() + self.timeout,
        }
    }
}

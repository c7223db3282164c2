//! The one place that knows every part: stores, runtimes, engine.

use std::{path::Path, sync::Arc};

use anyhow::{Context, bail};
use toolgate_agents::{action::ActionRuntime, run::AgentRuntime};
use toolgate_domain::{
    ids::{IdGen, OrderedIds},
    time::{Clock, SystemClock},
};
use toolgate_engine::{Engine, EngineOptions, MasterKey, Notifier, Ports, Runtime};
use toolgate_mcp::client::{McpReader, McpRuntime, auth::Logins};
use toolgate_runtimes::{
    builtin::BuiltinRuntime,
    composition::CompositionRuntime,
    house::{HouseRuntime, old_names},
    http::{
        HttpLimits, HttpNotifier, HttpOptions, HttpRuntime,
        wall::{SystemResolver, Wall},
    },
    prompt::PromptRuntime,
    task::TaskRuntime,
};
use toolgate_store::{Blobs, Limiter, ResultCache, Stores};
use toolgate_store_sql::{
    Applied,
    local::{MemoryCache, MemoryLimits},
    objects::ObjectBlobs,
    postgres::{Postgres, PostgresOptions},
    redis::RedisShared,
    sqlite::{Sqlite, SqliteOptions},
};

use crate::{
    config::Config,
    data_dir,
    models::{self, Abroad, SchemaAdviser},
    python, telemetry, upstreams,
};

const MAX_CERTIFICATES_BYTES: usize = 1 << 20;

/// Opens the stores that the configuration names, and brings the database's schema up to date.
pub(crate) async fn open_stores(config: &Config) -> anyhow::Result<(Stores, Vec<Applied>)> {
    data_dir::prepare(&config.data_dir)?;
    let blobs: Arc<dyn Blobs> = Arc::new(open_blobs(config)?);
    let (cache, limiter): (Arc<dyn ResultCache>, Arc<dyn Limiter>) = match &config.redis_url {
        None => {
            (Arc::new(MemoryCache::new(config.limits.max_cache_bytes)), Arc::new(MemoryLimits::default()))
        }
        Some(url) => {
            let shared = Arc::new(RedisShared::connect(url).await.context("Redis cannot be reached")?);
            (shared.clone(), shared)
        }
    };
    let (max_queue, max_batch) = (size(config.limits.max_ledger_queue), size(config.limits.max_commit_batch));
    match &config.database_url {
        None => {
            let options = SqliteOptions {
                max_queue,
                max_batch,
                ..SqliteOptions::new(config.data_dir.join("toolgate.db"))
            };
            let (sqlite, applied) = Sqlite::open(&options)?;
            Ok((sqlite.stores(blobs, cache, limiter), applied))
        }
        Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
            let max_batch_bytes = size(config.limits.max_commit_batch_bytes);
            let options =
                PostgresOptions { max_queue, max_batch, max_batch_bytes, ..PostgresOptions::new(url) };
            let (postgres, applied) =
                Postgres::connect(&options).await.context("PostgreSQL cannot be used")?;
            Ok((postgres.stores(blobs, cache, limiter), applied))
        }
        Some(_) => bail!("the database URL begins with postgres://; leave it out for the embedded database"),
    }
}

fn open_blobs(config: &Config) -> anyhow::Result<ObjectBlobs> {
    Ok(match config.blob_url.as_deref() {
        None => ObjectBlobs::local(&config.data_dir.join("blobs"))?,
        Some(url) if url.starts_with("s3://") => ObjectBlobs::s3(url)?,
        Some(url) => match url.strip_prefix("file://") {
            Some(path) => ObjectBlobs::local(Path::new(path))?,
            None => bail!("the blob URL begins with file:// or s3://, not `{url}`"),
        },
    })
}

/// The engine with every runtime there is, on these stores.
pub(crate) async fn start_engine(
    stores: Stores,
    config: &Config,
    master_key: MasterKey,
) -> anyhow::Result<(Arc<Engine>, Arc<Logins>)> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let ids: Arc<dyn IdGen> = Arc::new(OrderedIds::new(SystemClock));
    let builtin = BuiltinRuntime::new(Arc::clone(&clock), Arc::clone(&ids)).map_err(anyhow::Error::msg)?;
    let http = HttpRuntime::new(Arc::clone(&clock), http_options(config)?)?;
    let wall = Wall::new(config.allow_hosts.clone(), Arc::new(SystemResolver));
    let abroad = Arc::new(Abroad::new(wall));
    let models = models::set_up(config, Arc::clone(&abroad))?;
    let agents = AgentRuntime::new(models.clone());
    let house = HouseRuntime::default();
    let mut code_tools =
        [builtin.specs(), http.specs(), agents.specs(), ActionRuntime.specs(), house.specs()].concat();
    let mut runtimes: Vec<Arc<dyn Runtime>> = vec![
        Arc::new(builtin),
        Arc::new(http),
        Arc::new(CompositionRuntime),
        Arc::new(PromptRuntime::new(Some(models.clone()))),
        Arc::new(TaskRuntime),
        Arc::new(agents),
        Arc::new(ActionRuntime),
        Arc::new(house),
    ];
    if let Some(python) = python::runtime(config, &*stores.settings).await? {
        code_tools.extend(python.specs());
        runtimes.push(Arc::new(python));
    }
    let (upstreams, logins, changed) = upstreams::set_up(config, Arc::clone(&clock))?;
    let mcp = Arc::new(McpRuntime::new(Arc::clone(&upstreams)));
    let reader = McpReader::new(Arc::clone(&mcp));
    code_tools.extend(reader.specs());
    runtimes.extend([mcp as Arc<dyn Runtime>, Arc::new(reader)]);
    let (limits, bypass_approval) = (config.limits.clone(), config.bypass_approval);
    let options = EngineOptions {
        stores,
        clock,
        ids,
        limits,
        runtimes,
        code_tools,
        master_key,
        bypass_approval,
        separation: config.separation,
        ports: Ports {
            advisers: vec![Arc::new(SchemaAdviser::new(&models))],
            old_names: old_names(),
            provider_judge: Some(abroad),
            upstreams: Some(upstreams),
            spans: telemetry::sink(config.otlp.as_ref())?,
            public_url: config.public_url.clone(),
        },
    };
    let engine = Engine::start(options).await?;
    logins.keep_in(Arc::clone(engine.secrets()));
    tokio::spawn(upstreams::look_again(Arc::downgrade(&engine), changed));
    Ok((engine, logins))
}

fn http_options(config: &Config) -> anyhow::Result<HttpOptions> {
    let mut options = HttpOptions {
        allow_hosts: config.allow_hosts.clone(),
        limits: HttpLimits::of(&config.limits),
        ..HttpOptions::default()
    };
    if let Some(url) = &config.search_url {
        options.search_base_url.clone_from(url);
    }
    options.trusted_pem = trusted_pem(config)?;
    Ok(options)
}

/// Where webhooks may lead is what HTTP tools may reach, and more where the operator says so.
pub(crate) fn notifier(config: &Config) -> Arc<dyn Notifier> {
    let mut allow = config.allow_hosts.clone();
    if config.allow_private_webhooks {
        allow = allow.and_inside();
    }
    Arc::new(HttpNotifier::new(Wall::new(allow, Arc::new(SystemResolver)), &config.limits))
}

/// Certificates of the operator's own, for hosts inside.
pub(crate) fn trusted_pem(config: &Config) -> anyhow::Result<Option<Vec<u8>>> {
    let Some(file) = &config.http_ca else { return Ok(None) };
    Ok(Some(crate::document::read_text(file, MAX_CERTIFICATES_BYTES)?.into_bytes()))
}

fn size(limit: u64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX).max(1)
}

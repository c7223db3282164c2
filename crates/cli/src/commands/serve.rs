//! `toolgate serve` and `toolgate migrate`.

use std::{io::IsTerminal, net::SocketAddr, path::Path, process::ExitCode, sync::Arc};

use anyhow::Context;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};
use toolgate_domain::{Caller, TenantId, time::SystemClock};
use toolgate_engine::Engine;
use toolgate_server::{
    AppState, Elsewhere, ServerOptions,
    oidc::{OidcClient, OidcConfig},
};
use tracing_subscriber::{Layer, layer::SubscriberExt, util::SubscriberInitExt};

use crate::{
    config::{Config, Oidc, ServeArgs},
    key_file, master_key, open_files,
    output::Output,
    wiring,
};

pub(crate) async fn serve(args: ServeArgs, file: Option<&Path>, output: &Output) -> anyhow::Result<ExitCode> {
    let config = Config::load(args, file)?;
    start_log(config.json_logs);
    quieten_panics();
    open_files::allow(config.limits.max_connections);
    let (stores, applied) = wiring::open_stores(&config).await?;
    for migration in &applied {
        tracing::info!(migration = migration.name, "brought the database up to date");
    }
    let master_key = master_key::load(&config, &stores).await?.key;
    let (engine, logins) = wiring::start_engine(stores, &config, master_key).await?;
    if config.model_script.is_some() {
        tracing::warn!("the model `scripted` answers from a script: for trying things out only");
    }
    if config.bypass_approval {
        tracing::warn!("keys of the service role may bypass approval: for development only");
    }
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("{} cannot be listened on", config.listen))?;
    // Only now that nothing is in the way of saying it.
    let first_key = first_key(&engine, &config.data_dir).await?;
    let first_link = match first_key {
        Some(_) => engine.rules().first_person_link().await?,
        None => None,
    };
    let address = listener.local_addr()?;
    // Whoever reads the address may also ask to stop: that must be heard from here on.
    let stop = stopped()?;
    output.line(format!("listening on http://{address}"));
    if let Some(key) = first_key {
        output.line(format!("admin key: {key}"));
    }
    if let Some(token) = first_link {
        let base = config.public_url.as_deref().map(|url| url.trim_end_matches('/').to_owned());
        let base = base.unwrap_or_else(|| format!("http://{address}"));
        // In the fragment, which browsers send to nobody.
        output.line(format!("make the first account, within the hour: {base}/welcome#{token}"));
    }
    output.flush();
    let options = ServerOptions {
        elsewhere: match &config.oidc {
            Some(oidc) => Some(elsewhere(oidc, config.public_url.as_deref(), address, &engine).await?),
            None => None,
        },
        access: match &config.oauth {
            Some(oauth) => Some(oauth.tokens(config.public_url.as_deref(), address)?),
            None => None,
        },
        notifier: Some(wiring::notifier(&config)),
        trusted_proxies: config.trusted_proxies,
        mcp_allowed_hosts: config.mcp_allowed_hosts,
        mcp_allowed_origins: config.mcp_allowed_origins,
        logins: Some(logins),
        public_url: config.public_url,
    };
    toolgate_server::serve(listener, AppState::with(engine, options), stop).await?;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn migrate(
    args: ServeArgs,
    file: Option<&Path>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let config = Config::load(args, file)?;
    let (_stores, applied) = wiring::open_stores(&config).await?;
    if output.is_json() {
        let rows: Vec<_> =
            applied.iter().map(|m| serde_json::json!({"version": m.version, "name": m.name})).collect();
        output.json(&serde_json::json!({"applied": rows}));
    } else if applied.is_empty() {
        output.line("the database is up to date");
    } else {
        applied.iter().for_each(|m| output.line(format!("applied {}", m.name)));
    }
    Ok(ExitCode::SUCCESS)
}

/// The identity provider, with the address to which it sends browsers back.
async fn elsewhere(
    oidc: &Oidc,
    public_url: Option<&str>,
    address: SocketAddr,
    engine: &Engine,
) -> anyhow::Result<Elsewhere> {
    let base =
        public_url.map_or_else(|| format!("http://{address}"), |url| url.trim_end_matches('/').to_owned());
    let config = OidcConfig {
        issuer: oidc.issuer.clone(),
        client_id: oidc.client_id.clone(),
        client_secret: oidc.client_secret.clone(),
        redirect_uri: format!("{base}/api/auth/oidc/callback"),
        scopes: vec!["email".to_owned(), "profile".to_owned()],
    };
    let kept = engine.stores().settings.get_or_init("sign_in_key", &rand::random::<[u8; 32]>()).await?;
    let key =
        kept.try_into().map_err(|_| anyhow::anyhow!("the key that seals sign-ins is not 32 bytes long"))?;
    let client = OidcClient::new(config, reqwest::Client::builder(), Arc::new(SystemClock))?;
    Ok(Elsewhere { client, key })
}

/// On the first start there is no key: one is made, shown once, and left where only its owner can read it.
async fn first_key(engine: &Arc<Engine>, data_dir: &Path) -> anyhow::Result<Option<String>> {
    let caller = Caller::system(TenantId::DEFAULT, "default");
    let Some(made) = engine.keys().mint_first(&caller).await? else {
        return Ok(None);
    };
    // The file comes first. A key that the database knows and nobody else would lock everybody out, and no later start would make another;
    // one that only the file knows is replaced by the next start.
    let path = data_dir.join("admin.key");
    key_file::write(&path, &made.secret, true)?;
    if engine.keys().keep_first(&caller, &made).await? {
        return Ok(Some(made.secret));
    }
    // Another process of this database was first, and this key opens nothing.
    if std::fs::read_to_string(&path).is_ok_and(|text| text.trim() == made.secret) {
        std::fs::remove_file(&path).with_context(|| format!("{} cannot be removed", path.display()))?;
    }
    Ok(None)
}

/// Done when the process is asked to stop.
pub(super) fn stopped() -> anyhow::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping: no new calls; those under way may end");
    })
}

/// What a panic says may quote a secret that a run held. Only a message that was written with the program is safe to log.
pub(super) fn quieten_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let message = panic.payload().downcast_ref::<&'static str>().copied().unwrap_or("not shown");
        tracing::error!(place, message, "a part of the server broke down");
    }));
}

pub(super) fn start_log(json: bool) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("TOOLGATE_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let lines = if json { lines.json().boxed() } else { lines.boxed() };
    // A logger that is there already stays.
    let _ = tracing_subscriber::registry()
        .with(filter)
        .with(tracing_subscriber::filter::filter_fn(|told| !is_unfit(told.target())))
        .with(lines)
        .try_init();
}

/// The SDK of the protocol logs messages whole, and codes and tokens of logins, with whatever is in them. What an operator needs of
/// them is said by us, and no setting brings the rest into the log.
fn is_unfit(target: &str) -> bool {
    target == "rmcp" || target.starts_with("rmcp::")
}

#[cfg(test)]
mod tests {
    use super::is_unfit;

    #[test]
    fn nothing_of_the_protocols_sdk_is_fit_for_the_log_and_all_else_is() {
        assert!(is_unfit("rmcp") && is_unfit("rmcp::transport::auth"));
        assert!(!is_unfit("toolgate_mcp::client") && !is_unfit("rmcps"));
    }
}

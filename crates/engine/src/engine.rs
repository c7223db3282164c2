//! The engine: what the door stands on, how it opens and how it closes.

use std::{
    ops::Deref,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rand::RngExt;
use tokio::sync::{Mutex, watch};
use tokio_util::task::{TaskTracker, task_tracker::TaskTrackerToken};
use toolgate_domain::{Clock, Erased, IdGen, Limits, NodeId, ToolSpec};
use toolgate_store::{StoreError, Stores};

use crate::{
    BlobSigner, HeadSigner, Keyring, MasterKey, Metrics, Ports, Refused, RegisterError, Registry, Rules,
    Runtime, Secrets, Separation,
    executor::{Flights, Hands, InFlight, Tallies, Turns},
    ledger::Lease,
    onlookers::Onlookers,
    trace::Tracer,
    upstreams::Desk,
    webhooks::Post,
};

pub struct EngineOptions {
    pub stores: Stores,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn IdGen>,
    pub limits: Limits,
    pub runtimes: Vec<Arc<dyn Runtime>>,
    /// The tools that ship in the binary.
    pub code_tools: Vec<ToolSpec>,
    /// What every secret is sealed with, in the end. Processes that share a database share it.
    pub master_key: MasterKey,
    /// For development: the service role may make calls that should ask without asking. Every use is audited.
    pub bypass_approval: bool,
    pub separation: Separation,
    pub ports: Ports,
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a tool that ships with this program cannot be registered: {0}")]
    Tools(#[from] RegisterError),
}

/// The one door.
pub struct Engine {
    parts: Erased<EngineParts>,
}

impl Deref for Engine {
    type Target = EngineParts;

    fn deref(&self) -> &EngineParts {
        &self.parts
    }
}

/// The parts of the engine.
pub struct EngineParts {
    /// For what goes on in the background.
    pub(crate) myself: Weak<Engine>,
    pub(crate) stores: Stores,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdGen>,
    pub(crate) limits: Limits,
    pub(crate) runtimes: std::collections::BTreeMap<&'static str, Arc<dyn Runtime>>,
    pub(crate) node_id: NodeId,
    pub(crate) registry: Arc<Registry>,
    pub(crate) rules: Arc<Rules>,
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) tallies: Tallies,
    pub(crate) turns: Turns,
    pub(crate) tracer: Tracer,
    /// The kind of tool whose calls are runs.
    pub(crate) run_kind: Option<&'static str>,
    pub(crate) public_url: String,
    pub(crate) bypass_approval: bool,
    pub(crate) separation: Separation,
    pub(crate) keys: Keyring,
    pub(crate) metrics: Metrics,
    pub(crate) in_flight: InFlight,
    pub(crate) hands: Hands,
    pub(crate) flights: Flights,
    pub(crate) onlookers: Onlookers,
    pub(crate) post: Post,
    /// Held while a pack is installed or removed: what was checked must still hold when it is written.
    pub(crate) packing: Mutex<()>,
    /// Counts up when tools or rules were read again.
    pub(crate) changes: watch::Sender<u64>,
    /// Where the MCP servers of others are asked, and what they offer is looked at.
    pub(crate) upstream_desk: Desk,
    signer: BlobSigner,
    state_key: Vec<u8>,
    pub(crate) head_signer: HeadSigner,
    working: TaskTracker,
    pub(crate) lease: Arc<Lease>,
    stopping: AtomicBool,
}

impl Engine {
    /// Opens the door: takes a lease, settles what dead processes left, publishes the tools of the binary.
    pub async fn start(options: EngineOptions) -> Result<Arc<Self>, StartError> {
        let EngineOptions {
            stores,
            clock,
            ids,
            limits,
            runtimes,
            code_tools,
            master_key,
            bypass_approval,
            separation,
            ports,
        } = options;
        let runtimes: std::collections::BTreeMap<_, _> =
            runtimes.into_iter().map(|r| (r.kind(), r)).collect();
        let secret =
            stores.settings.get_or_init("blob_signing_key", &rand::rng().random::<[u8; 32]>()).await?;
        let audit_key =
            stores.settings.get_or_init("audit_signing_key", &rand::rng().random::<[u8; 32]>()).await?;
        let post_key = stores.settings.get_or_init("webhook_key", &rand::rng().random::<[u8; 32]>()).await?;
        let state_key =
            stores.settings.get_or_init("request_state_key", &rand::rng().random::<[u8; 32]>()).await?;
        let rules =
            Arc::new(Rules::new(stores.clone(), Arc::clone(&clock), Arc::clone(&ids), limits.clone()));
        let registry = Registry::new(
            stores.clone(),
            Arc::clone(&clock),
            Arc::clone(&ids),
            limits.clone(),
            runtimes.clone(),
            Arc::clone(&rules),
            ports.advisers,
        );
        let registry = Arc::new(registry.understanding(ports.old_names));
        rules.look_at(&registry);
        if let Some(judge) = ports.provider_judge {
            rules.judge_providers_by(judge);
        }
        let secrets = Arc::new(Secrets::new(
            stores.clone(),
            Arc::clone(&clock),
            Arc::clone(&ids),
            limits.clone(),
            Arc::clone(&rules),
            master_key,
        ));
        let head_signer = HeadSigner::new(&audit_key)?;
        let metrics = Metrics::default();
        let dropped = metrics.spans_dropped.clone();
        let tracer = Tracer::start(Arc::clone(&stores.spans), ports.spans, &limits, dropped);
        let run_kind = runtimes.values().find(|runtime| runtime.is_run()).map(|runtime| runtime.kind());
        let lease = Arc::new(Lease::default());
        let engine = Arc::new_cyclic(|myself| {
            let parts = EngineParts {
                myself: Weak::clone(myself),
                keys: Keyring::new(stores.clone(), Arc::clone(&clock), Arc::clone(&ids), Arc::clone(&rules)),
                node_id: NodeId::generate(&*ids),
                signer: BlobSigner::new(secret),
                state_key,
                head_signer,
                metrics,
                tracer,
                run_kind,
                public_url: ports.public_url.unwrap_or_default(),
                in_flight: InFlight::default(),
                hands: Hands::new(Arc::clone(&lease)),
                flights: Flights::default(),
                onlookers: Onlookers::default(),
                post: Post::new(post_key),
                packing: Mutex::new(()),
                changes: watch::Sender::new(0),
                upstream_desk: Desk::new(ports.upstreams),
                working: TaskTracker::new(),
                lease: Arc::clone(&lease),
                stopping: AtomicBool::new(false),
                stores,
                clock,
                ids,
                limits,
                runtimes,
                registry,
                rules,
                secrets,
                tallies: Tallies::default(),
                turns: Turns::default(),
                bypass_approval,
                separation,
            };
            Self { parts: Erased::new(parts) }
        });
        engine.keep_lease().await?;
        engine.registry.install(code_tools).await?;
        let settled = engine.recover().await?;
        if settled > 0 {
            tracing::warn!(settled, "settled calls that an earlier process had begun");
        }
        engine.settle_decided().await?;
        engine.wake_ready().await?;
        engine.seal_owed().await?;
        engine.keep_watch();
        engine.keep_upstreams_fresh();
        Ok(engine)
    }

    pub fn stores(&self) -> &Stores {
        &self.stores
    }

    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    pub fn secrets(&self) -> &Arc<Secrets> {
        &self.secrets
    }

    pub fn keys(&self) -> &Keyring {
        &self.keys
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    pub fn signer(&self) -> &BlobSigner {
        &self.signer
    }

    /// What states are sealed with that callers keep for the server. Processes that share a database share it.
    pub fn state_key(&self) -> &[u8] {
        &self.state_key
    }

    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    pub fn ids(&self) -> &dyn IdGen {
        &*self.ids
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// A call comes in; the door stays open until it has left.
    pub(crate) fn enter(self: &Arc<Self>) -> Result<Working, Refused> {
        if self.is_stopping() {
            return Err(Refused::Stopping);
        }
        Ok(self.enter_quietly())
    }

    pub(crate) fn enter_quietly(self: &Arc<Self>) -> Working {
        self.metrics.running.inc();
        Working { engine: Arc::clone(self), _token: self.working.token() }
    }

    /// Something besides calls that should end before the door is closed.
    pub(crate) fn hold(&self) -> TaskTrackerToken {
        self.working.token()
    }

    /// Closes the door: no new calls, time for those under way, then their cancellation; the chains are signed and the
    /// lease is given back.
    pub async fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.post.stop.cancel();
        self.working.close();
        let patience = Duration::from_millis(self.limits.drain_ms);
        if tokio::time::timeout(patience, self.working.wait()).await.is_err() {
            tracing::warn!("calls are still running after the drain time; they are cancelled");
            self.in_flight.cancel_all();
            if tokio::time::timeout(Duration::from_secs(5), self.working.wait()).await.is_err() {
                tracing::error!("some calls did not end; the next start settles them");
            }
        }
        self.tracer.stop().await;
        if let Err(error) = self.sign_heads().await {
            tracing::warn!(%error, "the ends of the audit chains could not be signed; the next start does it");
        }
        if let Err(error) = self.give_lease_back().await {
            tracing::warn!(%error, "the lease could not be given back");
        }
    }
}

/// A call inside the door.
pub(crate) struct Working {
    engine: Arc<Engine>,
    _token: TaskTrackerToken,
}

impl Drop for Working {
    fn drop(&mut self) {
        self.engine.metrics.running.dec();
    }
}

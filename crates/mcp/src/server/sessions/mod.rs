//! Sessions belong to whoever opened them: an id that was guessed, or seen in somebody's log, opens nothing. And nobody has too many.
//!
//! The SDK does not tell a session manager whose request it handles; the request's own task does. Its own manager of sessions passes every
//! message through a task of the session and a timer; here it goes from the request to the service and back.

mod line;
mod session;
mod streams;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures::Stream;
use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::{
        common::server_side_http::session_id,
        streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager},
    },
};
use session::{Session, SessionTransport, stream_of};
use toolgate_domain::{Caller, Limits, Principal, TenantId};

tokio::task_local! {
    static ASKER: Arc<Asker>;
}

/// Whose request this is.
struct Asker {
    owner: Owner,
    refused: AtomicBool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Owner {
    tenant: TenantId,
    principal: Principal,
}

impl Owner {
    pub(super) fn of(caller: &Caller) -> Self {
        Self { tenant: caller.tenant_id, principal: caller.principal }
    }
}

/// The caller, or everybody together, has as many sessions as there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "too many sessions are open: end one (DELETE with its Mcp-Session-Id), or wait until an idle one is closed"
)]
pub struct TooManySessions;

#[derive(Debug, thiserror::Error)]
pub(super) enum SessionsError {
    #[error(transparent)]
    TooMany(#[from] TooManySessions),
    #[error("there is no such session")]
    NotFound,
    #[error("there is nothing to go on with after that event")]
    NothingAfter,
}

pub(super) struct Sessions {
    open: Mutex<Open>,
    idle: Duration,
    max: u64,
    max_per_caller: u64,
}

#[derive(Default)]
struct Open {
    sessions: HashMap<SessionId, (Owner, Arc<Session>)>,
    counts: HashMap<Owner, u64>,
}

/// Handles a request for its caller: what is done to sessions meanwhile is the caller's doing.
pub(super) async fn on_behalf_of<T>(
    caller: &Caller,
    handled: impl Future<Output = T>,
) -> Result<T, TooManySessions> {
    let asker = Arc::new(Asker { owner: Owner::of(caller), refused: AtomicBool::new(false) });
    let answer = ASKER.scope(Arc::clone(&asker), handled).await;
    if asker.refused.load(Ordering::Relaxed) { Err(TooManySessions) } else { Ok(answer) }
}

/// Absent where the SDK tidies up by itself.
fn asker() -> Option<Arc<Asker>> {
    ASKER.try_with(Arc::clone).ok()
}

impl Sessions {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            open: Mutex::default(),
            idle: Duration::from_secs(limits.mcp_session_idle_s),
            max: limits.mcp_max_sessions,
            max_per_caller: limits.mcp_max_sessions_per_caller,
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the session is the asker's own.
    pub(super) fn is_own(&self, id: &str) -> bool {
        self.own(id).is_ok()
    }

    fn own(&self, id: &str) -> Result<Arc<Session>, SessionsError> {
        let asker = asker().ok_or(SessionsError::NotFound)?;
        match self.open().sessions.get(id) {
            Some((owner, session)) if *owner == asker.owner => Ok(Arc::clone(session)),
            _ => Err(SessionsError::NotFound),
        }
    }

    fn forget(&self, id: &str) -> Option<Arc<Session>> {
        let mut open = self.open();
        let (owner, session) = open.sessions.remove(id)?;
        let left = open.counts.get(&owner).map_or(0, |count| count.saturating_sub(1));
        if left == 0 {
            open.counts.remove(&owner);
        } else {
            open.counts.insert(owner, left);
        }
        Some(session)
    }
}

impl SessionManager for Sessions {
    type Error = SessionsError;
    type Transport = SessionTransport;

    async fn create_session(&self) -> Result<(SessionId, SessionTransport), SessionsError> {
        let asker = asker().ok_or(SessionsError::NotFound)?;
        let mut open = self.open();
        let own = open.counts.get(&asker.owner).copied().unwrap_or(0);
        let all = u64::try_from(open.sessions.len()).unwrap_or(u64::MAX);
        if all >= self.max || own >= self.max_per_caller {
            asker.refused.store(true, Ordering::Relaxed);
            return Err(TooManySessions.into());
        }
        let (id, (session, transport)) = (session_id(), Session::open(self.idle));
        open.sessions.insert(id.clone(), (asker.owner, Arc::new(session)));
        open.counts.insert(asker.owner, own + 1);
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, SessionsError> {
        self.own(id)?.initialize(message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, SessionsError> {
        Ok(self.is_own(id))
    }

    /// Asked by the owner, or by the SDK when the service has ended.
    async fn close_session(&self, id: &SessionId) -> Result<(), SessionsError> {
        if asker().is_some() {
            self.own(id)?;
        }
        if let Some(session) = self.forget(id) {
            session.streams().close();
        }
        Ok(())
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        self.own(id)?.request(message).await
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), SessionsError> {
        self.own(id)?.accept(message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        Ok(stream_of(self.own(id)?.streams().listen()))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        let events = self.own(id)?.streams().resume(&last_event_id);
        Ok(stream_of(events.ok_or(SessionsError::NothingAfter)?))
    }
}

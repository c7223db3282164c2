//! Sessions belong to whoever opened them: an id that was guessed, or seen in somebody's log, opens nothing. And nobody has too many.
//!
//! The SDK does not tell a session manager whose request it handles; the request's own task does. Its own manager of sessions passes every
//! message through a task of the session and a timer; here it goes from the request to the service and back.

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
use toolgate_domain::{Caller, Limits, Principal, TenantId};

use super::session::{Session, SessionTransport, stream_of};

/// A year. Moments much further away cannot be reckoned with.
const LONGEST_IDLE_S: u64 = 365 * 24 * 3_600;

tokio::task_local! {
    static ASKER: Arc<Asker>;
}

/// Whose request this is.
struct Asker {
    owner: Owner,
    refused: AtomicBool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::server) struct Owner {
    tenant: TenantId,
    principal: Principal,
}

impl Owner {
    pub(in crate::server) fn of(caller: &Caller) -> Self {
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
pub(in crate::server) enum SessionsError {
    #[error(transparent)]
    TooMany(#[from] TooManySessions),
    #[error("there is no such session")]
    NotFound,
    #[error("there is nothing to go on with after that event")]
    NothingAfter,
}

pub(in crate::server) struct Sessions {
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
pub(in crate::server) async fn on_behalf_of<T>(
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
    pub(in crate::server) fn new(limits: &Limits) -> Self {
        Self {
            open: Mutex::default(),
            idle: Duration::from_secs(limits.mcp_session_idle_s.min(LONGEST_IDLE_S)),
            max: limits.mcp_max_sessions,
            max_per_caller: limits.mcp_max_sessions_per_caller,
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the session is the asker's own.
    pub(in crate::server) fn is_own(&self, id: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use toolgate_domain::{Scope, UserId, ids::Uuid};

    use super::{
        super::tests::{call, taken_back},
        *,
    };

    fn sessions(max: u64, max_per_caller: u64) -> Sessions {
        let limits = Limits {
            mcp_max_sessions: max,
            mcp_max_sessions_per_caller: max_per_caller,
            ..Limits::default()
        };
        Sessions::new(&limits)
    }

    fn caller(tenant: u128, user: u128) -> Caller {
        let principal = Principal::User(UserId::from_uuid(Uuid::from_u128(user)));
        Caller::with_scopes(TenantId::from_uuid(Uuid::from_u128(tenant)), "t", principal, &[Scope::ToolsRead])
    }

    async fn opened(sessions: &Sessions, by: &Caller) -> Result<SessionId, TooManySessions> {
        let made = on_behalf_of(by, sessions.create_session()).await?;
        Ok(made.unwrap().0)
    }

    async fn has(sessions: &Sessions, by: &Caller, id: &SessionId) -> bool {
        on_behalf_of(by, sessions.has_session(id)).await.unwrap().unwrap()
    }

    #[tokio::test]
    async fn a_session_is_there_for_its_owner_and_for_nobody_else() {
        let sessions = sessions(10, 10);
        let (alice, bob, other_tenant) = (caller(1, 1), caller(1, 2), caller(2, 1));
        let id = opened(&sessions, &alice).await.unwrap();
        assert!(has(&sessions, &alice, &id).await);
        for stranger in [&bob, &other_tenant] {
            assert!(!has(&sessions, stranger, &id).await);
            let closed = on_behalf_of(stranger, sessions.close_session(&id)).await.unwrap();
            assert!(matches!(closed, Err(SessionsError::NotFound)));
            let asked = on_behalf_of(stranger, sessions.create_stream(&id, call(1, None))).await.unwrap();
            assert!(matches!(asked.err(), Some(SessionsError::NotFound)));
            let said = on_behalf_of(stranger, sessions.accept_message(&id, taken_back(1))).await.unwrap();
            assert!(matches!(said, Err(SessionsError::NotFound)));
            let heard = on_behalf_of(stranger, sessions.create_standalone_stream(&id)).await.unwrap();
            assert!(matches!(heard.err(), Some(SessionsError::NotFound)));
            let resumed = on_behalf_of(stranger, sessions.resume(&id, "0".to_owned())).await.unwrap();
            assert!(matches!(resumed.err(), Some(SessionsError::NotFound)));
        }
        assert!(has(&sessions, &alice, &id).await, "nobody else could end it");
        assert!(!sessions.has_session(&id).await.unwrap(), "without a caller there is no session");
        on_behalf_of(&alice, sessions.close_session(&id)).await.unwrap().unwrap();
        assert!(!has(&sessions, &alice, &id).await);
    }

    #[tokio::test]
    async fn nobody_has_too_many_and_one_that_ends_makes_room() {
        let sessions = sessions(3, 2);
        let (alice, bob) = (caller(1, 1), caller(1, 2));
        let first = opened(&sessions, &alice).await.unwrap();
        let second = opened(&sessions, &alice).await.unwrap();
        assert_eq!(opened(&sessions, &alice).await, Err(TooManySessions), "two for one caller");
        opened(&sessions, &bob).await.unwrap();
        assert_eq!(opened(&sessions, &bob).await, Err(TooManySessions), "three for all");
        on_behalf_of(&alice, sessions.close_session(&first)).await.unwrap().unwrap();
        opened(&sessions, &bob).await.unwrap();
        assert_eq!(opened(&sessions, &alice).await, Err(TooManySessions));
        // As the SDK does when a session was idle for too long.
        sessions.close_session(&second).await.unwrap();
        opened(&sessions, &alice).await.unwrap();
        assert_eq!(sessions.open().counts.values().sum::<u64>(), 3);
    }

    #[tokio::test]
    async fn a_session_may_be_idle_for_ever() {
        let sessions = Sessions::new(&Limits { mcp_session_idle_s: u64::MAX, ..Limits::default() });
        let alice = caller(1, 1);
        let id = opened(&sessions, &alice).await.unwrap();
        let session = on_behalf_of(&alice, async { sessions.own(&id) }).await.unwrap().unwrap();
        assert!(session.streams().idle_at(sessions.idle).is_some());
    }

    #[tokio::test]
    async fn a_crowd_that_comes_at_once_does_not_get_past_the_bound() {
        let sessions = sessions(100, 5);
        let alice = caller(1, 1);
        let crowd = (0..50).map(|_| opened(&sessions, &alice));
        let made = futures::future::join_all(crowd).await;
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 5);
        assert_eq!(sessions.open().sessions.len(), 5);
    }
}

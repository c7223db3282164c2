//! Sessions belong to whoever opened them: an id that was guessed, or seen in somebody's log, opens nothing. And nobody has too many.
//!
//! The SDK does not tell a session manager whose request it handles; the request's own task does.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use futures::Stream;
use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::streamable_http_server::session::{
        ServerSseMessage, SessionId, SessionManager,
        local::{LocalSessionManager, LocalSessionManagerError},
    },
};
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
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

pub(super) struct OwnedSessions {
    local: LocalSessionManager,
    open: Mutex<Open>,
    max: u64,
    max_per_caller: u64,
}

#[derive(Default)]
struct Open {
    owners: HashMap<SessionId, Owner>,
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

impl OwnedSessions {
    pub(super) fn new(local: LocalSessionManager, limits: &Limits) -> Self {
        let (max, max_per_caller) = (limits.mcp_max_sessions, limits.mcp_max_sessions_per_caller);
        Self { local, open: Mutex::default(), max, max_per_caller }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_room(&self, open: &Open, owner: Owner) -> bool {
        let own = open.counts.get(&owner).copied().unwrap_or(0);
        u64::try_from(open.owners.len()).is_ok_and(|all| all < self.max) && own < self.max_per_caller
    }

    fn keep(&self, id: &SessionId, owner: Owner) -> bool {
        let mut open = self.open();
        let has_room = self.has_room(&open, owner);
        if has_room {
            open.owners.insert(id.clone(), owner);
            *open.counts.entry(owner).or_default() += 1;
        }
        has_room
    }

    fn forget(&self, id: &SessionId) {
        let mut open = self.open();
        let Some(owner) = open.owners.remove(id) else {
            return;
        };
        let left = open.counts.get(&owner).map_or(0, |count| count.saturating_sub(1));
        if left == 0 {
            open.counts.remove(&owner);
        } else {
            open.counts.insert(owner, left);
        }
    }

    /// Whether the session is the asker's own.
    pub(super) fn is_own(&self, id: &str) -> bool {
        asker().is_some_and(|asker| self.open().owners.get(id) == Some(&asker.owner))
    }

    fn own(&self, id: &SessionId) -> Result<(), SessionsError> {
        if self.is_own(id) { Ok(()) } else { Err(SessionsError::NotFound) }
    }
}

impl SessionManager for OwnedSessions {
    type Error = SessionsError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), SessionsError> {
        let asker = asker().ok_or(SessionsError::NotFound)?;
        if self.has_room(&self.open(), asker.owner) {
            let (id, transport) = self.local.create_session().await?;
            // Nothing waits between these two: a client that hangs up leaves no session that nobody owns.
            if self.keep(&id, asker.owner) {
                return Ok((id, transport));
            }
            self.local.close_session(&id).await?;
        }
        asker.refused.store(true, Ordering::Relaxed);
        Err(TooManySessions.into())
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, SessionsError> {
        self.own(id)?;
        Ok(self.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, SessionsError> {
        Ok(self.is_own(id) && self.local.has_session(id).await?)
    }

    /// Asked by the owner, or by the SDK when a session was idle for too long or its worker ended.
    async fn close_session(&self, id: &SessionId) -> Result<(), SessionsError> {
        if asker().is_some() {
            self.own(id)?;
        }
        self.forget(id);
        Ok(self.local.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        self.own(id)?;
        Ok(self.local.create_stream(id, message).await?)
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), SessionsError> {
        self.own(id)?;
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        self.own(id)?;
        Ok(self.local.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        self.own(id)?;
        Ok(self.local.resume(id, last_event_id).await?)
    }
}

#[cfg(test)]
mod tests {
    use toolgate_domain::{Scope, UserId, ids::Uuid};

    use super::*;

    fn sessions(max: u64, max_per_caller: u64) -> OwnedSessions {
        let limits = Limits {
            mcp_max_sessions: max,
            mcp_max_sessions_per_caller: max_per_caller,
            ..Limits::default()
        };
        OwnedSessions::new(LocalSessionManager::default(), &limits)
    }

    fn caller(tenant: u128, user: u128) -> Caller {
        let principal = Principal::User(UserId::from_uuid(Uuid::from_u128(user)));
        Caller::with_scopes(TenantId::from_uuid(Uuid::from_u128(tenant)), "t", principal, &[Scope::ToolsRead])
    }

    async fn opened(sessions: &OwnedSessions, by: &Caller) -> Result<SessionId, TooManySessions> {
        let made = on_behalf_of(by, sessions.create_session()).await?;
        Ok(made.unwrap().0)
    }

    async fn has(sessions: &OwnedSessions, by: &Caller, id: &SessionId) -> bool {
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
    async fn a_crowd_that_comes_at_once_does_not_get_past_the_bound() {
        let sessions = sessions(100, 5);
        let alice = caller(1, 1);
        let crowd = (0..50).map(|_| opened(&sessions, &alice));
        let made = futures::future::join_all(crowd).await;
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 5);
        assert_eq!(sessions.local.sessions.read().await.len(), 5);
    }
}

//! The way to addresses that tenants name: it leads past the wall. The address is judged when a client is made, the name is resolved by the
//! wall whenever a connection is made, and only what it admits is connected to. So a name that answers differently the second time gains
//! nothing.

use std::net::SocketAddr;

use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};
use serde_json::json;
use toolgate_domain::{ErrorCode, ToolError};
use toolgate_runtimes::http::wall::{Refusal, Wall};

/// A client's only resolver: it knows one address, and asks the wall about it.
pub(crate) struct Judged {
    wall: Wall,
    url: Url,
}

impl Judged {
    /// Judges an address; `whose` names it in a refusal. Said here, it names the reason; inside the client it would be one more connection
    /// that cannot be made.
    pub(crate) async fn of(wall: &Wall, url: &str, whose: &str) -> Result<Self, ToolError> {
        let refused = |refusal: Refusal| {
            let code = match refusal {
                Refusal::Unresolved { .. } => ErrorCode::NetworkError,
                _ => ErrorCode::PolicyDenied,
            };
            ToolError::new(code, format!("the {whose}'s address: {refusal}"))
                .with_details(json!({"reason": format!("{whose}_address")}))
        };
        let url = wall.screen(url).map_err(refused)?;
        wall.admit(&url).await.map_err(refused)?;
        Ok(Self { wall: wall.clone(), url })
    }
}

impl Resolve for Judged {
    fn resolve(&self, _name: Name) -> Resolving {
        let (wall, url) = (self.wall.clone(), self.url.clone());
        Box::pin(async move {
            let admitted = wall.admit(&url).await?;
            let addresses = admitted.addresses.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::{
        io,
        net::IpAddr,
        sync::atomic::{AtomicBool, Ordering},
    };

    use async_trait::async_trait;
    use toolgate_runtimes::http::wall::Resolver;

    /// Leads outside when it is asked first, and to this machine ever after.
    #[derive(Default)]
    pub(crate) struct Rebinding(AtomicBool);

    #[async_trait]
    impl Resolver for Rebinding {
        async fn resolve(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
            let inside = self.0.swap(true, Ordering::SeqCst);
            Ok(vec![if inside { [127, 0, 0, 1].into() } else { [93, 184, 216, 34].into() }])
        }
    }
}

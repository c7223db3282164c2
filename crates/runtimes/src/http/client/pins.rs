//! The addresses that were judged, handed to the client when it connects. It never asks a name server itself.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use dashmap::DashMap;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::http::wall::Admitted;

/// Judged addresses by name, for as long as a request to that name is under way.
///
/// Two requests to one name may have seen different answers. Both were judged, so either may use what the other found.
#[derive(Clone, Default)]
pub(in crate::http) struct Pins {
    held: Arc<DashMap<String, Held>>,
}

struct Held {
    addresses: Arc<[IpAddr]>,
    holders: u64,
}

/// Holds the pin of one request.
pub(in crate::http) struct Pin {
    pins: Pins,
    name: Option<String>,
}

impl Pins {
    pub(in crate::http) fn hold(&self, admitted: &Admitted) -> Pin {
        let name = admitted.url.domain().map(str::to_owned);
        if let Some(name) = &name {
            let mut held = self
                .held
                .entry(name.clone())
                .or_insert_with(|| Held { addresses: Arc::from([]), holders: 0 });
            held.addresses = admitted.addresses.as_slice().into();
            held.holders += 1;
        }
        Pin { pins: self.clone(), name }
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        let Some(name) = self.name.take() else { return };
        self.pins.held.remove_if_mut(&name, |_, held| {
            held.holders -= 1;
            held.holders == 0
        });
    }
}

impl Resolve for Pins {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.held.get(name.as_str()).map(|held| Arc::clone(&held.addresses));
        Box::pin(async move {
            let found = found.ok_or_else(|| io::Error::other("no judged address is at hand"))?;
            let addresses: Vec<_> = found.iter().map(|ip| SocketAddr::new(*ip, 0)).collect();
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

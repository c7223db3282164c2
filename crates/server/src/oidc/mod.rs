//! Sign-in through an OpenID Connect provider: the authorization code flow with PKCE, and nothing else.
//!
//! The sequence, one file a step:
//!
//! 1. `config`: what an operator sets, refused early when it cannot work.
//! 2. `provider`: the provider's own description, fetched when first needed.
//! 3. `client`: `begin` makes the address that the browser is sent to, `finish` turns the code into an identity.
//! 4. `pending`: what must survive between the two travels sealed in the browser's cookie, so no server keeps state.
//! 5. `id_token` and `keys`: the proof of who signed in, checked.
//! 6. `identity`: what is left of it.

mod client;
mod config;
mod error;
mod http;
mod id_token;
mod identity;
mod keys;
mod pending;
mod provider;

pub use client::{Begun, OidcClient};
pub use config::OidcConfig;
pub use error::{Asked, OidcError, TokenError};
pub use identity::Identity;
pub use pending::{NotLocal, Pending, ReturnTo, open, seal};

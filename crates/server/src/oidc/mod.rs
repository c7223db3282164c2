//! Sign-in through an OpenID Connect provider: the authorization code flow with PKCE, and nothing else. And access tokens, with
//! which programs speak for people who signed in there.
//!
//! The sequence, one file a step:
//!
//! 1. `config`: what an operator sets, refused early when it cannot work.
//! 2. `provider`: the provider's own description, fetched when first needed.
//! 3. `client`: `begin` makes the address that the browser is sent to, `finish` turns the code into an identity.
//! 4. `pending`: what must survive between the two travels sealed in the browser's cookie, so no server keeps state.
//! 5. `id_token`, `jwt` and `keys`: the proof of who signed in, checked.
//! 6. `identity`: what is left of it.
//!
//! An access token takes another way, with the same steps: `access` finds the issuer that it names among those that are trusted,
//! asks for its keys as a sign-in does, and checks that the token was made for this server.

mod access;
mod client;
mod config;
mod error;
mod http;
mod id_token;
mod identity;
mod jwt;
mod keys;
mod pending;
mod provider;

pub use access::{AccessConfig, AccessTokens};
pub use client::{Begun, OidcClient};
pub use config::OidcConfig;
pub use error::{Asked, OidcError, TokenError};
pub use identity::Identity;
pub use pending::{NotLocal, Pending, ReturnTo, open, seal};

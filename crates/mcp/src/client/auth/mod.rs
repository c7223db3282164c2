//! OAuth 2.1 towards upstreams: a person allows it once, the tokens are kept in secret, and each request carries one.
//!
//! - `settings.rs` says who we are towards a server; `kept.rs` what a login leaves behind; `keeper.rs` where it is kept, and `secret.rs` that this
//!   is a secret of the engine; `logins.rs` holds those of all upstreams;
//! - `login.rs` gives out tokens and renews them; `start.rs` and `finish.rs` are the two halves of a login by a person;
//! - `registration.rs` finds the client to be; `machine.rs` is the login without a person;
//! - `hush.rs` keeps tokens out of what an upstream says;
//! - `transport.rs` puts the token on each request, and reacts to a refusal; `outbound.rs` carries the requests of OAuth itself.

mod discovery;
mod error;
mod finish;
mod hush;
mod keeper;
mod kept;
mod login;
mod logins;
mod machine;
mod outbound;
mod registration;
mod secret;
mod settings;
mod start;
mod stores;
mod transport;

pub use error::{LoginError, login_needed};
pub use finish::Answer;
pub use hush::Hush;
pub use keeper::{KeeperError, MemoryKeeper, TokenKeeper};
pub use kept::KeptLogin;
pub use login::{Login, LoginParts};
pub use logins::Logins;
pub use outbound::Outbound;
pub use settings::OauthSettings;
pub use start::Started;
pub use transport::{Authorized, Consent};

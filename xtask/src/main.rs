//! `cargo run -p xtask -- tidy`; with `--features product` also `fresh` and `generate`.

mod doors;
#[cfg(feature = "product")]
mod generate;
mod layers;
mod licences;
mod metadata;
mod sizes;
mod tidy;

use std::process::ExitCode;

#[expect(clippy::print_stderr, reason = "this is a program for a person at a terminal")]
fn main() -> ExitCode {
    let result = match std::env::args().nth(1).as_deref() {
        Some("tidy") => tidy::tidy(),
        #[cfg(feature = "product")]
        Some("fresh") => generate::fresh(),
        #[cfg(feature = "product")]
        Some("generate") => generate::write_all(),
        _ => Err(anyhow::anyhow!("usage: cargo run -p xtask [--features product] -- tidy|fresh|generate")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

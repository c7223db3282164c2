//! Runs that are written down in one file, and gone through again elsewhere.

mod bundles;
mod hundred;
mod secrets;
mod stage;
mod world;

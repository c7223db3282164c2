//! Calls that wait, and questions that come back to the client: a real engine, real upstreams and real clients, over loopback.

mod approvals;
mod direct;
mod hidden;
mod house;
mod person;
mod questions;
mod tasks;
mod upstream;

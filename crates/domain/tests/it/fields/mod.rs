//! Fields become JSON Schema and come back, and schemas become fields without changing what they accept.

mod definitions;
mod refusals;
mod round_trip;
mod schemas;

//! Tools that are HTTP requests.

pub mod wall;

//! Our tools out: what a client of the protocol sees of Toolgate.

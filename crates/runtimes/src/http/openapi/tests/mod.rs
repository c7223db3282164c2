//! Documents, kind and hostile.

mod golden;
mod hostile;
mod mapping;

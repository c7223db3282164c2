//! The numbers by which WASI names what went wrong.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errno {
    BadDescriptor = 8,
    Fault = 21,
    Invalid = 28,
    IsDirectory = 31,
    TooManyFiles = 33,
    NoEntry = 44,
    NotSupported = 58,
    NotDirectory = 54,
    ReadOnly = 69,
    NotSeekable = 70,
}

/// What a function of WASI returns.
pub(super) fn code(result: Result<(), Errno>) -> i32 {
    result.map_or_else(|errno| errno as i32, |()| 0)
}

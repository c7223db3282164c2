/// Why a store could not answer. The text is for the log, never for the caller.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the row exists already: {0}")]
    Conflict(String),
    #[error("the store cannot be reached: {0}")]
    Unavailable(String),
    #[error("the store refused: {0}")]
    Refused(String),
    #[error("the store holds something it should not: {0}")]
    Corrupt(String),
}

//! An answer that is too large to be held.

use reqwest::Response;

use super::{Client, problem, unreachable};

pub(crate) struct Pieces<'a> {
    client: &'a Client,
    response: Response,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(client: &'a Client, response: Response) -> Self {
        Self { client, response }
    }

    /// The next bytes; an answer that breaks off is an error.
    pub(crate) async fn next(&mut self) -> anyhow::Result<Option<impl AsRef<[u8]> + use<>>> {
        let piece = self.response.chunk().await;
        Ok(piece.map_err(|error| unreachable(self.client, &problem::root(&error)))?)
    }
}

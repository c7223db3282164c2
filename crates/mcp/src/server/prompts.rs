//! The prompts of upstreams.

use rmcp::{
    ErrorData,
    model::{GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult, ResultType},
};
use serde_json::json;
use toolgate_domain::Caller;

use super::{
    Gateway,
    asker::Asker,
    others::{Read, Reading},
};
use crate::client::GET_PROMPT;

impl Gateway {
    pub(super) async fn prompts(
        &self,
        caller: &Caller,
        cursor: Option<String>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let all = self.shelves(caller, GET_PROMPT).await?.prompts();
        let (items, next) = self.page(all, cursor);
        let mut list = ListPromptsResult::with_all_items(items.into_iter().map(|one| one.shown).collect());
        list.next_cursor = next;
        Ok(list)
    }

    pub(super) async fn prompt(
        &self,
        caller: Caller,
        request: GetPromptRequestParams,
        asker: &Asker,
    ) -> Result<GetPromptResponse, ErrorData> {
        let shelves = self.shelves(&caller, GET_PROMPT).await?;
        let found = shelves.prompts().remove(&request.name).ok_or_else(|| unknown(&request.name))?;
        let mut input = json!({"server": found.upstream.name, "name": found.own});
        if let Some(arguments) = request.arguments {
            input["arguments"] = arguments.into();
        }
        let reading = Reading {
            method: "prompts/get",
            tool: GET_PROMPT,
            input,
            name: request.name,
            state: request.request_state,
            answers: request.input_responses,
        };
        Ok(match self.read_from_upstream::<GetPromptResult>(caller, reading, asker).await? {
            Read::Done(mut result, meta) => {
                (result.result_type, result.meta) = (Some(ResultType::COMPLETE), Some(meta));
                result.into()
            }
            Read::InputRequired(asks) => GetPromptResponse::InputRequired(asks),
        })
    }
}

pub(super) fn unknown(name: &str) -> ErrorData {
    ErrorData::invalid_params("there is no such prompt", Some(json!({"name": name})))
}

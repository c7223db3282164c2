//! Values that complete an argument of an upstream's prompt, or of its template of resources.

use rmcp::{
    ErrorData,
    model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference},
};
use serde_json::json;
use toolgate_domain::Caller;

use super::{
    Gateway,
    asker::Asker,
    others::{Read, Reading},
    prompts::unknown,
    resources::{is_ours, not_found},
};
use crate::client::COMPLETE_ARGUMENT;

impl Gateway {
    pub(super) async fn completion(
        &self,
        caller: Caller,
        request: CompleteRequestParams,
        asker: &Asker,
    ) -> Result<CompleteResult, ErrorData> {
        let shelves = self.shelves(&caller, COMPLETE_ARGUMENT).await?;
        let (server, of, name) = match &request.r#ref {
            Reference::Prompt(prompt) => {
                let found = shelves.prompts().remove(&prompt.name).ok_or_else(|| unknown(&prompt.name))?;
                let of = json!({"type": "ref/prompt", "name": found.own});
                (found.upstream.name.clone(), of, prompt.name.clone())
            }
            // Nobody can guess what calls left behind.
            Reference::Resource(template) if is_ours(&template.uri) => return Ok(CompleteResult::default()),
            Reference::Resource(template) => {
                let owner =
                    shelves.owner_of_template(&template.uri).ok_or_else(|| not_found(&template.uri))?;
                let of = json!({"type": "ref/resource", "uri": template.uri});
                (owner.name.clone(), of, template.uri.clone())
            }
            _ => return Err(ErrorData::invalid_params("ref: of a prompt or of a resource", None)),
        };
        let mut input = json!({"server": server, "ref": of, "argument": request.argument});
        if let Some(known) = request.context {
            input["context"] = json!(known);
        }
        let reading = Reading {
            method: "completion/complete",
            tool: COMPLETE_ARGUMENT,
            input,
            name,
            state: None,
            answers: None,
        };
        match self.read_from_upstream::<CompletionInfo>(caller, reading, asker).await? {
            Read::Done(completion, meta) => {
                let mut result = CompleteResult::new(completion);
                result.meta = Some(meta);
                Ok(result)
            }
            Read::InputRequired(_) => {
                Err(ErrorData::internal_error("the upstream asks something before it completes a word", None))
            }
        }
    }
}

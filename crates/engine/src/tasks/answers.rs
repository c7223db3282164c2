//! What counts as an answer: one for each question, of the shape that its kind asks for, small enough, and without the tool's secrets.

use serde_json::{Map, Value};
use toolgate_domain::{
    Caller,
    governance::{Question, QuestionKind, Questions, Task},
    json::{check_value, encoded_len},
};

use crate::{
    Engine, Refused, RuleError,
    registry::{compile_schema, complaints},
};

impl Engine {
    /// What is answered by now: what was given before, and what fits of this. Answers to other questions are left aside, and the first
    /// answer to a question stands. Says whether all are answered.
    pub(super) async fn fitting_answers(
        &self,
        caller: &Caller,
        task: &Task,
        questions: &Questions,
        given: Option<Value>,
    ) -> Result<(Value, Result<(), String>), RuleError> {
        let Some(Value::Object(mut given)) = given else {
            return Err(RuleError::Invalid(
                "the answers are an object with one for each question's name".to_owned(),
            ));
        };
        let mut answers = answered(task).cloned().unwrap_or_default();
        let mut missing = Ok(());
        for (name, question) in questions {
            if answers.contains_key(name) {
                continue;
            }
            let Some(answer) = given.remove(name) else {
                missing = Err(format!("the question `{name}` is not answered"));
                continue;
            };
            check_answer(question, &answer)
                .map_err(|why| RuleError::Invalid(format!("the answer to `{name}`: {why}")))?;
            answers.insert(name.clone(), answer);
        }
        let answers = Value::Object(answers);
        let (bytes, most) = (encoded_len(&answers) as u64, self.limits.max_input_bytes);
        if bytes > most {
            return Err(RuleError::Invalid(format!(
                "the answers have {bytes} bytes; at most {most} are kept"
            )));
        }
        let max_depth = usize::try_from(self.limits.max_json_depth).unwrap_or(usize::MAX);
        check_value(&answers, max_depth).map_err(|error| RuleError::Invalid(error.to_string()))?;
        self.refuse_secrets(caller, task, &answers).await?;
        Ok((answers, missing))
    }

    /// Answers are kept, and people read them.
    async fn refuse_secrets(&self, caller: &Caller, task: &Task, answers: &Value) -> Result<(), RuleError> {
        let Some(row) = self.stores.invocations.get(caller.tenant_id, task.invocation_id).await? else {
            return Ok(());
        };
        let (Some(live), Some(asker)) = (self.tool_of(&row).await?, self.caller_of(&row).await?) else {
            return Ok(());
        };
        match self.shows_secret(&asker, &live.tool, answers).await {
            Ok(None) => Ok(()),
            Ok(Some(_)) => Err(RuleError::Invalid(
                "the answers hold the value of a secret that the tool gets by itself: leave it out"
                    .to_owned(),
            )),
            Err(refused) => Err(unreadable(&refused)),
        }
    }
}

/// The answers that a round has so far.
pub(super) fn answered(task: &Task) -> Option<&Map<String, Value>> {
    task.result.as_ref().and_then(Value::as_object)
}

fn unreadable(refused: &Refused) -> RuleError {
    RuleError::Store(toolgate_store::StoreError::Unavailable(refused.to_string()))
}

fn check_answer(question: &Question, answer: &Value) -> Result<(), String> {
    let answer = answer.as_object().ok_or("it is not an object")?;
    match question.kind {
        QuestionKind::Elicitation => match action(answer)? {
            "accept" => check_form(&question.params, answer),
            _ => Ok(()),
        },
        QuestionKind::ElicitationUrl => action(answer).map(drop),
        QuestionKind::Sampling => {
            let is_text = |key: &str| answer.get(key).is_some_and(Value::is_string);
            let has_content =
                answer.get("content").is_some_and(|content| content.is_object() || content.is_array());
            match is_text("role") && is_text("model") && has_content {
                true => Ok(()),
                false => Err("it needs `role`, `model` and `content`".to_owned()),
            }
        }
        QuestionKind::Roots => {
            let roots = answer.get("roots").and_then(Value::as_array).ok_or("it needs a list of `roots`")?;
            match roots.iter().all(|root| root["uri"].is_string()) {
                true => Ok(()),
                false => Err("each of the `roots` needs a `uri`".to_owned()),
            }
        }
    }
}

fn action(answer: &Map<String, Value>) -> Result<&str, String> {
    let action = answer.get("action").and_then(Value::as_str);
    action
        .filter(|action| ["accept", "decline", "cancel"].contains(action))
        .ok_or_else(|| "its `action` is `accept`, `decline` or `cancel`".to_owned())
}

fn check_form(params: &Value, answer: &Map<String, Value>) -> Result<(), String> {
    let content = answer.get("content").filter(|content| content.is_object());
    let content = content.ok_or("who accepts fills in the `content`")?;
    // A schema that cannot be used asks for nothing; the tool sees what it gets.
    let Ok(schema) = compile_schema(&params["requestedSchema"]) else { return Ok(()) };
    match complaints(&schema, content).first() {
        None => Ok(()),
        Some(first) => {
            let (path, message) = (first["path"].as_str(), first["message"].as_str());
            let path = path.filter(|path| !path.is_empty()).unwrap_or("/");
            Err(format!("{path} {}", message.unwrap_or("does not fit")))
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn form() -> Question {
        let schema =
            json!({"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]});
        Question {
            kind: QuestionKind::Elicitation,
            params: json!({"message": "How old?", "requestedSchema": schema}),
        }
    }

    #[rstest]
    #[case(json!({"action": "accept", "content": {"age": 3}}), None)]
    #[case(json!({"action": "decline"}), None)]
    #[case(json!({"action": "cancel", "content": null}), None)]
    #[case(json!({"action": "accept", "content": {"age": "three"}}), Some("/age"))]
    #[case(json!({"action": "accept"}), Some("content"))]
    #[case(json!({"action": "perhaps"}), Some("action"))]
    #[case(json!(12345), Some("not an object"))]
    fn a_form_is_filled_in_as_its_schema_says(#[case] answer: Value, #[case] complaint: Option<&str>) {
        match (check_answer(&form(), &answer), complaint) {
            (Ok(()), None) => {}
            (Err(why), Some(complaint)) => assert!(why.contains(complaint), "{why}"),
            (other, _) => panic!("{other:?}"),
        }
    }

    #[rstest]
    #[case(QuestionKind::Sampling, json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "x"}}), true)]
    #[case(QuestionKind::Sampling, json!({"role": "assistant", "content": {}}), false)]
    #[case(QuestionKind::Roots, json!({"roots": [{"uri": "file:///a"}]}), true)]
    #[case(QuestionKind::Roots, json!({"roots": ["file:///a"]}), false)]
    #[case(QuestionKind::ElicitationUrl, json!({"action": "accept"}), true)]
    #[case(QuestionKind::ElicitationUrl, json!({}), false)]
    fn every_kind_has_its_own_shape(#[case] kind: QuestionKind, #[case] answer: Value, #[case] fits: bool) {
        assert_eq!(check_answer(&Question { kind, params: Value::Null }, &answer).is_ok(), fits);
    }
}

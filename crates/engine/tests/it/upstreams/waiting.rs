//! A call that waits while the world changes is judged again when it goes on.

use toolgate_domain::{Invocation, Lifecycle, governance::TaskStatus, governance::ToolSettings};
use toolgate_engine::{NewQuestions, Waiting};

use super::*;

/// Asks for a name; ends when somebody said one.
pub(super) async fn answered(tool: &Tool, context: &RunContext) -> Result<(), Halt> {
    context.invoker.be_on_record().await?;
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let who = json!({"kind": "elicitation", "params": {"message": "Who?", "requestedSchema": schema}});
    let new = NewQuestions {
        round: 0,
        questions: serde_json::from_value(json!({"who": who})).unwrap(),
        title: "Who?".to_owned(),
        tool: tool.spec.id(),
        due_in_s: 60,
    };
    let task = context.invoker.house()?.ask(new).await.unwrap();
    match task.status {
        TaskStatus::Completed => Ok(()),
        _ => Err(Halt::Waiting(Waiting { task: Some(task.id), ..Waiting::default() })),
    }
}

impl World {
    /// A world with a call that waits for its caller's answer.
    async fn asking() -> (Self, Invocation) {
        let world = Self::imported().await;
        world.foreign.asks.store(true, Ordering::SeqCst);
        let answer = world.engine.invoke(call("files_read", json!({"path": "/a"}))).await.unwrap();
        let Answer::Parked(row) = answer else { panic!("it must ask: {answer:?}") };
        (world, *row)
    }

    async fn answer(&self, row: &Invocation) -> Invocation {
        let said = json!({"who": {"action": "accept", "content": {"name": "Ada"}}});
        self.engine.answer_questions(&caller(), row.id, 0, said).await.unwrap();
        ended(&self.engine, row).await
    }

    /// Why the call that waited did not go on; nothing was sent.
    async fn refused_after_answer(&self, row: &Invocation) -> String {
        self.why(self.answer(row).await)
    }

    fn why(&self, end: Invocation) -> String {
        let error = end.outcome.error.expect("it must be refused");
        assert_eq!(error.code, ErrorCode::PolicyDenied, "{error:?}");
        assert_eq!(self.foreign.ran.load(Ordering::SeqCst), 0, "nothing is sent");
        error.details.unwrap()["reason"].as_str().unwrap().to_owned()
    }

    async fn patch(&self, patch: Value) {
        let patch = patch.as_object().unwrap().clone();
        self.engine.upstreams().update(&operator(), "files", patch).await.unwrap();
    }

    async fn switch_off(&self, tool: &str) {
        let off = ToolSettings { enabled: Some(false), approval: None };
        self.engine.rules().set_tool_settings(&caller(), tool, off).await.unwrap();
    }
}

#[tokio::test]
async fn an_answered_call_goes_on_when_nothing_changed() {
    let (world, row) = World::asking().await;
    assert_eq!(world.answer(&row).await.outcome.error, None);
    assert_eq!(world.foreign.ran.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_answer_reaches_no_tool_that_was_quarantined_meanwhile() {
    let (world, row) = World::asking().await;
    world.foreign.offer([read("Deletes a file.")]);
    world.refresh().await;
    assert_eq!(world.refused_after_answer(&row).await, "quarantined");
}

#[tokio::test]
async fn an_answer_reaches_no_version_that_another_one_took_the_place_of() {
    let (world, row) = World::asking().await;
    world.foreign.offer([read("Deletes a file.")]);
    world.refresh().await;
    world.accept("read").await;
    assert_eq!(world.refused_after_answer(&row).await, "superseded");
}

#[tokio::test]
async fn an_answer_reaches_no_server_and_no_tool_of_one_that_was_switched_off_meanwhile() {
    let (world, row) = World::asking().await;
    world.patch(json!({"enabled": false})).await;
    assert_eq!(world.refused_after_answer(&row).await, "disabled");
    let (world, row) = World::asking().await;
    world.patch(json!({"tools": {"read": {"enabled": false}}})).await;
    assert_eq!(world.refused_after_answer(&row).await, "disabled");
    let (world, row) = World::asking().await;
    world.switch_off("files_read").await;
    assert_eq!(world.refused_after_answer(&row).await, "disabled");
}

#[tokio::test]
async fn an_answer_reaches_no_tool_that_was_blocked_or_removed_meanwhile() {
    let (world, row) = World::asking().await;
    let registry = world.engine.registry();
    registry.set_lifecycle(&caller(), "files_read", Lifecycle::Blocked).await.unwrap();
    assert_eq!(world.refused_after_answer(&row).await, "tool_gone");
    let (world, row) = World::asking().await;
    world.engine.upstreams().delete(&operator(), "files").await.unwrap();
    assert_eq!(world.refused_after_answer(&row).await, "tool_gone");
}

#[tokio::test]
async fn an_approved_call_of_a_tool_that_was_switched_off_meanwhile_does_not_begin() {
    let world = World::new().await;
    world.add(json!({})).await;
    for switched in ["tool", "server"] {
        let answer = world.engine.invoke(call("files_read", json!({"path": "/a"}))).await.unwrap();
        let Answer::Parked(row) = answer else { panic!("it must ask") };
        match switched {
            "tool" => world.switch_off("files_read").await,
            _ => world.patch(json!({"enabled": false})).await,
        }
        world.engine.decide(&approver(), row.id, None, approve()).await.unwrap();
        assert_eq!(world.why(ended(&world.engine, &row).await), "disabled");
        let on = ToolSettings { enabled: Some(true), approval: None };
        world.engine.rules().set_tool_settings(&caller(), "files_read", on).await.unwrap();
    }
}

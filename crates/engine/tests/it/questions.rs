//! Tools that ask whoever called them, round after round.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{
    Caller, ErrorCode, InvocationId, KeyId, Limits, Principal, Scope, Status, Surface, TenantId, Tool,
    ToolError,
    governance::{Audience, Question, QuestionKind, Questions, Task, TaskStatus},
    ids::{OrderedIds, Uuid},
    time::SystemClock,
    tool::Execution,
};
use toolgate_engine::{
    Answer, Asking, Call, Engine, EngineOptions, Halt, NewQuestions, Output, RuleError, RunContext, Runtime,
    Turn, Waiting, definition_from_json,
};
use toolgate_store::Stores;
use toolgate_test_databases::stores_in;

use crate::common::master_key;

/// Asks as often as its input says, and answers with what it heard.
struct Asker;

#[async_trait]
impl Runtime for Asker {
    fn kind(&self) -> &'static str {
        "asker"
    }

    fn check(&self, _execution: &Execution) -> Result<(), String> {
        Ok(())
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let mut heard = Vec::new();
        for round in 0..u32::try_from(input["rounds"].as_u64().unwrap()).unwrap() {
            context.invoker.be_on_record().await?;
            let new = NewQuestions {
                round,
                questions: serde_json::from_value(input["asks"].clone()).unwrap(),
                title: "Something is asked".to_owned(),
                tool: tool.spec.id(),
                due_in_s: 60,
            };
            let task = context.invoker.house()?.ask(new).await.unwrap();
            match task.status {
                TaskStatus::Completed => heard.push(task.result.unwrap()),
                TaskStatus::Cancelled => {
                    return Err(ToolError::validation(task.reason.unwrap_or_default()).into());
                }
                _ => return Err(Halt::Waiting(Waiting { task: Some(task.id), ..Waiting::default() })),
            }
        }
        let audience = context.audience.map(|audience| audience.sampling);
        Ok(json!({"heard": heard, "sampling": audience}).into())
    }
}

struct House {
    engine: Arc<Engine>,
    stores: Stores,
    directory: tempfile::TempDir,
}

async fn start(stores: &Stores) -> Arc<Engine> {
    Engine::start(EngineOptions {
        stores: stores.clone(),
        clock: Arc::new(SystemClock),
        ids: Arc::new(OrderedIds::new(SystemClock)),
        limits: Limits::default(),
        runtimes: vec![Arc::new(Asker)],
        code_tools: vec![],
        master_key: master_key(1),
        bypass_approval: false,
        separation: toolgate_engine::Separation::Auto,
        ports: toolgate_engine::Ports::default(),
    })
    .await
    .unwrap()
}

impl House {
    async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let stores = stores_in(directory.path()).await;
        let engine = start(&stores).await;
        let definition = json!({
            "name": "ask", "version": "1.0.0", "description": "asks",
            "input_schema": {"type": "object"}, "execution": {"kind": "asker"},
        });
        let spec = definition_from_json(definition).unwrap();
        engine.registry().register(&owner(), spec, false).await.unwrap();
        Self { engine, stores, directory }
    }

    async fn restart(self) -> Self {
        self.engine.stop().await;
        let Self { engine, stores, directory } = self;
        drop((engine, stores));
        let stores = stores_in(directory.path()).await;
        Self { engine: start(&stores).await, stores, directory }
    }

    async fn asks(&self, rounds: u64, asks: Value) -> InvocationId {
        let mut call = Call::new(owner(), Surface::Mcp, "ask", json!({"rounds": rounds, "asks": asks}));
        call.audience = Some(Audience { sampling: true, ..Audience::default() });
        match self.engine.invoke(call).await.unwrap() {
            Answer::Parked(row) => row.id,
            other => panic!("it does not ask: {other:?}"),
        }
    }

    async fn asking(&self, id: InvocationId) -> Asking {
        match self.turn(id).await {
            Turn::Asks(_, asking) => asking,
            other => panic!("it does not ask: {other:?}"),
        }
    }

    async fn turn(&self, id: InvocationId) -> Turn {
        let patience = Duration::from_secs(60);
        self.engine.await_turn(TenantId::DEFAULT, id, patience).await.unwrap().unwrap()
    }
}

fn owner() -> Caller {
    Caller::system(TenantId::DEFAULT, "default")
}

fn another(scopes: &[Scope]) -> Caller {
    let key = Principal::Key(KeyId::from_uuid(Uuid::from_u128(7)));
    Caller::with_scopes(TenantId::DEFAULT, "default", key, scopes)
}

fn name() -> Value {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    json!({"kind": "elicitation", "params": {"message": "Who?", "requestedSchema": schema}})
}

fn accept(name: &str) -> Value {
    json!({"action": "accept", "content": {"name": name}})
}

#[tokio::test]
async fn a_call_asks_round_after_round_and_outlives_the_process_in_between() {
    let house = House::new().await;
    let id = house.asks(2, json!({"who": name()})).await;
    let first = house.asking(id).await;
    assert_eq!((first.invocation_id, first.round), (id, 0));
    let expected = Question { kind: QuestionKind::Elicitation, params: name()["params"].clone() };
    assert_eq!(first.questions, Questions::from([("who".to_owned(), expected)]));

    let house = house.restart().await;
    house.engine.answer_questions(&owner(), id, 0, json!({"who": accept("Ada"), "more": 1})).await.unwrap();
    assert_eq!(house.asking(id).await.round, 1);
    house.engine.answer_questions(&owner(), id, 1, json!({"who": {"action": "decline"}})).await.unwrap();
    let Turn::Ended(row) = house.turn(id).await else { panic!("it goes on") };
    let heard = json!([{"who": accept("Ada")}, {"who": {"action": "decline"}}]);
    assert_eq!(row.outcome.output.unwrap()["heard"], heard);
    let tasks = [Task::id_of(id), Task::id_of_round(id, 1)];
    for task in tasks {
        let task = house.engine.task(&owner(), task).await.unwrap();
        assert_eq!(
            (task.status, task.worked_by),
            (TaskStatus::Completed, Some(owner().principal.to_string()))
        );
    }
    assert_eq!(house.engine.questions(&owner(), id).await.unwrap(), None);
}

#[tokio::test]
async fn only_the_caller_answers_once_and_only_what_was_asked() {
    let house = House::new().await;
    let id = house.asks(1, json!({"who": name()})).await;
    let answers = || json!({"who": accept("Ada")});
    let stranger = another(&[Scope::Admin]);
    let theirs = house.engine.answer_questions(&stranger, id, 0, answers()).await.unwrap_err();
    assert!(matches!(theirs, RuleError::NotFound(_)), "{theirs}");
    assert!(house.engine.questions(&stranger, id).await.is_err());
    let unfit = house.engine.answer_questions(&owner(), id, 0, json!({"who": 12345})).await.unwrap_err();
    assert!(matches!(&unfit, RuleError::Invalid(why) if why.contains("`who`")), "{unfit}");
    let wrong = json!({"who": {"action": "accept", "content": {"name": 5}}});
    assert!(matches!(
        house.engine.answer_questions(&owner(), id, 0, wrong).await.unwrap_err(),
        RuleError::Invalid(_)
    ));
    let huge = json!({"who": accept(&"x".repeat(5 * 1024 * 1024))});
    assert!(matches!(
        house.engine.answer_questions(&owner(), id, 0, huge).await.unwrap_err(),
        RuleError::Invalid(_)
    ));
    let left = house.engine.answer_questions(&owner(), id, 0, json!({"other": 1})).await.unwrap();
    assert_eq!(left.status, TaskStatus::Open, "nothing of it was asked");
    house.engine.answer_questions(&owner(), id, 0, answers()).await.unwrap();
    let again = house.engine.answer_questions(&owner(), id, 0, answers()).await.unwrap_err();
    assert!(matches!(again, RuleError::Conflict(_)), "{again}");
    let Turn::Ended(row) = house.turn(id).await else { panic!("it goes on") };
    assert_eq!(row.outcome.output.unwrap()["sampling"], true, "the tool knows what the caller can be asked");
}

#[tokio::test]
async fn questions_are_answered_piece_by_piece_and_the_first_answer_stands() {
    let house = House::new().await;
    let roots = json!({"kind": "roots", "params": {}});
    let id = house.asks(1, json!({"a": name(), "b": name(), "roots": roots})).await;
    house.engine.answer_questions(&owner(), id, 0, json!({"b": accept("Bo")})).await.unwrap();
    let left: Vec<_> = house.asking(id).await.questions.into_keys().collect();
    assert_eq!(left, ["a", "roots"]);
    let rest = json!({"a": accept("Al"), "b": accept("another"), "roots": {"roots": []}});
    house.engine.answer_questions(&owner(), id, 0, rest).await.unwrap();
    let Turn::Ended(row) = house.turn(id).await else { panic!("it goes on") };
    let heard = &row.outcome.output.unwrap()["heard"][0];
    assert_eq!((&heard["a"], &heard["b"]), (&accept("Al"), &accept("Bo")));
}

#[tokio::test]
async fn a_person_who_works_on_tasks_answers_as_well_and_a_caller_may_decline() {
    let house = House::new().await;
    let id = house.asks(2, json!({"who": name()})).await;
    let person = another(&[Scope::TasksWork]);
    let nothing = house.engine.complete_task(&person, Task::id_of(id), Some(json!({}))).await.unwrap_err();
    assert!(matches!(&nothing, RuleError::Invalid(why) if why.contains("`who`")), "{nothing}");
    house.engine.complete_task(&person, Task::id_of(id), Some(json!({"who": accept("Ada")}))).await.unwrap();
    assert_eq!(house.asking(id).await.round, 1);
    house.engine.decline_questions(&owner(), id, 1, "nobody is there").await.unwrap();
    let Turn::Ended(row) = house.turn(id).await else { panic!("it goes on") };
    let error = row.outcome.error.unwrap();
    assert_eq!((error.code, error.message.as_str()), (ErrorCode::ValidationError, "nobody is there"));
}

#[tokio::test]
async fn a_cancelled_call_takes_its_questions_back_in_any_round() {
    let house = House::new().await;
    for rounds in [0, 1] {
        let id = house.asks(3, json!({"who": name()})).await;
        for round in 0..rounds {
            house.engine.answer_questions(&owner(), id, round, json!({"who": accept("Ada")})).await.unwrap();
        }
        assert_eq!(house.asking(id).await.round, rounds);
        let row = house.engine.cancel_for(&owner(), id).await.unwrap();
        assert_eq!(row.status(), Status::Cancelled);
        let task = house.engine.task(&owner(), Task::id_of_round(id, rounds)).await.unwrap();
        assert_eq!(task.status, TaskStatus::Cancelled);
        let late = house.engine.answer_questions(&owner(), id, rounds, json!({"who": accept("Ada")})).await;
        assert!(matches!(late.unwrap_err(), RuleError::Conflict(_)));
    }
}

//! Work that a tool hands to somebody.

use serde_json::{Value, json};
use toolgate_domain::{
    Caller, ErrorCode, Limits, Principal, Scope, Status, Surface, TenantId,
    governance::{Assignee, Task, TaskStatus},
};
use toolgate_engine::{Answer, Call, NewUser, RuleError, TaskFilter};
use toolgate_store::AuditFilter;

use crate::runtimes::common::{House, caller, code, composition, somebody, tool};

fn review(more: Value) -> Value {
    let mut definition = tool("review", json!({"kind": "task", "title": "Review {{ what }}", "wait": true}));
    definition["execution"].as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    definition
}

async fn open(house: &House) -> Vec<Task> {
    let filter = TaskFilter { limit: 100, ..TaskFilter::default() };
    house.engine.tasks(&somebody(), &filter).await.unwrap().items
}

#[tokio::test]
async fn a_call_that_does_not_wait_answers_with_the_open_task() {
    let house = House::new().await;
    house.register(review(json!({"wait": false, "description": "It is {{ what }}.", "due_in_s": 60}))).await;
    let envelope = house.done("review", json!({"what": "the plan"})).await;
    let task = open(&house).await.remove(0);
    assert_eq!(envelope.output, Some(json!({"task_id": task.id, "status": "open"})));
    assert_eq!((task.title.as_str(), task.description.as_str()), ("Review the plan", "It is the plan."));
    assert_eq!(
        (task.invocation_id, task.input.clone()),
        (envelope.invocation_id, json!({"what": "the plan"}))
    );
    assert_eq!(task.due_at.unwrap().ms_since(task.created_at), 60_000);

    let told = house.done("getTaskStatus", json!({"task_id": task.id})).await.output.unwrap();
    assert_eq!((&told["status"], &told["title"]), (&json!("open"), &json!("Review the plan")));
    house.engine.complete_task(&somebody(), task.id, Some(json!("fine"))).await.unwrap();
    let told = house.done("getTaskStatus", json!({"task_id": task.id})).await.output.unwrap();
    assert_eq!((&told["status"], &told["result"]), (&json!("completed"), &json!("fine")));
    let nobody = json!({"task_id": "tsk_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"});
    assert_eq!(code(&house.done("getTaskStatus", nobody).await), ErrorCode::ValidationError);
}

#[tokio::test]
async fn a_waiting_call_survives_a_restart_and_goes_on_with_the_result() {
    let house = House::new().await;
    house.register(review(json!({}))).await;
    let outer = house.waits("review", json!({"what": "it"})).await;
    assert_eq!((outer.status(), outer.node_id), (Status::Running, None), "no process holds it");
    let house = house.restart().await;
    let task = open(&house).await.remove(0);
    let started = house.engine.start_task(&somebody(), task.id).await.unwrap();
    assert_eq!(started.status, TaskStatus::InProgress);
    assert_eq!(house.row(outer.id).await.status(), Status::Running);
    house.engine.complete_task(&somebody(), task.id, Some(json!({"ok": true}))).await.unwrap();
    let done = house.ended(&outer).await;
    let expected = json!({"task_id": task.id, "status": "completed", "result": {"ok": true}});
    assert_eq!(done.outcome.output, Some(expected));
    let filter = TaskFilter { status: Some(TaskStatus::Completed), limit: 10, ..TaskFilter::default() };
    assert_eq!(
        house.engine.tasks(&somebody(), &filter).await.unwrap().items.len(),
        1,
        "the task was made once"
    );
}

#[tokio::test]
async fn a_task_that_ended_while_nobody_was_there_lets_its_call_go_on_at_the_next_start() {
    let house = House::new().await;
    house.register(review(json!({}))).await;
    let outer = house.waits("review", json!({"what": "it"})).await;
    house.engine.stop().await;
    // As if the process had died between the end of the task and the waking of the call.
    house.engine.complete_task(&somebody(), Task::id_of(outer.id), None).await.unwrap();
    assert_eq!(house.row(outer.id).await.status(), Status::Running);
    let house = house.restart().await;
    assert_eq!(house.ended(&outer).await.status(), Status::Completed);
}

#[tokio::test]
async fn the_result_must_fit_what_the_tool_answers() {
    let house = House::new().await;
    let mut definition = review(json!({"output": "result"}));
    definition["output_schema"] = json!({
        "type": "object", "properties": {"grade": {"type": "integer"}}, "required": ["grade"],
    });
    house.register(definition).await;
    let outer = house.waits("review", json!({"what": "it"})).await;
    let id = Task::id_of(outer.id);
    let refused = house.engine.complete_task(&somebody(), id, Some(json!({"grade": "A"}))).await.unwrap_err();
    assert!(matches!(&refused, RuleError::Invalid(text) if text.contains("/grade")), "{refused}");
    assert_eq!(house.engine.task(&somebody(), id).await.unwrap().status, TaskStatus::Open, "nothing changed");
    house.engine.complete_task(&somebody(), id, Some(json!({"grade": 1}))).await.unwrap();
    assert_eq!(house.ended(&outer).await.outcome.output, Some(json!({"grade": 1})));
    let again = house.engine.complete_task(&somebody(), id, Some(json!({"grade": 2}))).await.unwrap_err();
    assert!(matches!(again, RuleError::Conflict(_)), "{again}");
}

#[tokio::test]
async fn a_cancelled_task_fails_its_call_and_a_cancelled_call_its_task() {
    let house = House::new().await;
    house.register(review(json!({}))).await;
    let outer = house.waits("review", json!({"what": "it"})).await;
    let reason = Some("no time".to_owned());
    house.engine.cancel_task(&somebody(), Task::id_of(outer.id), reason).await.unwrap();
    let error = house.ended(&outer).await.outcome.error.unwrap();
    assert_eq!(error.code, ErrorCode::ProviderError);
    assert!(error.message.contains("no time"), "{error}");

    let outer = house.waits("review", json!({"what": "more"})).await;
    house.engine.cancel(TenantId::DEFAULT, outer.id).await.unwrap();
    let task = house.engine.task(&somebody(), Task::id_of(outer.id)).await.unwrap();
    assert_eq!(task.status, TaskStatus::Cancelled);
}

#[tokio::test]
async fn a_step_can_be_somebodys_task() {
    let house = House::new().await;
    house.register(review(json!({"output": "result"}))).await;
    let steps = json!([
        {"id": "look", "tool": "review", "input": {"what": "$input.what"}},
        {"id": "sum", "tool": "calculate", "input": {"expression": "$steps.look.output.expression"}},
    ]);
    house.register(composition("checked", steps)).await;
    let outer = house.waits("checked", json!({"what": "sums"})).await;
    let task = open(&house).await.remove(0);
    let house = house.restart().await;
    house.engine.complete_task(&somebody(), task.id, Some(json!({"expression": "6*7"}))).await.unwrap();
    let output = house.ended(&outer).await.outcome.output.unwrap();
    assert!(output["output"]["result"].to_string().contains("42"), "{output}");
    assert_eq!(house.children(outer.id).await.len(), 2);
}

#[tokio::test]
async fn a_task_is_for_whom_it_was_given_to() {
    let house = House::new().await;
    let ada = json!({"email": "ada@example.com", "name": "Ada", "roles": ["member"]});
    let ada: NewUser = serde_json::from_value(ada).unwrap();
    let ada = house.engine.rules().create_user(&caller(), ada).await.unwrap();
    let robot = house.agent("robot", json!({})).await;
    house.register(review(json!({"assignee": {"user": "Ada@example.com"}}))).await;
    let outer = house.waits("review", json!({"what": "it"})).await;
    let id = Task::id_of(outer.id);
    let task = house.engine.task(&caller(), id).await.unwrap();
    assert_eq!(task.assignee, Some(Assignee::User(ada.id)));

    let with = |principal| Caller::with_scopes(TenantId::DEFAULT, "default", principal, &[Scope::TasksWork]);
    let key = Caller { permissions: with(Principal::System).permissions, ..somebody() };
    for stranger in [key, with(Principal::Agent(robot.id))] {
        let refused = house.engine.complete_task(&stranger, id, None).await.unwrap_err();
        assert!(matches!(refused, RuleError::Forbidden(_)), "{refused}");
    }
    let mine = |who: Caller| {
        let filter = TaskFilter { assignee: Some("me".to_owned()), limit: 10, ..TaskFilter::default() };
        let engine = house.engine.clone();
        async move { engine.tasks(&who, &filter).await.unwrap().items.len() }
    };
    assert_eq!(
        (mine(with(Principal::User(ada.id))).await, mine(with(Principal::Agent(robot.id))).await),
        (1, 0)
    );
    house.engine.complete_task(&with(Principal::User(ada.id)), id, None).await.unwrap();

    let mut nobody = review(json!({"assignee": {"user": "nobody@example.com"}}));
    nobody["name"] = "lost".into();
    house.register(nobody).await;
    let envelope = house.done("lost", json!({"what": "it"})).await;
    assert_eq!(code(&envelope), ErrorCode::ValidationError);
    let mut own = review(json!({}));
    own["name"] = "free".into();
    house.register(own).await;
    let free = house.waits("free", json!({"what": "it"})).await;
    let refused =
        house.engine.complete_task(&with(Principal::Agent(robot.id)), Task::id_of(free.id), None).await;
    assert!(matches!(refused, Err(RuleError::Forbidden(_))), "an agent does only what it was given");
}

#[tokio::test]
async fn the_status_of_a_task_is_for_those_whom_it_concerns() {
    let house = House::new().await;
    house.register(review(json!({"wait": false}))).await;
    let made = house.done("review", json!({"what": "it"})).await.output.unwrap();
    let ask = |who: Caller| {
        let call = Call::new(who, Surface::Rest, "getTaskStatus", json!({"task_id": made["task_id"]}));
        let engine = house.engine.clone();
        async move {
            match engine.invoke(call).await.unwrap() {
                Answer::Done(envelope) => envelope.error.map(|error| error.code),
                other => panic!("not done: {other:?}"),
            }
        }
    };
    let with = |scopes: &[Scope]| Caller {
        permissions: Caller::with_scopes(TenantId::DEFAULT, "default", Principal::System, scopes).permissions,
        ..somebody()
    };
    assert_eq!(ask(with(&[Scope::ToolsExecute])).await, Some(ErrorCode::ValidationError));
    assert_eq!(ask(with(&[Scope::ToolsExecute, Scope::TasksWork])).await, None);
}

#[tokio::test]
async fn a_call_ends_when_its_task_is_overdue_and_the_task_stays() {
    let house = House::new().await;
    house.register(review(json!({"due_in_s": 3600}))).await;
    let outer = house.waits("review", json!({"what": "it"})).await;
    let id = Task::id_of(outer.id);
    let mut house = house.restart().await;
    assert_eq!(house.row(outer.id).await.status(), Status::Running, "there is time left");
    house.engine.stop().await;
    house.later_by_ms(3_600_000);
    // Two processes start, and both find the call.
    let stores = house.engine.stores().clone();
    let (one, other) = tokio::join!(house.neighbour(), house.neighbour());
    house.engine = one;
    let error = house.ended(&outer).await.outcome.error.unwrap();
    assert_eq!(error.code, ErrorCode::Timeout);
    assert_eq!(error.details.unwrap()["reason"], "task_overdue");

    let filter = TaskFilter { overdue: true, limit: 10, ..TaskFilter::default() };
    let listed = house.engine.tasks(&somebody(), &filter).await.unwrap().items;
    assert_eq!((listed.len(), listed[0].id, listed[0].status), (1, id, TaskStatus::Open));
    assert!(listed[0].overdue && !listed[0].waits);
    let told = house.done("getTaskStatus", json!({"task_id": id})).await.output.unwrap();
    assert_eq!((&told["status"], &told["overdue"]), (&json!("open"), &json!(true)));
    let trail = AuditFilter { action: Some("task.overdue".to_owned()), limit: 10, ..AuditFilter::default() };
    assert_eq!(stores.audit.events(TenantId::DEFAULT, &trail).await.unwrap().len(), 1, "once");

    // Nobody waits for it, so its result need not fit, and it is no longer overdue.
    let done = house.engine.complete_task(&somebody(), id, Some(json!("late"))).await.unwrap();
    assert_eq!((done.status, done.overdue), (TaskStatus::Completed, false));
    assert_eq!(house.row(outer.id).await.status(), Status::Failed, "what ended stays ended");
    other.stop().await;
}

#[tokio::test]
async fn a_running_process_notices_that_a_task_is_overdue() {
    let house = House::with_limits(Limits { node_lease_ms: 300, ..Limits::default() }).await;
    house.register(review(json!({"due_in_s": 1}))).await;
    let outer = house.waits("review", json!({"what": "it"})).await;
    house.later_by_ms(60_000);
    assert_eq!(house.ended(&outer).await.outcome.error.unwrap().code, ErrorCode::Timeout);
}

#[tokio::test]
async fn a_task_that_was_done_in_time_does_not_end_its_call_later() {
    let house = House::new().await;
    house.register(review(json!({"due_in_s": 60}))).await;
    let outer = house.waits("review", json!({"what": "it"})).await;
    house.engine.stop().await;
    house.engine.complete_task(&somebody(), Task::id_of(outer.id), None).await.unwrap();
    house.later_by_ms(61_000);
    let house = house.restart().await;
    assert_eq!(
        house.ended(&outer).await.status(),
        Status::Completed,
        "its process was late, the task was not"
    );
}

#[tokio::test]
async fn tasks_are_read_page_by_page() {
    let house = House::new().await;
    house.register(review(json!({"wait": false}))).await;
    let mut made = Vec::new();
    for _ in 0..5 {
        let output = house.done("review", json!({"what": "it"})).await.output.unwrap();
        made.insert(0, output["task_id"].as_str().unwrap().to_owned());
    }
    house.engine.start_task(&somebody(), made[1].parse().unwrap()).await.unwrap();
    let mut filter = TaskFilter { limit: 2, ..TaskFilter::default() };
    let mut read = Vec::new();
    for rows in [2, 2, 1] {
        let page = house.engine.tasks(&somebody(), &filter).await.unwrap();
        assert_eq!((page.items.len(), page.next_cursor.is_some()), (rows, rows == 2));
        read.extend(page.items.iter().map(|task| task.id.to_string()));
        filter.before = page.next_cursor.map(|cursor| cursor.parse().unwrap());
    }
    assert_eq!(read, made, "of both statuses, newest first");
    let nobody = TaskFilter { assignee: Some("approver".to_owned()), limit: 2, ..TaskFilter::default() };
    let page = house.engine.tasks(&somebody(), &nobody).await.unwrap();
    assert_eq!((page.items.len(), page.next_cursor), (0, None));
}

//! The same as tasks of the protocol.

use rmcp::{
    model::{
        CallToolResponse, CancelTaskParams, DetailedTask, GetTaskParams, Task, TaskPayload, TaskStatus,
        UpdateTaskParams,
    },
    service::ServiceError,
};
use serde_json::{Value, json};
use toolgate_domain::{InvocationId, Status};
use toolgate_engine::Ruling;

use crate::waiting::{
    house::{Client, House, call},
    person::Person,
};

async fn begun(client: &Client, tool: &str) -> Task {
    match client.call_tool_once(call(tool, json!({"text": "it"}))).await.unwrap() {
        CallToolResponse::Task(created) => created.task,
        other => panic!("{other:?}"),
    }
}

async fn get(client: &Client, task: &str) -> Result<DetailedTask, ServiceError> {
    let params: GetTaskParams = serde_json::from_value(json!({"taskId": task})).unwrap();
    client.get_task(params).await.map(|result| result.task)
}

async fn over(house: &House, client: &Client, task: &Task) -> DetailedTask {
    let id: InvocationId = task.task_id.parse().unwrap();
    let tenant = house.row(id).await.tenant_id;
    house.engine.await_turn(tenant, id, std::time::Duration::from_secs(60)).await.unwrap().unwrap();
    get(client, &task.task_id).await.unwrap()
}

#[tokio::test]
async fn a_call_that_needs_approval_is_a_task_that_outlives_the_server() {
    let house = House::patient(120).await;
    let client = house.client(Person::with_tasks()).await;
    let task = begun(&client, "new_push").await;
    assert_eq!((task.status, task.ttl_ms), (TaskStatus::Working, None));
    assert_eq!(get(&client, &task.task_id).await.unwrap().payload, TaskPayload::Working);
    drop(client);
    let house = house.restart().await;
    let client = house.client(Person::with_tasks()).await;
    house.approve(task.task_id.parse().unwrap()).await;
    let TaskPayload::Completed { result } = over(&house, &client, &task).await.payload else {
        panic!("it is over")
    };
    assert_eq!(result["content"][0]["text"], "pushed \"it\"");
    assert_eq!(house.calls().await, 1);
}

#[tokio::test]
async fn a_rejected_call_is_a_completed_task_with_an_error_in_it() {
    let house = House::patient(120).await;
    let client = house.client(Person::with_tasks()).await;
    let task = begun(&client, "new_push").await;
    house.decide(task.task_id.parse().unwrap(), Ruling::Reject { reason: "no".to_owned() }).await;
    let TaskPayload::Completed { result } = over(&house, &client, &task).await.payload else {
        panic!("it is over")
    };
    assert_eq!(result["isError"], true);
}

#[tokio::test]
async fn a_task_is_nobody_elses_and_can_be_cancelled_more_than_once() {
    let house = House::patient(120).await;
    let (ada, bob) =
        (house.client(Person::with_tasks()).await, house.client_of(1, Person::with_tasks()).await);
    let task = begun(&ada, "new_push").await;
    let cancel = || -> CancelTaskParams { serde_json::from_value(json!({"taskId": task.task_id})).unwrap() };
    for unknown in [&task.task_id, "inv_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11", "x"] {
        let ServiceError::McpError(error) = get(&bob, unknown).await.unwrap_err() else {
            panic!("a protocol error")
        };
        assert_eq!(error.code.0, -32602);
    }
    assert!(bob.cancel_task(cancel()).await.is_err());
    assert_eq!(get(&ada, &task.task_id).await.unwrap().status(), TaskStatus::Working);
    ada.cancel_task(cancel()).await.unwrap();
    ada.cancel_task(cancel()).await.unwrap();
    assert_eq!(get(&ada, &task.task_id).await.unwrap().payload, TaskPayload::Cancelled);
    assert_eq!(house.row(task.task_id.parse().unwrap()).await.status(), Status::Cancelled);
}

#[tokio::test]
async fn a_task_asks_and_is_answered_piece_by_piece_under_names_that_are_used_once() {
    let house = House::patient(120).await;
    let asks = json!({"elicitation": {}, "roots": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    let client = house.client(Person::who_can("2026-07-28", asks)).await;
    // What asks at once asks in the answer; as a task, the same call asks in the task.
    let CallToolResponse::InputRequired(asked) =
        client.call_tool_once(call("new_gather", json!({}))).await.unwrap()
    else {
        panic!("it asks")
    };
    assert_eq!(asked.input_requests.unwrap().into_keys().collect::<Vec<_>>(), ["roots", "who"]);
    let id = house.last().await.id.to_string();
    let asked = |task: DetailedTask| match task.payload {
        TaskPayload::InputRequired { input_requests } => input_requests.into_keys().collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let names = asked(get(&client, &id).await.unwrap());
    assert_eq!(names.len(), 2);
    let update = |responses: Value| -> UpdateTaskParams {
        serde_json::from_value(json!({"taskId": id, "inputResponses": responses})).unwrap()
    };
    let who = names.iter().find(|name| name.ends_with("who")).unwrap();
    let answer = json!({"action": "accept", "content": {"name": "Ada"}});
    client.update_task(update(json!({who: answer, "unknown": {}}))).await.unwrap();
    let left = asked(get(&client, &id).await.unwrap());
    assert!(left.len() == 1 && left[0].ends_with("roots"), "{left:?}");
    client.update_task(update(json!({&left[0]: {"roots": [{"uri": "file:///a"}]}}))).await.unwrap();
    let task = get(&client, &id).await.unwrap().task;
    let TaskPayload::Completed { result } = over(&house, &client, &task).await.payload else {
        panic!("it is over")
    };
    assert_eq!(result["content"][0]["text"], "\"Ada\" in \"file:///a\"");
}

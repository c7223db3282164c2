use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolgate_domain::{
    AgentId, Attachment, Caller, Decision, EgressClass, Envelope, Invocation, InvocationId, Page, RunId,
    SessionId, Status, StepId, Surface, Timestamp, ToolError, ToolId, call::ApprovalStatus,
    governance::ApprovalTerms, json::encoded_len,
};
use toolgate_store::InvocationFilter;

use crate::{
    ApiCode, AppState, Json, Problem,
    attachments::{sign_all, signed},
    auth::{self, Needs},
    page::{Params, page_size, parsed, parsed_option},
    path::Path,
    problem::ProblemDocument,
};

/// How long an input can be to stand in a brief list.
const MAX_BRIEF_INPUT_BYTES: usize = 4_096;

/// The durable row of one call.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct InvocationResponse {
    id: InvocationId,
    session_id: SessionId,
    /// The call that made this one.
    parent_id: Option<InvocationId>,
    run_id: Option<RunId>,
    agent_run_step_id: Option<StepId>,
    agent_id: Option<AgentId>,
    tool_id: Option<ToolId>,
    /// `name@version`.
    tool_key: String,
    tool_name: String,
    tool_version: String,
    egress_class: EgressClass,
    call_id: String,
    seq: u64,
    #[schema(value_type = Object)]
    input: Value,
    /// What the person who approved made of the input, when they changed it: this is what ran.
    #[schema(value_type = Option<Object>)]
    approved_input: Option<Value>,
    #[schema(value_type = Option<Object>)]
    output: Option<Value>,
    error: Option<ToolError>,
    status: Status,
    approval_status: ApprovalStatus,
    approval_required: bool,
    approval_decided_by: Option<String>,
    approval_reason: Option<String>,
    /// While the call waits: when it stops waiting, and counts as rejected.
    approval_expires_at: Option<Timestamp>,
    /// While the call waits: names exactly what is asked. A decision that carries it counts for nothing else.
    approval_digest: Option<String>,
    /// While the call waits, and more is asked for than the yes of one other person: what, and who said it so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<AskedOf>,
    /// While the call runs and waits itself: the calls that it made and that have not ended, or a task.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waiting_for: Vec<String>,
    /// What the guard decided, and by which rules.
    decision: Decision,
    caller: String,
    surface: Surface,
    /// The call was only made to try the tool.
    is_test: bool,
    cost_estimate: Option<f64>,
    cached: bool,
    truncated: bool,
    attachments: Vec<Attachment>,
    warnings: Vec<String>,
    attempt: u32,
    created_at: Timestamp,
    started_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
}

/// Who must agree.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct AskedOf {
    /// How many people.
    quorum: u32,
    /// Whether the one who asks may be one of them.
    allow_self: bool,
    /// Whether none of them may have made the call, own or manage its agent, or be the one it works for.
    independent: bool,
    /// Who has said yes.
    votes: Vec<String>,
}

impl InvocationResponse {
    /// With the votes, where a call waits for more than one other person, and with what it waits for otherwise.
    pub(crate) async fn whole(row: Invocation, state: &AppState) -> Result<Self, Problem> {
        let terms = row.decision.approval.filter(|terms| *terms != ApprovalTerms::default());
        let approval = match terms {
            Some(terms) if row.status() == Status::Pending => {
                let ApprovalTerms { quorum, allow_self, independent, .. } = terms;
                Some(AskedOf { quorum, allow_self, independent, votes: state.engine.votes(&row).await? })
            }
            _ => None,
        };
        let waiting_for = state.engine.waits_for(&row).await?;
        Ok(Self { approval, waiting_for, ..Self::new(row, state) })
    }

    pub(crate) async fn page(page: Page<Invocation>, state: &AppState) -> Result<Page<Self>, Problem> {
        let mut items = Vec::with_capacity(page.items.len());
        for row in page.items {
            items.push(Self::whole(row, state).await?);
        }
        Ok(Page { items, next_cursor: page.next_cursor })
    }

    /// What a list shows of a row; the row itself has the rest.
    fn shorten(&mut self) {
        self.output = None;
        self.attachments.clear();
        self.decision.evidence.clear();
        for input in [Some(&mut self.input), self.approved_input.as_mut()].into_iter().flatten() {
            if encoded_len(input) > MAX_BRIEF_INPUT_BYTES {
                *input = Value::Null;
            }
        }
    }

    pub(crate) fn new(row: Invocation, state: &AppState) -> Self {
        let (status, approval_status, approval_required) =
            (row.status(), row.approval_status(), row.approval_required());
        let approval_digest = (row.status() == Status::Pending).then(|| row.approval_digest());
        let mut outcome = row.outcome;
        sign_all(state, &mut outcome.attachments);
        Self {
            id: row.id,
            session_id: row.session_id,
            parent_id: row.parent_id,
            run_id: row.run_id,
            agent_run_step_id: row.agent_run_step_id,
            agent_id: row.agent_id,
            tool_id: row.tool_id,
            tool_key: format!("{}@{}", row.tool_name, row.tool_version),
            tool_name: row.tool_name,
            tool_version: row.tool_version,
            egress_class: row.egress_class,
            call_id: row.call_id,
            seq: row.seq,
            input: row.input,
            approved_input: row.approved_input,
            output: outcome.output,
            error: outcome.error,
            status,
            approval_status,
            approval_required,
            approval_decided_by: row.approval_decided_by,
            approval_reason: row.approval_reason,
            approval_expires_at: row.approval_expires_at,
            approval_digest,
            approval: None,
            waiting_for: Vec::new(),
            decision: row.decision,
            caller: row.caller,
            surface: row.surface,
            is_test: row.is_test,
            cost_estimate: outcome.cost_estimate,
            cached: outcome.cached,
            truncated: outcome.truncated,
            attachments: outcome.attachments,
            warnings: row.warnings,
            attempt: row.attempt,
            created_at: row.created_at,
            started_at: row.started_at,
            completed_at: row.completed_at,
        }
    }
}

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListInvocationsParams {
    /// `pending`, `approved`, `rejected`, `running`, `completed`, `failed` or `cancelled`.
    status: Option<String>,
    /// A tool's name.
    tool: Option<String>,
    /// An agent's id.
    agent: Option<String>,
    /// A run's id.
    run: Option<String>,
    /// The id of a call: the calls that it made.
    parent: Option<String>,
    /// From this moment on (RFC 3339).
    since: Option<String>,
    /// Before this moment (RFC 3339).
    until: Option<String>,
    /// `true`: only test runs; `false`: only the others.
    test: Option<bool>,
    /// `true`: without outputs, evidence and attachments, and without inputs of more than 4 KiB, which are `null`.
    brief: Option<bool>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    limit: Option<usize>,
}

/// List invocations
///
/// Newest first.
#[utoipa::path(
    get, path = "/api/invocations", tag = "receipts", operation_id = "list_invocations", params(ListInvocationsParams),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = Page<InvocationResponse>), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Params(params): Params<ListInvocationsParams>,
) -> Result<Json<Page<InvocationResponse>>, Problem> {
    let filter = InvocationFilter {
        status: parsed_option("status", params.status.as_deref())?,
        tool: params.tool,
        agent_id: parsed_option("agent", params.agent.as_deref())?,
        run_id: parsed_option("run", params.run.as_deref())?,
        parent_id: parsed_option("parent", params.parent.as_deref())?,
        since: parsed_option("since", params.since.as_deref())?,
        until: parsed_option("until", params.until.as_deref())?,
        of_agents: Vec::new(),
        is_test: params.test,
        before: parsed_option("cursor", params.cursor.as_deref())?,
        limit: page_size(params.limit, &state)?,
    };
    let page = state.engine.stores().invocations.list(caller.tenant_id, &filter).await?;
    let mut page = InvocationResponse::page(page, &state).await?;
    if params.brief == Some(true) {
        page.items.iter_mut().for_each(InvocationResponse::shorten);
    }
    Ok(Json(page))
}

/// Get an invocation
#[utoipa::path(
    get, path = "/api/invocations/{id}", tag = "receipts", operation_id = "get_invocation",
    params(("id" = String, Path, description = "`inv_…`")),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = InvocationResponse), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Path(id): Path<String>,
) -> Result<Json<InvocationResponse>, Problem> {
    let row = find(&state, &caller, &id).await?;
    Ok(Json(InvocationResponse::whole(row, &state).await?))
}

/// Get an invocation's envelope
///
/// The receipt, once the call is over; until then 409.
#[utoipa::path(
    get, path = "/api/invocations/{id}/envelope", tag = "receipts", operation_id = "get_envelope",
    params(("id" = String, Path, description = "`inv_…`")),
    security(("key" = ["invocations:read"])),
    responses((status = 200, description = "Done", body = Envelope), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
)]
pub(crate) async fn envelope(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    Path(id): Path<String>,
) -> Result<Json<Envelope>, Problem> {
    let row = find(&state, &caller, &id).await?;
    match row.envelope() {
        Some(envelope) => Ok(Json(signed(&state, envelope))),
        None => Err(Problem::new(
            ApiCode::Conflict,
            format!("the call is {}: it has no receipt yet", row.status().as_str()),
        )),
    }
}

async fn find(state: &AppState, caller: &Caller, id: &str) -> Result<Invocation, Problem> {
    let id: InvocationId = parsed("id", id)?;
    let found = state.engine.stores().invocations.get(caller.tenant_id, id).await?;
    found.ok_or_else(|| Problem::new(ApiCode::NotFound, format!("there is no invocation {id}")))
}

//! Runs tools of kind `mcp`: those that were imported from an upstream.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use rmcp::{
    ErrorData,
    model::{InputRequiredResult, ServerResult},
};
use serde_json::Value;
use toolgate_domain::{
    EgressClass, ErrorCode, InvocationId, Tool, ToolError,
    governance::{Audience, Question, Questions, Upstream, server_of_login},
    tool::Execution,
};
use toolgate_engine::{Compiled, Halt, Output, RunContext, Runtime};

use super::{
    Upstreams,
    answer::{self, Shape},
    asks::question_of,
    failure::{self, Failure, login_needed, provider},
    follow::{Following, Reached},
    plan::Plan,
    rounds::{
        Answers, GoesOn, Held, Holding, ONLY, Patience, Stage, answers_of, declined, lost, suspend, waiting,
    },
    session::Request,
    upstreams::Lease,
    what::What,
};

/// The first pause before an upstream is asked again that only wants to be asked later; the next ones are longer.
const COME_BACK_IN: Duration = Duration::from_millis(250);

/// The runtime of kind `mcp`.
pub struct McpRuntime {
    upstreams: Arc<Upstreams>,
    holding: Arc<Holding>,
}

/// One call, for the length of a run.
pub(super) struct Calls<'a> {
    tool: &'a Tool,
    /// The name of the upstream.
    server: &'a str,
    request: Request,
    context: &'a RunContext,
    /// How much is passed on of what the upstream says meanwhile.
    notices: u64,
}

impl<'a> Calls<'a> {
    pub(super) fn new(
        tool: &'a Tool,
        server: &'a str,
        what: What,
        context: &'a RunContext,
        notices: u64,
    ) -> Self {
        // Who has no voice of their own has people who answer for them.
        let audience = context.audience.unwrap_or(Audience::PEOPLE);
        let traceparent = context.invoker.traceparent();
        let request = Request { what, answers: None, request_state: None, audience, traceparent };
        Self { tool, server, request, context, notices }
    }
}

impl McpRuntime {
    pub fn new(upstreams: Arc<Upstreams>) -> Self {
        Self { upstreams, holding: Arc::default() }
    }

    async fn call(
        &self,
        tool: &Tool,
        plan: &Plan,
        input: Value,
        context: &RunContext,
    ) -> Result<Output, Halt> {
        let Value::Object(arguments) = input else {
            return Err(ToolError::validation("the input of an upstream's tool is an object").into());
        };
        let what = What::Tool { name: plan.tool.clone(), arguments };
        let most = self.upstreams.limits().notices_per_call;
        let answer = self.ask_upstream(Calls::new(tool, &plan.server, what, context, most)).await?;
        Ok(answer::read(answer, Shape::of(tool))?)
    }

    /// Asks, or goes on where the call waited, until there is an answer; on the way it may have to wait again.
    pub(super) async fn ask_upstream(&self, mut call: Calls<'_>) -> Result<ServerResult, Halt> {
        let (round, mut reached) = match Stage::read(call.context)? {
            None => (0, self.begin(&call).await?),
            Some(stage) => (stage.round + 1, self.go_on(&mut call, stage).await?),
        };
        let mut told_to_wait = 0;
        loop {
            match reached {
                Reached::Asks(question, held) => match self.ask(&call, question, *held, round).await? {
                    Ok(halt) => return Err(halt),
                    Err(next) => reached = *next,
                },
                Reached::Answer(answer) => {
                    let ServerResult::InputRequiredResult(required) = *answer else { return Ok(*answer) };
                    if let Some(halt) = self.ask_again(&call, &required, round).await? {
                        return Err(halt);
                    }
                    if told_to_wait >= self.upstreams.limits().ask_rounds {
                        let message = "the upstream wants to be asked later, again and again";
                        return Err(provider("busy", message).into());
                    }
                    tokio::time::sleep(COME_BACK_IN * 2_u32.saturating_pow(told_to_wait.min(5))).await;
                    told_to_wait += 1;
                    (call.request.answers, call.request.request_state) = (None, required.request_state);
                    reached = self.begin(&call).await?;
                }
            }
        }
    }

    /// Goes on with a call that waited for answers.
    async fn go_on(&self, call: &mut Calls<'_>, stage: Stage) -> Result<Reached, Halt> {
        let id = call.context.invocation_id;
        let answers = answers_of(call.context, stage.round).await;
        if let Ok(Answers::NotYet(task)) = &answers {
            return Err(Halt::Waiting(waiting(task, &stage)?));
        }
        match stage.goes_on {
            GoesOn::Again { request_state } => match answers? {
                Answers::Given(answers) => {
                    (call.request.answers, call.request.request_state) = (Some(answers), request_state);
                    Ok(self.begin(call).await?)
                }
                Answers::Declined(why) => Err(declined(&why).into()),
                Answers::NotYet(_) => {
                    Err(ToolError::new(ErrorCode::Unknown, "the call was woken too early").into())
                }
            },
            GoesOn::Held => {
                // Without an answer it is dropped here, and so withdrawn.
                let held = self.holding.take(id, stage.round);
                let answers = answers?;
                match held {
                    Some(held) => {
                        let (following, reply) = held.parts();
                        // An upstream that does not wait any more has answered, or is gone; that is heard next.
                        let _ = reply.send(said(answers));
                        Ok(self.follow(following, call).await.map_err(ToolError::from)?)
                    }
                    None if call.tool.spec.is_idempotent() => Ok(self.begin(call).await?),
                    None => Err(lost(call.tool).into()),
                }
            }
        }
    }

    /// Suspends a call whose upstream waits with a question; where too many do already, the upstream is told so and goes on.
    async fn ask(
        &self,
        call: &Calls<'_>,
        question: Question,
        mut held: Held,
        round: u32,
    ) -> Result<Result<Halt, Box<Reached>>, Halt> {
        let limits = self.upstreams.limits();
        if self.holding.len() >= limits.held_calls {
            let (following, reply) = held.parts();
            let busy = "too many calls wait for answers at the moment";
            let _ = reply.send(Err(ErrorData::internal_error(busy, None)));
            return Ok(Err(Box::new(self.follow(following, call).await.map_err(ToolError::from)?)));
        }
        let questions = Questions::from([(ONLY.to_owned(), question)]);
        let stage = Stage { round, goes_on: GoesOn::Held };
        let waiting = suspend(call.context, call.tool, questions, stage, self.patience()).await?;
        held.give_way();
        self.holding.hold(call.context.invocation_id, round, held, limits.ask_s);
        Ok(Ok(Halt::Waiting(waiting)))
    }

    /// Suspends a call whose upstream asks in its answer; nothing, where it only wants to be asked later.
    async fn ask_again(
        &self,
        call: &Calls<'_>,
        required: &InputRequiredResult,
        round: u32,
    ) -> Result<Option<Halt>, ToolError> {
        let asked = required.input_requests.iter().flatten();
        let questions: Questions =
            asked.map(|(name, request)| (name.clone(), question_of(request))).collect();
        if questions.is_empty() {
            return Ok(None);
        }
        let stage = Stage { round, goes_on: GoesOn::Again { request_state: required.request_state.clone() } };
        let waiting = suspend(call.context, call.tool, questions, stage, self.patience()).await?;
        Ok(Some(Halt::Waiting(waiting)))
    }

    fn patience(&self) -> Patience {
        let limits = self.upstreams.limits();
        Patience { rounds: limits.ask_rounds, ask_s: limits.ask_s }
    }

    async fn begin(&self, call: &Calls<'_>) -> Result<Reached, ToolError> {
        match self.attempt(call).await {
            // What never left, or got lost and may be done twice, is tried once more over a new connection.
            Err(failure)
                if failure.broke
                    && (failure.unsent || got_lost(&failure) && call.tool.spec.is_idempotent()) =>
            {
                Ok(self.attempt(call).await?)
            }
            reached => Ok(reached?),
        }
    }

    async fn attempt(&self, call: &Calls<'_>) -> Result<Reached, Failure> {
        let upstream = call.context.invoker.upstream(call.server).await?;
        self.attempt_at(call, &upstream)
            .await
            .map_err(|failure| Failure { error: failure::with_login(failure.error, &upstream), ..failure })
    }

    async fn attempt_at(&self, call: &Calls<'_>, upstream: &Upstream) -> Result<Reached, Failure> {
        let (limits, context) = (self.upstreams.limits(), call.context);
        let lease = Box::pin(self.upstreams.lease(context.tenant_id, upstream, &context.secrets)).await?;
        if let What::Tool { name, .. } = &call.request.what {
            Box::pin(self.upstreams.confirm(&lease, upstream, name, &context.secrets)).await?;
        }
        let begun = lease.session.call(call.request.clone(), limits.notice_bytes).await;
        let (calling, notices, inquiries) = begun.map_err(|error| {
            // The connection closed between being chosen and being used.
            Failure { unsent: true, ..self.failed(error, &lease) }
        })?;
        self.follow(Following { calling, notices, inquiries, passed: 0, lease }, call).await
    }

    async fn follow(&self, following: Following, call: &Calls<'_>) -> Result<Reached, Failure> {
        let lane = Arc::clone(&following.lease.lane);
        match following.follow(call.notices, call.request.audience, call.context).await {
            Ok(reached) => {
                lane.breaker.succeeded();
                Ok(reached)
            }
            // It ended here, and the connection is as good as before.
            Err((_, true, _)) => Err(failure::too_large().into()),
            Err((error, false, lease)) => Err(self.failed(error, &lease)),
        }
    }

    fn failed(&self, error: rmcp::ServiceError, lease: &Lease) -> Failure {
        let failure = failure::of_request(error, lease.session.link.fault(), self.upstreams.now_ms());
        if failure.broke {
            self.upstreams.broke(&lease.lane);
        }
        failure
    }
}

/// Whether another attempt may go better. What an upstream did wrong it does wrong again.
fn got_lost(failure: &Failure) -> bool {
    failure.error.code == ErrorCode::NetworkError
}

/// The answer to the only question of a round, as the upstream hears it.
fn said(answers: Answers) -> Result<Value, ErrorData> {
    match answers {
        Answers::Given(mut answers) => Ok(answers.remove(ONLY).unwrap_or_default()),
        Answers::Declined(why) => Err(ErrorData::invalid_request(why, None)),
        Answers::NotYet(_) => Err(ErrorData::internal_error("nobody answered", None)),
    }
}

#[async_trait]
impl Runtime for McpRuntime {
    fn kind(&self) -> &'static str {
        "mcp"
    }

    fn compile(&self, execution: &Execution) -> Result<Compiled, String> {
        Plan::parse(execution).map(Compiled::new)
    }

    /// An upstream is outside: whatever it is asked, it is told.
    fn egress_floor(&self, _execution: &Execution) -> EgressClass {
        EgressClass::ReadOnly
    }

    fn lacks_secrets(&self, _tool: &Tool, names: &[String]) -> Option<ToolError> {
        let [name] = names else { return None };
        server_of_login(name).map(|server| login_needed(&server, names))
    }

    fn forget(&self, invocation: InvocationId) {
        self.holding.drop_call(invocation);
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let plan = context.plan::<Plan>()?;
        let called = self.call(&tool, plan, input, &context);
        self.within(&context, context.timeout_ms, called).await
    }
}

impl McpRuntime {
    /// Until the call is taken back or out of time, and no longer than so many milliseconds.
    pub(super) async fn within<T>(
        &self,
        context: &RunContext,
        timeout_ms: u64,
        called: impl Future<Output = Result<T, Halt>>,
    ) -> Result<T, Halt> {
        let remaining_ms = u64::try_from(context.deadline.as_millis() - self.upstreams.now_ms()).unwrap_or(0);
        let patience = Duration::from_millis(remaining_ms.min(timeout_ms));
        // Whichever comes first, the call is dropped, and with it withdrawn.
        tokio::select! {
            biased;
            () = context.cancel.cancelled() => {
                Err(ToolError::new(ErrorCode::Unknown, "the call was withdrawn").into())
            }
            () = tokio::time::sleep(patience) => {
                Err(failure::timeout("did not answer", u128::from(timeout_ms)).into())
            }
            output = called => output,
        }
    }
}

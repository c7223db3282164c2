//! Waits for what an upstream answers, passes on what it says before, and stops where it asks.

use rmcp::{
    ErrorData,
    model::{ErrorCode, ServerResult},
    service::ServiceError,
};
use serde_json::Value;
use tokio::sync::mpsc;
use toolgate_domain::governance::{Audience, Question};
use toolgate_engine::RunContext;

use super::{asks::Inquiry, rounds::Held, session::Calling, upstreams::Lease};

/// A call under way.
pub(super) struct Following {
    pub(super) calling: Calling,
    pub(super) notices: mpsc::Receiver<Value>,
    pub(super) inquiries: mpsc::Receiver<Inquiry>,
    /// How much of what it said was passed on.
    pub(super) passed: u64,
    pub(super) lease: Lease,
}

/// What a call came to.
pub(super) enum Reached {
    Answer(Box<ServerResult>),
    /// The upstream waits with a question.
    Asks(Question, Box<Held>),
}

impl Following {
    /// Fails with what went wrong, whether the answer was too large, and what the connection was: it may be broken.
    pub(super) async fn follow(
        mut self,
        most: u64,
        audience: Audience,
        context: &RunContext,
    ) -> Result<Reached, (ServiceError, bool, Lease)> {
        let answer = loop {
            tokio::select! {
                biased;
                Some(notice) = self.notices.recv(), if self.passed < most => {
                    self.passed += 1;
                    context.emit(notice).await;
                }
                Some(Inquiry { question, reply }) = self.inquiries.recv() => {
                    if audience.can_answer(question.kind) {
                        return Ok(Reached::Asks(question, Box::new(Held::new(self, reply))));
                    }
                    let message = format!("the caller cannot be asked: it does not know {}", question.kind.as_str());
                    let _ = reply.send(Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)));
                }
                answer = self.calling.answer() => break answer,
            }
        };
        // What was said before the answer has arrived before it.
        while self.passed < most
            && let Ok(notice) = self.notices.try_recv()
        {
            self.passed += 1;
            context.emit(notice).await;
        }
        let outgrown = self.calling.is_outgrown();
        answer.map(|answer| Reached::Answer(Box::new(answer))).map_err(|error| (error, outgrown, self.lease))
    }
}

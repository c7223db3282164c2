//! What a runtime may ask of the house while it runs a call: always for the one who made the call, and with what they see.

use std::sync::Arc;

use toolgate_domain::{
    Caller, InvocationId, Page, Surface, TaskId, Tool, ToolError,
    governance::{Agent, Skill, Task},
};
use toolgate_store::StoreError;

use super::Invoker;
use crate::{
    Engine, NewQuestions, NewTask, Registry, RegistryError, RuleError, Rules, ToolFilter, UsageReport,
    UsageRequest,
};

/// The house as a running call meets it. There is no door in here: other tools are called with [`Invoker::call`].
pub struct House<'a> {
    pub(super) engine: &'a Arc<Engine>,
    pub(super) caller: &'a Caller,
    invocation_id: InvocationId,
    pub(super) surface: Surface,
}

impl Invoker {
    /// Fails when the one who made the outer call may not call any more.
    pub fn house(&self) -> Result<House<'_>, ToolError> {
        let caller = self.caller()?;
        Ok(House { engine: &self.engine, caller, invocation_id: self.outer.id, surface: self.outer.surface })
    }
}

impl House<'_> {
    /// The tool that a reference stands for on the surface of the call: what [`Invoker::call`] would find.
    pub async fn tool(&self, reference: &str) -> Result<Arc<Tool>, RegistryError> {
        self.engine.registry.get(self.caller, self.surface, reference).await
    }

    /// The tools that the caller sees on the surface of the call.
    pub async fn tools(&self, filter: &ToolFilter) -> Result<Page<Arc<Tool>>, StoreError> {
        self.engine.registry.list(self.caller, self.surface, filter).await
    }

    /// Where tools are made and changed. It runs none.
    pub fn registry(&self) -> &Registry {
        &self.engine.registry
    }

    /// Where agents, and what they may call, are made and changed.
    pub fn rules(&self) -> &Rules {
        &self.engine.rules
    }

    /// The person who agreed to the call, with what they may do now.
    pub async fn approver(&self) -> Result<Option<Caller>, StoreError> {
        self.engine.approver_of(self.caller.tenant_id, self.invocation_id).await
    }

    /// An agent that the caller may read, by id or by handle.
    pub async fn agent(&self, reference: &str) -> Result<Agent, RuleError> {
        self.engine.rules.find_agent(self.caller, reference).await
    }

    /// A skill of the tenant, by id or by name.
    pub async fn skill(&self, reference: &str) -> Result<Skill, RuleError> {
        self.engine.rules.find_skill(self.caller, reference).await
    }

    /// The task of the call, made now unless it was made before. The call must be on record.
    pub async fn open_task(&self, new: NewTask) -> Result<Task, RuleError> {
        self.engine.open_task(self.caller, self.invocation_id, new).await
    }

    /// Asks whoever made the call; the same round asked again is the same task. The call must be on record.
    pub async fn ask(&self, new: NewQuestions) -> Result<Task, RuleError> {
        self.engine.ask(self.caller, self.invocation_id, new).await
    }

    /// The round as it stands.
    pub async fn asked(&self, round: u32) -> Result<Task, RuleError> {
        self.engine.task(self.caller, Task::id_of_round(self.invocation_id, round)).await
    }

    /// A task that the caller made, was given, or may work on; any other is not there.
    pub async fn task(&self, id: TaskId) -> Result<Task, RuleError> {
        self.engine.task_for(self.caller, id).await
    }

    /// See [`Engine::usage`].
    pub async fn usage(&self, request: UsageRequest) -> Result<UsageReport, RuleError> {
        self.engine.usage(self.caller, request).await
    }

    /// See [`Engine::stop_waiting`].
    pub async fn stop_waiting(&self, id: TaskId) -> Result<Task, RuleError> {
        self.engine.stop_waiting(self.caller, id).await
    }
}

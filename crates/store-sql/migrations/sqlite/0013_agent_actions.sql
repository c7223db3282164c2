-- Which actions count against an agent's day. A call has one place; a place of a call that failed or was cancelled does not count.
CREATE TABLE agent_action_places (
    tenant_id BLOB NOT NULL,
    invocation_id BLOB NOT NULL,
    agent_id BLOB NOT NULL,
    kind TEXT NOT NULL,
    day TEXT NOT NULL,
    taken_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, invocation_id)
) WITHOUT ROWID;
CREATE INDEX agent_action_places_of_day ON agent_action_places (tenant_id, agent_id, day, kind);

-- What was done to one thing, newest first: the actions of one agent, say.
CREATE INDEX audit_events_by_target ON audit_events (tenant_id, target, id);

-- Which actions count against an agent's day. A call has one place; a place of a call that failed or was cancelled does not count.
CREATE TABLE agent_action_places (
    tenant_id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    kind text COLLATE "C" NOT NULL,
    day text COLLATE "C" NOT NULL,
    taken_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, invocation_id)
);
CREATE INDEX agent_action_places_of_day ON agent_action_places (tenant_id, agent_id, day, kind);

GRANT SELECT, INSERT, DELETE ON agent_action_places TO toolgate_app;
ALTER TABLE agent_action_places ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_the_tenant ON agent_action_places USING ((tenant_id = ANY ((SELECT toolgate_tenants())::uuid[])) IS TRUE);
DO $$
BEGIN
    EXECUTE format('CREATE POLICY of_the_owner ON agent_action_places TO %I USING (true)', current_user);
END $$;

-- What was done to one thing, newest first: the actions of one agent, say.
CREATE INDEX audit_events_by_target ON audit_events (tenant_id, target, id);

-- Tools that call tools, tools that wait, and tools that tenants write themselves.

-- The call that made this one, and whether it was only a try.
ALTER TABLE tool_invocations ADD COLUMN parent_id uuid, ADD COLUMN is_test boolean NOT NULL DEFAULT false;

CREATE INDEX tool_invocations_by_parent ON tool_invocations (parent_id) WHERE parent_id IS NOT NULL;

CREATE TRIGGER tool_invocations_same_parent BEFORE UPDATE OF parent_id, is_test ON tool_invocations
FOR EACH ROW WHEN ((OLD.parent_id, OLD.is_test) IS DISTINCT FROM (NEW.parent_id, NEW.is_test))
EXECUTE FUNCTION ledger_refuse('illegal change of an invocation');

-- The view lists its columns once, when it is made.
DROP VIEW tool_invocations_v;
CREATE VIEW tool_invocations_v WITH (security_invoker = true) AS
SELECT i.*, t.key AS tool_key, s.title AS step_title
FROM tool_invocations i
LEFT JOIN tools_registry t ON t.id = i.tool_id
LEFT JOIN agent_run_steps s ON s.id = i.agent_run_step_id;
GRANT SELECT ON tool_invocations_v TO toolgate_app;

-- Running calls that no process holds: each waits for the calls it made, or for a task. `state` is what its runtime goes on from.
CREATE TABLE suspensions (
    tenant_id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    task_id uuid,
    state bytea,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, invocation_id)
);
GRANT SELECT, INSERT, DELETE, UPDATE (task_id, state, created_at) ON suspensions TO toolgate_app;

-- What a tenant changes of a tool that ships with the program, by the tool's name.
CREATE TABLE tool_overrides (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Packs that a tenant installed, by name.
CREATE TABLE packs (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Instructions that a prompt tool runs against an agent, by name.
CREATE TABLE skills (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Work that a tool handed to somebody, by id.
CREATE TABLE tasks (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

DO $$
DECLARE
    made text;
BEGIN
    FOREACH made IN ARRAY ARRAY['tool_overrides', 'packs', 'skills', 'tasks'] LOOP
        EXECUTE format('GRANT SELECT, INSERT, DELETE, UPDATE (name, body, revision, updated_at) ON %I TO toolgate_app', made);
    END LOOP;
    FOREACH made IN ARRAY ARRAY['suspensions', 'tool_overrides', 'packs', 'skills', 'tasks'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', made);
        EXECUTE format('CREATE POLICY of_the_tenant ON %I
            USING ((tenant_id = ANY ((SELECT toolgate_tenants())::uuid[])) IS TRUE)', made);
        EXECUTE format('CREATE POLICY of_the_owner ON %I TO %I USING (true)', made, current_user);
    END LOOP;
END $$;

-- A call that no process holds waits, and is no orphan.
CREATE OR REPLACE FUNCTION toolgate_orphans(moment timestamptz, at_most bigint) RETURNS TABLE (tenant_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT tenant_id, id FROM tool_invocations
    WHERE status = 'running' AND surface <> 'sql' AND node_id IS NOT NULL
        AND node_id NOT IN (SELECT nodes.id FROM nodes WHERE expires_at > moment) LIMIT at_most
$$;

-- Suspended calls that have nothing left to wait for.
CREATE FUNCTION toolgate_ready(at_most bigint) RETURNS TABLE (tenant_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT i.tenant_id, i.id FROM suspensions s
    JOIN tool_invocations i ON i.tenant_id = s.tenant_id AND i.id = s.invocation_id
    WHERE i.status = 'running' AND i.node_id IS NULL
        AND NOT EXISTS (SELECT FROM tool_invocations c
            WHERE c.parent_id = i.id AND c.tenant_id = i.tenant_id AND c.status IN ('pending', 'approved', 'running'))
        AND NOT EXISTS (SELECT FROM tasks t
            WHERE t.tenant_id = s.tenant_id AND t.id = s.task_id AND t.body ->> 'status' IN ('open', 'in_progress'))
    LIMIT at_most
$$;

DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION toolgate_orphans(timestamptz, bigint) SET search_path = %I, pg_temp', current_schema());
    EXECUTE format('ALTER FUNCTION toolgate_ready(bigint) SET search_path = %I, pg_temp', current_schema());
    REVOKE ALL ON FUNCTION toolgate_ready(bigint) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION toolgate_ready(bigint) TO toolgate_app;
END $$;

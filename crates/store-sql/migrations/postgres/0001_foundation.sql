-- JSON that must read back as it was written is `json`, not `jsonb`: jsonb refuses \u0000 and prints 1e300 as an integer of 301
-- digits. Names that are sorted carry COLLATE "C", so that both databases sort alike.

CREATE TABLE tenants (
    id uuid PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    name text NOT NULL,
    created_at timestamptz NOT NULL
);

INSERT INTO tenants (id, slug, name, created_at)
VALUES ('00000000-0000-0000-0000-000000000000', 'default', 'Default', 'epoch');

CREATE TABLE settings (
    name text PRIMARY KEY,
    value bytea NOT NULL
);

CREATE TABLE nodes (
    id uuid PRIMARY KEY,
    expires_at timestamptz NOT NULL
);

CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    hash bytea NOT NULL UNIQUE,
    hint text NOT NULL,
    scopes json NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz
);

CREATE INDEX api_keys_by_tenant ON api_keys (tenant_id, id DESC);

CREATE TABLE tools_registry (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    name text COLLATE "C" NOT NULL,
    version text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (name || '@' || version) STORED,
    origin text NOT NULL CHECK (origin IN ('code', 'tenant_custom')),
    egress_class text NOT NULL CHECK (egress_class IN ('none', 'read_only', 'write')),
    requires_approval boolean NOT NULL,
    lifecycle text NOT NULL CHECK (lifecycle IN ('active', 'deprecated', 'blocked')),
    definition json NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (tenant_id, name, version)
);

-- The egress guard: whoever writes the row, a tool that writes outside asks.
CREATE FUNCTION tools_registry_egress_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.requires_approval := true;
    RETURN NEW;
END $$;

CREATE TRIGGER trg_tools_registry_egress_guard BEFORE INSERT OR UPDATE ON tools_registry
FOR EACH ROW WHEN (NEW.egress_class = 'write' AND NOT NEW.requires_approval)
EXECUTE FUNCTION tools_registry_egress_guard();

CREATE TABLE tool_aliases (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    alias text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    remove_by timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, alias)
);

CREATE TABLE schema_versions (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    tool_id uuid NOT NULL REFERENCES tools_registry (id),
    tool_name text COLLATE "C" NOT NULL,
    tool_version text COLLATE "C" NOT NULL,
    input_hash text NOT NULL,
    output_hash text,
    input_schema json NOT NULL,
    output_schema json,
    created_at timestamptz NOT NULL
);

CREATE UNIQUE INDEX schema_versions_content
    ON schema_versions (tenant_id, tool_id, input_hash, coalesce(output_hash, ''));
CREATE INDEX schema_versions_by_tool ON schema_versions (tenant_id, tool_name, id DESC);

CREATE TABLE agent_run_steps (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    title text NOT NULL
);

CREATE TABLE tool_invocations (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    run_id uuid,
    agent_run_step_id uuid,
    agent_id uuid,
    tool_id uuid,
    tool_name text COLLATE "C" NOT NULL,
    tool_version text COLLATE "C" NOT NULL,
    egress_class text NOT NULL,
    call_id text NOT NULL,
    seq bigint NOT NULL,
    input json NOT NULL,
    status text COLLATE "C" NOT NULL,
    approval_status text COLLATE "C" NOT NULL,
    approval_required boolean NOT NULL GENERATED ALWAYS AS (approval_status <> 'not_required') STORED,
    approval_decided_by text,
    approval_reason text,
    -- When the question is withdrawn, unanswered.
    approval_expires_at timestamptz,
    decision json NOT NULL,
    caller text COLLATE "C" NOT NULL,
    surface text NOT NULL,
    idempotency_key text COLLATE "C",
    warnings json,
    node_id uuid,
    attempt bigint NOT NULL,
    output json,
    error json,
    cached boolean NOT NULL DEFAULT false,
    truncated boolean NOT NULL DEFAULT false,
    attachments json,
    cost_estimate double precision,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    completed_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    -- A call of a tool that does not exist has no tool; it can only have failed.
    CHECK (tool_id IS NOT NULL OR status = 'failed')
);

CREATE INDEX tool_invocations_by_run ON tool_invocations (run_id, created_at DESC) WHERE run_id IS NOT NULL;
CREATE INDEX tool_invocations_by_agent ON tool_invocations (agent_id, status) WHERE agent_id IS NOT NULL;
CREATE INDEX tool_invocations_by_tool ON tool_invocations (tool_id, created_at DESC);
CREATE INDEX tool_invocations_of_unknown_tools ON tool_invocations (tool_name) WHERE tool_id IS NULL;
CREATE INDEX tool_invocations_waiting ON tool_invocations (approval_status) WHERE approval_status = 'pending';
CREATE INDEX tool_invocations_not_completed ON tool_invocations (status, tenant_id, id) WHERE status <> 'completed';
CREATE UNIQUE INDEX tool_invocations_idempotency
    ON tool_invocations (tenant_id, caller, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- One function says no, with the words it is given. The rules stand in the triggers' WHEN, which costs nothing while they hold.
CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER tool_invocations_first_phase BEFORE INSERT ON tool_invocations
FOR EACH ROW WHEN (NOT (NEW.status = 'pending' AND NEW.approval_status = 'pending'
    OR NEW.approval_status = 'not_required' AND NEW.status IN ('running', 'completed', 'failed', 'cancelled')))
EXECUTE FUNCTION ledger_refuse('illegal first state of an invocation');

-- What foreign keys would check row by row, and lock the tool's row for, is checked once for all rows of a group.
CREATE FUNCTION tool_invocations_know_their_tool() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM (SELECT DISTINCT tool_id AS id FROM inserted) used LEFT JOIN tools_registry t USING (id)
        WHERE used.id IS NOT NULL AND t.id IS NULL
        UNION ALL
        SELECT FROM inserted i LEFT JOIN agent_run_steps s ON s.id = i.agent_run_step_id
        WHERE i.agent_run_step_id IS NOT NULL AND s.id IS NULL
    ) THEN
        RAISE EXCEPTION 'an invocation of a tool or of a step that does not exist' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER tool_invocations_know_their_tool AFTER INSERT ON tool_invocations
REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION tool_invocations_know_their_tool();

-- The other side of it: what the ledger names stays.
CREATE TRIGGER tools_registry_stay BEFORE DELETE OR TRUNCATE ON tools_registry
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('tools are blocked, not deleted: the ledger names them');
CREATE TRIGGER tools_registry_same_id BEFORE UPDATE OF id ON tools_registry
FOR EACH ROW WHEN (OLD.id <> NEW.id) EXECUTE FUNCTION ledger_refuse('the id of a tool stays: the ledger names it');
CREATE TRIGGER agent_run_steps_stay BEFORE DELETE OR TRUNCATE ON agent_run_steps
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('steps stay: the ledger names them');

CREATE TRIGGER tool_invocations_legal_change BEFORE UPDATE ON tool_invocations
FOR EACH ROW WHEN (OLD.status || '/' || OLD.approval_status || ' ' || NEW.status || '/' || NEW.approval_status NOT IN (
    'pending/pending approved/approved',
    'pending/pending rejected/rejected',
    'pending/pending cancelled/rejected',
    'approved/approved running/approved',
    'approved/approved failed/approved',
    'approved/approved cancelled/approved',
    'running/approved completed/approved',
    'running/approved failed/approved',
    'running/approved cancelled/approved',
    'running/not_required completed/not_required',
    'running/not_required failed/not_required',
    'running/not_required cancelled/not_required',
    -- Another process takes a call over from one that died.
    'running/approved running/approved',
    'running/not_required running/not_required'))
EXECUTE FUNCTION ledger_refuse('illegal change of an invocation');

-- Only for statements that name one of these columns, which the ledger's own never do: large inputs are not compared for nothing.
CREATE TRIGGER tool_invocations_same_call
BEFORE UPDATE OF id, tenant_id, session_id, run_id, agent_id, tool_id, tool_name, tool_version, egress_class, call_id, seq, input,
    decision, caller, surface, idempotency_key, created_at, approval_expires_at ON tool_invocations
FOR EACH ROW WHEN (
    (OLD.id, OLD.tenant_id, OLD.session_id, OLD.run_id, OLD.agent_id, OLD.tool_id, OLD.tool_name, OLD.tool_version,
        OLD.egress_class, OLD.call_id, OLD.seq, OLD.input::text, OLD.decision::text, OLD.caller, OLD.surface,
        OLD.idempotency_key, OLD.created_at, OLD.approval_expires_at)
    IS DISTINCT FROM
    (NEW.id, NEW.tenant_id, NEW.session_id, NEW.run_id, NEW.agent_id, NEW.tool_id, NEW.tool_name, NEW.tool_version,
        NEW.egress_class, NEW.call_id, NEW.seq, NEW.input::text, NEW.decision::text, NEW.caller, NEW.surface,
        NEW.idempotency_key, NEW.created_at, NEW.approval_expires_at))
EXECUTE FUNCTION ledger_refuse('illegal change of an invocation');

CREATE TRIGGER tool_invocations_append_only BEFORE DELETE OR TRUNCATE ON tool_invocations
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('the ledger is append-only');

CREATE VIEW tool_invocations_v AS
SELECT i.*, t.key AS tool_key, s.title AS step_title
FROM tool_invocations i
LEFT JOIN tools_registry t ON t.id = i.tool_id
LEFT JOIN agent_run_steps s ON s.id = i.agent_run_step_id;

-- Ids are drawn under the ledger's lock, one at a time (CACHE 1), so that they become visible in their own order.
CREATE TABLE session_events (
    id bigint GENERATED ALWAYS AS IDENTITY (CACHE 1),
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    type text NOT NULL,
    invocation_id uuid NOT NULL,
    data json,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX session_events_by_session ON session_events (session_id, id);

CREATE TRIGGER session_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON session_events
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('the ledger is append-only');

CREATE TRIGGER schema_versions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON schema_versions
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('the ledger is append-only');

CREATE TABLE blobs (
    id uuid PRIMARY KEY,
    tenant_id uuid NOT NULL,
    invocation_id uuid NOT NULL,
    content_type text NOT NULL,
    bytes bigint NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE TRIGGER blobs_no_update BEFORE UPDATE ON blobs
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('the ledger is append-only');

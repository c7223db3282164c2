-- Ids are the 16 bytes of a UUID; moments are microseconds since 1970; JSON is text.

CREATE TABLE tenants (
    id BLOB PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

INSERT INTO tenants (id, slug, name, created_at) VALUES (zeroblob(16), 'default', 'Default', 0);

CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

CREATE TABLE nodes (
    id BLOB PRIMARY KEY,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
    id BLOB PRIMARY KEY,
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT;

CREATE TABLE tools_registry (
    id BLOB PRIMARY KEY,
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    key TEXT NOT NULL GENERATED ALWAYS AS (name || '@' || version) STORED,
    origin TEXT NOT NULL CHECK (origin IN ('code', 'tenant_custom')),
    egress_class TEXT NOT NULL CHECK (egress_class IN ('none', 'read_only', 'write')),
    requires_approval INTEGER NOT NULL CHECK (requires_approval IN (0, 1)),
    lifecycle TEXT NOT NULL CHECK (lifecycle IN ('active', 'deprecated', 'blocked')),
    definition TEXT NOT NULL CHECK (json_valid(definition)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (tenant_id, name, version)
) STRICT;

-- The egress guard: whoever writes the row, a tool that writes outside asks.
CREATE TRIGGER trg_tools_registry_egress_guard_insert AFTER INSERT ON tools_registry
WHEN NEW.egress_class = 'write' AND NEW.requires_approval = 0
BEGIN
    UPDATE tools_registry SET requires_approval = 1 WHERE id = NEW.id;
END;

CREATE TRIGGER trg_tools_registry_egress_guard_update AFTER UPDATE ON tools_registry
WHEN NEW.egress_class = 'write' AND NEW.requires_approval = 0
BEGIN
    UPDATE tools_registry SET requires_approval = 1 WHERE id = NEW.id;
END;

CREATE TABLE tool_aliases (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    alias TEXT NOT NULL,
    target TEXT NOT NULL,
    remove_by INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, alias)
) STRICT;

CREATE TABLE schema_versions (
    id BLOB PRIMARY KEY,
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    tool_id BLOB NOT NULL REFERENCES tools_registry (id),
    tool_name TEXT NOT NULL,
    tool_version TEXT NOT NULL,
    input_hash TEXT NOT NULL,
    output_hash TEXT,
    input_schema TEXT NOT NULL CHECK (json_valid(input_schema)),
    output_schema TEXT CHECK (json_valid(output_schema)),
    created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX schema_versions_content
    ON schema_versions (tenant_id, tool_id, input_hash, coalesce(output_hash, ''));
CREATE INDEX schema_versions_by_tool ON schema_versions (tenant_id, tool_name, id DESC);

CREATE TABLE agent_run_steps (
    id BLOB PRIMARY KEY,
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    title TEXT NOT NULL
) STRICT;

CREATE TABLE tool_invocations (
    id BLOB NOT NULL,
    tenant_id BLOB NOT NULL,
    session_id BLOB NOT NULL,
    run_id BLOB,
    agent_run_step_id BLOB REFERENCES agent_run_steps (id),
    agent_id BLOB,
    tool_id BLOB REFERENCES tools_registry (id),
    tool_name TEXT NOT NULL,
    tool_version TEXT NOT NULL,
    egress_class TEXT NOT NULL,
    call_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    input TEXT NOT NULL,
    status TEXT NOT NULL,
    approval_status TEXT NOT NULL,
    approval_required INTEGER NOT NULL GENERATED ALWAYS AS (approval_status <> 'not_required') VIRTUAL,
    approval_decided_by TEXT,
    approval_reason TEXT,
    -- When the question is withdrawn, unanswered.
    approval_expires_at INTEGER,
    decision TEXT NOT NULL,
    caller TEXT NOT NULL,
    surface TEXT NOT NULL,
    idempotency_key TEXT,
    warnings TEXT,
    node_id BLOB,
    attempt INTEGER NOT NULL,
    output TEXT,
    error TEXT,
    cached INTEGER NOT NULL DEFAULT 0,
    truncated INTEGER NOT NULL DEFAULT 0,
    attachments TEXT,
    cost_estimate REAL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    completed_at INTEGER,
    PRIMARY KEY (tenant_id, id),
    -- A call of a tool that does not exist has no tool; it can only have failed.
    CHECK (tool_id IS NOT NULL OR status = 'failed')
) STRICT;

CREATE INDEX tool_invocations_by_run ON tool_invocations (run_id, created_at DESC) WHERE run_id IS NOT NULL;
CREATE INDEX tool_invocations_by_agent ON tool_invocations (agent_id, status) WHERE agent_id IS NOT NULL;
CREATE INDEX tool_invocations_by_tool ON tool_invocations (tool_id, created_at DESC);
CREATE INDEX tool_invocations_of_unknown_tools ON tool_invocations (tool_name) WHERE tool_id IS NULL;
CREATE INDEX tool_invocations_waiting ON tool_invocations (approval_status) WHERE approval_status = 'pending';
CREATE INDEX tool_invocations_not_completed ON tool_invocations (status, tenant_id, id) WHERE status <> 'completed';
CREATE UNIQUE INDEX tool_invocations_idempotency
    ON tool_invocations (tenant_id, caller, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TRIGGER tool_invocations_first_phase BEFORE INSERT ON tool_invocations
-- Not `IN (…)`: for that SQLite makes a table of its own each time, which costs as much as the row.
WHEN NOT (NEW.status = 'pending' AND NEW.approval_status = 'pending'
    OR NEW.approval_status = 'not_required' AND (NEW.status = 'running' OR NEW.status = 'completed'
        OR NEW.status = 'failed' OR NEW.status = 'cancelled'))
BEGIN
    SELECT RAISE(ABORT, 'illegal first state of an invocation');
END;

CREATE TRIGGER tool_invocations_legal_change BEFORE UPDATE ON tool_invocations
WHEN NOT (
    CASE OLD.status
        WHEN 'pending' THEN NEW.status = 'approved' AND NEW.approval_status = 'approved'
            OR NEW.status = 'rejected' AND NEW.approval_status = 'rejected'
            OR NEW.status = 'cancelled' AND NEW.approval_status = 'rejected'
        WHEN 'approved' THEN NEW.approval_status = 'approved'
            AND (NEW.status = 'running' OR NEW.status = 'failed' OR NEW.status = 'cancelled')
        -- From running to running: another process takes a call over from one that died.
        WHEN 'running' THEN NEW.approval_status = OLD.approval_status
            AND (NEW.status = 'completed' OR NEW.status = 'failed' OR NEW.status = 'cancelled' OR NEW.status = 'running')
        ELSE 0
    END
    AND OLD.id = NEW.id AND OLD.tenant_id = NEW.tenant_id AND OLD.session_id = NEW.session_id
    AND OLD.tool_id = NEW.tool_id AND OLD.tool_name = NEW.tool_name AND OLD.tool_version = NEW.tool_version
    AND OLD.call_id = NEW.call_id AND OLD.input = NEW.input AND OLD.caller = NEW.caller
    AND OLD.decision = NEW.decision AND OLD.created_at = NEW.created_at
    AND OLD.egress_class = NEW.egress_class AND OLD.seq = NEW.seq AND OLD.surface = NEW.surface
    AND OLD.run_id IS NEW.run_id AND OLD.agent_id IS NEW.agent_id
    AND OLD.idempotency_key IS NEW.idempotency_key AND OLD.approval_expires_at IS NEW.approval_expires_at)
BEGIN
    SELECT RAISE(ABORT, 'illegal change of an invocation');
END;

CREATE TRIGGER tool_invocations_append_only BEFORE DELETE ON tool_invocations
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE VIEW tool_invocations_v AS
SELECT i.*, t.key AS tool_key, s.title AS step_title
FROM tool_invocations i
LEFT JOIN tools_registry t ON t.id = i.tool_id
LEFT JOIN agent_run_steps s ON s.id = i.agent_run_step_id;

CREATE TABLE session_events (
    id INTEGER PRIMARY KEY,
    tenant_id BLOB NOT NULL,
    session_id BLOB NOT NULL,
    type TEXT NOT NULL,
    invocation_id BLOB NOT NULL,
    data TEXT,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX session_events_by_session ON session_events (session_id, id);

CREATE TRIGGER session_events_no_update BEFORE UPDATE ON session_events
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER session_events_no_delete BEFORE DELETE ON session_events
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER schema_versions_no_update BEFORE UPDATE ON schema_versions
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER schema_versions_no_delete BEFORE DELETE ON schema_versions
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TABLE blobs (
    id BLOB PRIMARY KEY,
    tenant_id BLOB NOT NULL,
    invocation_id BLOB NOT NULL,
    content_type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TRIGGER blobs_no_update BEFORE UPDATE ON blobs
BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

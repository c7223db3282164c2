-- What the ledger's writer hands over: one array of each, where an array per column would be unpacked column by column.

CREATE TYPE ledger_row AS (
    id uuid,
    tenant_id uuid,
    session_id uuid,
    run_id uuid,
    agent_run_step_id uuid,
    agent_id uuid,
    tool_id uuid,
    tool_name text,
    tool_version text,
    egress_class text,
    call_id text,
    seq bigint,
    input json,
    status text,
    approval_status text,
    approval_decided_by text,
    approval_reason text,
    decision json,
    caller text,
    surface text,
    idempotency_key text,
    warnings json,
    node_id uuid,
    attempt bigint,
    output json,
    error json,
    cached boolean,
    truncated boolean,
    attachments json,
    cost_estimate double precision,
    created_at timestamptz,
    started_at timestamptz,
    completed_at timestamptz,
    approval_expires_at timestamptz,
    parent_id uuid,
    is_test boolean
);

CREATE TYPE ledger_change AS (
    id uuid,
    tenant_id uuid,
    status text,
    approval_status text,
    from_status text,
    from_approval_status text,
    node_id uuid,
    started_at timestamptz,
    completed_at timestamptz,
    output json,
    error json,
    cached boolean,
    truncated boolean,
    attachments json,
    cost_estimate double precision,
    decided_by text,
    reason text,
    approved_input json
);

-- `owner` is the invocation whose change it follows.
CREATE TYPE ledger_event AS (
    owner uuid,
    tenant_id uuid,
    session_id uuid,
    type text,
    invocation_id uuid,
    data json,
    created_at timestamptz
);

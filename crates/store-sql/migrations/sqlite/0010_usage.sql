-- Every question to a model, with what it took. Rows are added and stay.
CREATE TABLE model_usage (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    -- A UUIDv7, so that the newest rows of a tenant lie together; of a turn of a run, the id of its step.
    id BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    invocation_id BLOB NOT NULL,
    run_id BLOB,
    agent_id BLOB,
    tool_name TEXT NOT NULL,
    provider TEXT,
    model TEXT,
    input_tokens INTEGER NOT NULL,
    cached_input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost REAL,
    self_reported_cost REAL,
    cost_mismatch INTEGER NOT NULL CHECK (cost_mismatch IN (0, 1)),
    latency_ms INTEGER NOT NULL,
    -- `ok`, or the code of the error.
    outcome TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX model_usage_by_call ON model_usage (tenant_id, invocation_id);
CREATE INDEX model_usage_by_run ON model_usage (tenant_id, run_id) WHERE run_id IS NOT NULL;

CREATE TRIGGER model_usage_no_update BEFORE UPDATE ON model_usage
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER model_usage_no_delete BEFORE DELETE ON model_usage
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

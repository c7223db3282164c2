-- Every question to a model, with what it took. Rows are added and stay.
CREATE TABLE model_usage (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    -- A UUIDv7, so that the newest rows of a tenant lie together; of a turn of a run, the id of its step.
    id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    invocation_id uuid NOT NULL,
    run_id uuid,
    agent_id uuid,
    tool_name text COLLATE "C" NOT NULL,
    provider text COLLATE "C",
    model text COLLATE "C",
    input_tokens bigint NOT NULL,
    cached_input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    reasoning_tokens bigint NOT NULL,
    cost double precision,
    self_reported_cost double precision,
    cost_mismatch boolean NOT NULL,
    latency_ms bigint NOT NULL,
    -- `ok`, or the code of the error.
    outcome text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX model_usage_by_call ON model_usage (tenant_id, invocation_id);
CREATE INDEX model_usage_by_run ON model_usage (tenant_id, run_id) WHERE run_id IS NOT NULL;

CREATE TRIGGER model_usage_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON model_usage
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('the ledger is append-only');

GRANT SELECT, INSERT ON model_usage TO toolgate_app;
ALTER TABLE model_usage ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_the_tenant ON model_usage USING ((tenant_id = ANY ((SELECT toolgate_tenants())::uuid[])) IS TRUE);

DO $$
BEGIN
    EXECUTE format('CREATE POLICY of_the_owner ON model_usage TO %I USING (true)', current_user);
END $$;

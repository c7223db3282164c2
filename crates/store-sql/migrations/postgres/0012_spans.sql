-- What runs did and how long each part took. A span is replaced while it goes on, and stays as it is once it ended.
CREATE TABLE spans (
    tenant_id uuid NOT NULL,
    trace_id bytea NOT NULL,
    span_id bytea NOT NULL,
    parent_span_id bytea,
    name text NOT NULL,
    kind text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    error text,
    attributes json NOT NULL,
    links json,
    run_id uuid,
    invocation_id uuid,
    PRIMARY KEY (tenant_id, trace_id, span_id)
);
GRANT SELECT, INSERT, UPDATE (parent_span_id, name, started_at, ended_at, error, attributes, links) ON spans TO toolgate_app;

CREATE TRIGGER spans_that_ended_stay BEFORE UPDATE ON spans
FOR EACH ROW WHEN (OLD.ended_at IS NOT NULL)
EXECUTE FUNCTION ledger_refuse('a span that ended does not change');

DO $$
BEGIN
    ALTER TABLE spans ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY of_the_tenant ON spans USING ((tenant_id = ANY ((SELECT toolgate_tenants())::uuid[])) IS TRUE);
    EXECUTE format('CREATE POLICY of_the_owner ON spans TO %I USING (true)', current_user);
END $$;

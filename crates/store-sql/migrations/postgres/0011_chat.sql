-- Conversations with agents. What an agent answered is the output of the run that a message names.
CREATE TABLE threads (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    title text,
    created_by text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    archived_at timestamptz,
    PRIMARY KEY (tenant_id, id)
);
GRANT SELECT, INSERT, UPDATE (title, updated_at, archived_at) ON threads TO toolgate_app;

CREATE INDEX threads_by_owner ON threads (tenant_id, created_by, id);

CREATE TABLE messages (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    thread_id uuid NOT NULL,
    seq bigint NOT NULL,
    role text COLLATE "C" NOT NULL CHECK (role IN ('user', 'assistant')),
    content text CHECK ((content IS NULL) = (role = 'assistant')),
    run_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    dropped_at timestamptz,
    PRIMARY KEY (tenant_id, thread_id, seq),
    UNIQUE (tenant_id, id),
    UNIQUE (tenant_id, run_id, role),
    FOREIGN KEY (tenant_id, thread_id) REFERENCES threads (tenant_id, id)
);
GRANT SELECT, INSERT, UPDATE (dropped_at) ON messages TO toolgate_app;

CREATE TRIGGER messages_no_update BEFORE UPDATE ON messages
FOR EACH ROW WHEN (OLD.dropped_at IS NOT NULL
    OR (OLD.tenant_id, OLD.id, OLD.thread_id, OLD.seq, OLD.role, OLD.content, OLD.run_id, OLD.created_at)
        IS DISTINCT FROM (NEW.tenant_id, NEW.id, NEW.thread_id, NEW.seq, NEW.role, NEW.content, NEW.run_id, NEW.created_at))
EXECUTE FUNCTION ledger_refuse('what was said stays as it was said');

CREATE TRIGGER messages_no_delete BEFORE DELETE OR TRUNCATE ON messages
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('what was said stays');

DO $$
DECLARE
    made text;
BEGIN
    FOREACH made IN ARRAY ARRAY['threads', 'messages'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', made);
        EXECUTE format('CREATE POLICY of_the_tenant ON %I
            USING ((tenant_id = ANY ((SELECT toolgate_tenants())::uuid[])) IS TRUE)', made);
        EXECUTE format('CREATE POLICY of_the_owner ON %I TO %I USING (true)', made, current_user);
    END LOOP;
END $$;

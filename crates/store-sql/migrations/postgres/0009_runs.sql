-- What a run of an agent does, step by step. Steps are added and stay.
ALTER TABLE agent_run_steps ADD COLUMN run_id uuid, ADD COLUMN seq bigint, ADD COLUMN kind text COLLATE "C",
    ADD COLUMN body json, ADD COLUMN created_at timestamptz;

CREATE UNIQUE INDEX agent_run_steps_of_run ON agent_run_steps (tenant_id, run_id, seq) WHERE run_id IS NOT NULL;

CREATE TRIGGER agent_run_steps_no_update BEFORE UPDATE ON agent_run_steps
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('the ledger is append-only');

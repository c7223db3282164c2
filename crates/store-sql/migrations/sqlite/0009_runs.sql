-- What a run of an agent does, step by step. Steps are added and stay.
ALTER TABLE agent_run_steps ADD COLUMN run_id BLOB;
ALTER TABLE agent_run_steps ADD COLUMN seq INTEGER;
ALTER TABLE agent_run_steps ADD COLUMN kind TEXT;
ALTER TABLE agent_run_steps ADD COLUMN body TEXT;
ALTER TABLE agent_run_steps ADD COLUMN created_at INTEGER;

CREATE UNIQUE INDEX agent_run_steps_of_run ON agent_run_steps (tenant_id, run_id, seq) WHERE run_id IS NOT NULL;

CREATE TRIGGER agent_run_steps_no_update BEFORE UPDATE ON agent_run_steps
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER agent_run_steps_no_delete BEFORE DELETE ON agent_run_steps
BEGIN SELECT RAISE(ABORT, 'steps stay: the ledger names them'); END;

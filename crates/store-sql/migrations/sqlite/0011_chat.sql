-- Conversations with agents. What an agent answered is the output of the run that a message names.
CREATE TABLE threads (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    session_id BLOB NOT NULL,
    agent_id BLOB NOT NULL,
    title TEXT,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    archived_at INTEGER,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX threads_by_owner ON threads (tenant_id, created_by, id);

CREATE TABLE messages (
    tenant_id BLOB NOT NULL,
    id BLOB NOT NULL,
    thread_id BLOB NOT NULL,
    seq INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    content TEXT CHECK ((content IS NULL) = (role = 'assistant')),
    run_id BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    dropped_at INTEGER,
    PRIMARY KEY (tenant_id, thread_id, seq),
    UNIQUE (tenant_id, id),
    UNIQUE (tenant_id, run_id, role),
    FOREIGN KEY (tenant_id, thread_id) REFERENCES threads (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER messages_no_update BEFORE UPDATE ON messages
WHEN OLD.dropped_at IS NOT NULL OR OLD.tenant_id IS NOT NEW.tenant_id OR OLD.id IS NOT NEW.id
    OR OLD.thread_id IS NOT NEW.thread_id OR OLD.seq IS NOT NEW.seq OR OLD.role IS NOT NEW.role
    OR OLD.content IS NOT NEW.content OR OLD.run_id IS NOT NEW.run_id OR OLD.created_at IS NOT NEW.created_at
BEGIN SELECT RAISE(ABORT, 'what was said stays as it was said'); END;

CREATE TRIGGER messages_no_delete BEFORE DELETE ON messages
BEGIN SELECT RAISE(ABORT, 'what was said stays'); END;

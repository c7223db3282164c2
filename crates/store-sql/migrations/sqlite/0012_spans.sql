-- What runs did and how long each part took. A span is replaced while it goes on, and stays as it is once it ended.
CREATE TABLE spans (
    tenant_id BLOB NOT NULL,
    trace_id BLOB NOT NULL,
    span_id BLOB NOT NULL,
    parent_span_id BLOB,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    error TEXT,
    attributes TEXT NOT NULL,
    links TEXT,
    run_id BLOB,
    invocation_id BLOB,
    PRIMARY KEY (tenant_id, trace_id, span_id)
) WITHOUT ROWID;

CREATE TRIGGER spans_that_ended_stay BEFORE UPDATE ON spans WHEN OLD.ended_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a span that ended does not change'); END;

-- A table without row ids keeps its rows in the inner pages of its tree as well. The rows of the chain are large, so only a handful fitted
-- into such a page: the tree grew eight levels deep, and every commit wrote a dozen of its pages. With row ids, rows are in leaves alone.

CREATE TABLE audit_links (
    tenant_id BLOB NOT NULL,
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    items BLOB NOT NULL,
    PRIMARY KEY (tenant_id, seq)
) STRICT;

INSERT INTO audit_links (tenant_id, seq, hash, items)
SELECT tenant_id, seq, hash, items FROM audit_chain ORDER BY tenant_id, seq;

DROP TABLE audit_chain;
ALTER TABLE audit_links RENAME TO audit_chain;

CREATE TRIGGER audit_chain_no_update BEFORE UPDATE ON audit_chain
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_chain_no_delete BEFORE DELETE ON audit_chain
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_chain_not_replaced BEFORE INSERT ON audit_chain
WHEN EXISTS (SELECT 1 FROM audit_chain WHERE tenant_id = NEW.tenant_id AND seq = NEW.seq)
    -- A row that names its place itself; others have none yet, which SQLite calls -1.
    OR NEW.rowid >= 0 AND EXISTS (SELECT 1 FROM audit_chain WHERE rowid = NEW.rowid)
BEGIN
    SELECT RAISE(FAIL, 'the audit trail is append-only');
END;

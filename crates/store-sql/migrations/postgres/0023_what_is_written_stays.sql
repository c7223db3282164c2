-- What the ledger names stays: rows of blobs could not be changed, but their owner could delete them.
DROP TRIGGER blobs_no_update ON blobs;
CREATE TRIGGER blobs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON blobs
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('the ledger is append-only');

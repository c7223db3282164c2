-- A call that begins and ends in one commit is told of in one row, the one of its end: `began_at` is the moment of its `tool.started`,
-- whose id is the one before the row's own. Two rows would say nothing more, and cost twice as much.
ALTER TABLE session_events ADD COLUMN began_at timestamptz;
-- So that the id before each row's own is free, and none is below 1.
ALTER TABLE session_events ALTER COLUMN id SET INCREMENT BY 2;
SELECT setval(pg_get_serial_sequence('session_events', 'id'), (SELECT coalesce(max(id), 0) + 2 FROM session_events), false);
ALTER TYPE ledger_event ADD ATTRIBUTE began_at timestamptz;

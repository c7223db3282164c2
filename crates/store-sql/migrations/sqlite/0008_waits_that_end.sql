-- A call that waits goes on at this moment at the latest, whether or not what it waits for is over.
ALTER TABLE suspensions ADD COLUMN wake_at INTEGER;

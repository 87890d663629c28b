-- Postgres 18 died in it where a row that it had found was locked by somebody else meanwhile. Nobody calls it.
drop function oldest_queued(uuid, int);

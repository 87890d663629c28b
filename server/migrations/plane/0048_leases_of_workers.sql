-- How long a worker may send after its last beat: a revoke strikes it off when it has stood still for longer (docs/decisions/0039).
-- Null: one of an older version, whose lease is 1,700 ms.
alter table workers add column lease_ms int check (lease_ms > 0);

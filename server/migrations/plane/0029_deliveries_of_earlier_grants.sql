-- What waits under an access that is over is cancelled for good, and need not be by then when the access is given anew: a delivery
-- knows how many stops its app had when it was allowed, and a grant when it was made (docs/decisions/0039).

-- Null: queued by a version that did not say. It is judged by how things stand alone.
alter table queue add column epoch bigint;
-- A delivery that was queued before is another grant's.
alter table installation_scopes add column since_epoch bigint not null default 0;
grant select on stop_epochs to slipway_api;

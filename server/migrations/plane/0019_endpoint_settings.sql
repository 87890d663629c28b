-- What people decide about an endpoint beyond where it is (docs/decisions/0029).
alter table endpoints
  -- At most so many attempts a second; null for no limit of its own.
  add column rate_per_second smallint check (rate_per_second between 1 and 1000),
  -- One delivery of a subject at a time, in the order of its events.
  add column is_ordered boolean not null default false,
  -- How much faster than its clock the schedule of retries runs; a sandbox's alone.
  add column schedule_speed smallint not null default 1 check (schedule_speed in (1, 60, 3600)),
  -- Headers of its owner's, by name; null for none. Values may be secrets: as JSON, sealed like the signing secret.
  add column sealed_headers bytea,
  -- Their names, which are shown.
  add column header_names text[] not null default '{}' check (cardinality(header_names) <= 10);
alter table endpoints add check ((sealed_headers is null) = (header_names = '{}'));
grant update (description, event_types, schema_versions, rate_per_second, is_ordered, schedule_speed, sealed_headers,
  header_names) on endpoints to slipway_manager;
grant select (rate_per_second, is_ordered, schedule_speed, sealed_headers) on endpoints to slipway_worker;

-- Whom alone an event was made for; null for what happened. Such a one is in no feed.
alter table events add column only_endpoint_id uuid;

-- What a change of an endpoint stops is that endpoint's alone.
alter table stops add column endpoint_id uuid;

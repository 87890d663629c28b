-- Redelivery: a delivery that is made anew from one that ended, and the job that does so with many (docs/decisions/0031).

alter table deliveries
  -- The delivery that it repeats, and of a repeated one the latest that repeats it.
  add column redelivery_of uuid,
  add column redelivered_as uuid,
  -- The job that made it.
  add column redelivery_id uuid,
  -- What a job looks for. A column of its own, because an index that named `status` would make every end of a delivery a change
  -- of all indexes of its row; this one stays false on the way to success.
  add column is_redeliverable boolean not null generated always as
    (status in ('failed', 'skipped', 'cancelled') and redelivered_as is null) stored;
create index deliveries_redeliverable on deliveries (app_id, event_id, delivery_id) where is_redeliverable;
create index deliveries_by_redelivery on deliveries (app_id, redelivery_id, delivery_id desc) where redelivery_id is not null;
grant update (redelivered_as) on deliveries to slipway_manager;

-- What of a job still waits: how far ahead of the receivers it may be, and what its end cancels.
alter table queue add column redelivery_id uuid;
create index queue_by_redelivery on queue (app_id, redelivery_id, state, attempt_no) where redelivery_id is not null;

create table redeliveries (
  app_id uuid not null references apps,
  redelivery_id uuid not null,
  state text not null default 'running' check (state in ('running', 'paused', 'cancelled', 'finished')),
  -- Which deliveries are meant: of events from `since` on and before `until`, that had ended when the job was made.
  endpoint_id uuid,
  event_type text,
  statuses text[] not null check (cardinality(statuses) > 0 and statuses <@ array['failed', 'skipped', 'cancelled']),
  reason text,
  since timestamptz not null,
  until timestamptz check (until > since),
  rate_per_second smallint not null check (rate_per_second between 1 and 1000),
  -- How many there were when it was made; at least so many, when they were not all counted.
  total int not null check (total > 0),
  is_total_exact boolean not null,
  -- How many it has made anew, and how many of those were not allowed any more.
  done int not null default 0,
  skipped int not null default 0,
  -- How far it has come: the last event and delivery that were looked at.
  after_event_id uuid not null,
  after_delivery_id uuid not null,
  -- When a worker has to do something; null when it is paused or over.
  due_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  finished_by text,
  finished_at timestamptz,
  primary key (app_id, redelivery_id),
  check ((state in ('cancelled', 'finished')) = (finished_at is not null))
);
create index redeliveries_due on redeliveries (due_at) where due_at is not null;
alter table redeliveries enable row level security;
alter table redeliveries force row level security;
create policy tenant on redeliveries to slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on redeliveries to slipway_worker using (true);
grant select, insert, update (state, rate_per_second, total, done, skipped, after_event_id, after_delivery_id, due_at,
  finished_by, finished_at) on redeliveries to slipway_manager;
-- Housekeeping removes those whose deliveries are no longer kept.
grant select (app_id, redelivery_id, state, due_at, finished_at), delete on redeliveries to slipway_worker;

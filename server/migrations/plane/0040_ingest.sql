-- What the platform behind production has told: so that what it says again, or too late, changes nothing.

create table ingested_events (
  app_id uuid not null,
  -- SHA-256 of the identifier that the platform gave it.
  source_hash bytea not null check (length(source_hash) = 32),
  event_id uuid,
  at timestamptz not null default clock_timestamp(),
  primary key (app_id, source_hash)
);
create index ingested_events_by_age on ingested_events (at);

-- The objects are the platform's: what is counted of their events is counted here.
create table subject_sequences (
  app_id uuid not null,
  subject_id uuid not null,
  last int not null,
  primary key (app_id, subject_id)
);

create table upstream_installations (
  app_id uuid not null,
  server_id uuid not null,
  version bigint not null,
  primary key (app_id, server_id)
);

do $$
declare
  told regclass;
begin
  foreach told in array array['ingested_events', 'subject_sequences', 'upstream_installations']::regclass[] loop
    execute format('alter table %s enable row level security', told);
    execute format('alter table %s force row level security', told);
    execute format('create policy tenant on %s to slipway_api, slipway_manager
      using (app_id = current_app_id()) with check (app_id = current_app_id())', told);
    execute format('create policy whole on %s for select to current_user using (current_setting(''role'') = ''none'')', told);
    call let_erase(told);
  end loop;
end $$;
create policy everyone on ingested_events to slipway_worker using (true);
grant select, insert on ingested_events to slipway_api;
grant select, delete on ingested_events to slipway_worker;
grant select, insert, update on subject_sequences to slipway_api;
grant select, insert, update on upstream_installations to slipway_manager;

-- What the platform answered that is no answer: of each operation in an hour how often, and in what way it was the last time. Of its
-- words nothing.
create table upstream_failures (
  hour timestamptz not null,
  operation_id text not null,
  kind text not null,
  count int not null,
  last_at timestamptz not null,
  -- The latest request that met it.
  request_id uuid not null,
  primary key (hour, operation_id)
);
alter table upstream_failures enable row level security;
alter table upstream_failures force row level security;
create policy everyone on upstream_failures to slipway_worker using (true) with check (true);
create policy console on upstream_failures for select to slipway_manager
  using (current_setting('slipway.asks', true) = 'console');
create policy whole on upstream_failures for select to current_user using (current_setting('role') = 'none');
grant select, insert, update, delete on upstream_failures to slipway_worker;
grant select on upstream_failures to slipway_manager;

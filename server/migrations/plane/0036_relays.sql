-- What a terminal forwards: requests to endpoints whose address is a listener, on their way from a worker to whoever listens,
-- with the answers on their way back. Nothing here outlives its attempt, so nothing is lost with it in a crash.

create unlogged table relays (
  app_id uuid not null,
  relay_id uuid not null,
  endpoint_id uuid not null,
  -- Headers and body, sealed: endpoints' own headers are nowhere else in the clear either.
  request bytea not null,
  -- The app's count of stops that the attempt was allowed under: after another one it is handed to nobody.
  epoch bigint not null,
  made_at timestamptz not null default clock_timestamp(),
  -- From here on whoever listens has it.
  taken_at timestamptz,
  answer jsonb,
  primary key (app_id, relay_id),
  foreign key (app_id, endpoint_id) references endpoints on delete cascade,
  check (answer is null or taken_at is not null)
);
create index relays_by_endpoint on relays (app_id, endpoint_id, relay_id);
alter table relays enable row level security;
alter table relays force row level security;
create policy tenant on relays to slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on relays to slipway_worker using (true) with check (true);
create policy whole on relays for select to current_user using (current_setting('role') = 'none');
grant select, update (taken_at, answer) on relays to slipway_manager;
grant select, insert (app_id, relay_id, endpoint_id, request, epoch), delete on relays to slipway_worker;
call let_erase('relays');

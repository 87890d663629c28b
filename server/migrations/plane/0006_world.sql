-- The synthetic world of an app: what it was made from, and the clock on which it lives.

create table worlds (
  app_id uuid primary key references apps,
  preset text not null check (preset in ('empty', 'small', 'busy', 'unicode', 'large')),
  seed text not null check (length(seed) between 1 and 100),
  epoch int not null check (epoch >= 0),
  made_at timestamptz not null default clock_timestamp(),
  -- How much faster than the world's own pace; 0 stands still.
  speed int not null default 1 check (speed between 0 and 3600),
  -- When a speed above 1 falls back to it.
  speed_until timestamptz,
  -- How many turns it has lived since it was made: its simulated time, counted in turns.
  turn bigint not null default 0,
  -- When the next turn is due; null while it stands still.
  due_at timestamptz,
  check (due_at is null or speed > 0),
  check ((speed_until is null) = (speed <= 1))
);
create index worlds_due on worlds (due_at) where due_at is not null;
-- Before the policies, which would let nobody make a row for every app.
insert into worlds (app_id, preset, seed, epoch, due_at)
  select app_id, 'small', 'small', 0, clock_timestamp() from apps;
alter table worlds enable row level security;
alter table worlds force row level security;
create policy tenant on worlds to slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on worlds for select to slipway_worker using (true);
grant select, insert, update on worlds to slipway_manager;
grant select (app_id, due_at) on worlds to slipway_worker;

-- The sequence of the latest event of each, as on the other subjects' rows.
alter table servers add column event_sequence int not null default 0;
alter table installations add column event_sequence int not null default 0;
grant update (event_sequence) on installations to slipway_manager;

-- A world is made, lived and reset by the manager's role.
grant select, insert, update, delete on tickets, ticket_numbers, workflow_runs to slipway_manager;

-- No role deletes a grant, and so none undoes a revocation; but what a server granted goes when the server goes. The owner's
-- function, held to the app by the tables' policies like everybody else.
create function remove_servers(gone uuid[]) returns void language plpgsql security definer
  set search_path = pg_catalog, public as $$
begin
  delete from installation_scopes g using installations i
    where i.app_id = current_app_id() and i.server_id = any(gone)
      and g.app_id = i.app_id and g.installation_id = i.installation_id;
  delete from installations where app_id = current_app_id() and server_id = any(gone);
  delete from servers where app_id = current_app_id() and server_id = any(gone);
end $$;
revoke execute on function remove_servers from public;
grant execute on function remove_servers to slipway_manager;

-- The simulation looks for tickets that are not closed, a reset for the runs of a workflow.
create index tickets_open on tickets (app_id, ticket_id desc) where status <> 'closed';
create index workflow_runs_by_workflow on workflow_runs (app_id, workflow_id);

-- A mutation shares the locks of its app, key and server, so whoever holds the app's alone waits for no other: a reset of
-- ten thousand servers would need more locks than Postgres has room for.
create function hold_app(held_app_id uuid) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(access_lock(held_app_id, held_app_id));
  perform set_config('slipway.held_app_id', held_app_id::text, true);
end $$;
create or replace function await_mutations() returns trigger language plpgsql as $$
begin
  if current_setting('slipway.held_app_id', true) is distinct from old.app_id::text then
    perform pg_advisory_xact_lock(access_lock(old.app_id, (to_jsonb(old) ->> tg_argv[0])::uuid));
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create or replace function await_mutations_on_server() returns trigger language plpgsql as $$
begin
  if current_setting('slipway.held_app_id', true) is distinct from old.app_id::text then
    perform pg_advisory_xact_lock(access_lock(i.app_id, i.server_id)) from installations i
      where i.app_id = old.app_id and i.installation_id = old.installation_id;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

-- A run that was triggered from the Console was asked for by no request of the API.
alter table workflow_runs alter column request_id drop not null;

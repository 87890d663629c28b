-- Mutations of /v1 that arrive together share a transaction. What slipway_api may see in one of those is the rows of the apps that
-- it names, and only of the tables that a mutation meets; a transaction that names none sees what it always did.
create function current_app_ids() returns uuid[] language sql stable parallel safe
  return nullif(current_setting('slipway.app_ids', true), '')::uuid[];

do $$
declare
  shared text;
begin
  foreach shared in array array['apps', 'keys', 'servers', 'installations', 'installation_scopes', 'revisions', 'ticket_numbers',
    'tickets', 'workflows', 'workflow_runs', 'idempotency_keys', 'events', 'endpoints', 'deliveries', 'queue', 'stop_epochs'] loop
    -- Asked once for a statement, not for each row.
    execute format('create policy together on %I to slipway_api using (app_id = any ((select current_app_ids())::uuid[]))', shared);
  end loop;
end $$;

-- In one order: two transactions of several apps never wait for each other.
create or replace function bump_revision() returns trigger language plpgsql as $$
begin
  execute format(
    'insert into revisions as r (app_id, slot, %1$I)
       select app_id, revision_slot(), 1 from (select distinct app_id from changed) apps order by app_id
     on conflict (app_id, slot) do update set %1$I = r.%1$I + 1', tg_argv[0]);
  return null;
end $$;

create or replace function bump_activity() returns trigger language plpgsql as $$
begin
  insert into revisions as r (app_id, slot, activity)
    select app_id, revision_slot(), 1 from (select distinct app_id from changed) apps order by app_id
  on conflict (app_id, slot) do update set activity = r.activity + 1;
  return null;
end $$;

-- A reference that another one implies is looked up at each insert for nothing: a server is an app's, so a ticket on it is;
-- and a stored answer is written in a transaction in which no other app's row can be.
alter table tickets drop constraint tickets_app_id_fkey;
alter table idempotency_keys drop constraint idempotency_keys_app_id_fkey;

-- An answer that is given again says where the made thing is, as the first one did.
alter table idempotency_keys add column location text;

-- A reset counts what it changes before it holds the app's mutations off, and then waits for those that are under way: they
-- must not wait for it. So it has a fifth slot of the revisions to itself.
alter table revisions drop constraint revisions_slot_check;
alter table revisions add constraint revisions_slot_check check (slot between 0 and 4);

create function revision_slot() returns int language sql stable
  return coalesce(nullif(current_setting('slipway.revision_slot', true), '')::int, pg_backend_pid() % 4);

create or replace function bump_revision() returns trigger language plpgsql as $$
begin
  execute format(
    'insert into revisions as r (app_id, slot, %1$I)
       select distinct app_id, revision_slot(), 1 from changed
     on conflict (app_id, slot) do update set %1$I = r.%1$I + 1', tg_argv[0]);
  return null;
end $$;

create or replace function bump_activity() returns trigger language plpgsql as $$
begin
  insert into revisions as r (app_id, slot, activity)
    select distinct app_id, revision_slot(), 1 from changed
  on conflict (app_id, slot) do update set activity = r.activity + 1;
  return null;
end $$;

-- The history of what servers allow: who gave which grant another state, when, why, and by which request.

-- A UUIDv7 whose 12 bits after the milliseconds go on with the microseconds (RFC 9562, method 3): triggers make it, statement
-- after statement, and the history is read in its order. A counter would tell one app how much all others change.
create function new_change_id() returns uuid language sql volatile as $$
  select (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4), 3, '0')
    || substr(gen_random_uuid()::text, 20))::uuid
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) clock
$$;

create table installation_changes (
  app_id uuid not null,
  change_id uuid not null default new_change_id(),
  at timestamptz not null default clock_timestamp(),
  -- No reference: a world that is reset takes its servers and their grants with it, and leaves what happened to them.
  server_id uuid not null,
  installation_id uuid not null,
  -- Null is the installation as a whole; scopes of it that changed alike in one statement stand in one row.
  scopes text[] check (cardinality(scopes) between 1 and 6),
  -- Null is no grant: before the first state, and after the server is gone.
  from_state text check (from_state in ('authorised', 'paused', 'revoked')),
  to_state text check (to_state in ('authorised', 'paused', 'revoked')),
  -- Whoever changes a grant says in settings of the transaction who, why and by which request; who says nothing is Slipway.
  actor text default nullif(current_setting('slipway.actor', true), ''),
  reason text default nullif(current_setting('slipway.reason', true), '') check (length(reason) between 1 and 500),
  request_id uuid default nullif(current_setting('slipway.request_id', true), '')::uuid,
  primary key (app_id, change_id),
  check (from_state is distinct from to_state)
);
create index installation_changes_by_server on installation_changes (app_id, server_id, change_id desc);
alter table installation_changes enable row level security;
alter table installation_changes force row level security;
create policy tenant on installation_changes to slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
-- Nobody writes it but the triggers, and nobody changes what they wrote.
grant select on installation_changes to slipway_manager;

-- The owner's functions, because no role may write, and held to one app at a time by the tables' policies like everybody.
-- Of what a statement changed, which may be thousands of grants, the planner knows nothing: it compared each of six thousand
-- rows with each. So what was and what is are added up instead of joined, and the server of an installation is looked up by
-- the index, always.
create function record_installations() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  callers_app_id text := coalesce(current_setting('slipway.app_id', true), '');
  of_app_id uuid;
begin
  for of_app_id in select distinct app_id from changed loop
    perform set_config('slipway.app_id', of_app_id::text, true);
    if tg_op = 'INSERT' then
      insert into installation_changes (app_id, server_id, installation_id, to_state)
        select app_id, server_id, installation_id, state from changed where app_id = of_app_id order by server_id;
    elsif tg_op = 'UPDATE' then
      insert into installation_changes (app_id, server_id, installation_id, from_state, to_state)
        select of_app_id, server_id, installation_id, min(was), min(becomes) from (
          select server_id, installation_id, state as was, null as becomes from before_change where app_id = of_app_id
          union all select server_id, installation_id, null, state from changed where app_id = of_app_id) both_states
        group by server_id, installation_id having min(was) <> min(becomes) order by server_id;
    else
      insert into installation_changes (app_id, server_id, installation_id, from_state)
        select app_id, server_id, installation_id, state from changed
        where app_id = of_app_id and state <> 'revoked' order by server_id;
    end if;
  end loop;
  perform set_config('slipway.app_id', callers_app_id, true);
  return null;
end $$;

create function record_installation_scopes() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  callers_app_id text := coalesce(current_setting('slipway.app_id', true), '');
  of_app_id uuid;
begin
  for of_app_id in select distinct app_id from changed loop
    perform set_config('slipway.app_id', of_app_id::text, true);
    if tg_op = 'INSERT' then
      insert into installation_changes (app_id, server_id, installation_id, scopes, to_state)
        select of_app_id, (select server_id from installations i
            where i.app_id = of_app_id and i.installation_id = c.installation_id) as server_id,
          c.installation_id, array_agg(c.scope order by c.scope), c.state
        from changed c where c.app_id = of_app_id group by c.installation_id, c.state order by server_id;
    elsif tg_op = 'UPDATE' then
      insert into installation_changes (app_id, server_id, installation_id, scopes, from_state, to_state)
        select of_app_id, (select server_id from installations i
            where i.app_id = of_app_id and i.installation_id = c.installation_id) as server_id,
          c.installation_id, array_agg(c.scope order by c.scope), c.was, c.becomes
        from (
          select installation_id, scope, min(was) as was, min(becomes) as becomes from (
            select grant_id, installation_id, scope, state as was, null as becomes from before_change
              where app_id = of_app_id
            union all select grant_id, installation_id, scope, null, state from changed where app_id = of_app_id) both_states
          group by grant_id, installation_id, scope having min(was) <> min(becomes)) c
        group by c.installation_id, c.was, c.becomes order by server_id;
    else
      -- Before the installation itself goes: it is still there.
      insert into installation_changes (app_id, server_id, installation_id, scopes, from_state)
        select of_app_id, (select server_id from installations i
            where i.app_id = of_app_id and i.installation_id = c.installation_id) as server_id,
          c.installation_id, array_agg(c.scope order by c.scope), c.state
        from changed c where c.app_id = of_app_id and c.state <> 'revoked'
        group by c.installation_id, c.state order by server_id;
    end if;
  end loop;
  perform set_config('slipway.app_id', callers_app_id, true);
  return null;
end $$;

revoke execute on function record_installations, record_installation_scopes from public;

do $$
declare grants text;
begin
  foreach grants in array array['installations', 'installation_scopes'] loop
    execute format('create trigger record_insert after insert on %1$I referencing new table as changed
      for each statement execute function record_%1$I()', grants);
    execute format('create trigger record_update after update on %1$I referencing old table as before_change new table as changed
      for each statement execute function record_%1$I()', grants);
    execute format('create trigger record_delete after delete on %1$I referencing old table as changed
      for each statement execute function record_%1$I()', grants);
  end loop;
end $$;

-- An app that is erased leaves no history behind.
call let_erase('installation_changes');

-- The history of a change of thousands of grants in one statement. The planner knows nothing of what a statement changed: it
-- compared each of six thousand rows with each. What was and what is are added up instead of joined, and the server of an
-- installation is looked up by the index, always.

create or replace function record_installations() returns trigger language plpgsql security definer
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

create or replace function record_installation_scopes() returns trigger language plpgsql security definer
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

-- An app that is erased leaves no history behind.
call let_erase('installation_changes');

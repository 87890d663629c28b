-- Which scopes are used: of each key by day, and of each grant the last day. From it follow the scopes that a successor of a key can do without.

-- Days are those of UTC.
create table key_scope_uses (
  app_id uuid not null,
  key_id uuid not null,
  scope text not null,
  day date not null,
  uses bigint not null,
  primary key (app_id, key_id, scope, day)
) with (fillfactor = 70);
create index key_scope_uses_by_day on key_scope_uses (day);

create table grant_uses (
  app_id uuid not null,
  -- Zero for a request that concerns every server, as a list does.
  server_id uuid not null,
  scope text not null,
  used_on date not null,
  primary key (app_id, server_id, scope)
) with (fillfactor = 70);
create index grant_uses_by_day on grant_uses (used_on);

do $$
declare counted regclass;
begin
  foreach counted in array array['key_scope_uses', 'grant_uses']::regclass[] loop
    execute format('alter table %s enable row level security', counted);
    execute format('alter table %s force row level security', counted);
    execute format('create policy tenant on %s for select to slipway_manager using (app_id = current_app_id())', counted);
    execute format('create policy recorder on %s to slipway_recorder using (true) with check (true)', counted);
    execute format('create policy everyone on %s to slipway_worker using (true) with check (true)', counted);
    execute format('create policy whole on %s for select to current_user using (current_setting(''role'') = ''none'')', counted);
    execute format('grant select on %s to slipway_manager', counted);
    execute format('grant select, insert, update on %s to slipway_recorder', counted);
    execute format('grant select, insert, update, delete on %s to slipway_worker', counted);
    call let_erase(counted);
  end loop;
end $$;

-- The day after the upgrade: processes of the previous version count nothing.
alter table plane_state add column counts_scopes_since date;
update plane_state set counts_scopes_since = (clock_timestamp() at time zone 'utc')::date + 1;

-- A successor may have fewer scopes than its predecessor, and never more.
create or replace function guard_key() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.created_at := clock_timestamp();
    if new.ends_at is not null then
      raise exception 'a key is not made to end before it expires' using errcode = '23514';
    end if;
    if new.predecessor_id is not null and not exists (
      select from keys where app_id = new.app_id and key_id = new.predecessor_id and new.scopes <@ scopes) then
      raise exception 'a successor has no scope that its predecessor lacks' using errcode = '23514';
    end if;
    return new;
  end if;
  if (new.app_id, new.key_id, new.kid, new.created_at, new.expires_at, new.scopes, new.predecessor_id)
     is distinct from
     (old.app_id, old.key_id, old.kid, old.created_at, old.expires_at, old.scopes, old.predecessor_id) then
    raise exception 'a key''s identity, scopes and expiry are fixed when it is made' using errcode = '23514';
  end if;
  if new.verifier <> old.verifier and new.pepper_version = old.pepper_version then
    raise exception 'only another pepper changes a key''s verifier' using errcode = '23514';
  end if;
  if old.state = 'revoked' and (new.state, new.revoked_at, new.revoked_by, new.ends_at)
     is distinct from (old.state, old.revoked_at, old.revoked_by, old.ends_at) then
    raise exception 'a revocation is final' using errcode = '23514';
  end if;
  if new.ends_at is distinct from old.ends_at
     and (old.ends_at is not null or new.ends_at > clock_timestamp() + interval '24 hours') then
    raise exception 'a key''s end is dated once, at most a day ahead' using errcode = '23514';
  end if;
  return new;
end $$;

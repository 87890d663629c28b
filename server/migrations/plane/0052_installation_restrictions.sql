-- The upstream API's last statement about a server and an app is stored whole. What the app's organisation withholds is stored apart from it.
-- Triggers keep the states in installations and installation_scopes, which every reader uses, as the strictest of statement, cap and
-- restriction, whichever process writes them.

alter table upstream_installations
  -- Null until a process that stores whole statements has written one.
  add column state text,
  -- Scope to state. A scope that is missing is revoked.
  add column scopes jsonb,
  -- The version that state and scopes belong to. A process of the last release raises version alone: the statement is unknown then.
  add column stated_version bigint,
  -- Authorised by the upstream API, while the app has as many servers as it is approved for.
  add column is_over_cap boolean not null default false,
  add constraint upstream_installations_state check (state in ('authorised', 'paused', 'revoked')) not valid;

create table installation_restrictions (
  app_id uuid not null,
  server_id uuid not null,
  -- An asterisk is the server as a whole.
  scope text not null check (scope in ('*', 'servers:read', 'publications:read', 'events:read', 'roadmap:read', 'tickets:create',
    'workflows:run')),
  state text not null check (state in ('paused', 'revoked')),
  at timestamptz not null default clock_timestamp(),
  actor text default nullif(current_setting('slipway.actor', true), ''),
  reason text default nullif(current_setting('slipway.reason', true), '') check (length(reason) between 1 and 500),
  primary key (app_id, server_id, scope),
  -- An app without statements has no restrictions: the triggers below look no further in the sandbox.
  foreign key (app_id, server_id) references upstream_installations
);
alter table installation_restrictions enable row level security;
alter table installation_restrictions force row level security;
create policy tenant on installation_restrictions to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy whole on installation_restrictions for select to current_user using (current_setting('role') = 'none');
call let_erase('installation_restrictions');
grant select, insert, update, delete on installation_restrictions to slipway_manager;
grant select on installation_restrictions, upstream_installations to slipway_api;
create policy together on installation_restrictions to slipway_api
  using (app_id = any ((select current_app_ids())::uuid[]));
create policy together on upstream_installations to slipway_api
  using (app_id = any ((select current_app_ids())::uuid[]));
-- A refusal names who withholds, also where the effective state stays as it is.
call count_revision('installation_restrictions', 'grants');
call count_revision('upstream_installations', 'grants');

create function strictest(variadic states text[]) returns text language sql immutable parallel safe
  return case when 'revoked' = any (states) then 'revoked' when 'paused' = any (states) then 'paused' else 'authorised' end;

-- Servers that take a place under the cap. A restricted server keeps the place that its upstream API's statement has.
create function taken_places(of_app_id uuid, except_server_id uuid) returns bigint language sql stable
  return (select count(*) from (
    select server_id from upstream_installations
      where app_id = of_app_id and stated_version = version and state = 'authorised' and not is_over_cap
    union select server_id from installations where app_id = of_app_id and state = 'authorised') taken
    where server_id is distinct from except_server_id);

-- Whether the app has a place for one more server. Holds the app's row where there is a cap: of two at the same time one comes second.
create function has_place(of_app_id uuid, for_server_id uuid) returns boolean language plpgsql as $$
declare
  most int;
begin
  select max_servers into most from apps where app_id = of_app_id;
  if most is null then return true; end if;
  select max_servers into most from apps where app_id = of_app_id for no key update;
  return most is null or taken_places(of_app_id, for_server_id) < most;
end $$;

-- The owner's functions: the owner too sees one app at a time, so the setting is the row's app while they run.
create function keep_statement_cap() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public as $$
declare
  app_before text := coalesce(current_setting('slipway.app_id', true), '');
begin
  if new.state is distinct from 'authorised' or new.stated_version is distinct from new.version then
    new.is_over_cap := false;
    return new;
  end if;
  perform set_config('slipway.app_id', new.app_id::text, true);
  new.is_over_cap := not (
    tg_op = 'UPDATE' and coalesce(old.state = 'authorised' and old.stated_version = old.version and not old.is_over_cap, false)
    or exists (select from installations
      where app_id = new.app_id and server_id = new.server_id and state = 'authorised')
    or has_place(new.app_id, new.server_id));
  perform set_config('slipway.app_id', app_before, true);
  return new;
end $$;
create trigger keep_statement_cap before insert or update on upstream_installations
  for each row execute function keep_statement_cap();

-- In place of keep_server_cap. Its name comes before guard_grant: what a process of the last release asks of a server whose access the
-- organisation revoked becomes revoked, and is no change of a revoked grant.
create function apply_limits() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public as $$
declare
  app_before text := coalesce(current_setting('slipway.app_id', true), '');
  stated record;
  restricted text;
begin
  if app_before <> new.app_id::text then perform set_config('slipway.app_id', new.app_id::text, true); end if;
  select state, is_over_cap into stated from upstream_installations
    where app_id = new.app_id and server_id = new.server_id and stated_version = version;
  select state into restricted from installation_restrictions
    where app_id = new.app_id and server_id = new.server_id and scope = '*';
  if stated.state is not null then
    -- Asked for again: there may be a place by now.
    if stated.is_over_cap and new.state = 'authorised' then
      update upstream_installations set is_over_cap = false where app_id = new.app_id and server_id = new.server_id
        returning is_over_cap into stated.is_over_cap;
    end if;
    new.is_over_cap := stated.is_over_cap;
    new.state := strictest(new.state, stated.state, restricted, case when stated.is_over_cap then 'paused' end);
  else
    new.state := strictest(new.state, restricted);
    new.is_over_cap := new.is_over_cap and new.state = 'paused';
    if new.state = 'authorised' and (tg_op = 'INSERT' or old.state <> 'authorised') then
      new.is_over_cap := not has_place(new.app_id, new.server_id);
      if new.is_over_cap then new.state := 'paused'; end if;
    end if;
  end if;
  if app_before <> new.app_id::text then perform set_config('slipway.app_id', app_before, true); end if;
  return new;
end $$;
drop trigger keep_server_cap on installations;
create trigger apply_limits before insert or update on installations
  for each row execute function apply_limits();

create function apply_scope_limits() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public as $$
declare
  app_before text := coalesce(current_setting('slipway.app_id', true), '');
  of_server_id uuid;
  stated record;
  restricted text;
begin
  if app_before <> new.app_id::text then perform set_config('slipway.app_id', new.app_id::text, true); end if;
  if exists (select from upstream_installations where app_id = new.app_id) then
    select server_id into of_server_id from installations
      where app_id = new.app_id and installation_id = new.installation_id;
    select state, scopes into stated from upstream_installations
      where app_id = new.app_id and server_id = of_server_id and stated_version = version;
    select state into restricted from installation_restrictions
      where app_id = new.app_id and server_id = of_server_id and scope = new.scope;
    new.state := strictest(new.state, restricted,
      case when stated.state is not null then coalesce(stated.scopes ->> new.scope, 'revoked') end);
  end if;
  if app_before <> new.app_id::text then perform set_config('slipway.app_id', app_before, true); end if;
  return new;
end $$;
create trigger apply_limits before insert or update on installation_scopes
  for each row execute function apply_scope_limits();
revoke execute on function keep_statement_cap, apply_limits, apply_scope_limits from public;

-- A restriction is in force with the statement that writes it.
create function apply_restriction() returns trigger language plpgsql as $$
begin
  if new.scope = '*' then
    update installations set state = new.state, changed_at = clock_timestamp()
      where app_id = new.app_id and server_id = new.server_id and state <> strictest(state, new.state);
  else
    update installation_scopes g set state = new.state, changed_at = clock_timestamp()
      from installations i
      where i.app_id = new.app_id and i.server_id = new.server_id and i.state <> 'revoked'
        and g.app_id = i.app_id and g.installation_id = i.installation_id and g.scope = new.scope
        and g.state <> strictest(g.state, new.state);
  end if;
  return null;
end $$;
create trigger apply_restriction after insert or update on installation_restrictions
  for each row execute function apply_restriction();

-- What an app is approved for. In production the Console says it; the sandbox has everything, because there it is tried out.

alter table apps
  add column approved_scopes text[] not null default array['servers:read', 'publications:read', 'events:read', 'roadmap:read',
    'tickets:create', 'workflows:run'] check (
    approved_scopes <@ array['servers:read', 'publications:read', 'events:read', 'roadmap:read', 'tickets:create',
      'workflows:run']),
  -- On how many servers it may be installed; null for any number.
  add column max_servers int check (max_servers > 0),
  add column live_standing text not null default 'active' check (live_standing in ('active', 'suspended', 'revoked')),
  -- Of the word that was heard last: an older one that comes late changes nothing.
  add column live_version bigint not null default 0;

-- One more cause why an app has no access.
alter table apps drop column standing;
alter table apps add column standing text not null generated always as (case
  when erase_at is not null or organisation_standing in ('deleting', 'erasing') then 'deleting'
  when state = 'suspended' or organisation_standing = 'suspended' or live_standing <> 'active' then 'suspended'
  else 'active' end) stored;
grant select (standing, approved_scopes) on apps to slipway_api, slipway_authority, slipway_worker;
grant update (approved_scopes, max_servers, live_standing, live_version) on apps to slipway_manager;

drop trigger await_mutations on apps;
create trigger await_mutations
  before update of state, organisation_standing, erase_at, live_standing, approved_scopes or delete on apps
  for each row execute function await_mutations('app_id');
drop trigger revise_access on apps;
create trigger revise_access
  after update of state, organisation_standing, erase_at, live_standing, approved_scopes on apps
  for each row execute function bump_access();

-- An installation beyond the cap is there and paused, whoever makes or resumes it: the app's row is held, so that of two at the
-- same time one comes after the other.
alter table installations add column is_over_cap boolean not null default false;
create function keep_server_cap() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public as $$
declare
  most int;
  app_before text := coalesce(current_setting('slipway.app_id', true), '');
begin
  new.is_over_cap := new.is_over_cap and new.state = 'paused';
  if new.state <> 'authorised' or (tg_op = 'UPDATE' and old.state = 'authorised') then return new; end if;
  new.is_over_cap := false;
  -- The owner too sees one app at a time: without it there would seem to be no cap.
  perform set_config('slipway.app_id', new.app_id::text, true);
  select max_servers into most from apps where app_id = new.app_id;
  if most is null then
    perform set_config('slipway.app_id', app_before, true);
    return new;
  end if;
  select max_servers into most from apps where app_id = new.app_id for no key update;
  if most <= (select count(*) from installations where app_id = new.app_id and state = 'authorised') then
    new.state := 'paused';
    new.is_over_cap := true;
  end if;
  perform set_config('slipway.app_id', app_before, true);
  return new;
end $$;
revoke execute on function keep_server_cap from public;
create trigger keep_server_cap before insert or update on installations
  for each row execute function keep_server_cap();
create index installations_over_cap on installations (app_id, installation_id) where is_over_cap;

-- From where a key may be used; null for anywhere. As fixed as its scopes.
alter table keys add column allowed_cidrs cidr[] check (cardinality(allowed_cidrs) between 1 and 20);
grant select (allowed_cidrs) on keys to slipway_authority;
grant select (allowed_cidrs) on keys to slipway_manager;
create function guard_allowed_cidrs() returns trigger language plpgsql as $$
begin
  if new.allowed_cidrs is distinct from old.allowed_cidrs then
    raise exception 'from where a key may be used is fixed when it is made' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard_allowed_cidrs before update of allowed_cidrs on keys
  for each row execute function guard_allowed_cidrs();

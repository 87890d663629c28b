-- How an app ends: suspended by its people, stopped together with its organisation, or deleted and, after its grace, erased.

-- What this plane was told of an organisation, by the Console. A row for each that has apps, and kept when they are gone.
create table organisations (
  organisation_id uuid primary key,
  -- Deleting can be taken back, erasing cannot.
  standing text not null default 'active' check (standing in ('active', 'suspended', 'deleting', 'erasing')),
  -- Of the word that was heard last: an older one that comes late changes nothing.
  version bigint not null default 0,
  -- How many it may have; null for the default.
  max_apps int check (max_apps >= 0),
  max_keys_per_app int check (max_keys_per_app >= 0),
  max_endpoints_per_app int check (max_endpoints_per_app >= 0)
);
insert into organisations (organisation_id) select distinct organisation_id from apps;
alter table organisations enable row level security;
alter table organisations force row level security;
create policy organisation on organisations to slipway_manager
  using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
grant select, insert, update (standing, version, max_apps, max_keys_per_app, max_endpoints_per_app) on organisations
  to slipway_manager;

-- One column says whether an app has access, and Postgres keeps it true: who judges a request reads it and joins nothing.
alter table apps add column organisation_standing text not null default 'active';
alter table apps add column erase_at timestamptz;
-- When its rows were gone; what was still under way then is erased with the app's own row, a while later.
alter table apps add column erased_at timestamptz;
alter table apps add column standing text not null generated always as (case
  when erase_at is not null or organisation_standing in ('deleting', 'erasing') then 'deleting'
  when state = 'suspended' or organisation_standing = 'suspended' then 'suspended'
  else 'active' end) stored;
alter table apps add check (erased_at is null or erase_at is not null);
create index apps_to_erase on apps (erase_at) where erase_at is not null;
grant select (standing) on apps to slipway_api, slipway_authority;
grant select (standing, erase_at, erased_at) on apps to slipway_worker;
grant update (organisation_standing, erase_at) on apps to slipway_manager;

drop trigger await_mutations on apps;
create trigger await_mutations before update of state, organisation_standing, erase_at or delete on apps
  for each row execute function await_mutations('app_id');

-- An app stands from its first moment as its organisation does. The lock makes one that is registered just now wait for a
-- change of that, or the change for it.
create function join_organisation() returns trigger language plpgsql as $$
begin
  insert into organisations (organisation_id) values (new.organisation_id) on conflict do nothing;
  select o.standing into strict new.organisation_standing from organisations o
    where o.organisation_id = new.organisation_id for no key update;
  return new;
end $$;
create trigger join_organisation before insert on apps for each row execute function join_organisation();

-- Held deliveries are looked for by endpoint and server; an event without a server has a place among them too.
drop index queue_held;
create index queue_held on queue (endpoint_id, coalesce(server_id, '00000000-0000-0000-0000-000000000000'))
  where state = 'held';

--------------------------------------------------------------------------------------------------------- erasing
-- No role deletes keys, grants or records. What erases an app is the owner's, sees one app at a time like everybody else,
-- and each table that holds apps' rows opens itself to it: `call let_erase('name')` when it is made.
create procedure let_erase(erasable regclass) language plpgsql as $$
begin
  execute format('create policy erasing on %s to current_user
    using (app_id = current_app_id()) with check (app_id = current_app_id())', erasable);
end $$;
do $$
declare tenant_table regclass;
begin
  for tenant_table in
    select c.oid::regclass from pg_class c join pg_attribute f on f.attrelid = c.oid and f.attname = 'app_id'
      where c.relkind in ('r', 'p') and not c.relispartition and c.relrowsecurity
        and c.relnamespace = 'public'::regnamespace and c.relname <> 'audit_entries'
  loop
    call let_erase(tenant_table);
  end loop;
end $$;

create function refuse_early_erasing(of_app_id uuid) returns void language plpgsql as $$
begin
  perform set_config('slipway.app_id', of_app_id::text, true);
  -- It has had no mutation for the days of its grace: the locks that keep one off would be too many.
  perform set_config('slipway.held_app_id', of_app_id::text, true);
  if not exists (select from apps where app_id = of_app_id and erase_at <= clock_timestamp()) then
    raise exception 'the app is not due to be erased';
  end if;
end $$;

-- At most so many rows of one table; how many they were. A partition at a time, so that a row is found by its place. By an
-- index, always: an app that has few rows must not cost the reading of everybody's.
create function erase_rows(of_app_id uuid, from_table text, max_rows int) returns int language plpgsql security definer
  set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  leaf regclass;
  erased int;
  total int := 0;
begin
  perform refuse_early_erasing(of_app_id);
  if from_table in ('apps', 'audit_entries') then raise exception '% is not erased row by row', from_table; end if;
  for leaf in
    select relid from pg_partition_tree(from_table::regclass) where isleaf
    union all select from_table::regclass where not exists (select from pg_partition_tree(from_table::regclass))
  loop
    execute format('with gone as (
        delete from %1$s where ctid = any (array(select ctid from %1$s where app_id = $1 limit $2)) returning 1)
      select count(*) from gone', leaf) into erased using of_app_id, max_rows - total;
    total := total + erased;
    exit when total >= max_rows;
  end loop;
  return total;
end $$;

-- The end: first of its rows, and when this is called again, of the app itself.
create function end_erasing(of_app_id uuid) returns void language plpgsql security definer
  set search_path = pg_catalog, public as $$
begin
  perform refuse_early_erasing(of_app_id);
  delete from apps where app_id = of_app_id and erased_at is not null;
  update apps set erased_at = clock_timestamp() where app_id = of_app_id;
end $$;
revoke execute on function refuse_early_erasing, erase_rows, end_erasing from public;
revoke execute on procedure let_erase from public;
grant execute on function erase_rows, end_erasing to slipway_worker;

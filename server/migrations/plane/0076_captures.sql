-- Captures of sandbox requests (docs/decisions/0107): headers and bodies, sealed under a key per app and hour.
alter table apps add column captures_since timestamptz;

-- Unlogged, so that neither WAL, standbys nor base backups contain them. After a crash the tables are empty.
create unlogged table capture_keys (
  app_id uuid not null,
  key_id uuid not null,
  hour timestamptz not null,
  -- Sealed under the master key. Null: the key is destroyed, and its captures are still to be deleted.
  sealed_key bytea,
  expires_at timestamptz not null,
  primary key (app_id, key_id)
);
create unique index capture_keys_by_hour on capture_keys (app_id, hour) where sealed_key is not null;
create index capture_keys_by_expiry on capture_keys (expires_at) where sealed_key is not null;
create index capture_keys_destroyed on capture_keys (key_id) where sealed_key is null;

create unlogged table captures (
  app_id uuid not null,
  request_id uuid not null,
  key_id uuid not null,
  request_body text not null check (request_body in ('none', 'whole', 'masked', 'cut', 'not_text')),
  response_body text not null check (response_body in ('none', 'whole', 'masked', 'cut', 'not_text')),
  -- The response body, if it is stored once for several requests.
  content_id bytea,
  ciphertext bytea not null,
  primary key (app_id, request_id)
);
create index captures_by_key on captures (app_id, key_id);

create unlogged table capture_contents (
  app_id uuid not null,
  key_id uuid not null,
  content_id bytea not null,
  ciphertext bytea not null,
  primary key (app_id, key_id, content_id)
);

-- The captures that a budget of bytes refused.
create unlogged table capture_gaps (
  app_id uuid not null,
  minute timestamptz not null,
  refused bigint not null,
  primary key (app_id, minute)
);
create index capture_gaps_by_age on capture_gaps (minute);

create type capture_v1 as (
  app_id uuid, request_id uuid, key_id uuid, request_body text, response_body text, content_id bytea, ciphertext bytea);
create type capture_content_v1 as (app_id uuid, key_id uuid, content_id bytea, ciphertext bytea);

do $$
declare stored regclass;
begin
  foreach stored in array array['capture_keys', 'captures', 'capture_contents', 'capture_gaps']::regclass[] loop
    execute format('alter table %s enable row level security', stored);
    execute format('alter table %s force row level security', stored);
    execute format('create policy tenant on %s for select to slipway_manager using (app_id = current_app_id())', stored);
    execute format('create policy recorder on %s to slipway_recorder using (true) with check (true)', stored);
    execute format('create policy everyone on %s to slipway_worker using (true)', stored);
    execute format('create policy whole on %s for select to current_user using (current_setting(''role'') = ''none'')', stored);
    call let_erase(stored);
  end loop;
end $$;
create policy tenant_destroys on capture_keys for update to slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id() and sealed_key is null);

grant select (captures_since) on apps to slipway_authority;
grant update (captures_since) on apps to slipway_manager;
grant select, update (sealed_key) on capture_keys to slipway_manager;
grant select on captures, capture_contents, capture_gaps to slipway_manager;
-- A lock on the row of a key requires the right to update a column.
grant select, update (hour) on capture_keys to slipway_recorder;
grant select, insert on captures, capture_contents to slipway_recorder;
grant select, insert, update on capture_gaps to slipway_recorder;
grant select, update (sealed_key), delete on capture_keys to slipway_worker;
grant select, delete on captures, capture_contents, capture_gaps to slipway_worker;

-- The next request of the app sees the change.
create trigger revise_captures after update of captures_since on apps for each row execute function bump_access();

create function destroy_capture_keys() returns trigger language plpgsql as $$
begin
  update capture_keys set sealed_key = null where app_id = new.app_id and sealed_key is not null;
  return null;
end $$;
create trigger destroy_capture_keys after update of captures_since on apps for each row
  when (old.captures_since is not null and new.captures_since is null) execute function destroy_capture_keys();

-- Returns the key of an app and hour. Stores the new one unless there is a key. Returns nothing if the app captures
-- nothing: the lock makes the end of captures wait for a new key, and then destroys it; a later call sees that end.
create function add_capture_key(of_app_id uuid, new_key_id uuid, of_hour timestamptz, new_sealed_key bytea, ends timestamptz)
returns table (key_id uuid, sealed_key bytea)
language plpgsql security definer set search_path = pg_catalog, public as $$
#variable_conflict use_column
begin
  perform set_config('slipway.app_id', of_app_id::text, true);
  perform from plane_state where environment = 'production';
  if found then raise exception 'captures belong to the sandbox'; end if;
  perform from apps a where a.app_id = of_app_id and a.captures_since is not null
    and (a.erase_at is null or a.erase_at > clock_timestamp()) for share;
  if not found then return; end if;
  insert into capture_keys (app_id, key_id, hour, sealed_key, expires_at)
    values (of_app_id, new_key_id, of_hour, new_sealed_key, ends)
  on conflict (app_id, hour) where sealed_key is not null do nothing;
  return query select k.key_id, k.sealed_key from capture_keys k
    where k.app_id = of_app_id and k.hour = of_hour and k.sealed_key is not null;
end $$;
revoke all on function add_capture_key(uuid, uuid, timestamptz, bytea, timestamptz) from public;
grant execute on function add_capture_key(uuid, uuid, timestamptz, bytea, timestamptz) to slipway_recorder;

-- The period of captures of each key (docs/decisions/0107). A capture asks for its key after its response. If the app has ended
-- its captures and begun again meanwhile, no key of the new period may seal the capture.
-- Null: the key was stored by a process of the previous release. Its app has not ended captures since, because their end destroys the key.
alter table capture_keys add column captures_since timestamptz;

-- As the function of migration 0076, which stays for processes of the previous release, but for a period, as a request reads it
-- (`listKeyFacts`). Stores and returns nothing if the app captures in another period now.
create function add_capture_key(
  of_app_id uuid, new_key_id uuid, of_hour timestamptz, new_sealed_key bytea, ends timestamptz, of_since_ms float8)
returns table (key_id uuid, sealed_key bytea)
language plpgsql security definer set search_path = pg_catalog, public as $$
#variable_conflict use_column
declare since timestamptz;
begin
  perform set_config('slipway.app_id', of_app_id::text, true);
  perform from plane_state where environment = 'production';
  if found then raise exception 'captures belong to the sandbox'; end if;
  select a.captures_since into since from apps a
    where a.app_id = of_app_id and (extract(epoch from a.captures_since) * 1000)::float8 = of_since_ms
      and (a.erase_at is null or a.erase_at > clock_timestamp()) for share;
  if not found then return; end if;
  insert into capture_keys (app_id, key_id, hour, sealed_key, expires_at, captures_since)
    values (of_app_id, new_key_id, of_hour, new_sealed_key, ends, since)
  on conflict (app_id, hour) where sealed_key is not null do nothing;
  return query select k.key_id, k.sealed_key from capture_keys k
    where k.app_id = of_app_id and k.hour = of_hour and k.sealed_key is not null
      and (k.captures_since is null or k.captures_since = since);
end $$;
revoke all on function add_capture_key(uuid, uuid, timestamptz, bytea, timestamptz, float8) from public;
grant execute on function add_capture_key(uuid, uuid, timestamptz, bytea, timestamptz, float8) to slipway_recorder;

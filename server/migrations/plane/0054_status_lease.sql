-- The lease of the Console on what this plane knows of organisations (docs/decisions/0068), and the newest entry of the Console's audit
-- log as this plane remembers it: a witness of the Console's database (docs/decisions/0061).
alter table plane_state
  add column lease_at timestamptz,
  -- Null until a Console has announced a lease for the first time.
  add column lease_until timestamptz,
  add column console_head jsonb;
grant update (lease_at, lease_until, console_head) on plane_state to slipway_manager;

-- No role of a process opens the gate: the owner does, by `slipway-server reopen`.
create function close_regressed() returns void language sql security definer set search_path = pg_catalog, public as $$
  update plane_state set closed_at = clock_timestamp(), closed_because = 'regressed' where closed_because is null
$$;
revoke execute on function close_regressed from public;
grant execute on function close_regressed to slipway_manager;

-- The newest entry of all organisations. The Console's own process asks for it, and no member.
create policy newest on audit_heads for select to current_user
  using (current_setting('slipway.asks', true) = 'console');
create function newest_audit_head() returns table (organisation_id uuid, sequence bigint, hash text) language sql stable
  security definer set search_path = pg_catalog, public as $$
  select organisation_id, sequence, encode(hash, 'hex') from audit_heads where hash is not null order by at desc limit 1
$$;
revoke execute on function newest_audit_head from public;
grant execute on function newest_audit_head to slipway_manager;

-- The restore gate (docs/decisions/0061). A database that was taken back in time revives access that was revoked since, so it stays
-- closed until an operator decides. `restored`: `slipway-server restore` filled it. `regressed`: it lacks an audit entry that a witness
-- remembers.
alter table plane_state
  add column closed_at timestamptz,
  add column closed_because text check (closed_because in ('restored', 'regressed')),
  add check ((closed_at is null) = (closed_because is null));
grant select on plane_state to slipway_manager;

-- A backup of an earlier version is filled before this migration runs: the restore leaves this table in place of the columns.
do $$
begin
  if to_regclass('public.gate_to_close') is not null then
    update plane_state set closed_at = clock_timestamp(), closed_because = 'restored';
    drop table public.gate_to_close;
  end if;
end $$;

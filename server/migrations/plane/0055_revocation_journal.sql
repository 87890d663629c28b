-- What was taken away and is not in the revocation journal yet (docs/decisions/0061): written by triggers in the transaction of the
-- change, whoever makes it, and moved to the journal by a worker. Identifiers alone.
create table revocations (
  revocation_id bigint generated always as identity primary key,
  line jsonb not null,
  at timestamptz not null default clock_timestamp()
);
grant select, delete on revocations to slipway_worker;

-- Up to which line the journal holds what this database has committed; null before the first.
alter table plane_state
  add column journal_line bigint,
  add column journal_mac text,
  add check ((journal_line is null) = (journal_mac is null));
grant update (journal_line, journal_mac) on plane_state to slipway_worker;
grant execute on function close_regressed to slipway_worker;

create function note_revocation() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public as $$
declare
  line jsonb;
begin
  if tg_table_name = 'keys' then
    line := case when new.state = 'revoked' then jsonb_build_object('kind', 'key.revoked', 'app', new.app_id, 'id', new.key_id)
      else jsonb_build_object('kind', 'key.ends', 'app', new.app_id, 'id', new.key_id, 'until', new.ends_at) end;
  elsif tg_table_name = 'installations' then
    line := jsonb_build_object('kind', 'server.' || new.state, 'app', new.app_id, 'id', new.installation_id);
  elsif tg_table_name = 'installation_scopes' then
    line := jsonb_build_object('kind', 'scope.' || new.state, 'app', new.app_id, 'id', new.grant_id);
  else
    line := jsonb_build_object('kind', 'app.suspended', 'app', new.app_id, 'id', new.app_id);
  end if;
  insert into revocations (line) values (line);
  return null;
end $$;
revoke execute on function note_revocation from public;
create trigger note_revocation after update of state, ends_at on keys for each row
  when ((new.state = 'revoked' and old.state <> 'revoked') or (new.ends_at is distinct from old.ends_at and new.ends_at is not null))
  execute function note_revocation();
create trigger note_revocation after update on installations for each row
  when (new.state <> 'authorised' and new.state is distinct from old.state) execute function note_revocation();
create trigger note_revocation after update on installation_scopes for each row
  when (new.state <> 'authorised' and new.state is distinct from old.state) execute function note_revocation();
create trigger note_revocation after update on apps for each row
  when ((new.state = 'suspended' and old.state <> 'suspended')
    or (new.organisation_standing <> 'active' and old.organisation_standing = 'active')
    or (new.live_standing <> 'active' and old.live_standing = 'active')
    or (new.erase_at is not null and old.erase_at is null))
  execute function note_revocation();

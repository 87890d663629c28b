-- An app's switch to the rule about the scopes of events takes access away, and cannot be taken back.
create or replace function note_revocation() returns trigger language plpgsql security definer
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
  elsif tg_table_name = 'installation_restrictions' then
    line := jsonb_build_object('kind', 'restriction.' || new.state, 'app', new.app_id, 'id', new.server_id, 'scope', new.scope);
  else
    line := jsonb_build_object('kind', coalesce(tg_argv[0], 'app.suspended'), 'app', new.app_id, 'id', new.app_id);
  end if;
  insert into revocations (line) values (line);
  return null;
end $$;
create trigger note_event_scopes after update of enforces_event_scopes on apps for each row
  when (new.enforces_event_scopes and not old.enforces_event_scopes) execute function note_revocation('app.event_scopes');

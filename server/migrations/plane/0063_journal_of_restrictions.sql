-- The journal names grants by their ids. A restriction outlives them: it applies to the next installation of the server, and to servers that the
-- database of a backup does not know. So it has a line of its own, which names the server and the scope.
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
    line := jsonb_build_object('kind', 'app.suspended', 'app', new.app_id, 'id', new.app_id);
  end if;
  insert into revocations (line) values (line);
  return null;
end $$;
create trigger note_new_restriction after insert on installation_restrictions for each row execute function note_revocation();
create trigger note_changed_restriction after update on installation_restrictions for each row
  when (new.state = 'revoked' and old.state <> 'revoked') execute function note_revocation();

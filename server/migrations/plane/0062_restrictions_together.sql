-- A restriction of a thousand servers is one statement. A trigger for each row made a thousand statements of it, each with the history and the
-- revisions of the grants; now the trigger runs once for each statement.
create function apply_restrictions() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  update installations i set state = r.state, changed_at = clock_timestamp()
    from changed r
    where r.scope = '*' and i.app_id = r.app_id and i.server_id = r.server_id and i.state <> strictest(i.state, r.state);
  update installation_scopes g set state = r.state, changed_at = clock_timestamp()
    from changed r join installations i on i.app_id = r.app_id and i.server_id = r.server_id
    where r.scope <> '*' and i.state <> 'revoked'
      and g.app_id = i.app_id and g.installation_id = i.installation_id and g.scope = r.scope
      and g.state <> strictest(g.state, r.state);
  return null;
end $$;
drop trigger apply_restriction on installation_restrictions;
drop function apply_restriction;
create trigger apply_new_restrictions after insert on installation_restrictions referencing new table as changed
  for each statement execute function apply_restrictions();
create trigger apply_changed_restrictions after update on installation_restrictions referencing new table as changed
  for each statement execute function apply_restrictions();

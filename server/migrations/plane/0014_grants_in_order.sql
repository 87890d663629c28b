-- The latest grant is the one with the highest id, whoever asks: a grant whose id was drawn by a clock that is behind would be
-- hidden by the revoked one before it, and could not be revoked. It is refused as what had bad luck (40001): a moment later
-- it succeeds. By the index, always: of what a statement inserts the planner knows nothing.

create function refuse_installations_of_the_past() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from added a join installations i using (app_id, server_id)
      where i.installation_id > a.installation_id) then
    raise exception 'a later installation is there already' using errcode = '40001';
  end if;
  return null;
end $$;
create trigger keep_order after insert on installations referencing new table as added
  for each statement execute function refuse_installations_of_the_past();

create function refuse_scopes_of_the_past() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from added a join installation_scopes g using (app_id, installation_id, scope)
      where g.grant_id > a.grant_id) then
    raise exception 'a later grant of the scope is there already' using errcode = '40001';
  end if;
  return null;
end $$;
create trigger keep_order after insert on installation_scopes referencing new table as added
  for each statement execute function refuse_scopes_of_the_past();

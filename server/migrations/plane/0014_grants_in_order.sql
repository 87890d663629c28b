-- The latest grant is the one with the highest id, whoever asks: a grant whose id was drawn by a clock that is behind would be
-- hidden by the revoked one before it, and could not be revoked. It is refused as what had bad luck (40001): a moment later
-- it succeeds. Each is looked up by the index, by a subquery that the planner cannot turn into a join: it knows nothing of how
-- many a statement inserts, and joined sixty thousand with sixty thousand row by row.

create function refuse_installations_of_the_past() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from added a where a.installation_id < (
      select i.installation_id from installations i where i.app_id = a.app_id and i.server_id = a.server_id
      order by i.installation_id desc limit 1)) then
    raise exception 'a later installation is there already' using errcode = '40001';
  end if;
  return null;
end $$;
create trigger keep_order after insert on installations referencing new table as added
  for each statement execute function refuse_installations_of_the_past();

create function refuse_scopes_of_the_past() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from added a where a.grant_id < (
      select g.grant_id from installation_scopes g
      where g.app_id = a.app_id and g.installation_id = a.installation_id and g.scope = a.scope
      order by g.grant_id desc limit 1)) then
    raise exception 'a later grant of the scope is there already' using errcode = '40001';
  end if;
  return null;
end $$;
create trigger keep_order after insert on installation_scopes referencing new table as added
  for each statement execute function refuse_scopes_of_the_past();

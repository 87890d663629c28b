-- What a key allows is counted too, beside its app's collections: a change of a key, or of how its app stands. Who has read a
-- key at one count knows it until the count moves, and asks for one row of an app in place of a key, an app and that row.
-- What ends by itself (a key's expiry, the end of a rotated one) is no change: whoever judges compares it with the clock.
alter table revisions add column access bigint not null default 0;

-- A first count is the transaction's own number: a row that was erased and comes again does not count what was counted before.
create function bump_access() returns trigger language plpgsql as $$
begin
  insert into revisions as r (app_id, slot, access)
    values (case tg_op when 'DELETE' then old.app_id else new.app_id end, revision_slot(), pg_current_xact_id()::text::bigint)
  on conflict (app_id, slot) do update set access = r.access + 1;
  return null;
end $$;
create trigger revise_access after insert or update or delete on keys for each row execute function bump_access();
create trigger revise_access after update of state, organisation_standing, erase_at on apps
  for each row execute function bump_access();

-- An organisation's standing changes all of its apps at once, and no app is set for it.
create policy organisation on revisions to slipway_manager
  using (app_id in (select app_id from apps)) with check (app_id in (select app_id from apps));

-- One more revision: of what single tickets and runs are, and of what the feed of events shows. What has just been made is on
-- no page yet, so a new ticket or run counts by its event. Static SQL, because every mutation passes here.
alter table revisions add column activity bigint not null default 0;

create function bump_activity() returns trigger language plpgsql as $$
begin
  insert into revisions as r (app_id, slot, activity)
    select distinct app_id, pg_backend_pid() % 4, 1 from changed
  on conflict (app_id, slot) do update set activity = r.activity + 1;
  return null;
end $$;

create trigger revise_on_insert after insert on events referencing new table as changed
  for each statement execute function bump_activity();
create trigger revise_on_update after update on events referencing new table as changed
  for each statement execute function bump_activity();
create trigger revise_on_delete after delete on events referencing old table as changed
  for each statement execute function bump_activity();
create trigger revise_on_update after update on tickets referencing new table as changed
  for each statement execute function bump_activity();
create trigger revise_on_delete after delete on tickets referencing old table as changed
  for each statement execute function bump_activity();
create trigger revise_on_update after update on workflow_runs referencing new table as changed
  for each statement execute function bump_activity();
create trigger revise_on_delete after delete on workflow_runs referencing old table as changed
  for each statement execute function bump_activity();

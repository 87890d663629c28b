-- When the schedule of retries was changed last, until workers have moved the retries that waited by the earlier one. By a trigger: a
-- process of the release before changes schedules too.
alter table endpoints add column schedule_changed_at timestamptz;
create index endpoints_with_changed_schedule on endpoints (schedule_changed_at) where schedule_changed_at is not null;
grant select (schedule_changed_at), update (schedule_changed_at) on endpoints to slipway_worker;
create function note_changed_schedule() returns trigger language plpgsql as $$
begin
  new.schedule_changed_at := clock_timestamp();
  return new;
end $$;
create trigger note_changed_schedule before update of schedule_speed on endpoints for each row
  when (old.schedule_speed <> new.schedule_speed) execute function note_changed_schedule();

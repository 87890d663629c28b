-- The statuses of a job include `pending`, the retries that wait (docs/decisions/0031). Until now, marks in `reason` stored this status.
-- A process of the previous release created no such job, and ends one without moving a retry.
alter table redeliveries
  drop constraint redeliveries_statuses_check,
  add constraint redeliveries_statuses_check
    check (cardinality(statuses) > 0 and statuses <@ array['failed', 'skipped', 'cancelled', 'pending']) not valid,
  -- The owner changes the rows of all apps.
  no force row level security;
-- The table has one row for each job that a member started, so a scan is short.
update redeliveries
  set statuses = case reason when '=pending' then array['pending'] else statuses || 'pending'::text end, reason = null
  where reason in ('=pending', '+pending');
alter table redeliveries force row level security;

-- Announces deprecations to the apps that use them, and stores the answers of members (docs/decisions/0092).

-- The newest requests of the day that used it, so that a member can find the code that sends them.
alter table deprecated_uses add column newest_request_ids uuid[] not null default '{}' check (cardinality(newest_request_ids) <= 5);
create policy everyone on deprecated_uses for select to slipway_worker using (true);
grant select on deprecated_uses to slipway_worker;
-- The types and versions that an endpoint receives are uses too.
grant select (event_types, receives_all_types, schema_versions) on endpoints to slipway_worker;

-- Outlives the notice, which housekeeping deletes after 90 days. One row for each stage: each notice is written once by any
-- number of workers. Zero days ahead is the announcement.
create table deprecation_stages (
  app_id uuid not null,
  deprecation_id text not null,
  days_ahead smallint not null check (days_ahead in (0, 90, 30, 7)),
  written_at timestamptz not null default clock_timestamp(),
  primary key (app_id, deprecation_id, days_ahead)
);
-- The answer of a member. Acknowledged without an end: no further notice. Snoozed with one: no notice before that day.
create table deprecation_answers (
  app_id uuid not null,
  deprecation_id text not null,
  snoozed_until date,
  answered_at timestamptz not null default clock_timestamp(),
  answered_by text not null check (length(answered_by) between 1 and 320),
  primary key (app_id, deprecation_id)
);
do $$
declare held regclass;
begin
  foreach held in array array['deprecation_stages', 'deprecation_answers']::regclass[] loop
    execute format('alter table %s enable row level security', held);
    execute format('alter table %s force row level security', held);
    execute format('create policy everyone on %s to slipway_worker using (true) with check (true)', held);
    execute format('create policy whole on %s for select to current_user using (current_setting(''role'') = ''none'')', held);
    call let_erase(held);
  end loop;
end $$;
grant select, insert on deprecation_stages to slipway_worker;
grant select on deprecation_answers to slipway_worker;
create policy tenant on deprecation_answers to slipway_manager using (app_id = current_app_id()) with check (app_id = current_app_id());
grant select, insert, update, delete on deprecation_answers to slipway_manager;

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('key_expires', 'key_leaked', 'endpoint_failing', 'endpoint_disabled', 'platform_failing', 'key_in_browser',
    'event_scopes', 'endpoint_keys_end', 'endpoint_recovered', 'delivery_exhausted',
    'installation_paused', 'installation_revoked', 'deprecation_announced')) not valid;
-- As it was announced: the notice stays readable when the declaration is gone.
alter table notices add column deprecation jsonb;
alter table notices add constraint notices_deprecation_check check ((kind = 'deprecation_announced') = (deprecation is not null)) not valid;
-- The table of stages limits notices about deprecations.
drop index notices_once;
create unique index notices_once on notices (app_id, key_id, kind, days_ahead) nulls not distinct
  where endpoint_id is null and request_id is null and page_slot is null and server_id is null and deprecation is null;

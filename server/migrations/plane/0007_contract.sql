-- What the versions of the contract need: how often each app uses what is deprecated, and events in several schema versions.

-- Added up in memory and written every few seconds: a row an app, thing and day.
create table deprecated_uses (
  app_id uuid not null,
  deprecation_id text not null,
  day date not null,
  uses bigint not null,
  last_used_at timestamptz not null,
  primary key (app_id, deprecation_id, day)
);
alter table deprecated_uses enable row level security;
alter table deprecated_uses force row level security;
create policy tenant on deprecated_uses for select to slipway_manager using (app_id = current_app_id());
create policy recorder on deprecated_uses to slipway_recorder using (true) with check (true);
grant select on deprecated_uses to slipway_manager;
grant select, insert, update on deprecated_uses to slipway_recorder;

-- An event's bytes in the schema versions before its newest, from version 1: as fixed as its body.
alter table events add column older_bodies text[] not null default '{}';
-- By event type the version that an endpoint receives; a type that is not there is received in version 1.
alter table endpoints add column schema_versions jsonb not null default '{}';
grant select (schema_versions) on endpoints to slipway_api;
-- Fixed when the delivery is made, so that each attempt sends the same bytes; null in deliveries from before.
alter table deliveries add column schema_version smallint;

-- Warns an app once of what the rule about the scopes of events would withhold from it (docs/decisions/0060).
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('key_expires', 'key_leaked', 'endpoint_failing', 'endpoint_disabled', 'platform_failing', 'key_in_browser',
    'event_scopes')) not valid;
alter table notices add column withheld_events int;
alter table notices add column withheld_deliveries int;
alter table notices add constraint notices_event_scopes_check check (
  (kind = 'event_scopes') = (withheld_events is not null and withheld_deliveries is not null)
  and withheld_events > 0 and withheld_deliveries >= 0) not valid;

-- Outlives the notice, which housekeeping deletes after 90 days: the app is warned once. Null: not warned.
alter table apps add column event_scopes_warned_at timestamptz;
grant select (event_scopes_warned_at) on apps to slipway_worker;
grant update (event_scopes_warned_at) on apps to slipway_manager;

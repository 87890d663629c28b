-- Notices of deliveries whose last attempt failed, of endpoints that work again after a warning, and of installations that the
-- upstream API reports as paused or revoked.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('key_expires', 'key_leaked', 'endpoint_failing', 'endpoint_disabled', 'platform_failing', 'key_in_browser',
    'event_scopes', 'endpoint_keys_end', 'endpoint_recovered', 'delivery_exhausted',
    'installation_paused', 'installation_revoked')) not valid;
alter table notices add column delivery_id uuid;
alter table notices add column server_id uuid;
alter table notices add column server_name text check (length(server_name) between 1 and 100);
alter table notices drop constraint notices_check2;
alter table notices add constraint notices_endpoint_check check (
  (kind like 'endpoint%' or kind = 'delivery_exhausted') = (endpoint_id is not null and endpoint_host is not null)) not valid;
alter table notices add constraint notices_delivery_check check ((kind = 'delivery_exhausted') = (delivery_id is not null)) not valid;
alter table notices add constraint notices_installation_check check (
  (kind like 'installation%') = (server_id is not null and server_name is not null)) not valid;
-- The index of installations below limits notices about installations.
drop index notices_once;
create unique index notices_once on notices (app_id, key_id, kind, days_ahead) nulls not distinct
  where endpoint_id is null and request_id is null and page_slot is null and server_id is null;
-- One for each endpoint and hour, with any number of workers: thousands of deliveries can end in a minute.
create unique index notices_of_deliveries_once on notices (app_id, endpoint_id, (date_trunc('hour', created_at at time zone 'UTC')))
  where kind = 'delivery_exhausted';
-- One for each server, kind and hour: a server can pause and authorise an app repeatedly.
create unique index notices_of_installations_once on notices (app_id, server_id, kind, (date_trunc('hour', created_at at time zone 'UTC')))
  where server_id is not null;
-- Endpoints that work again after a warning are looked for repeatedly. Outcomes of attempts never change this column.
create index endpoint_health_warned on endpoint_health (endpoint_id) where warned_days > 0;

-- Notices of deliveries whose last attempt failed, and of endpoints that work again after a warning.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('key_expires', 'key_leaked', 'endpoint_failing', 'endpoint_disabled', 'platform_failing', 'key_in_browser',
    'event_scopes', 'endpoint_keys_end', 'endpoint_recovered', 'delivery_exhausted')) not valid;
alter table notices add column delivery_id uuid;
alter table notices drop constraint notices_check2;
alter table notices add constraint notices_endpoint_check check (
  (kind like 'endpoint%' or kind = 'delivery_exhausted') = (endpoint_id is not null and endpoint_host is not null)) not valid;
alter table notices add constraint notices_delivery_check check ((kind = 'delivery_exhausted') = (delivery_id is not null)) not valid;
-- One for each endpoint and hour, with any number of workers: thousands of deliveries can end in a minute.
create unique index notices_of_deliveries_once on notices (app_id, endpoint_id, (date_trunc('hour', created_at at time zone 'UTC')))
  where kind = 'delivery_exhausted';

-- A notice tells of the platform behind production too: that an answer of it to an app was none, once a day. The key is the one that was
-- used for the request that met it.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('key_expires', 'key_leaked', 'endpoint_failing', 'endpoint_disabled', 'platform_failing')) not valid;
alter table notices add column operation_id text;
alter table notices add column request_id uuid;
alter table notices add constraint notices_platform_check
  check ((kind = 'platform_failing') = (operation_id is not null and request_id is not null)) not valid;
drop index notices_once;
create unique index notices_once on notices (app_id, key_id, kind, days_ahead) nulls not distinct
  where endpoint_id is null and request_id is null;
create unique index notices_of_platform_once on notices (app_id, (timezone('UTC', created_at)::date))
  where request_id is not null;

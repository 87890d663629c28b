-- Several keys behind an endpoint (docs/decisions/0084). A process of the release before reads `key_id` only: it cancels the deliveries of an
-- endpoint whose first key is revoked. It also ignores `min_epoch`, and sends deliveries that were queued before the endpoint lost all its keys. If
-- it sets `key_id` to a further key, the two columns name that key twice; readers drop the second one.
alter table endpoints
  -- The keys after `key_id`, in the order in which a claim tries them; null for none. Each statement joins them within the app.
  add column further_key_ids uuid[] check (cardinality(further_key_ids) between 1 and 4),
  -- Stop epoch at which the endpoint got a key after it had lost all. Claims cancel deliveries that were queued before. Null for none.
  add column min_epoch bigint;
grant select (further_key_ids) on endpoints to slipway_api;
grant select (further_key_ids, min_epoch) on endpoints to slipway_worker;
grant update (further_key_ids, min_epoch) on endpoints to slipway_manager;

-- The key of each attempt; null for attempts of earlier releases.
alter table attempts add column key_id uuid;
-- `settled_attempt_v2` stays for processes of the release before.
create type settled_attempt_v3 as (
  app_id uuid,
  delivery_id uuid,
  attempt_no smallint,
  next text,
  delay_ms bigint,
  started_at timestamptz,
  duration_us bigint,
  outcome text,
  status smallint,
  detail text,
  response_headers jsonb,
  response_body text,
  is_body_cut boolean,
  url text,
  key_id uuid
);

-- Warns once that the last usable key of an endpoint ends within 7 days. The key is part of the notice, so its successor gets a notice of its own.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('key_expires', 'key_leaked', 'endpoint_failing', 'endpoint_disabled', 'platform_failing', 'key_in_browser',
    'event_scopes', 'endpoint_keys_end')) not valid;
create unique index notices_of_last_keys_once on notices (app_id, endpoint_id, key_id) where kind = 'endpoint_keys_end';

-- An attempt keeps the URL that it called: a later change of the endpoint rewrites no history. Null: made before this, by a process of
-- the release before, or of which no worker knows whether it began.
alter table attempts add column url text;

-- `settled_attempt_v1` stays for processes of the release before.
create type settled_attempt_v2 as (
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
  url text
);

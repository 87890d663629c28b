-- What an attempt came to, as a worker hands over many in one parameter (docs/decisions/0056): reading them as JSON took a tenth of what
-- a delivery costs the database. Beside the JSON that nodes write that are being upgraded.
create type settled_attempt_v1 as (
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
  is_body_cut boolean
);

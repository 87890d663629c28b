-- What a node sends of a request: a batch of records is one array of these. It is never changed, because nodes of two
-- versions may run at once; a record of more columns gets a type of its own beside it.
create type request_record_v1 as (
  app_id uuid,
  request_id uuid,
  at timestamptz,
  duration_us int,
  authority_us int,
  status smallint,
  problem_code text,
  operation_id text,
  method text,
  path text,
  query text,
  key_id uuid,
  client_address text,
  user_agent text,
  trace_id text,
  response_bytes int,
  error_context jsonb,
  called_by text,
  simulated text
);

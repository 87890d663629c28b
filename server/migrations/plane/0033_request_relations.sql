-- What a record tells of other requests and of who made it: the request whose stored answer it got, the access token that acted
-- for a person, and, from the request that was repeated, those that repeat it.
alter table idempotency_keys
  -- The request that the stored answer was made for; null for those of before.
  add column request_id uuid;

-- Null where there is nothing of it: a null takes no room in a row.
alter table request_records
  add column stored_answer_of uuid,
  add column called_by_token uuid;

-- Beside request_record_v2, which nodes write that are being upgraded.
create type request_record_v3 as (
  app_id uuid,
  request_id uuid,
  at timestamptz,
  duration_us int,
  authority_us int,
  operation_us int,
  status smallint,
  problem_code text,
  operation_id text,
  method text,
  path text,
  query text,
  key_id uuid,
  server_id uuid,
  client_address text,
  user_agent text,
  trace_id text,
  parent_span_id bytea,
  request_bytes int,
  response_bytes int,
  error_context jsonb,
  called_by text,
  simulated text,
  idempotency_hash bytea,
  is_replayed boolean,
  parent_request_id uuid,
  stored_answer_of uuid,
  called_by_token uuid
);

-- Requests that somebody repeated are few, so the list is short. Sealed days of before get it too: without it all of an app's
-- records would be read for a request's replays.
create index request_records_parent on only request_records (app_id, parent_request_id, request_id) where parent_request_id is not null;
do $$
declare
  leaf regclass;
  name text;
begin
  for leaf in
    select 'request_records_default'::regclass
    union all
    select p.leaf from partition_bounds('request_records') p
      where p.is_sealed or p.upper_bound > uuid_floor(clock_timestamp() - interval '2 days')
  loop
    name := 'request_records_parent' || substr(leaf::text, length('request_records') + 1);
    execute format('create index %I on %s (app_id, parent_request_id, request_id) where parent_request_id is not null', name, leaf);
    execute format('alter index request_records_parent attach partition %I', name);
  end loop;
end $$;

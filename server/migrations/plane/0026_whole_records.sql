-- What a record tells beside its answer, what could not be kept of an app's, and who called without a key that was proved.

-- Null where there was nothing of it: a null takes no room in a row.
alter table request_records
  -- The operation itself, with the transaction around it.
  add column operation_us int,
  add column request_bytes int,
  -- The caller's span of a traceparent (W3C), beside its trace: 8 bytes.
  add column parent_span_id bytea,
  -- As idempotency_keys has it.
  add column idempotency_hash bytea,
  add column is_replayed boolean,
  -- The request that this one repeats, because somebody replayed it.
  add column parent_request_id uuid;

-- Beside request_record_v1, which nodes write that are being upgraded.
create type request_record_v2 as (
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
  parent_request_id uuid
);

-- Records that could not be committed in time: counted in memory, and written as soon as the database takes it. A row an app
-- and minute.
create table record_gaps (
  app_id uuid not null,
  minute timestamptz not null,
  lost bigint not null,
  primary key (app_id, minute)
);
alter table record_gaps enable row level security;
alter table record_gaps force row level security;
create policy tenant on record_gaps for select to slipway_manager using (app_id = current_app_id());
create policy recorder on record_gaps to slipway_recorder using (true) with check (true);
create policy everyone on record_gaps to slipway_worker using (true);
grant select on record_gaps to slipway_manager;
grant select, insert, update on record_gaps to slipway_recorder;
grant select, delete on record_gaps to slipway_worker;
call let_erase('record_gaps');

------------------------------------------------------------------------------------------ requests without a proved key
-- They belong to no app: operators read them, through the Console. So many of an address are kept one by one; the others are
-- counted, by network and hour.
create table unproved_requests (
  request_id uuid primary key,
  at timestamptz not null,
  duration_us int not null,
  status smallint not null,
  problem_code text,
  operation_id text,
  -- Null where the request could not be read.
  method text,
  path text,
  client_address text,
  user_agent text,
  request_bytes int
);
create table unproved_counts (
  hour timestamptz not null,
  -- Empty where no address is kept, and of the networks beyond a thousand an hour.
  network text not null,
  -- Empty where there was no problem.
  problem_code text not null,
  requests bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (hour, network, problem_code)
) with (fillfactor = 70);
alter table unproved_requests enable row level security;
alter table unproved_requests force row level security;
alter table unproved_counts enable row level security;
alter table unproved_counts force row level security;
create policy recorder on unproved_requests for insert to slipway_recorder with check (true);
create policy recorder on unproved_counts to slipway_recorder using (true) with check (true);
create policy console_reads on unproved_requests for select to slipway_manager
  using (current_setting('slipway.asks', true) = 'console');
create policy console_reads on unproved_counts for select to slipway_manager
  using (current_setting('slipway.asks', true) = 'console');
create policy everyone on unproved_requests to slipway_worker using (true);
create policy everyone on unproved_counts to slipway_worker using (true);
grant insert on unproved_requests to slipway_recorder;
grant select, insert, update on unproved_counts to slipway_recorder;
grant select on unproved_requests, unproved_counts to slipway_manager;
grant select (request_id), delete on unproved_requests to slipway_worker;
grant select (hour), delete on unproved_counts to slipway_worker;

-- Faults that a developer asks for: what an app's calls shall meet, and what was simulated of each call.

alter table request_records add column simulated text;
-- A call whose connection was reset on demand has no status.
alter table request_records alter column status drop not null;
alter table request_records add check (status is not null or simulated is not null);

create table faults (
  app_id uuid not null references apps,
  fault_id uuid not null,
  -- Null for all operations.
  operation_id text,
  share double precision not null check (share between 0 and 1),
  latency_ms int check (latency_ms between 1 and 30000),
  problem_code text,
  is_reset boolean not null,
  is_enabled boolean not null default true,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (app_id, fault_id),
  check (latency_ms is not null or problem_code is not null or is_reset),
  check (problem_code is null or not is_reset)
);
alter table faults enable row level security;
alter table faults force row level security;
create policy tenant on faults to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
grant select on faults to slipway_api;
grant select, insert, update (share, is_enabled), delete on faults to slipway_manager;

-- One more revision that comes with a caller's authority: an app whose count is 0 has never had a rule, and asks for none.
alter table revisions add column faults bigint not null default 0;
call count_revision('faults', 'faults');

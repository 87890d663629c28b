-- Workflows that an app may run, and their runs. A run of the sandbox goes through its steps and does nothing else.

create table workflows (
  app_id uuid not null references apps,
  workflow_id uuid not null,
  server_id uuid not null,
  name text not null,
  description text not null,
  -- A JSON Schema: what the input of a run must fit.
  input_schema jsonb not null,
  steps text[] not null check (cardinality(steps) between 1 and 20),
  -- The step, from 1, at which its runs fail; null for one that succeeds.
  failing_step smallint check (failing_step between 1 and cardinality(steps)),
  enabled boolean not null,
  created_at timestamptz not null,
  primary key (app_id, workflow_id),
  foreign key (app_id, server_id) references servers
);
create index workflows_by_server on workflows (app_id, server_id, workflow_id desc);

create table workflow_runs (
  app_id uuid not null,
  workflow_run_id uuid not null,
  workflow_id uuid not null,
  server_id uuid not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  input jsonb not null,
  output jsonb,
  steps jsonb not null,
  request_id uuid not null,
  event_sequence int not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- When it goes on; null when it has ended.
  due_at timestamptz,
  primary key (app_id, workflow_run_id),
  foreign key (app_id, workflow_id) references workflows,
  check ((due_at is null) = (status in ('succeeded', 'failed'))),
  check ((finished_at is null) = (due_at is not null))
);
create index workflow_runs_due on workflow_runs (due_at) where due_at is not null;

alter table workflows enable row level security;
alter table workflows force row level security;
alter table workflow_runs enable row level security;
alter table workflow_runs force row level security;
create policy tenant on workflows to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on workflow_runs to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on workflow_runs for select to slipway_worker using (true);
grant select on workflows to slipway_api;
grant select, insert, update, delete on workflows to slipway_manager;
grant select, insert, update on workflow_runs to slipway_api;
grant select (app_id, workflow_run_id, due_at) on workflow_runs to slipway_worker;
call count_revision('workflows', 'workflows');

-- Receiver drills: what an endpoint's receiver answers to messages of the drill's own, which are no events of the app.

create table drills (
  app_id uuid not null,
  drill_id uuid not null,
  endpoint_id uuid not null,
  status text not null default 'running' check (status in ('running', 'completed', 'stopped')),
  -- Why it was stopped.
  reason text,
  -- The report: each step with what was sent, what was answered and the verdict.
  steps jsonb not null,
  -- Counts who has taken it up: what one saves who has lost it is not kept.
  claim_no int not null default 0,
  -- When a worker may take it up, or take it from one that is not heard of any more.
  due_at timestamptz not null default clock_timestamp(),
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  primary key (app_id, drill_id),
  foreign key (app_id, endpoint_id) references endpoints on delete cascade,
  check ((status = 'stopped') = (reason is not null)),
  check ((status = 'running') = (finished_at is null))
);
-- One at a time.
create unique index drills_running on drills (app_id, endpoint_id) where status = 'running';
create index drills_by_endpoint on drills (app_id, endpoint_id, drill_id desc);
create index drills_due on drills (due_at) where status = 'running';
alter table drills enable row level security;
alter table drills force row level security;
create policy tenant on drills to slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on drills to slipway_worker using (true) with check (true);
grant select, insert, delete on drills to slipway_manager;
grant select, update (status, reason, steps, claim_no, due_at, finished_at) on drills to slipway_worker;
call let_erase('drills');

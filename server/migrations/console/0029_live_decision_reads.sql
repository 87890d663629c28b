-- Members mark a decision about live access as read for the whole organisation (docs/decisions/0114). A decided request does not
-- change, so the mark is in a table of its own. A request can be decided again, so a mark belongs to the time of one decision.
create table live_decision_reads (
  request_id uuid not null references live_requests on delete cascade,
  decided_at timestamptz not null,
  read_at timestamptz not null default clock_timestamp(),
  read_by text not null check (length(read_by) <= 320),
  primary key (request_id, decided_at)
);

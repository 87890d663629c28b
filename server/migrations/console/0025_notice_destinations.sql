-- Destinations of an organisation's notices that are not persons (docs/decisions/0091). The address and the secret are sealed. A chat or
-- an on-call service receives causes in production only: a cause in the sandbox leads to no real action.
create table notice_destinations (
  destination_id uuid primary key,
  organisation_id uuid not null references organisations on delete cascade,
  kind text not null check (kind in ('webhook', 'slack', 'teams', 'pagerduty')),
  name text not null,
  host text not null,
  sealed_url bytea not null,
  sealed_secret bytea,
  environments text[] not null check (environments <@ '{sandbox,production}' and cardinality(environments) > 0),
  muted_kinds text[] not null,
  disabled_reason text,
  last_attempt_at timestamptz,
  last_outcome text check (last_outcome in ('succeeded', 'waiting', 'failed')),
  last_status integer,
  last_detail text,
  last_success_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  check (kind = 'webhook' or environments = '{production}'),
  check ((sealed_secret is not null) = (kind in ('webhook', 'pagerduty'))),
  check ((last_attempt_at is null) = (last_outcome is null))
);
create index notice_destinations_by_organisation on notice_destinations (organisation_id, destination_id);

-- The notices of one cause that wait for the next message to a destination, the message that is being sent, and the time of the latest
-- attempt. A message is due an hour after the latest attempt of the previous one. `further` counts notices beyond those in `waiting`.
create table destination_messages (
  destination_id uuid not null references notice_destinations on delete cascade,
  environment text not null,
  cause text not null,
  kind text not null,
  waiting jsonb not null,
  further integer not null default 0,
  message_id uuid,
  sending jsonb,
  begun_at timestamptz,
  attempt_no integer not null default 0,
  due_at timestamptz,
  attempted_at timestamptz,
  primary key (destination_id, environment, cause),
  check ((due_at is null) = (waiting = '[]' and message_id is null)),
  check (due_at is not null or attempted_at is not null),
  check ((message_id is null) = (sending is null) and (message_id is null) = (begun_at is null))
);
create index destination_messages_due on destination_messages (due_at) where due_at is not null;
create index destination_messages_by_age on destination_messages (attempted_at) where due_at is null;
create index destination_messages_in_flight on destination_messages (message_id) where message_id is not null;

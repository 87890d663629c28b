-- Mail on its way. A message is queued in the transaction of what it tells of, and a job sends it.
create table outbox (
  message_id uuid primary key,
  -- One address: no list and no name, whatever a library would read in it.
  recipient text not null check (length(recipient) <= 320 and recipient ~ '^[^[:space:][:cntrl:],;:<>()"\\]+@[^[:space:][:cntrl:],;:<>()"\\@]+$'),
  subject text not null check (length(subject) between 1 and 200 and subject !~ '[[:cntrl:]]'),
  -- A link in it is a secret: gone as soon as the message is sent or given up.
  text text check (length(text) <= 20000),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  -- The next attempt. While one is under way: when another process may take it for lost.
  due_at timestamptz not null default clock_timestamp(),
  last_error text,
  queued_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  check ((state = 'waiting') = (text is not null)),
  check ((state = 'waiting') = (ended_at is null))
);
create index outbox_due on outbox (due_at) where state = 'waiting';
create index outbox_by_recipient on outbox (recipient, queued_at);

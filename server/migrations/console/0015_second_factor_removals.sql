-- A person who has neither authenticator nor recovery code can have the second factor removed after a delay, which a mail announces.
-- The row outlives the removal: production keys stay closed until a new second factor is a day old.
create table second_factor_removals (
  person_id text primary key references "user" ("id") on delete cascade,
  requested_at timestamptz not null default clock_timestamp(),
  -- Both set while a removal is pending. The mailed link holds the token.
  due_at timestamptz,
  cancel_hash bytea unique check (length(cancel_hash) = 32),
  -- Set by the removal.
  removed_at timestamptz,
  -- Set when a new second factor was confirmed after it.
  closed_until timestamptz,
  check ((due_at is null) = (cancel_hash is null)),
  check (num_nonnulls(due_at, removed_at) > 0)
);
create index second_factor_removals_due on second_factor_removals (due_at) where due_at is not null;

-- When a person last proved their second factor in a session, for what asks for that just now.
create table second_factor_proofs (
  session_id text primary key references "session" ("id") on delete cascade,
  proved_at timestamptz not null default clock_timestamp()
);

-- What is left of each key's rate, over all nodes: a token bucket that nodes take small shares out of. Unlogged: after a
-- crash of Postgres every bucket is full again, which is no harm, and no share waits for a disk.
create unlogged table rate_buckets (
  app_id uuid not null,
  key_id uuid not null,
  tokens float8 not null,
  -- Of the tokens that were there, how many the last share took.
  taken int not null,
  at timestamptz not null,
  primary key (app_id, key_id)
) with (fillfactor = 50); -- room for updates within the page
alter table rate_buckets enable row level security;
alter table rate_buckets force row level security;
create policy everyone on rate_buckets to slipway_authority using (true) with check (true);
create policy idle on rate_buckets to slipway_worker using (true);
grant select, insert, update on rate_buckets to slipway_authority;
grant select, delete on rate_buckets to slipway_worker;

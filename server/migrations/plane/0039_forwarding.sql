-- Production's mutations on their way to the platform behind it: written before they are sent, gone once their answer is stored. A row
-- that stays is one of which nobody knows what became.
create table forwarded_mutations (
  app_id uuid not null,
  key_hash bytea not null check (length(key_hash) = 32),
  request_hash bytea not null check (length(request_hash) = 32),
  started_at timestamptz not null default clock_timestamp(),
  -- Until then somebody may be sending it; after that a repeat sends it again, under the same key.
  leased_until timestamptz not null,
  primary key (app_id, key_hash)
);
create index forwarded_mutations_by_age on forwarded_mutations (started_at);
alter table forwarded_mutations enable row level security;
alter table forwarded_mutations force row level security;
create policy tenant on forwarded_mutations to slipway_api
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on forwarded_mutations to slipway_worker using (true);
create policy whole on forwarded_mutations for select to current_user using (current_setting('role') = 'none');
grant select, insert, update, delete on forwarded_mutations to slipway_api;
grant select, delete on forwarded_mutations to slipway_worker;
call let_erase('forwarded_mutations');

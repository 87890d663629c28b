-- What may be said of a key besides what it is: when it was last used, and what people note of it.

-- Written every few seconds by each node for the keys that it saw: a table of its own, because a use must not wait for a
-- lock on its key, nor a revoke for a use.
create table key_uses (
  app_id uuid not null,
  key_id uuid not null,
  last_used_at timestamptz not null,
  -- Of the last use that came with the key itself; null when only people have used it, by its id.
  client_address text,
  primary key (app_id, key_id)
) with (fillfactor = 70);
alter table key_uses enable row level security;
alter table key_uses force row level security;
create policy tenant on key_uses for select to slipway_manager using (app_id = current_app_id());
create policy recorder on key_uses to slipway_recorder using (true) with check (true);
create policy everyone on key_uses to slipway_worker using (true);
grant select on key_uses to slipway_manager;
grant select, insert, update on key_uses to slipway_recorder;
-- An address is kept no longer than the records of requests that show it.
grant select, update (client_address) on key_uses to slipway_worker;

-- What people say of a key. Name and note are the only things of it that may be changed at will.
alter table keys add column note text check (length(note) between 1 and 500);
grant select (note), update (name, note) on keys to slipway_manager;

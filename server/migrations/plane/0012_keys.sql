-- Keys: when each was last used, what people note of it, and its rotation.

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

-- Rotation: a successor of the same scopes, and an end of the old key that is dated once, at most a day ahead. Nobody has
-- to do anything at that moment: whoever judges a key compares it with the clock.
alter table keys add column predecessor_id uuid check (predecessor_id <> key_id);
alter table keys add column ends_at timestamptz;
alter table keys add foreign key (app_id, predecessor_id) references keys;
-- One successor, whoever asks twice.
create unique index keys_by_predecessor on keys (app_id, predecessor_id);
grant select (ends_at) on keys to slipway_api, slipway_authority, slipway_worker;
grant select (ends_at, predecessor_id), update (ends_at) on keys to slipway_manager;
-- What goes through a key goes on through its successor.
grant update (key_id) on endpoints, queue, deliveries to slipway_manager;

create or replace function guard_key() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.created_at := clock_timestamp();
    if new.ends_at is not null then
      raise exception 'a key is not made to end before it expires' using errcode = '23514';
    end if;
    if new.predecessor_id is not null and not exists (
      select from keys where app_id = new.app_id and key_id = new.predecessor_id and scopes = new.scopes) then
      raise exception 'a successor has the scopes of its predecessor' using errcode = '23514';
    end if;
    return new;
  end if;
  if (new.app_id, new.key_id, new.kid, new.created_at, new.expires_at, new.scopes, new.predecessor_id)
     is distinct from
     (old.app_id, old.key_id, old.kid, old.created_at, old.expires_at, old.scopes, old.predecessor_id) then
    raise exception 'a key''s identity, scopes and expiry are fixed when it is made' using errcode = '23514';
  end if;
  if new.verifier <> old.verifier and new.pepper_version = old.pepper_version then
    raise exception 'only another pepper changes a key''s verifier' using errcode = '23514';
  end if;
  if old.state = 'revoked' and (new.state, new.revoked_at, new.revoked_by, new.ends_at)
     is distinct from (old.state, old.revoked_at, old.revoked_by, old.ends_at) then
    raise exception 'a revocation is final' using errcode = '23514';
  end if;
  if new.ends_at is distinct from old.ends_at
     and (old.ends_at is not null or new.ends_at > clock_timestamp() + interval '24 hours') then
    raise exception 'a key''s end is dated once, at most a day ahead' using errcode = '23514';
  end if;
  return new;
end $$;

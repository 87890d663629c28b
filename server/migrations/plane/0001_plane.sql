-- One environment's database: apps, keys, installations, the synthetic world, events and their delivery, and the
-- records of requests.
--
-- The roles (created once by the operator, see docs/operations.md) own nothing and bypass nothing. Row-level security
-- is forced everywhere: `slipway_api` and `slipway_manager` see one app at a time, named by the setting slipway.app_id
-- of their transaction; unset, they see no row.

create function current_app_id() returns uuid language sql stable parallel safe
  return nullif(current_setting('slipway.app_id', true), '')::uuid;
create function current_organisation_id() returns uuid language sql stable parallel safe
  return nullif(current_setting('slipway.organisation_id', true), '')::uuid;

revoke create on schema public from public;
grant usage on schema public
  to slipway_api, slipway_authority, slipway_manager, slipway_worker, slipway_recorder;

-- A restore from a backup takes revisions back in time: whoever restores draws a new epoch, and every cached page dies.
create table plane_state (
  is_only boolean primary key default true check (is_only),
  restore_epoch uuid not null default gen_random_uuid()
);
insert into plane_state default values;
grant select on plane_state to slipway_authority, slipway_worker;

------------------------------------------------------------------------------------------------------------ apps
create table apps (
  app_id uuid primary key,
  organisation_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  state text not null default 'active' check (state in ('active', 'suspended')),
  created_by text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index apps_by_organisation on apps (organisation_id, app_id desc);
alter table apps enable row level security;
alter table apps force row level security;
create policy tenant on apps to slipway_api using (app_id = current_app_id());
create policy organisation on apps to slipway_manager
  using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
create policy everyone on apps for select to slipway_authority, slipway_worker using (true);
grant select (app_id, organisation_id, state) on apps to slipway_api;
grant select, insert, update (name, state) on apps to slipway_manager;
grant select (app_id, organisation_id, state) on apps to slipway_authority, slipway_worker;

-- What ends an access waits for the mutations that hold it, and they for it: a mutation shares a lock on its app, key and
-- server before it reads what they allow, and the trigger takes the same lock for itself. Advisory locks, because they
-- queue: with row locks (FOR SHARE) each new mutation overtook the waiting revoke, and a busy key could not be revoked.
create function access_lock(app_id uuid, object_id uuid) returns bigint language sql immutable parallel safe
  return hashtextextended(app_id::text || object_id::text, 75470003);
create function await_mutations() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(access_lock(old.app_id, (to_jsonb(old) ->> tg_argv[0])::uuid));
  return case tg_op when 'DELETE' then old else new end;
end $$;
create function await_mutations_on_server() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(access_lock(i.app_id, i.server_id)) from installations i
    where i.app_id = old.app_id and i.installation_id = old.installation_id;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger await_mutations before update of state or delete on apps
  for each row execute function await_mutations('app_id');

-- Four slots per app whose sum is a collection's revision: one row would be a lock on the whole app. A valid revision,
-- because snapshots are monotone: what commits later is counted later.
create table revisions (
  app_id uuid not null,
  slot smallint not null check (slot between 0 and 3),
  grants bigint not null default 0,
  servers bigint not null default 0,
  publications bigint not null default 0,
  roadmap bigint not null default 0,
  workflows bigint not null default 0,
  primary key (app_id, slot)
) with (fillfactor = 50);
alter table revisions enable row level security;
alter table revisions force row level security;
create policy tenant on revisions to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on revisions for select to slipway_authority using (true);
grant select, insert, update on revisions to slipway_api, slipway_manager;
grant select on revisions to slipway_authority;

-- The trigger, not the code, counts: a change that nobody counted would leave an allowed page in a cache.
create function bump_revision() returns trigger language plpgsql as $$
begin
  execute format(
    'insert into revisions as r (app_id, slot, %1$I)
       select distinct app_id, pg_backend_pid() %% 4, 1 from changed
     on conflict (app_id, slot) do update set %1$I = r.%1$I + 1', tg_argv[0]);
  return null;
end $$;

create procedure count_revision(counted regclass, collection text) language plpgsql as $$
begin
  execute format('create trigger revise_on_insert after insert on %s referencing new table as changed
                  for each statement execute function bump_revision(%L)', counted, collection);
  execute format('create trigger revise_on_update after update on %s referencing new table as changed
                  for each statement execute function bump_revision(%L)', counted, collection);
  execute format('create trigger revise_on_delete after delete on %s referencing old table as changed
                  for each statement execute function bump_revision(%L)', counted, collection);
end $$;

------------------------------------------------------------------------------------------------------------ keys
create table keys (
  app_id uuid not null references apps,
  key_id uuid not null,
  -- The public half of a key's text: what logs and the Console show.
  kid text collate "C" not null unique check (kid ~ '^[0-9A-Za-z]{12}$'),
  -- HMAC-SHA-256 of the whole key under the plane's pepper: nothing else of the secret is kept.
  verifier bytea not null check (length(verifier) = 32),
  pepper_version smallint not null,
  name text not null check (length(name) between 1 and 100),
  scopes text[] not null check (
    cardinality(scopes) between 1 and 6 and scopes <@ array['servers:read', 'publications:read', 'events:read',
      'roadmap:read', 'tickets:create', 'workflows:run']),
  state text not null default 'active' check (state in ('active', 'revoked')),
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by text,
  primary key (app_id, key_id),
  check (expires_at > created_at and expires_at <= created_at + interval '30 days'),
  check ((state = 'revoked') = (revoked_at is not null))
);
alter table keys enable row level security;
alter table keys force row level security;
create policy tenant on keys to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on keys for select to slipway_authority, slipway_worker using (true);
grant select (app_id, key_id, kid, scopes, state, expires_at) on keys to slipway_api;
grant select (app_id, key_id, kid, verifier, pepper_version, scopes, state, expires_at) on keys to slipway_authority;
grant select (app_id, key_id, scopes, state, expires_at) on keys to slipway_worker;
grant select (app_id, key_id, kid, name, scopes, state, created_by, created_at, expires_at, revoked_at, revoked_by),
  insert, update (state, revoked_at, revoked_by) on keys to slipway_manager;

-- The database's clock dates a key, and nothing that was fixed at its making ever changes, whoever asks.
create function guard_key() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.created_at := clock_timestamp();
    return new;
  end if;
  if (new.app_id, new.key_id, new.kid, new.created_at, new.expires_at, new.scopes)
     is distinct from (old.app_id, old.key_id, old.kid, old.created_at, old.expires_at, old.scopes) then
    raise exception 'a key''s identity, scopes and expiry are fixed when it is made' using errcode = '23514';
  end if;
  if new.verifier <> old.verifier and new.pepper_version = old.pepper_version then
    raise exception 'only another pepper changes a key''s verifier' using errcode = '23514';
  end if;
  if old.state = 'revoked' and (new.state, new.revoked_at, new.revoked_by)
     is distinct from (old.state, old.revoked_at, old.revoked_by) then
    raise exception 'a revocation is final' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard_key before insert or update on keys for each row execute function guard_key();
create trigger await_mutations before update of state or delete on keys
  for each row execute function await_mutations('key_id');

--------------------------------------------------------------------------------------------------- synthetic world
create table servers (
  app_id uuid not null references apps,
  server_id uuid not null,
  name text not null,
  slug text not null,
  description text not null,
  icon_url text not null,
  locale text not null,
  timezone text not null,
  member_count int not null check (member_count >= 0),
  created_at timestamptz not null,
  primary key (app_id, server_id)
);
alter table servers enable row level security;
alter table servers force row level security;
create policy tenant on servers to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
grant select on servers to slipway_api;
grant select, insert, update, delete on servers to slipway_manager;
call count_revision('servers', 'servers');

------------------------------------------------------------------------------------------------------ installations
create table installations (
  app_id uuid not null references apps,
  installation_id uuid not null,
  server_id uuid not null,
  state text not null default 'authorised' check (state in ('authorised', 'paused', 'revoked')),
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (app_id, installation_id),
  foreign key (app_id, server_id) references servers
);
-- A revocation is final for its grant; a new authorisation is a new row, and only one row is not revoked.
create unique index installations_live on installations (app_id, server_id) where state <> 'revoked';
create index installations_by_server on installations (app_id, server_id, installation_id desc);

create table installation_scopes (
  app_id uuid not null,
  grant_id uuid not null,
  installation_id uuid not null,
  scope text not null check (scope in ('servers:read', 'publications:read', 'events:read', 'roadmap:read',
    'tickets:create', 'workflows:run')),
  state text not null default 'authorised' check (state in ('authorised', 'paused', 'revoked')),
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (app_id, grant_id),
  foreign key (app_id, installation_id) references installations
);
create unique index installation_scopes_live on installation_scopes (app_id, installation_id, scope)
  where state <> 'revoked';
create index installation_scopes_by_scope on installation_scopes (app_id, installation_id, scope, grant_id desc);

create function guard_grant() returns trigger language plpgsql as $$
begin
  if old.state = 'revoked' and new.state <> 'revoked' then
    raise exception 'a revocation is final' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard_grant before update on installations for each row execute function guard_grant();
create trigger guard_grant before update on installation_scopes for each row execute function guard_grant();
create trigger await_mutations before update of state or delete on installations
  for each row execute function await_mutations('server_id');
create trigger await_mutations before update of state or delete on installation_scopes
  for each row execute function await_mutations_on_server();

alter table installations enable row level security;
alter table installations force row level security;
alter table installation_scopes enable row level security;
alter table installation_scopes force row level security;
create policy tenant on installations to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on installation_scopes to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on installations for select to slipway_worker using (true);
create policy everyone on installation_scopes for select to slipway_worker using (true);
grant select on installations, installation_scopes to slipway_api;
grant select, insert, update (state, changed_at) on installations, installation_scopes to slipway_manager;
grant select on installations, installation_scopes to slipway_worker;
call count_revision('installations', 'grants');
call count_revision('installation_scopes', 'grants');

------------------------------------------------------------------------------------------------------------ tickets
create table tickets (
  app_id uuid not null references apps,
  ticket_id uuid not null,
  server_id uuid not null,
  number int not null,
  subject text not null,
  body text not null,
  category text not null,
  priority text not null,
  status text not null default 'open' check (status in ('open', 'pending', 'resolved', 'closed')),
  requester jsonb not null,
  labels text[] not null,
  metadata jsonb not null,
  -- The sequence of its latest event: contiguous per subject, because it comes from the subject's own row.
  event_sequence int not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  primary key (app_id, ticket_id),
  unique (app_id, server_id, number),
  foreign key (app_id, server_id) references servers
);
create table ticket_numbers (
  app_id uuid not null,
  server_id uuid not null,
  last_number int not null,
  primary key (app_id, server_id)
) with (fillfactor = 50);
alter table tickets enable row level security;
alter table tickets force row level security;
alter table ticket_numbers enable row level security;
alter table ticket_numbers force row level security;
create policy tenant on tickets to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy tenant on ticket_numbers to slipway_api, slipway_manager
  using (app_id = current_app_id()) with check (app_id = current_app_id());
grant select, insert, update on tickets, ticket_numbers to slipway_api;

---------------------------------------------------------------------------------------------------- idempotency
create table idempotency_keys (
  app_id uuid not null references apps,
  key_hash bytea not null check (length(key_hash) = 32),
  request_hash bytea not null check (length(request_hash) = 32),
  status smallint not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (app_id, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy tenant on idempotency_keys to slipway_api
  using (app_id = current_app_id()) with check (app_id = current_app_id());
create policy everyone on idempotency_keys to slipway_worker using (true);
grant select, insert, update, delete on idempotency_keys to slipway_api;
grant select, delete on idempotency_keys to slipway_worker;

----------------------------------------------------------------------------------------------- events and delivery
create table events (
  app_id uuid not null,
  event_id uuid not null,
  type text not null,
  schema_version smallint not null,
  server_id uuid,
  subject_type text not null,
  subject_id uuid not null,
  sequence int not null,
  -- The envelope as it is sent: its bytes are fixed once and never rendered again.
  body text not null,
  -- The commit-safe position of the feed: what is below the oldest running transaction is complete.
  xact xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default clock_timestamp(),
  primary key (app_id, event_id)
) partition by range (event_id);
create index events_by_position on events (app_id, xact, event_id);

create table endpoints (
  app_id uuid not null references apps,
  endpoint_id uuid not null,
  key_id uuid not null,
  url text not null check (length(url) between 8 and 2048),
  description text not null,
  event_types text[] not null check (cardinality(event_types) between 1 and 50),
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  disabled_reason text,
  sealed_secret bytea not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (app_id, endpoint_id),
  foreign key (app_id, key_id) references keys
);

create table deliveries (
  app_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  key_id uuid not null,
  server_id uuid,
  trigger text not null check (trigger in ('scheduled', 'manual', 'replay', 'test')),
  status text not null check (status in ('pending', 'held', 'succeeded', 'failed', 'cancelled', 'skipped')),
  -- Why it is held, cancelled or skipped.
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  primary key (app_id, delivery_id)
) partition by range (delivery_id);
create index deliveries_by_endpoint on deliveries (app_id, endpoint_id, delivery_id desc);
create index deliveries_by_event on deliveries (app_id, event_id);

-- What waits or is in flight; a row leaves when its delivery ends.
create table queue (
  app_id uuid not null,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  key_id uuid not null,
  server_id uuid,
  state text not null default 'waiting' check (state in ('waiting', 'held', 'in_flight')),
  due_at timestamptz not null default clock_timestamp(),
  attempt_no smallint not null default 0,
  worker_id uuid,
  claimed_at timestamptz,
  primary key (app_id, delivery_id)
) with (fillfactor = 70);
create index queue_due on queue (endpoint_id, due_at) where state = 'waiting';
create index queue_in_flight on queue (worker_id) where state = 'in_flight';
create index queue_held on queue (endpoint_id, server_id) where state = 'held';
create index queue_by_key on queue (app_id, key_id);

create table attempts (
  app_id uuid not null,
  delivery_id uuid not null,
  attempt_no smallint not null,
  started_at timestamptz not null,
  duration_us bigint not null,
  -- 'response', or the kind of failure.
  outcome text not null,
  status smallint,
  detail text,
  response_headers jsonb,
  response_body text,
  is_body_cut boolean not null default false,
  primary key (app_id, delivery_id, attempt_no)
) partition by range (delivery_id);

-- The living workers. A worker whose beat stands still is struck off, and what it had in flight waits again.
create table workers (
  worker_id uuid primary key,
  beat bigint not null default 0,
  started_at timestamptz not null default clock_timestamp(),
  beat_at timestamptz not null default clock_timestamp(),
  -- What a manager's SELECT ... FOR KEY SHARE asks the privilege for; nobody writes it.
  share_lock boolean
);
-- Counts every change that takes access away from an app; a delivery that was claimed under an older count and touches
-- what was denied since is not sent. Not a column of apps: mutations hold that row.
create table stop_epochs (
  app_id uuid primary key,
  epoch bigint not null
);
-- One row per worker that must stop something, deleted when it has: a revoke answers once its rows are gone.
create table stops (
  stop_id uuid not null,
  worker_id uuid not null references workers on delete cascade,
  app_id uuid not null,
  key_id uuid,
  server_id uuid,
  epoch bigint not null,
  primary key (worker_id, stop_id)
);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['events', 'endpoints', 'deliveries', 'queue', 'attempts', 'stop_epochs'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to slipway_api, slipway_manager
      using (app_id = current_app_id()) with check (app_id = current_app_id())', tenant_table);
    execute format('create policy everyone on %I to slipway_worker using (true) with check (true)', tenant_table);
  end loop;
end $$;
grant select, insert on events, deliveries, queue to slipway_api;
grant select (app_id, endpoint_id, key_id, event_types, state, disabled_reason) on endpoints to slipway_api;
grant select on events, deliveries, queue, attempts to slipway_manager;
grant insert on events, deliveries, queue to slipway_manager;
grant update (status, reason, finished_at) on deliveries to slipway_manager;
grant update (state, due_at), delete on queue to slipway_manager;
grant select, insert, update (url, state, disabled_reason, sealed_secret), delete on endpoints
  to slipway_manager;
grant select on events to slipway_worker;
grant select (app_id, endpoint_id, key_id, url, state, sealed_secret), update (state, disabled_reason)
  on endpoints to slipway_worker;
grant select, update on deliveries to slipway_worker;
grant select, update, delete on queue to slipway_worker;
grant select, insert on attempts to slipway_worker;
grant select, insert, update, delete on workers to slipway_worker;
grant select, delete on stops to slipway_worker;
grant select, update (share_lock), delete on workers to slipway_manager;
grant select, insert on stops to slipway_manager;
grant select, insert, update on stop_epochs to slipway_manager;
grant select on stop_epochs to slipway_worker;

------------------------------------------------------------------------------------------------- request records
create table request_records (
  app_id uuid not null,
  request_id uuid not null,
  at timestamptz not null,
  duration_us int not null,
  authority_us int not null,
  status smallint not null,
  problem_code text,
  operation_id text,
  method text not null,
  path text not null,
  query text,
  key_id uuid,
  server_id uuid,
  client_address text,
  user_agent text,
  trace_id text,
  response_bytes int not null,
  -- The redacted context of an error; null for what was answered without one.
  error_context jsonb,
  primary key (app_id, request_id)
) partition by range (request_id);
alter table request_records enable row level security;
alter table request_records force row level security;
create policy tenant on request_records for select to slipway_manager using (app_id = current_app_id());
create policy recorder on request_records for insert to slipway_recorder with check (true);
grant insert on request_records to slipway_recorder;
grant select on request_records to slipway_manager;

-------------------------------------------------------------------------------------------------------- audit log
create table audit_entries (
  organisation_id uuid not null,
  audit_id uuid not null,
  app_id uuid,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action text not null,
  target text not null,
  detail jsonb not null,
  primary key (organisation_id, audit_id)
);
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy organisation on audit_entries to slipway_manager
  using (organisation_id = current_organisation_id()) with check (organisation_id = current_organisation_id());
grant select, insert on audit_entries to slipway_manager;

------------------------------------------------------------------------------------------------------- partitions
-- What grows is partitioned by its UUIDv7, whose first 48 bits are milliseconds. The default partition catches the
-- rows of a node whose clock is far off, so that nothing is refused; it should stay empty.
create function uuid_floor(at timestamptz) returns uuid language sql immutable
  return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

create table request_records_default partition of request_records default;
create table events_default partition of events default;
create table deliveries_default partition of deliveries default;
create table attempts_default partition of attempts default;

-- Makes the partitions of `ahead` from now on, and drops those that ended before `keep`. The owner's function, because
-- the worker that calls it owns no table; it takes no names from its caller but those listed.
create function tend_partitions(parent text, width interval, ahead interval, keep interval)
  returns void language plpgsql security definer
  set search_path = pg_catalog, public set timezone = 'UTC' as $$
declare
  lower_bound timestamptz := date_bin(width, clock_timestamp(), timestamptz '2000-01-01 00:00:00+00');
  upper_bound timestamptz := clock_timestamp() + ahead;
  partition_name text;
  old record;
begin
  if parent not in ('request_records', 'events', 'deliveries', 'attempts') then
    raise exception 'no such partitioned table: %', parent;
  end if;
  perform pg_advisory_xact_lock(75470002);
  while lower_bound < upper_bound loop
    partition_name := parent || to_char(lower_bound at time zone 'UTC', '_YYYYMMDD_HH24');
    if to_regclass('public.' || quote_ident(partition_name)) is null then
      begin
        execute format('create table public.%I partition of public.%I for values from (%L) to (%L)',
          partition_name, parent, uuid_floor(lower_bound), uuid_floor(lower_bound + width));
      exception when check_violation then
        -- The default partition already holds rows of that time (nobody tended for too long): they stay there.
        raise warning 'rows of % are in the default partition of %', lower_bound, parent;
      end;
    end if;
    lower_bound := lower_bound + width;
  end loop;
  for old in
    select inhrelid::regclass as name, to_timestamp(right(inhrelid::regclass::text, 11), 'YYYYMMDD_HH24') as began
    from pg_inherits
    where inhparent = ('public.' || quote_ident(parent))::regclass and inhrelid::regclass::text ~ '_\d{8}_\d{2}$'
  loop
    if old.began + width < clock_timestamp() - keep then
      execute format('drop table %s', old.name);
    end if;
  end loop;
end $$;
revoke execute on function tend_partitions from public;
grant execute on function tend_partitions to slipway_worker;

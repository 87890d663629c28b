-- How requests are searched (docs/decisions/0037): B-trees on what is being written; and a day that is over becomes one partition,
-- in the order of its apps, which can be searched by facets too.

create function uuid_moment(id uuid) returns timestamptz language sql immutable parallel safe
  return to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);

create function partition_bounds(parent regclass)
  returns table (leaf regclass, lower_bound uuid, upper_bound uuid, is_sealed boolean) language sql stable as $$
  select c.oid::regclass, bounds[1]::uuid, bounds[2]::uuid, c.relname ~ '_sealed_\d{8}_\d{2}$'
  from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    cross join lateral regexp_match(pg_get_expr(c.relpartbound, c.oid), $re$FROM \('([0-9a-f-]+)'\) TO \('([0-9a-f-]+)'\)$re$) bounds
  where i.inhparent = parent and bounds is not null
$$;

-------------------------------------------------------------------------------------------------------- facets
-- The bytes of an app and of what is said of a record: in one index, and of no use to another app.
create function request_facet(app_id uuid, facet text) returns bigint language sql immutable parallel safe
  return hashtextextended(facet, uuid_hash_extended(app_id, 0));

-- Each is named in features/requests/search-plan.ts too.
create function request_facets(app_id uuid, operation_id text, simulated text, duration_us int) returns bigint[]
  language sql immutable parallel safe
  return array_remove(array[
    request_facet(app_id, 'operation ' || operation_id),
    case when simulated is not null then request_facet(app_id, 'simulated') end,
    case when duration_us >= 1000000 then request_facet(app_id, 'duration 1') end,
    case when duration_us >= 3000000 then request_facet(app_id, 'duration 3') end,
    case when duration_us >= 10000000 then request_facet(app_id, 'duration 10') end], null);

-- The newest records of the tenant that have these facets, as far as they are sealed; who asks looks whether they are really
-- theirs. The owner's function: under row-level security no index is used by an operator that is not known to be leakproof.
create function find_faceted_requests(facets text[], from_id uuid, before_id uuid, at_most int) returns setof uuid
  language plpgsql stable security definer set search_path = pg_catalog, public as $$
declare
  hashes bigint[] := array(select request_facet(current_app_id(), facet) from unnest(facets) facet);
  sealed regclass;
  count int;
  total int := 0;
begin
  for sealed in
    select p.leaf from partition_bounds('request_records') p
      where p.is_sealed and p.lower_bound < before_id and p.upper_bound > from_id order by p.lower_bound desc
  loop
    return query execute format('select request_id from %s
        where app_id = $1 and request_facets(app_id, operation_id, simulated, duration_us) @> $2
          and request_id >= $3 and request_id < $4
        order by request_id desc limit $5', sealed)
      using current_app_id(), hashes, from_id, before_id, at_most - total;
    get diagnostics count = row_count;
    total := total + count;
    exit when total >= at_most;
  end loop;
end $$;
revoke execute on function find_faceted_requests from public;
grant execute on function find_faceted_requests to slipway_manager;

------------------------------------------------------------------------------------------------------- indexes
create index request_records_key on only request_records (key_id, request_id);
create index request_records_server on only request_records (server_id, request_id) where server_id is not null;
create index request_records_status on only request_records (app_id, status, request_id) where status >= 400;
create index request_records_trace on only request_records (trace_id) where trace_id is not null;

-- What is written now gets them at once. Older hours are sealed by the next worker, with all of them: a lock on each index of
-- each hour of a month is more than Postgres has room for.
do $$
declare
  parent_index record;
  leaf regclass;
  name text;
begin
  for parent_index in
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = 'request_records'::regclass and not indisprimary
  loop
    for leaf in
      select 'request_records_default'::regclass
      union all
      select p.leaf from partition_bounds('request_records') p
        where p.upper_bound > uuid_floor(clock_timestamp() - interval '2 days')
    loop
      name := parent_index.name || substr(leaf::text, length('request_records') + 1);
      execute regexp_replace(parent_index.definition, '^CREATE INDEX \S+ ON ONLY \S+', format('create index %I on %s', name, leaf));
      execute format('alter index %I attach partition %I', parent_index.name, name);
    end loop;
  end loop;
end $$;

---------------------------------------------------------------------------------------------------- partitions
-- As before, but: what goes is known by its bounds and no longer by its name; nobody who writes waits long for a partition
-- that goes; and what a clock that was far off left in the default partition goes in its time too.
create or replace function tend_partitions(parent text, width interval, ahead interval, keep interval)
  returns void language plpgsql security definer
  set search_path = pg_catalog, public set timezone = 'UTC' as $$
declare
  began timestamptz := date_bin(width, clock_timestamp(), timestamptz '2000-01-01 00:00:00+00');
  until timestamptz := clock_timestamp() + ahead;
  oldest uuid := uuid_floor(clock_timestamp() - keep);
  partition_name text;
  old regclass;
begin
  if parent not in ('request_records', 'events', 'deliveries', 'attempts') then
    raise exception 'no such partitioned table: %', parent;
  end if;
  perform pg_advisory_xact_lock(75470002);
  while began < until loop
    partition_name := parent || to_char(began at time zone 'UTC', '_YYYYMMDD_HH24');
    if to_regclass('public.' || quote_ident(partition_name)) is null then
      begin
        execute format('create table public.%I partition of public.%I for values from (%L) to (%L)',
          partition_name, parent, uuid_floor(began), uuid_floor(began + width));
      exception when check_violation then
        -- The default partition already holds rows of that time (nobody tended for too long): they stay there.
        raise warning 'rows of % are in the default partition of %', began, parent;
      end;
    end if;
    began := began + width;
  end loop;
  if parent = 'request_records' then
    delete from request_records_default where request_id < oldest;
  end if;
  perform set_config('lock_timeout', '200ms', true);
  foreach old in array array(
    select p.leaf from partition_bounds(('public.' || quote_ident(parent))::regclass) p where p.upper_bound <= oldest)
  loop
    begin
      execute format('drop table %s', old);
    exception when lock_not_available then
      raise warning '% is in use and goes the next time', old;
    end;
  end loop;
end $$;

-- Makes one partition of the hours of the oldest day that is over, in the order of its apps and with all indexes, and says
-- which; null when there is none. Not before a quarter of an hour: a live tail takes what is written again for new, and looks
-- twelve minutes back. It takes as long as it takes to write the day again. Who writes with a clock that is so far
-- behind waits meanwhile; everybody else waits at the end, for as long as partitions are exchanged.
create function seal_request_records() returns text language plpgsql security definer
  set search_path = pg_catalog, public set timezone = 'UTC' set lock_timeout = '3s' as $$
declare
  day timestamptz;
  hour record;
  hours regclass[];
  from_id uuid;
  before_id uuid;
  sealed text;
  definition text;
begin
  if not pg_try_advisory_xact_lock(75470003) then return null; end if;
  select min(date_trunc('day', uuid_moment(p.lower_bound))) into day from partition_bounds('request_records') p
    where not p.is_sealed
      and date_trunc('day', uuid_moment(p.lower_bound)) + interval '1 day' <= clock_timestamp() - interval '15 minutes';
  if day is null then return null; end if;

  -- Up to the first that is missing: its rows, if there are any, are in the default partition.
  for hour in
    select p.* from partition_bounds('request_records') p
      where not p.is_sealed and p.lower_bound >= uuid_floor(day) and p.lower_bound < uuid_floor(day + interval '1 day')
      order by p.lower_bound
  loop
    exit when hour.lower_bound <> before_id;
    from_id := coalesce(from_id, hour.lower_bound);
    before_id := hour.upper_bound;
    hours := hours || hour.leaf;
  end loop;
  execute format('lock table %s in share mode', array_to_string(hours, ', '));

  sealed := 'public.request_records_sealed_' || to_char(uuid_moment(from_id), 'YYYYMMDD_HH24');
  -- By its check Postgres knows that all of it belongs there, and need not look when it is attached.
  execute format('create table %s (like public.request_records including defaults including constraints,
    check (request_id >= %L and request_id < %L))', sealed, from_id, before_id);
  execute format('insert into %s select * from (%s) hours order by app_id, request_id', sealed,
    (select string_agg(format('select * from %s', one), ' union all ') from unnest(hours) one));
  execute format('alter table %s add primary key (app_id, request_id)', sealed);
  foreach definition in array array(
    select pg_get_indexdef(indexrelid) from pg_index
      where indrelid = 'public.request_records'::regclass and not indisprimary)
  loop
    execute regexp_replace(definition, '^CREATE INDEX \S+ ON (ONLY )?\S+', 'create index on ' || sealed);
  end loop;
  execute format('create index on %s using gin (request_facets(app_id, operation_id, simulated, duration_us))', sealed);
  execute format('analyze %s', sealed);

  perform set_config('lock_timeout', '200ms', true);
  for attempt in 1..60 loop
    begin
      lock table only public.request_records in access exclusive mode;
      execute format('drop table %s', array_to_string(hours, ', '));
      execute format('alter table public.request_records attach partition %s for values from (%L) to (%L)',
        sealed, from_id, before_id);
      return sealed;
    exception when lock_not_available then
      if attempt = 60 then raise; end if;
      perform pg_sleep(1);
    end;
  end loop;
end $$;
-- By the owner, as whom all of them have logged in: a role may not cancel what another began. Nothing but a sealing.
create function cancel_sealing(of_pid int) returns void language sql security definer set search_path = pg_catalog as $$
  select pg_cancel_backend(pid) from pg_locks
  where pid = of_pid and locktype = 'advisory' and classid = 0 and objid = 75470003
    and database = (select oid from pg_database where datname = current_database())
$$;
revoke execute on function seal_request_records, cancel_sealing from public;
grant execute on function seal_request_records, cancel_sealing to slipway_worker;

---------------------------------------------------------------------------------------------------------- limits
-- For how many days an organisation's requests are kept, where that is less than everybody's.
alter table organisations add column max_request_days int check (max_request_days between 1 and 3650);
grant update (max_request_days) on organisations to slipway_manager;
create policy everyone on organisations for select to slipway_worker using (true);
grant select (organisation_id, max_request_days) on organisations to slipway_worker;

-- At most so many of an app's records that are older than that; how many they were. By an index, always.
create function trim_request_records(of_app_id uuid, days int, max_rows int) returns int language plpgsql security definer
  set search_path = pg_catalog, public set enable_seqscan = off set lock_timeout = '1s' as $$
declare
  before_id uuid := uuid_floor(clock_timestamp() - make_interval(days => greatest(days, 1)));
  leaf regclass;
  trimmed int;
  total int := 0;
begin
  foreach leaf in array 'request_records_default'::regclass || array(
    select p.leaf from partition_bounds('request_records') p where p.lower_bound < before_id order by p.lower_bound)
  loop
    execute format('with gone as (
        delete from %1$s where ctid = any (array(select ctid from %1$s where app_id = $1 and request_id < $2 limit $3))
        returning 1)
      select count(*) from gone', leaf) into trimmed using of_app_id, before_id, max_rows - total;
    total := total + trimmed;
    exit when total >= max_rows;
  end loop;
  return total;
end $$;
revoke execute on function trim_request_records from public;
grant execute on function trim_request_records to slipway_worker;

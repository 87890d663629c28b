-- Housekeeping in turns: partitions are made by a function of their own, which is all that a start waits for, and what goes with age
-- goes some at a time. `tend_partitions` stays for processes of the release before.
create function make_partitions(parent text, width interval, ahead interval) returns void language plpgsql security definer
  set search_path = pg_catalog, public set timezone = 'UTC' as $$
declare
  began timestamptz := date_bin(width, clock_timestamp(), timestamptz '2000-01-01 00:00:00+00');
  until timestamptz := clock_timestamp() + ahead;
  partition_name text;
begin
  if parent not in ('request_records', 'events', 'deliveries', 'attempts') then
    raise exception 'no such partitioned table: %', parent;
  end if;
  perform pg_advisory_xact_lock(75470002);
  while began < until loop
    partition_name := parent || to_char(began at time zone 'UTC', '_YYYYMMDD_HH24');
    if to_regclass('public.' || quote_ident(partition_name)) is null then
      begin
        execute format('create table public.%I partition of public.%I for values from (%L) to (%L) %s',
          partition_name, parent, uuid_floor(began), uuid_floor(began + width),
          case parent when 'deliveries' then 'with (fillfactor = 90)' end);
      exception when check_violation then
        -- The default partition already holds rows of that time (no process tended for too long): they stay there.
        raise warning 'rows of % are in the default partition of %', began, parent;
      end;
    end if;
    began := began + width;
  end loop;
end $$;

-- Drops at most so many partitions whose time is over, oldest first; returns how many it dropped. One that is in use goes the next
-- time.
create function drop_partitions(parent text, keep interval, max_partitions int) returns int language plpgsql security definer
  set search_path = pg_catalog, public set timezone = 'UTC' set lock_timeout = '200ms' as $$
declare
  oldest uuid := uuid_floor(clock_timestamp() - keep);
  old regclass;
  dropped int := 0;
begin
  if parent not in ('request_records', 'events', 'deliveries', 'attempts') then
    raise exception 'no such partitioned table: %', parent;
  end if;
  perform pg_advisory_xact_lock(75470002);
  foreach old in array array(
    select p.leaf from partition_bounds(('public.' || quote_ident(parent))::regclass) p where p.upper_bound <= oldest
      order by p.upper_bound)
  loop
    exit when dropped >= max_partitions;
    begin
      execute format('drop table %s', old);
      dropped := dropped + 1;
    exception when lock_not_available then
      raise warning '% is in use and goes the next time', old;
    end;
  end loop;
  return dropped;
end $$;

-- Deletes at most so many records that a clock far off left in the default partition, and whose time is over; returns how many.
create function trim_default_records(keep interval, max_rows int) returns int language plpgsql security definer
  set search_path = pg_catalog, public set enable_seqscan = off set lock_timeout = '1s' as $$
declare
  trimmed int;
begin
  with gone as (
    delete from request_records_default where ctid = any (array(
      select ctid from request_records_default where request_id < uuid_floor(clock_timestamp() - keep) limit max_rows))
    returning 1)
  select count(*) into trimmed from gone;
  return trimmed;
end $$;
revoke execute on function make_partitions, drop_partitions, trim_default_records from public;
grant execute on function make_partitions, drop_partitions, trim_default_records to slipway_worker;

-- A process of the release before deletes from the default partition within the bound too.
create or replace function tend_partitions(parent text, width interval, ahead interval, keep interval)
  returns void language plpgsql security definer set search_path = pg_catalog, public set timezone = 'UTC' as $$
begin
  perform make_partitions(parent, width, ahead);
  if parent = 'request_records' then perform trim_default_records(keep, 5000); end if;
  perform drop_partitions(parent, keep, 8);
end $$;

-- A row that is deleted is found by its place, which a role may read that may read all columns.
grant select on unproved_counts, redeliveries to slipway_worker;
create index record_gaps_by_age on record_gaps (minute);
create index redeliveries_by_age on redeliveries (finished_at) where finished_at is not null;

-- Deletes at most so many keys of an app whose grace is over: those that are not the predecessor of another one, so that each turn
-- leaves rows that the next one may delete. Returns how many.
create function erase_keys(of_app_id uuid, max_rows int) returns int language plpgsql security definer
  set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  erased int;
begin
  perform refuse_early_erasing(of_app_id);
  with gone as (
    delete from keys where ctid = any (array(
      select k.ctid from keys k where k.app_id = of_app_id
        and not exists (select from keys s where s.app_id = k.app_id and s.predecessor_id = k.key_id)
      limit max_rows))
    returning 1)
  select count(*) into erased from gone;
  return erased;
end $$;
revoke execute on function erase_keys from public;
grant execute on function erase_keys to slipway_worker;

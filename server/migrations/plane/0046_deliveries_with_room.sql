-- A page of deliveries has room for the ends of its own (docs/decisions/0056): the end of one that waited for long, in a page that was full,
-- went to another page, and to another place in each index.
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
        execute format('create table public.%I partition of public.%I for values from (%L) to (%L) %s',
          partition_name, parent, uuid_floor(began), uuid_floor(began + width),
          case parent when 'deliveries' then 'with (fillfactor = 90)' end);
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
do $$ declare
  leaf regclass;
begin
  foreach leaf in array array(select inhrelid::regclass from pg_inherits where inhparent = 'deliveries'::regclass) loop
    execute format('alter table %s set (fillfactor = 90)', leaf);
  end loop;
end $$;

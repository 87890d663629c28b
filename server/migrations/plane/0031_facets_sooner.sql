-- A search by facets asks each sealed day, and spent most of its time in planning that: the text of an SQL function is put into
-- the statement and into the expression of the index, and both are simplified and compared, day after day. A function that stays
-- what it is takes a third of it (docs/decisions/0037). It says the same, so the indexes stay as they are.
create or replace function request_facets(app_id uuid, operation_id text, simulated text, duration_us int) returns bigint[]
  language plpgsql immutable parallel safe as $$
begin
  return array_remove(array[
    public.request_facet(app_id, 'operation ' || operation_id),
    case when simulated is not null then public.request_facet(app_id, 'simulated') end,
    case when duration_us >= 1000000 then public.request_facet(app_id, 'duration 1') end,
    case when duration_us >= 3000000 then public.request_facet(app_id, 'duration 3') end,
    case when duration_us >= 10000000 then public.request_facet(app_id, 'duration 10') end], null);
end $$;

-- As before, but that the facets' index alone is asked, which knows the app, and not the list of all of the app's records beside it;
-- and days that are not meant find nothing by it: to read the bounds of all takes longer.
create or replace function find_faceted_requests(facets text[], from_id uuid, before_id uuid, at_most int) returns setof uuid
  language plpgsql stable security definer set search_path = pg_catalog, public as $$
declare
  hashes bigint[] := array(select request_facet(current_app_id(), facet) from unnest(facets) facet);
  sealed regclass;
  count int;
  total int := 0;
begin
  for sealed in
    select c.oid::regclass from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'request_records'::regclass and c.relname ~ '_sealed_\d{8}_\d{2}$' order by c.relname desc
  loop
    return query execute format('select request_id from %s
        where request_facets(app_id, operation_id, simulated, duration_us) @> $2
          and (app_id = $1 and request_id >= $3 and request_id < $4) is true
        order by request_id desc limit $5', sealed)
      using current_app_id(), hashes, from_id, before_id, at_most - total;
    get diagnostics count = row_count;
    total := total + count;
    exit when total >= at_most;
  end loop;
end $$;

-- Slow requests and simulated faults in the hours that have no facets yet: there are few, and without a list of their own all of the
-- app's records are read for them, each on a page of its own.
create index request_records_slow_or_simulated on only request_records (app_id, request_id)
  where simulated is not null or duration_us >= 1000000;
do $$
declare
  leaf regclass;
  name text;
begin
  for leaf in
    select 'request_records_default'::regclass
    union all
    select p.leaf from partition_bounds('request_records') p where not p.is_sealed
  loop
    name := 'request_records_slow_or_simulated' || substr(leaf::text, length('request_records') + 1);
    execute format('create index %I on %s (app_id, request_id) where simulated is not null or duration_us >= 1000000', name, leaf);
    execute format('alter index request_records_slow_or_simulated attach partition %I', name);
  end loop;
end $$;
